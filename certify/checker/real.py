"""The checker's arithmetic: closed intervals with rational ends, cut outward to ``bits`` bits unless both are one.

A number that is known is one rational for both ends (a computed one of at most 4096 bits), so that ties are decided.
Every operation is total: an expression that has no value, or may have none, is the whole line (its ends are None), and
so is whatever is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Literal, Protocol

from certify.checker import functions as at
from certify.checker.functions import Pair, down

_MOST_EXACT, _MOST_EXACT_POWER, _MOST_POWER, _MOST_TERMS = 1 << 12, 1 << 10, 1 << 62, 10_000


class TooMuchWork(Exception):
    """The evaluations allowed are used up."""


class Work:
    """How many evaluations are left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, cost: int) -> None:
        """Count an evaluation; raise TooMuchWork when none is left."""
        self.left -= cost
        if self.left < 0:
            raise TooMuchWork


class Real:
    """A real number between two rationals, or of which nothing is known (None)."""

    __slots__ = ("bits", "ends")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, bits: int, ends: Pair | None, *, stated: bool = False) -> None:
        whole = ends is None or stated or _is_short(ends)
        self.bits, self.ends = bits, ends if whole or ends is None else (down(ends[0], bits), -down(-ends[1], bits))

    @property
    def exact(self) -> Fraction | None:
        """The number itself where it is known."""
        return None if self.ends is None or self.ends[0] != self.ends[1] else self.ends[0]

    def _with(self, other: Real | int | Fraction, combined: Callable[[Pair, Pair], Pair | None]) -> Real:
        right = other if isinstance(other, Real) else Real(self.bits, (Fraction(other),) * 2)
        known = self.ends is not None and right.ends is not None
        return Real(max(self.bits, right.bits), combined(self.ends, right.ends) if known else None)  # type: ignore[arg-type]

    def __add__(self, other: Real | int | Fraction) -> Real:
        return self._with(other, lambda a, b: (a[0] + b[0], a[1] + b[1]))

    def __neg__(self) -> Real:
        return Real(self.bits, None if self.ends is None else (-self.ends[1], -self.ends[0]))

    def __sub__(self, other: Real | int | Fraction) -> Real:
        return self + -other

    def __rsub__(self, other: int | Fraction) -> Real:
        return -self + other

    def __mul__(self, other: Real | int | Fraction) -> Real:
        return self._with(other, _product)

    def __truediv__(self, other: Real | int | Fraction) -> Real:
        return self._with(other, lambda a, b: None if b[0] <= 0 <= b[1] else _product(a, (1 / b[1], 1 / b[0])))

    def __rtruediv__(self, other: int | Fraction) -> Real:
        return Real(self.bits, (Fraction(other),) * 2) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Real:
        if exponent < 0:
            return 1 / self**-exponent
        if self.ends is None or exponent >= _MOST_POWER:
            return Real(self.bits, None)
        low, high = self.ends
        size = max(low.numerator.bit_length(), low.denominator.bit_length())
        if low == high and (abs(low) in (0, 1) or size * exponent <= _MOST_EXACT_POWER):
            return Real(self.bits, (low**exponent,) * 2)
        if high <= 0:
            return (-self) ** exponent * (-1 if exponent % 2 else 1)
        if low < 0:
            return self if exponent == 1 else self * self if exponent == 2 else Real(self.bits, None)
        bits = self.bits + exponent.bit_length() + 8
        return Real(self.bits, (at.power(low, exponent, bits)[0], at.power(high, exponent, bits)[1]))

    def __eq__(self, other: object) -> bool:
        raise TypeError("reals are not compared for equality")

    def __bool__(self) -> bool:
        raise TypeError("a real has no truth value")


def _is_short(ends: Pair) -> bool:
    n, d = ends[0].numerator, ends[0].denominator
    return ends[0] == ends[1] and n.bit_length() + d.bit_length() <= _MOST_EXACT


def _product(a: Pair, b: Pair) -> Pair:
    if a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], a[1] * b[1]
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)


class Ended(Protocol):
    """Anything with two ends."""

    @property
    def ends(self) -> Pair | None: ...


def holds(left: Ended, relation: str, right: Ended) -> bool | None:
    """Whether the comparison holds for every point of both (or fails for every one), None where that is not known."""
    if left.ends is None or right.ends is None:
        return None
    (a, b), (c, d) = left.ends, right.ends
    if b <= c if relation == "<=" else b < c:
        return True
    return False if (d < a if relation == "<=" else d <= a) else None


