"""The auditor's case: six deliveries of one release, five of them with a fault to find.

    python examples/embeddings/run.py      (needs the extra: pip install 'certify-dp[audit]')

Each delivery is a claim file and the records it speaks of, sentence embeddings of 384 numbers. The script writes them
to a temporary folder, runs `certify check` and `certify audit` on each, and prints the lines that decide.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import numpy as np

from certify.cli import main as certify

HERE = Path(__file__).resolve().parent
TELLING = (
    "certified ",
    "refuted ",
    "not-certified ",
    "  Bound",
    "  - record",
    "  - min_class",
    "  epsilon at",
    "  success o",
    "The data",
    "No empirical",
    "An empirical",
    "Claim ",
)


def run(*arguments: str) -> tuple[int, list[str]]:
    """One command: its exit status, and those of its lines that decide, with the lines they go on in."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        status = certify(list(arguments))
    found: list[str] = []
    telling = False
    for line in shown.getvalue().splitlines():
        goes_on = line.startswith("    ") and telling
        telling = goes_on or line.startswith(TELLING)
        if telling:
            found.append(line)
    return status, found


def deliver(name: str, claim: str, features: np.ndarray, labels: np.ndarray) -> None:
    """Write one delivery, check it, and audit it."""
    Path("claim.toml").write_text(claim, encoding="utf-8")
    np.savez("records.npz", features=features, labels=labels)
    print(f"\n== {name}")
    for command in ("check claim.toml --no-repairs", "audit claim.toml --data records.npz"):
        status, lines = run(*command.split())
        print(f"-- certify {command}: exit status {status}")
        print("\n".join(lines))


def main() -> None:
    """Every delivery in turn."""
    claim = (HERE / "claim.toml").read_text(encoding="utf-8")
    archive = np.load(HERE / "embeddings.npz")
    features, labels = archive["features"].astype(np.float64), archive["labels"].astype(np.int64)
    print(f"{len(features)} sentence embeddings of {features.shape[1]} numbers, {len(set(labels.tolist()))} labels")
    longer, moved = features.copy(), labels.copy()
    longer[[17, 230]] *= 1.01
    moved[np.flatnonzero(labels == 2)[:20]] = 1
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        deliver("honest", claim, features, labels)
        deliver("sigma rounded down to three digits", noise(claim, "0.00917"), features, labels)
        deliver("sigma calibrated for add/remove, half the distance", noise(claim, "0.004587"), features, labels)
        deliver("sigma calibrated for the cosine distance 0.98 as radius", noise(claim, "0.006422"), features, labels)
        deliver("two records that were never cut to norm 1", claim, longer, labels)
        deliver("counts of last month: the smallest class has shrunk", claim, features, moved)


def noise(claim: str, sigma: str) -> str:
    """The claim at another noise level."""
    first, honest, rest = claim.partition('sigma = "0.009174"')
    assert honest
    return f'{first}sigma = "{sigma}"{rest}'


if __name__ == "__main__":
    main()
