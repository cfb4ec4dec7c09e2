"""Speed as ratios, all measured in one run: `python benchmarks/speed.py`. Needs dp-accounting and python-flint.

The two sides of a ratio take turns, so that a busy machine slows both; the ratio is that of the medians. Cold times are
of whole new processes with their bytecode already compiled; warm times are within this process, after one call that is
not counted. Prints a table and writes speed.json beside this file. Exit status 1 where a ratio is over its limit.
"""

from __future__ import annotations

import json
import math
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from arb_sigma import sigma_bracket
from dp_accounting.gaussian_mechanism import get_sigma_gaussian  # type: ignore[import-untyped]
from flint import fmpq

from certify.evaluation import answer, entry_named, read_inputs
from certify.evaluation.entries import Task
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Limits
from certify.version import VERSION

ROOT = Path(__file__).parents[1]
COLD_RUNS = 15
WARM_RUNS = 101
COUNT_RUNS = 5

_CELLS = (("2", "1e-6"), ("0.1", "1e-12"), ("50", "1e-10"), ("1", "1e-5"))
_REGULARIZATIONS = ("1e-2", "1e-3", "1e-4", "1e-5")
_DESCENT = {"n": "1e6", "d": "1e4", "loss": "logistic", "sigma_over_G": "5", "u": "6", "epsilon": "1", "delta": "1e-7"}
_BALL_CLAIM = """\
[release]
mechanism = "gaussian-output-perturbation"
sigma = "0.0151"
[model]
head = "binary-logistic"
n = 25_000
regularization = "0.01"
feature_bound = 1
gradient_tolerance = "1e-10"
intercept = "none"
public = ["feature_bound", "radius", "n", "regularization"]
[policy]
adjacency = "replace-one"
metric = "label-preserving-euclidean"
radius = "0.7"
[[claim]]
kind = "differential-privacy"
epsilon = {epsilon}
delta = "1e-6"
"""


@dataclass(frozen=True)
class Ratio:
    """Median time of ``first`` over median time of ``second``, and the most it may be (None: shown, not limited)."""

    first: str
    second: str
    runs: int
    first_ms: float
    second_ms: float
    ratio: float
    limit: float | None


@dataclass(frozen=True)
class FirstCount:
    """One `gd.first-count`: the count found, and what it took."""

    mu: str
    iterations: int
    seconds: float
    evaluations: int
    evaluations_per_log2_of_iterations: float


def turns(first: Callable[[], object], second: Callable[[], object], runs: int) -> tuple[float, float]:
    """The median seconds of each, called in turn after one call of each that is not counted."""
    first(), second()
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for side, call in zip(taken, (first, second), strict=True):
            start = time.perf_counter()
            call()
            side.append(time.perf_counter() - start)
    return statistics.median(taken[0]), statistics.median(taken[1])


def compared(
    first: tuple[str, Callable[[], object]],
    second: tuple[str, Callable[[], object]],
    runs: int,
    limit: float | None = None,
) -> Ratio:
    """The ratio of two calls, each with its name."""
    a, b = turns(first[1], second[1], runs)
    return Ratio(first[0], second[0], runs, round(a * 1000, 3), round(b * 1000, 3), round(a / b, 3), limit)