class Reals:
    """The arithmetic R of the statements at ``bits`` bits."""

    def __init__(self, bits: int, work: Work) -> None:
        self.bits, self.work = bits, work

    def __call__(self, value: int | Fraction) -> Real:
        return Real(self.bits, (Fraction(value),) * 2, stated=True)

    @property
    def pi(self) -> Real:
        w = self.bits + 8
        return Real(self.bits, (Fraction(at.pi(w), 1 << w), Fraction(at.pi(w) + 3, 1 << w)))

    def sqrt(self, x: Real) -> Real:
        if x.ends is None or x.ends[0] < 0:
            return Real(self.bits, None)
        return self._monotone(self._root, x)

    def _root(self, x: Fraction, bits: int) -> Pair:
        """A fraction's root where it is one, else floor and ceiling of the root of n d 4^s, over d 2^s."""
        n, d = x.numerator, x.denominator
        if isqrt(n) ** 2 == n and isqrt(d) ** 2 == d:
            return (Fraction(isqrt(n), isqrt(d)),) * 2
        s = max(0, bits + 8 - (n * d).bit_length() // 2)
        v = isqrt(n * d << 2 * s)
        return Fraction(v, d << s), Fraction(v + 1, d << s)

    def exp(self, x: Real) -> Real:
        return self(1) if x.exact == 0 else self._monotone(at.exp, x)

    def log(self, x: Real) -> Real:
        if x.ends is None or x.ends[0] <= 0:
            return Real(self.bits, None)
        return self(0) if x.exact == 1 else self._monotone(at.log, x)

    def upper_tail(self, t: Real) -> Real:
        return self(Fraction(1, 2)) if t.exact == 0 else self._monotone(_tail, t, -1)

    def mills(self, t: Real) -> Real:
        return self._monotone(_mills, t, -1)

    def q1(self, t: Real) -> Real:
        return self._monotone(_q1, t, -1)

    def upper_quantile(self, q: Real) -> Real:
        """The zero of log q - log Q, for q <= 1/2 between 0 and sqrt(-2 log q), as Q(t) <= e^(-t^2/2) for t >= 0."""
        if q.ends is None or q.ends[0] <= 0 or q.ends[1] >= 1:
            return Real(self.bits, None)
        R = Reals(self.bits + 16, self.work)

        def lesser(q: Real) -> Real:
            target = R.log(q)
            return R.root(lambda t: target - R.log(R.upper_tail(t)), R(0), R.sqrt(-2 * target))

        half = self(Fraction(1, 2))
        return self.choose(q, "<=", half, lambda: R.decreasing(lesser, q), lambda: -R.decreasing(lesser, 1 - q))

    def poisson_below(self, count: int, y: Real) -> Real:
        if y.ends is None or y.ends[0] <= 0 or not 1 <= count <= _MOST_TERMS:
            return Real(self.bits, None)
        self.work.spend(count // 64)
        return self._monotone(lambda y, bits: at.poisson_below(count, y, bits), y, -1)

    def power(self, base: Real, exponent: Real) -> Real:
        """base^exponent, as e^(exponent log base) where the exponent is not whole, for a base in [0, 1]."""
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MOST_POWER:
            self.work.spend(1)
            return base ** int(exponent.exact)
        if not holds(self(0), "<", exponent) or not holds(base, "<=", self(1)) or base.exact == 0:
            return base if base.exact == 0 else Real(self.bits, None)
        R = Reals(self.bits + 80, self.work)
        return self.minimum(R.exp(exponent * R.log(base)), self(1))

    def minimum(self, first: Real, *others: Real) -> Real:
        return -self.maximum(-first, *(-other for other in others))

    def maximum(self, first: Real, *others: Real) -> Real:
        ends = [value.ends for value in (first, *others)]
        known = [pair for pair in ends if pair is not None]
        whole = len(known) == len(ends)
        return Real(self.bits, (max(low for low, _ in known), max(high for _, high in known)) if whole else None)

    def increasing(self, f: Callable[[Real], Real], x: Real) -> Real:
        """f over an interval from its values at the two ends."""
        return f(x) if x.ends is None or x.exact is not None else self._hull(*(f(Real(x.bits, (e, e))) for e in x.ends))

    decreasing = increasing

    def choose(
        self,
        left: Real,
        relation: Literal["<=", "<"],
        right: Real,
        then: Callable[[], Real],
        otherwise: Callable[[], Real],
    ) -> Real:
        if left.ends is None or right.ends is None:
            return Real(self.bits, None)
        found = holds(left, relation, right)
        return self._hull(then(), otherwise()) if found is None else then() if found else otherwise()

    def root(self, f: Callable[[Real], Real], lower: Real, upper: Real) -> Real:
        """The zero of an f that increases where f(lower) <= 0 <= f(upper) is known.

        An end moves only to a point where the sign of f is proved. The points are guesses: where the line through the
        middles of f at the ends meets 0 (an end kept twice counts half), halfway every eighth time; about the first
        point whose sign is not proved, ever farther ones on both sides.
        """
        if lower.ends is None or upper.ends is None:
            return Real(self.bits, None)

        def at_point(t: Fraction) -> tuple[int, Fraction]:
            ends = f(Real(self.bits, (t, t))).ends
            return (
                (0, Fraction(0)) if ends is None else ((ends[0] > 0) - (ends[1] < 0), down((ends[0] + ends[1]) / 2, 32))
            )

        low, high = lower.ends[0], upper.ends[1]
        below, above, before, point, least = at_point(low)[1], at_point(high)[1], 0, low, Fraction(1, 1 << 20)
        for step in range(self.bits + 8):
            share = -below / (above - below) if below < above and step % 8 < 7 else Fraction(1, 2)
            point = down(low + (high - low) * min(max(share, least), 1 - least), self.bits)
            sign, value = at_point(point)
            if sign == 0 or not low < point < high:
                break
            if sign < 0:
                low, below, above = point, value, above / 2 if before < 0 else above
            else:
                high, above, below = point, value, below / 2 if before > 0 else below
            before = sign
        for side in (-1, 1):
            away = max(abs(point), high - low) / (1 << self.bits)
            while low < point + side * away < high:
                if at_point(point + side * away)[0] == side:
                    low, high = (point - away, high) if side < 0 else (low, point + away)
                    break
                away *= 4
        return Real(self.bits, (low, high))

    def _hull(self, first: Real, second: Real) -> Real:
        if first.ends is None or second.ends is None:
            return Real(self.bits, None)
        (a, b), (c, d) = first.ends, second.ends
        return Real(self.bits, (min(a, c), max(b, d)))

    def _monotone(self, f: Callable[[Fraction, int], Pair | None], x: Real, direction: int = 1) -> Real:
        """A monotone function over an interval from its values at the two ends; it falls where the direction is -1."""
        if x.ends is None:
            return x
        ends = x.ends[::direction]
        self.work.spend(2 * max(1, self.bits >> 8))
        below = f(ends[0], self.bits)
        above = below if ends[0] == ends[1] else f(ends[1], self.bits)
        return Real(self.bits, None if below is None or above is None else (below[0], above[1]))


def _density(t: Fraction, bits: int) -> Pair:
    """phi(t) = e^(-t^2/2)/sqrt(2 pi)."""
    root, found = at.root_two_pi(bits), at.exp(-t * t / 2, bits) or (Fraction(0), Fraction(1))
    return found[0] / root[1], found[1] / root[0]


def _tail(t: Fraction, bits: int) -> Pair:
    """Q(-t) = 1 - Q(t); Q = phi/x_0 far out, its series near 0."""
    if t < 0:
        found = _tail(-t, bits + 8)
        return 1 - found[1], 1 - found[0]
    steps = at.fraction_steps(t, bits)
    if steps is None:
        return at.upper_tail_series(t, bits)
    peak, (x, _) = _density(t, bits + 8), at.fraction_tails(t, steps, bits)
    return peak[0] / x[1], peak[1] / x[0]


def _mills(t: Fraction, bits: int) -> Pair | None:
    """Q/phi = 1/x_0."""
    steps = at.fraction_steps(t, bits)
    if steps is not None:
        x, _ = at.fraction_tails(t, steps, bits)
        return 1 / x[1], 1 / x[0]
    tail, peak = _tail(t, bits + 8), _density(t, bits + 8)
    return (tail[0] / peak[1], tail[1] / peak[0]) if peak[0] > 0 else None


def _q1(t: Fraction, bits: int) -> Pair:
    """Q1 = phi - t Q, and phi (1 - t/x_0) = phi/(x_0 x_1) far out; Q1(-t) = t + Q1(t)."""
    if t < 0:
        found = _q1(-t, bits + 8)
        return found[0] - t, found[1] - t
    steps = at.fraction_steps(t, bits)
    peak = _density(t, bits + 40)
    if steps is None:
        tail = _tail(t, bits + 40)
        return peak[0] - t * tail[1], peak[1] - t * tail[0]
    x, y = at.fraction_tails(t, steps, bits)
    return peak[0] / (x[1] * y[1]), peak[1] / (x[0] * y[0])
