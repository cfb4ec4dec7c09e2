"""The checker's enclosures contain what Arb finds at a higher precision, and are tight; ties and lines behave."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import flint
import pytest
from flint import arb

from certify.checker import functions
from certify.checker.real import Real, Reals, TooMuchWork, Work, holds
from tests.properties.oracle import ball, density, precision, q1, upper_tail

BITS = (53, 64, 96, 192, 384, 1024)
SPARE_BITS = 12
Case = tuple[str, Callable[[Reals], Real], Callable[[], arb]]


def reals(bits: int = 96) -> Reals:
    """The arithmetic with work to spare."""
    return Reals(bits, Work(10**9))


def contains(found: Real, true: arb) -> bool:
    """Whether the enclosure contains the number in the ball, as far as the ball tells."""
    if found.ends is None:
        return True
    low, high = (ball(end) for end in found.ends)
    return not (low > true or high < true)


def lost_bits(found: Real, true: arb) -> float:
    """log2 of the relative width times 2^bits: how many bits worse than the best."""
    if found.ends is None:
        return float("inf")
    width = ball(found.ends[1] - found.ends[0])
    if width == 0:
        return float("-inf")
    return float((width / abs(true)).log().mid() / arb(2).log().mid()) + found.bits


def drawn(draw: random.Random) -> Fraction:
    """A positive number: of any size between 1e-60 and 1e4, short or long, or a short dyadic."""
    if draw.random() < 1 / 5:
        return draw.randrange(1, 40) * Fraction(2) ** draw.randrange(-20, 5)
    return Fraction(draw.randrange(1, 10**12), 10**12) * Fraction(10) ** draw.choice(
        [-60, -30, -10, -3, -1, 0, 1, 2, 4]
    )


def poisson(count: int, y: Fraction) -> arb:
    """e^-y times the sum of y^j/j! over j < count."""
    total = term = arb(1)
    for j in range(1, count):
        term = term * ball(y) / j
        total += term
    return (-ball(y)).exp() * total


def cases(x: Fraction, draw: random.Random) -> Iterator[Case]:
    """Every function at a point, with what Arb says of it."""
    near = Fraction(1, 1 + x.numerator % 10**6)
    yield "exp", lambda R: R.exp(R(x)), lambda: ball(x).exp()
    yield "exp of -x", lambda R: R.exp(R(-x)), lambda: (-ball(x)).exp()
    yield "log", lambda R: R.log(R(x)), lambda: ball(x).log()
    yield "log near 1", lambda R: R.log(R(1 + x)), lambda: (1 + ball(x)).log()
    yield "log below 1", lambda R: R.log(R(1 - near / 2)), lambda: (1 - ball(near) / 2).log()
    yield "sqrt", lambda R: R.sqrt(R(x)), lambda: ball(x).sqrt()
    yield "pi", lambda R: R.pi, arb.pi
    t = min(x, 60 + x % 1)
    yield "Q", lambda R: R.upper_tail(R(t)), lambda: upper_tail(ball(t))
    yield "Q of -t", lambda R: R.upper_tail(R(-t)), lambda: upper_tail(-ball(t))
    yield "Mills", lambda R: R.mills(R(t)), lambda: upper_tail(ball(t)) / density(ball(t))
    yield "Mills of -t", lambda R: R.mills(R(-t)), lambda: upper_tail(-ball(t)) / density(ball(t))
    yield "Q1", lambda R: R.q1(R(t)), lambda: q1(ball(t))
    yield "Q1 of -t", lambda R: R.q1(R(-t)), lambda: q1(-ball(t))
    count = draw.randrange(1, 60)
    y = count + Fraction(draw.randrange(1, 2000), 7)
    yield "Poisson", lambda R: R.poisson_below(count, R(y)), lambda: poisson(count, y)
    base, exponent = Fraction(draw.randrange(1, 10**9), 10**9), Fraction(2 * draw.randrange(2500) + 1, 2)
    yield "power", lambda R: R.power(R(base), R(exponent)), lambda: ball(base) ** ball(exponent)
    whole, close = draw.randrange(2, 10**6), 1 - Fraction(1, draw.randrange(2, 10**6))
    yield "whole power", lambda R: R.power(R(close), R(whole)), lambda: (ball(close).log() * whole).exp()


@pytest.mark.parametrize("seed", range(12))
def test_enclosures_contain_what_arb_finds_and_are_tight(seed: int) -> None:
    draw = random.Random(seed)
    with precision(9000):
        for _ in range(8):
            bits, x = draw.choice(BITS), drawn(draw)
            for name, ours, theirs in cases(x, draw):
                found, true = ours(reals(bits)), theirs()
                assert contains(found, true), (name, bits, x)
                assert lost_bits(found, true) < SPARE_BITS, (name, bits, x)


@pytest.mark.parametrize("bits", BITS[:5])
@pytest.mark.parametrize("q", ["1/10", "1e-20", "1e-300", "999/1000", "0.999999999999999999", "0.4999999"])
def test_quantiles_give_back_their_probability(q: str, bits: int) -> None:
    """Q at the two ends lies on the two sides of q, and the ends are close."""
    number, R = Fraction(q), reals(bits)
    found = R.upper_quantile(R(number))
    assert found.ends is not None
    low, high = found.ends
    with precision(4000):
        assert upper_tail(ball(low)) > ball(number) > upper_tail(ball(high))
    assert high - low < abs(high) / 2 ** (bits - 10)


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("q1", "20", "1.37001249472958e-90"),
        ("q1", "39", "1.37079569040739e-334"),
        ("q1", "100", "1.34391037524738e-2176"),
        ("q1", "-5", "5.0000000534616553383"),
    ],
)
def test_values_that_float_tools_get_wrong(name: str, value: str, right: str) -> None:
    R = reals()
    found = getattr(R, name)(R(Fraction(value)))
    shown = Fraction(right)
    assert found.ends[0] * (1 - Fraction(1, 10**13)) < shown < found.ends[1] * (1 + Fraction(1, 10**13))


@pytest.mark.parametrize("seed", range(6))
def test_operations_on_intervals_contain_every_point(seed: int) -> None:
    """Sums, products, quotients, powers and functions of two points lie in those of the intervals around them."""
    draw = random.Random(seed)
    R = reals(53)
    for _ in range(300):
        points = [draw.choice([-1, 1]) * drawn(draw) for _ in range(2)]
        inside = [
            Real(53, (point - drawn(draw) * draw.randrange(2), point + drawn(draw) * draw.randrange(2)))
            for point in points
        ]
        (x, y), (a, b) = points, inside
        exact = {
            "+": x + y,
            "-": x - y,
            "*": x * y,
            "/": x / y,
            "^2": x**2,
            "^1": x,
            "min": min(x, y),
            "max": max(x, y),
        }
        found = {"+": a + b, "-": a - b, "*": a * b, "/": a / b, "^2": a**2, "^1": a**1}
        found |= {"min": R.minimum(a, b), "max": R.maximum(a, b)}
        for name, value in found.items():
            assert value.ends is None or value.ends[0] <= exact[name] <= value.ends[1], (name, x, y, a.ends, b.ends)
        if holds(a, b, "<=") is not None:
            assert holds(a, b, "<=") is (x <= y)
        with precision(400):
            for ours, theirs in ((R.exp, arb.exp), (R.upper_tail, upper_tail)):
                if abs(x) < 50:
                    assert contains(ours(a), theirs(ball(x)))


def test_a_wrong_enclosure_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exponential that is one unit of its last bit too small or too large does not pass."""
    right = functions._small_exp
    for shift in (-1, 1):
        monkeypatch.setattr(
            functions, "_small_exp", lambda r, w, s=shift: tuple(v + (s << w - 60) for v in right(r, w))
        )
        with precision(400):
            assert not contains(reals(64).exp(reals(64)(Fraction(1, 3))), (arb(1) / 3).exp())