def command(*arguments: str, status: int = 0) -> Callable[[], None]:
    """A new Python process with these arguments, which has to end with ``status``."""

    def run() -> None:
        done = subprocess.run(
            [sys.executable, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT
        )
        if done.returncode != status:
            raise RuntimeError(f"{arguments} ended with {done.returncode}, not {status}: {done.stderr}")

    return run


def cold_ratios(folder: Path) -> list[Ratio]:
    """`certify` from nothing to its answer, against `import scipy.stats`."""
    certified, failing = folder / "certified.toml", folder / "failing.toml"
    certified.write_text(_BALL_CLAIM.format(epsilon=2), encoding="utf-8")
    failing.write_text(_BALL_CLAIM.format(epsilon=1), encoding="utf-8")
    scipy_stats = ("import scipy.stats", command("-c", "import scipy.stats"))
    check = ("check of one Ball-DP claim, cold", command("-m", "certify", "check", str(certified)))
    repaired = ("check of one with repairs, cold", command("-m", "certify", "check", str(failing), status=1))
    version = ("--version, cold", command("-m", "certify", "--version"))
    bare = ("python -c pass", command("-c", "pass"))
    return [
        compared(check, scipy_stats, COLD_RUNS, 0.35),
        compared(repaired, scipy_stats, COLD_RUNS),
        compared(version, bare, COLD_RUNS),
    ]


def calibration_ratios() -> list[Ratio]:
    """G3 to 12 digits with both ends proved, against a float and an Arb calibration."""
    found = []
    for epsilon, delta in _CELLS:
        given = {"epsilon": epsilon, "delta": delta, "sensitivity": "1"}
        ours = (f"gaussian.sigma({epsilon}, {delta})", lambda given=given: answer("gaussian.sigma", given))
        numbers = float(epsilon), float(delta)
        exact = fmpq_of(epsilon), fmpq_of(delta)
        floats = ("dp_accounting get_sigma_gaussian", lambda numbers=numbers: get_sigma_gaussian(*numbers))
        balls = ("the same search in python-flint", lambda exact=exact: sigma_bracket(*exact))
        found.append(compared(ours, floats, WARM_RUNS, 3))
        found.append(compared(ours, balls, WARM_RUNS))
    return found


def fmpq_of(text: str) -> fmpq:
    """An exact decimal as python-flint's rational."""
    from certify.kernel.exact import exact

    number = exact(text, "number")
    return fmpq(number.numerator, number.denominator)


def first_counts() -> list[FirstCount]:
    """`gd.first-count` as the regularization falls, and with it the count grows."""
    entry = entry_named("gd.first-count")
    found = []
    for mu in _REGULARIZATIONS:
        inputs = read_inputs(entry, {**_DESCENT, "mu": mu})
        seconds = []
        for _ in range(COUNT_RUNS + 1):
            limits = Limits()
            task = Task(12, limits, limits.allowance())
            start = time.perf_counter()
            values = entry.answer(task, inputs).values
            seconds.append(time.perf_counter() - start)
        count = values["iterations"]
        if isinstance(count, Enclosure):
            raise TypeError(f"gd.first-count found no whole count at mu = {mu}")
        spent = limits.max_evaluations - task.allowance.left
        median = round(statistics.median(seconds[1:]), 4)
        found.append(FirstCount(mu, count, median, spent, round(spent / math.log2(count), 1)))
    return found


def printed(ratios: Sequence[Ratio], counts: Sequence[FirstCount]) -> str:
    """The table."""
    lines = [f"{'first':<36}{'second':<36}{'ms':>10}{'ms':>10}{'ratio':>8}{'limit':>7}{'runs':>6}"]
    for row in ratios:
        limit = "" if row.limit is None else f"{row.limit:g}"
        times = f"{row.first_ms:>10.2f}{row.second_ms:>10.2f}{row.ratio:>8.2f}"
        lines.append(f"{row.first:<36}{row.second:<36}{times}{limit:>7}{row.runs:>6}")
    lines.append(f"\n{'gd.first-count, mu':<20}{'iterations':>12}{'seconds':>10}{'evaluations':>13}{'per log2 N':>12}")
    for count in counts:
        shown = f"{count.seconds:>10.3f}{count.evaluations:>13}{count.evaluations_per_log2_of_iterations:>12}"
        lines.append(f"{count.mu:<20}{count.iterations:>12}{shown}")
    return "\n".join(lines)


def commit() -> str:
    """The commit measured, marked where files are changed."""
    asked = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def main() -> int:
    """Measure, print, write speed.json."""
    with tempfile.TemporaryDirectory() as folder:
        ratios = [*cold_ratios(Path(folder)), *calibration_ratios()]
    counts = first_counts()
    print(printed(ratios, counts))
    names = ("mpmath", "scipy", "dp-accounting", "python-flint")
    document = {
        "commit": commit(),
        "versions": {"certify": VERSION, "python": platform.python_version()}
        | {name: metadata.version(name) for name in names},
        "ratios": [asdict(row) for row in ratios],
        "first_count": [asdict(row) for row in counts],
    }
    (Path(__file__).parent / "speed.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    over = [row for row in ratios if row.limit is not None and row.ratio > row.limit]
    slow = [row for row in counts if row.mu == "1e-3" and row.seconds > 2]
    for row in [*over, *slow]:
        print(f"OVER its limit: {row}")
    return 1 if over or slow else 0


if __name__ == "__main__":
    sys.exit(main())
