"""A campaign of false claims through ``check_file``, each beside a true neighbour: none may be certified.

    python -m tests.properties.false_claims [COUNT]      (20,000 if left out)

A claim is false by as little as the proved digits allow: sigma at the end of the bracket that is proved not to suffice,
delta a unit below the last digit shown, epsilon likewise, one record or a hair of radius too much, a success below the
baseline, a class-level delta below its floor. Counts below the first one at fixed radii, and below the threshold, are
not false, but the theorem that the claim names does not certify them. The result goes to benchmarks/false_claims.json.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify import Limits, Verdict
from certify.claims import from_mapping
from certify.verdicts import check_file
from tests.properties.claim_files import File, descent_file, output_file, privacy, reconstruction
from tests.properties.ends import evaluated, value

FULL = 20_000
RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "false_claims.json"
_DIGITS = 12


@dataclass(frozen=True)
class Case:
    """A claim that must not be certified, and its neighbour that is true, where there is one."""

    kind: str
    wrong: File
    right: File | None


def _scaled(draw: random.Random, lowest: int, highest: int) -> Fraction:
    return Fraction(draw.randrange(100, 1000), 100) * Fraction(10) ** draw.randrange(lowest, highest)


@dataclass(frozen=True)
class Prototype:
    """Ridge prototypes whose class counts may be public; the sensitivity 2r/(2 n_min + lambda n) is attained."""

    n: int
    smallest: int
    regularization: Fraction
    radius: Fraction
    epsilon: Fraction
    delta: Fraction

    @classmethod
    def drawn(cls, draw: random.Random) -> Prototype:
        """Random in every parameter."""
        n = draw.randrange(20, 10**6)
        delta = _scaled(draw, -14, -1) if draw.random() < 0.8 else _scaled(draw, -300, -14)
        smallest = draw.choice([1, draw.randrange(1, n // 4)])
        return cls(n, smallest, _scaled(draw, -5, 1), _scaled(draw, -2, 0) / 5, _scaled(draw, -2, 1), delta)

    @property
    def sensitivity(self) -> Fraction:
        return 2 * self.radius / (2 * self.smallest + self.regularization * self.n)

    def file(self, sigma: Fraction, claim: File, *, n: int | None = None, radius: Fraction | None = None) -> File:
        """The claim on this model at a noise scale."""
        counts: File = {"min_class_count": self.smallest, "classes": 2} if self.smallest > 1 else {}
        size, ball = (self.n if n is None else n), (self.radius if radius is None else radius)
        return output_file("ridge-prototype", size, self.regularization, sigma, ball, [claim], **counts)

    def sigma(self) -> tuple[Fraction, Fraction]:
        """The proved bracket of sigma*."""
        given = {"epsilon": self.epsilon, "delta": self.delta, "sensitivity": self.sensitivity}
        found = value("gaussian.sigma", "sigma", given)
        return found.lower, found.upper

    @property
    def claim(self) -> File:
        return privacy(self.epsilon, self.delta)


def sigma_too_small(draw: random.Random) -> Case:
    """sigma at the proved lower end of the bracket, exactly or as a decimal cut down."""
    p = Prototype.drawn(draw)
    lower, upper = p.sigma()
    return Case("sigma just below", p.file(_cut(lower, draw), p.claim), p.file(upper, p.claim))


def _cut(x: Fraction, draw: random.Random) -> Fraction:
    if draw.random() < 0.5:
        return x
    place = Fraction(10) ** -draw.randrange(3, 60)
    cut = x // place * place
    return cut if cut > 0 else x


def delta_too_small(draw: random.Random) -> Case:
    """delta a unit in the twelfth digit below the profile, beside the one a unit above it."""
    p = Prototype.drawn(draw)
    sigma = p.sigma()[1] * Fraction(draw.randrange(50, 200), 100)
    spent = value("gaussian.profile", "delta", {"epsilon": p.epsilon, "sensitivity": p.sensitivity, "sigma": sigma})
    below, above = spent.text(_DIGITS)
    return Case(
        "delta one digit lower",
        p.file(sigma, privacy(p.epsilon, min(Fraction(below), spent.lower * (1 - Fraction(1, 10**_DIGITS))))),
        p.file(sigma, privacy(p.epsilon, Fraction(above))),
    )


def epsilon_too_small(draw: random.Random) -> Case:
    """epsilon at the proved lower end of its bracket."""
    p = Prototype.drawn(draw)
    sigma = p.sensitivity / _scaled(draw, -1, 1)
    found = value("gaussian.epsilon", "epsilon", {"delta": p.delta, "ratio": p.sensitivity / sigma})
    if found.upper == 0:
        return sigma_too_small(draw)
    files = [p.file(sigma, privacy(end, p.delta)) for end in (found.lower, found.upper)]
    return Case("epsilon just below", *files)


def radius_too_large(draw: random.Random) -> Case:
    """A ball wider by a part in 10^10 at the proved upper end of sigma*."""
    p = Prototype.drawn(draw)
    sigma = p.sigma()[1]
    wider = p.radius * (1 + Fraction(1, 10**10))
    return Case("radius just above", p.file(sigma, p.claim, radius=wider), p.file(sigma, p.claim))


def records_too_few(draw: random.Random) -> Case:
    """One record less at the proved upper end of sigma*."""
    p = Prototype.drawn(draw)
    sigma = p.sigma()[1]
    if p.regularization < Fraction(1, 100):
        return radius_too_large(draw)
    return Case("one record less", p.file(sigma, p.claim, n=p.n - 1), p.file(sigma, p.claim))


def success_too_small(draw: random.Random) -> Case:
    """A success below what guessing gives, beside the proved bound."""
    p = Prototype.drawn(draw)
    candidates, ratio = draw.randrange(2, 1000), _scaled(draw, -2, 0)
    baseline, sigma = Fraction(1, candidates), p.sensitivity / ratio
    bound = value("rero.gaussian", "success", {"ratio": p.sensitivity / sigma, "baseline": baseline}).upper
    low = baseline * (1 - Fraction(1, 10 ** draw.randrange(1, 30)))
    files = [p.file(sigma, reconstruction(claimed, candidates)) for claimed in (low, min(bound, Fraction(1)))]
    return Case("success below the baseline", *files)


def class_below_its_floor(draw: random.Random) -> Case:
    """delta just below delta(epsilon; G/sigma) for the class of L1, L2, L3, at any count and by any theorem."""
    n, scale, epsilon = draw.randrange(100, 10**7), _scaled(draw, 0, 1), _scaled(draw, -1, 1)
    floor = value("gd.benchmark", "profile", {"ratio": 1 / scale, "epsilon": epsilon}).lower
    constants = {"L1": 1, "L2": Fraction(1, 4), "L3": draw.choice([Fraction(0), Fraction(1, 10)])}
    where = n, draw.randrange(1, 10**4), _scaled(draw, -3, 0), scale * 2 / n, draw.randrange(1, 10**5)
    theorem = draw.choice([{}, {"theorem": "4.1"}, {"theorem": "C.13"}, {"theorem": "C.13", "variant": "sharp"}])
    wrong = descent_file(*where, [privacy(epsilon, floor * (1 - Fraction(1, 10**15)), **theorem)], **constants)
    return Case("class below its floor", wrong, None)


def count_before_the_first(draw: random.Random) -> Case:
    """One step less than the first count that passes Theorem C.13 at fixed radii."""
    n, u, epsilon, delta = (
        draw.randrange(10**4, 10**7),
        draw.randrange(5, 9),
        _scaled(draw, -1, 0),
        _scaled(draw, -8, -3),
    )
    d, mu, scale = draw.randrange(1, 10**4), _scaled(draw, -2, 0), _scaled(draw, 0, 1)
    given = {"n": n, "d": d, "mu": mu, "loss": "logistic", "sigma_over_G": scale, "u": u}
    found = evaluated("gd.first-count", {**given, "epsilon": epsilon, "delta": delta})
    first = int(found["iterations"].lower) if "iterations" in found else 1
    if first == 1:
        return class_below_its_floor(draw)
    claim = privacy(epsilon, delta, theorem="C.13", variant="fixed-radii", truncation=u)
    files = [descent_file(n, d, mu, scale * 2 / n, count, [claim]) for count in (first - 1, first)]
    return Case("one step before the first count", *files)


def count_below_the_threshold(draw: random.Random) -> Case:
    """One step less than Theorem 4.1 asks for."""
    n, d, u = draw.randrange(10**4, 10**7), draw.randrange(1, 10**4), draw.randrange(5, 9)
    mu, scale, epsilon = _scaled(draw, -2, 0), _scaled(draw, 0, 1), _scaled(draw, 0, 1)
    given = {"n": n, "d": d, "mu": mu, "loss": "logistic", "sigma_over_G": scale, "u": u}
    least = int(evaluated("gd.threshold", given)["iterations"].lower)
    found = evaluated("gd.theorem-4.1", {**given, "iterations": least, "epsilon": epsilon})
    if least == 1 or "delta" not in found:
        return class_below_its_floor(draw)
    claim = privacy(epsilon, found["delta"].upper, theorem="4.1", truncation=u)
    files = [descent_file(n, d, mu, scale * 2 / n, count, [claim]) for count in (least - 1, least)]
    return Case("one step below the threshold", *files)


KINDS: tuple[Callable[[random.Random], Case], ...] = (
    sigma_too_small,
    sigma_too_small,
    sigma_too_small,
    delta_too_small,
    delta_too_small,
    epsilon_too_small,
    epsilon_too_small,
    radius_too_large,
    records_too_few,
    success_too_small,
    class_below_its_floor,
    count_before_the_first,
    count_below_the_threshold,
)


def cases(count: int, seed: int = 1) -> Iterator[Case]:
    """So many cases, the kinds in turn; each has its own seed."""
    for index in range(count):
        yield KINDS[index % len(KINDS)](random.Random(f"{seed} {index}"))


def verdict(file: File, limits: Limits = Limits()) -> Verdict:
    """The verdict of ``check_file`` on the one claim of a file."""
    (found,) = check_file(from_mapping(file), limits, repairs=False)
    return found.verdict


def tally(kind: str, case: Case) -> Counter[str]:
    """The verdicts on one case, by kind."""
    found = Counter({f"{kind}: {verdict(case.wrong).value}": 1, "wrong": 1})
    if case.right is not None:
        found[f"neighbour {verdict(case.right).value}"] += 1
    return found


def part(job: tuple[int, int, int]) -> Counter[str]:
    """The share of the campaign of one worker: indices start, start + step, ... below count."""
    start, step, count = job
    found: Counter[str] = Counter()
    for index in range(start, count, step):
        case = KINDS[index % len(KINDS)](random.Random(f"1 {index}"))
        found += tally(case.kind, case)
    return found


def certified(counts: Counter[str]) -> int:
    """How many of the wrong claims were certified."""
    return sum(number for name, number in counts.items() if name.endswith(f": {Verdict.CERTIFIED.value}"))


def run(count: int, workers: int = 1) -> Counter[str]:
    """The whole campaign."""
    jobs = [(start, workers, count) for start in range(workers)]
    if workers == 1:
        return part(jobs[0])
    with ProcessPoolExecutor(workers) as pool:
        return sum(pool.map(part, jobs), Counter())


def main() -> int:
    """Run it, print and keep the result; 0 where nothing wrong was certified."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FULL
    start = time.perf_counter()
    counts = run(count, workers=2)
    seconds = time.perf_counter() - start
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    result = {
        "command": f"python -m tests.properties.false_claims {count}",
        "commit": commit or None,
        "claims": counts.pop("wrong"),
        "certified": certified(counts),
        "seconds": round(seconds, 1),
        "verdicts": dict(sorted(counts.items())),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(f"{result['certified']} of {result['claims']} wrong claims certified, {seconds:.0f} s; {RESULT}")
    return 1 if result["certified"] else 0


if __name__ == "__main__":
    sys.exit(main())