def test_numbers_that_are_known_stay_rational() -> None:
    """Ties between rationals are decided, also through roots, powers, and the functions at their known points."""
    R = reals()
    third = R(1) / 3
    assert (third * 3).exact == 1 and (third + third + third).exact == 1
    assert R.sqrt(R(Fraction(9, 16))).exact == Fraction(3, 4)
    assert R.exp(R(0)).exact == 1 and R.log(R(1)).exact == 0 and R.upper_tail(R(0)).exact == Fraction(1, 2)
    assert holds(third * 3, R(1), "<=") is True and holds(third * 3, R(1), "<") is False
    assert holds(R.sqrt(R(2)) * R.sqrt(R(2)), R(2), "<=") is None
    assert (R(0) * R.exp(R(1))).exact == 0
    assert R(Fraction(1, 10**4000)).exact == Fraction(1, 10**4000)


def test_what_has_no_value_proves_nothing() -> None:
    """The line takes everything in, and no comparison with it holds or fails."""
    R = reals()
    line = R(1) / R(0)
    for found in (
        line,
        *(line + 1, 1 - line, line * 0, 0 * line, 1 / line, line**2, -line, R(1) / (R.exp(R(1)) - R.exp(R(1)))),
        *(R.sqrt(R(-1)), R.log(R(0)), R.log(R(-1)), R.upper_quantile(R(0)), R.upper_quantile(R(1)), R.exp(line)),
        *(R.minimum(line, R(0)), R.maximum(R(0), line), R.power(line, R(2)), R.poisson_below(3, line)),
        *(R.choose(line, "<=", R(0), lambda: R(1), lambda: R(1)), R.root(lambda t: t, line, R(1))),
        R.increasing(lambda t: t, line),
    ):
        assert found.ends is None
        assert holds(found, R(10**9), "<=") is None and holds(R(10**9), found, "<") is None
    assert 0 not in {True} and (line * 0).ends is None


def test_far_numbers_are_answered_soon_and_truly() -> None:
    """exp and the tails of very large arguments say as much as they can, in bounded time."""
    R = reals()
    for size in (70_000, 10**6, 10**9, Fraction(10) ** 9999):
        below = R.exp(R(-size)).ends
        assert below is not None and below[0] >= 0 and below[1] < Fraction(1, 10**20_000)
        tail = R.upper_tail(R(size)).ends
        assert tail is not None and tail[0] >= 0 and tail[1] < Fraction(1, 10**20_000)
        above = R.upper_tail(R(-size)).ends
        assert above is not None and above[1] == 1 and 1 - above[0] < Fraction(1, 10**28)
    assert R.exp(R(10**9)).ends is None
    tiny = R.exp(R(-50_000))
    assert holds(R(0), tiny, "<") is True and holds(tiny, R(Fraction(1, 10**9999)), "<") is True


def test_work_ends() -> None:
    """No evaluation is left uncounted: a budget is used up."""
    R = Reals(96, Work(20))
    with pytest.raises(TooMuchWork):
        for _ in range(30):
            R.exp(R(1))
    with pytest.raises(TooMuchWork):
        Reals(96, Work(100)).poisson_below(10_000, reals()(20_000))


def test_the_oracle_is_another_arithmetic() -> None:
    """What the enclosures are held against comes from a library that the checker does not import."""
    assert flint.__name__ == "flint"
