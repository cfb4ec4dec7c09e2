"""What certificates cost: re-establishing one against producing it, and how many of a folder are verified in a second.

    python -m benchmarks.certificates          (writes certificates.json beside this file)

Producing is the verdict without repairs and the certificate, without the checker's own look at it before it is handed
out; both are medians of runs taken in turns in one process, with nothing kept from one run to the next.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from certify.certificates.produce import Produced, certificates
from certify.checker.verify import verify
from certify.claims import load
from certify.kernel.loop import Limits
from certify.verdicts import check_file, memory

RESULT = Path(__file__).with_suffix(".json")
CLAIMS = Path(__file__).parents[1] / "examples" / "claims"
NAMES = ("ball-logistic", "c4-519", "example-4.8", "ridge-prototype")
ROUNDS, FOLDER = 7, 1000


def seconds(work: Callable[[], object]) -> float:
    """One run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def made(path: Path) -> list[bytes]:
    """The certificates of a claim file, from nothing."""
    memory._place.cache_clear()
    claims = load(path)
    found = certificates(claims, check_file(claims, repairs=False), Limits())
    return [item.data for item in found if isinstance(item, Produced)]


def ratio(path: Path) -> dict[str, float]:
    """Verifying over producing for the claims of one file."""
    data = made(path)
    both, again = [], []
    for _ in range(ROUNDS):
        both.append(seconds(lambda: made(path)))
        again.append(seconds(lambda: [verify(item) for item in data]))
    producing, verifying = statistics.median(both) - statistics.median(again), statistics.median(again)
    return {"verifying / producing": round(verifying / producing, 2), "claims": len(data)}


def rate(data: list[bytes]) -> float:
    """Certificates of a folder of a thousand that `certify verify` re-establishes in a second of one process."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FOLDER):
            (Path(folder) / f"{number:04}.json").write_bytes(data[number % len(data)])
        command = [sys.executable, "-m", "certify", "verify", folder]
        spent = seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=False))
    return round(FOLDER / spent, 1)


def main() -> None:
    """Measure, print and keep the ratios."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    found = {
        "commit": commit.stdout.strip(),
        "ratios": {name: ratio(CLAIMS / f"{name}.toml") for name in NAMES},
        "verified in a second by one process, of a folder of 1,000": rate(
            [item for name in NAMES for item in made(CLAIMS / f"{name}.toml")]
        ),
    }
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
