"""A campaign against Arb: enclosures of the kernel, judged by ball arithmetic at four times their precision and more.

An enclosure is a miss only where Arb's ball proves the true value outside it, and holds only where the ball proves it
inside; Arb's precision is doubled until one of the two is proved. What stays open is counted as undecided.

    python -m tests.kernel.campaign --full          writes benchmarks/enclosure_campaign.json
    python -m tests.kernel.campaign --size 100000

``size`` is the number of evaluations at a point of exp, log, Q, Q1 and the Mills ratio together; a hundredth of it each
goes to the quantile and the chi tail, a fortieth each to the rest: powers, arithmetic, and interval arguments.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import flint
from mpmath import libmp

from certify.kernel import elementary, tails
from certify.kernel.interval import Interval, Intervals

Mpf = tuple[int, int, int, int]
Ends = tuple[Mpf, Mpf]
Point = Fraction | Mpf
Function = Callable[[Point, int], Ends]

FULL = 1_000_000
SEED = 20_240_601
BATCH = 4_000
RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "enclosure_campaign.json"
_EPSILONS = {53: ("12.506", "13.069"), 103: ("3.204", "7.545"), 169: ("9.513", "17.143")}


# What is judged, and by what.


def ball(x: Point) -> flint.arb:
    """The point as a ball, exact for an mpf."""
    if isinstance(x, Fraction):
        return flint.arb(flint.fmpq(x.numerator, x.denominator))
    return flint.arb((-int(x[1]) if x[0] else int(x[1]), x[2]))


def _tail(t: flint.arb) -> flint.arb:
    return (t / flint.arb(2).sqrt()).erfc() / 2


def _density(t: flint.arb) -> flint.arb:
    return (-t * t / 2).exp() / (2 * flint.arb.pi()).sqrt()


TRUTH: dict[str, Callable[[flint.arb], flint.arb]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "upper_tail": _tail,
    "mills": lambda t: _tail(t) / _density(t),
    "q1": lambda t: _density(t) - t * _tail(t),
}
# For t < 0 a plain number and the rest: Q(t) = 1 - Q(-t) and Q1(t) = -t + Q1(-t) lie too close to it to judge in one.
PARTS: dict[str, Callable[[flint.arb], tuple[flint.arb, flint.arb]]] = {
    "upper_tail": lambda t: (flint.arb(1), -_tail(-t)),
    "q1": lambda t: (-t, TRUTH["q1"](-t)),
}
KERNEL: dict[str, Function] = {
    "exp": elementary.exp_ends,
    "log": elementary.log_ends,
    "upper_tail": tails.upper_tail_ends,
    "mills": tails.mills_ends,
    "q1": tails.q1_ends,
    "quantile": tails.quantile_ends,
}


def judge(ends: Ends, parts: Callable[[], tuple[flint.arb, flint.arb]], bits: int) -> str:
    """Whether a + b lies between the ends, for the parts (a, b): held, miss or undecided."""
    precision = 4 * bits + 64
    low, high = ends
    for _ in range(6):
        flint.ctx.prec = precision
        plain, value = parts()
        left = None if low == libmp.fninf else ball(low) - plain
        right = None if high == libmp.finf else ball(high) - plain
        if (left is None or left <= value) and (right is None or value <= right):
            return "held"
        if (left is not None and left > value) or (right is not None and value > right):
            return "miss"
        precision *= 2
    return "undecided"


def parts_of(name: str, x: Point) -> Callable[[], tuple[flint.arb, flint.arb]]:
    """The true value of a function at a point, in two parts, at the precision of the moment."""
    if name in PARTS and (x < 0 if isinstance(x, Fraction) else x[0]):
        return lambda: PARTS[name](ball(x))
    return lambda: (flint.arb(0), TRUTH[name](ball(x)))


def judge_quantile(ends: Ends, q: Point, bits: int) -> str:
    """Whether Q(ends[0]) >= q >= Q(ends[1]), which says that the quantile lies between them."""
    for end, sign in zip(ends, (1, -1), strict=True):
        precision = 4 * bits + 64
        verdict = "undecided"
        while verdict == "undecided" and precision < 64 * (bits + 64):
            flint.ctx.prec = precision
            excess = (_tail(ball(end)) - ball(q)) * sign
            verdict = "held" if excess >= 0 else "miss" if excess < 0 else "undecided"
            precision *= 2
        if verdict != "held":
            return verdict
    return "held"


# What is drawn.


def draw_bits(rng: random.Random) -> int:
    """Mostly 53 to 256 bits, some fewer, some up to 1000."""
    kind = rng.random()
    if kind < 0.75:
        return rng.choice((53, 64, 64, 80, 100, 113, 128))
    if kind < 0.9:
        return rng.randint(129, 256)
    return rng.randint(2, 52) if kind < 0.96 else rng.randint(257, 1000)


def draw_size(rng: random.Random, bits: int, low: int, high: int) -> Point:
    """A positive number of about 2^low to 2^high: any, short, near a power of two, half-integer, rational, k log 2."""
    kind, e = rng.randrange(7), rng.randint(low, high)
    if kind == 0:
        mantissa = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    elif kind == 1:
        mantissa = rng.randint(1, 4096)
    elif kind == 2:
        mantissa = (1 << rng.randint(1, bits + 8)) + rng.choice((-1, 1))
    elif kind == 3:
        return libmp.from_man_exp(rng.randint(1, 1 << max(2, min(high + 1, 40))), -1)
    elif kind == 4:
        d = rng.randint(1, 10 ** rng.randint(1, 12))
        return Fraction(rng.randint(1, 10 ** rng.randint(1, 12)), d) * (Fraction(2) ** min(0, e) if e < 0 else 1)
    elif kind == 5:
        log_two = int(elementary.log_ends(Fraction(2), bits + 8)[0][1])
        mantissa = log_two * rng.randint(1, 1 << min(20, max(1, high))) + rng.choice((-1, 0, 1))
    else:
        return Fraction(rng.randint(1, 10 ** rng.randint(1, 6)), 10 ** rng.randint(0, max(1, -low // 3)))
    return libmp.from_man_exp(mantissa, e - mantissa.bit_length())


def negative(x: Point) -> Point:
    """-x."""
    return -x if isinstance(x, Fraction) else libmp.mpf_neg(x)


def draw(name: str, rng: random.Random, bits: int) -> Point:
    """An argument for the function, in its domain."""
    if name == "exp":
        x = draw_size(rng, bits, *rng.choice(((-60, 0), (-3, 6), (5, 12), (10, 26), (-2 * bits, -bits // 2))))
        return x if rng.random() < 0.5 else negative(x)
    if name == "log":
        if rng.random() < 0.3:
            k = rng.randint(1, 2 * bits)
            return 1 + Fraction(rng.choice((-1, 1)) * rng.choice((1, 1, rng.randint(1, 1000))), 1 << (k + 10))
        return draw_size(rng, bits, *rng.choice(((-3, 3), (-60, 60), (-5000, 5000))))
    if name == "quantile":
        if rng.random() < 0.2:
            q = Fraction(1, 2) - Fraction(rng.randint(1, 10**6), 10 ** rng.randint(7, 60))
        elif rng.random() < 0.3:
            q = Fraction(rng.randint(1, 999), 10 ** rng.choice((3, 3, 4, 9, 20, 300, 1000)))
        else:
            x = draw_size(rng, bits, *rng.choice(((-3, -1), (-60, -1), (-900, -1))))
            q = x if isinstance(x, Fraction) else Fraction(int(x[1])) * Fraction(2) ** x[2]
        while q >= 1:
            q /= 1000
        return q if rng.random() < 0.7 else 1 - q
    kind = rng.random()
    if kind < 0.2:
        edge = math.isqrt((bits + 24) * 10**6 // 3)
        x: Point = Fraction(edge + rng.randint(-300, 300), 1000)
    else:
        x = draw_size(rng, bits, *rng.choice(((-2, 4), (-2, 4), (0, 6), (3, 13), (-60, 0))))
        if elementary.magnitude(x) > 15:
            x = Fraction(rng.randint(1, 10**7), 1000)
    return x if rng.random() < 0.7 else negative(x)


# Batches: each yields the verdicts on its evaluations.


def points(name: str, count: int, rng: random.Random, function: Function) -> Iterator[str]:
    """Verdicts on one function at drawn points."""
    for _ in range(count):
        bits = draw_bits(rng)
        x = draw(name, rng, bits)
        ends = function(x, bits)
        yield judge_quantile(ends, x, bits) if name == "quantile" else judge(ends, parts_of(name, x), bits)


def traps(function: Function) -> Iterator[str]:
    """Verdicts on exp where mpmath's own interval exponential fails (mpmath issue 1181)."""
    cases: list[tuple[Point, int]] = [(libmp.from_man_exp(j, -52), 53) for j in range(1, 8193)]
    cases += [(libmp.from_man_exp(1, -40), bits) for bits in (53, 64, 103)]
    cases += [(Fraction(text), bits) for bits, texts in _EPSILONS.items() for text in texts]
    cases += [
        (libmp.from_man_exp(m, -k), bits)
        for bits in (53, 64, 128)
        for k in range(bits // 2, 2 * bits)
        for m in (-3, -1, 1, 3)
    ]
    for x, bits in cases:
        yield judge(function(x, bits), parts_of("exp", x), bits)


def chi_tails(count: int, rng: random.Random) -> Iterator[str]:
    """Verdicts on e^(-y) times the partial sums of e^y, against Arb's incomplete gamma function."""
    for _ in range(count):
        bits = draw_bits(rng)
        terms = rng.choice((1, 2, 3, rng.randint(1, 60), rng.randint(1, 600)))
        y = Fraction(rng.randint(1, 3000 * (terms + 20)), 1000)
        y = y if rng.random() < 0.8 else Fraction(rng.randint(1, 10**5), 1 + rng.getrandbits(20))
        ends = tails.poisson_ends(terms, y, bits)
        yield judge(ends, _chi_parts(terms, y), bits)


def _chi_parts(terms: int, y: Fraction) -> Callable[[], tuple[flint.arb, flint.arb]]:
    """The upper incomplete gamma function, or 1 less the lower one where that is the smaller."""
    if y < terms:
        return lambda: (flint.arb(1), -ball(y).gamma_lower(terms, 1))
    return lambda: (flint.arb(0), ball(y).gamma_upper(terms, 1))


def powers(count: int, rng: random.Random) -> Iterator[str]:
    """Verdicts on base^exponent: points, and bases around 1 as intervals with a sample inside."""
    for _ in range(count):
        bits = draw_bits(rng)
        R = Intervals(bits)
        base = (
            Fraction(rng.randint(1, 10**9), 10**9) if rng.random() < 0.6 else 1 + Fraction(rng.randint(-99, 99), 1000)
        )
        exponent = Fraction(rng.randint(0, 10 ** rng.randint(1, 7)), rng.choice((1, 2, 3, 1000)))
        wide, far = Fraction(rng.randint(0, 200), 1000) * rng.getrandbits(1), rng.randint(0, 9) * rng.getrandbits(1)
        value = R.power(R.between(base, base + wide), R.between(exponent, exponent + far)).ends
        b, e = base + wide * Fraction(rng.randint(0, 8), 8), exponent + far * Fraction(rng.randint(0, 8), 8)
        yield judge(value, _power_parts(b, e), bits)


def _power_parts(b: Fraction, e: Fraction) -> Callable[[], tuple[flint.arb, flint.arb]]:
    """b^e, exactly where a small integer exponent may make it an end of the enclosure."""
    if e.denominator == 1 and e <= 64:
        return lambda: (flint.arb(0), ball(b ** int(e)))
    return lambda: (flint.arb(0), (ball(e) * ball(b).log()).exp())


def wide(count: int, rng: random.Random) -> Iterator[str]:
    """Verdicts on interval arguments, judged at a sample inside."""
    names = sorted(TRUTH)
    for _ in range(count):
        bits, name = draw_bits(rng), rng.choice(names)
        R = Intervals(bits)
        a = draw(name, rng, bits)
        a = a if isinstance(a, Fraction) else Fraction(-int(a[1]) if a[0] else int(a[1])) * Fraction(2) ** a[2]
        b = a + Fraction(rng.randint(0, 1000), 10 ** rng.randint(0, 30))
        value = getattr(R, name)(R.between(a, b)).ends
        x = a + (b - a) * Fraction(rng.randint(0, 16), 16)
        yield judge(value, parts_of(name, x), bits)


def arithmetic(count: int, rng: random.Random) -> Iterator[str]:
    """Verdicts on + - x / and the square root of inexact values, with operands wider than the precision too."""
    for _ in range(count):
        bits, finer = draw_bits(rng), rng.choice((0, 0, 6, 40))
        x, y = (_dyadic(rng, bits + finer) for _ in range(2))
        a, b = (Interval(bits, (m, m)) for m in (x, y))
        kind = rng.randrange(5)
        value = (a + b, a - b, a * b, a / b, Intervals(bits).sqrt(a * a))[kind]
        p, q = ball(x), ball(y)
        yield judge(
            value.ends, lambda kind=kind, p=p, q=q: (flint.arb(0), (p + q, p - q, p * q, p / q, abs(p))[kind]), bits
        )


def _dyadic(rng: random.Random, bits: int) -> Mpf:
    mantissa = rng.choice((rng.getrandbits(bits) | 1, (1 << bits) - 1, (1 << bits) - rng.getrandbits(4) * 2 - 1))
    return libmp.from_man_exp(
        rng.choice((-1, 1)) * mantissa, rng.choice((0, rng.randint(-9, 9), rng.randint(-400, 400)))
    )


Job = tuple[str, int, int]


def verdicts(job: Job) -> tuple[str, Counter[str]]:
    """Run one batch: what is judged, how often, and its seed."""
    name, count, seed = job
    rng = random.Random(f"{name} {seed}")
    if name in KERNEL:
        found = points(name, count, rng, KERNEL[name])
    elif name == "traps":
        found = traps(KERNEL["exp"])
    else:
        batches = {"chi": chi_tails, "power": powers, "wide": wide, "arithmetic": arithmetic}
        found = batches[name](count, rng)
    return name, Counter(found)


def jobs(size: int, seed: int) -> Iterator[Job]:
    """The batches of a campaign."""
    shares = dict.fromkeys(TRUTH, size // 5) | dict.fromkeys(("quantile", "chi"), size // 100)
    shares |= dict.fromkeys(("power", "wide", "arithmetic"), size // 40)
    for name, share in shares.items():
        for start in range(0, share, BATCH):
            yield name, min(BATCH, share - start), seed + start
    yield "traps", 0, seed


def run(size: int, seed: int = SEED, workers: int = 1) -> dict[str, Counter[str]]:
    """The verdicts by function, for a campaign of the given size."""
    counts: dict[str, Counter[str]] = {}
    todo = sorted(jobs(size, seed), key=lambda job: job[0] in ("chi", "quantile"), reverse=True)
    if workers > 1:
        with ProcessPoolExecutor(workers) as pool:
            results = list(pool.map(verdicts, todo))
    else:
        results = [verdicts(job) for job in todo]
    for name, counted in results:
        counts.setdefault(name, Counter()).update(counted)
    return counts


def total(counts: dict[str, Counter[str]], verdict: str | None = None) -> int:
    """How many evaluations, or how many of one verdict."""
    return sum(sum(c.values()) if verdict is None else c[verdict] for c in counts.values())


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], capture_output=True, text=True, check=True, cwd=RESULT.parent
    ).stdout.strip()


def main() -> int:
    """Run a campaign, print its counts, and write those of a full one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help=f"{FULL} points; writes {RESULT.name}")
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    size = FULL if asked.full else asked.size
    start = time.monotonic()
    counts = run(size, asked.seed, asked.workers)
    answer = {
        "evaluations": total(counts),
        "misses": total(counts, "miss"),
        "undecided": total(counts, "undecided"),
        "seconds": round(time.monotonic() - start),
        "by_function": {name: dict(sorted(c.items())) for name, c in sorted(counts.items())},
        "size": size,
        "seed": asked.seed,
        "workers": asked.workers,
        "commit": _git("rev-parse", "HEAD"),
        "kernel_changed_since_commit": bool(_git("diff", "HEAD", "--name-only", "--", "../certify/kernel")),
        "versions": {name: version(name) for name in ("mpmath", "python-flint")}
        | {"python": platform.python_version()},
        "mpmath_backend": libmp.BACKEND,
    }
    print(json.dumps(answer, indent=2))
    if asked.full:
        RESULT.write_text(json.dumps(answer, indent=2) + "\n")
    return 1 if answer["misses"] or answer["undecided"] else 0


if __name__ == "__main__":
    sys.exit(main())
