"""The checker's arithmetic: closed intervals with rational ends, cut outward to ``bits`` bits unless both are one.

A number that is known is one rational for both ends (a computed one of at most 4096 bits), so that ties are decided.
Every operation is total: an expression that has no value, or may have none, or is beyond 2^FAR, is the whole line (its
ends are None), and so is whatever is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial, isqrt
from typing import Any

from certify.checker import functions as at
from certify.checker.functions import Pair, down, up
from certify.statements.language import Relation

_MOST_EXACT, _MOST_POWER, _MOST_TERMS = 1 << 12, 1 << 62, 10_000


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

    def __init__(self, bits: int, ends: Pair | None, *, stated: bool = False) -> None:
        if ends is not None and not stated:
            n, d = ends[0].numerator, ends[0].denominator
            if ends[0] != ends[1] or n.bit_length() + d.bit_length() > _MOST_EXACT:
                far = any(end.numerator.bit_length() - end.denominator.bit_length() > at.FAR for end in ends)
                ends = None if far else (down(ends[0], bits), -down(-ends[1], bits))
        self.bits, self.ends = bits, ends

    @property
    def exact(self) -> Fraction | None:
        """The number itself where it is known."""
        return None if self.ends is None or self.ends[0] != self.ends[1] else self.ends[0]

    def _with(self, other: Operand, combined: Callable[[Pair, Pair], Pair | None]) -> Real:
        right = other if isinstance(other, Real) else Real(self.bits, (Fraction(other),) * 2, stated=True)
        a, b = self.ends, right.ends
        return Real(max(self.bits, right.bits), None if a is None or b is None else combined(a, b))

    def __add__(self, other: Operand) -> Real:
        return self._with(other, lambda a, b: (a[0] + b[0], a[1] + b[1]))

    def __neg__(self) -> Real:
        return Real(self.bits, None if self.ends is None else (-self.ends[1], -self.ends[0]))

    def __sub__(self, other: Operand) -> Real:
        return self + -other

    def __rsub__(self, other: int | Fraction) -> Real:
        return -self + other

    def __mul__(self, other: Operand) -> Real:
        return self._with(other, _product)

    def __truediv__(self, other: Operand) -> Real:
        return self._with(other, lambda a, b: None if b[0] <= 0 <= b[1] else _product(a, (1 / b[1], 1 / b[0])))

    def __rtruediv__(self, other: int | Fraction) -> Real:
        return Real(self.bits, (Fraction(other),) * 2, stated=True) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Real:
        """By squarings, with bits to spare for what they lose."""
        if exponent < 0:
            return 1 / self**-exponent
        bits = self.bits + 8 + exponent.bit_length()
        found = Real(bits, (Fraction(1),) * 2 if exponent < _MOST_POWER and self.ends is not None else None)
        for digit in bin(exponent)[2:]:
            found = found * found if digit == "0" else found * found * self
        return Real(self.bits, found.ends)


Operand = Real | int | Fraction
Branch = Callable[[], Real]


def _product(a: Pair, b: Pair) -> Pair:
    if a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], a[1] * b[1]
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)


def holds(left: Any, right: Any, relation: str) -> bool | None:
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
        return Real(self.bits, at.root_two_pi(self.bits + 8)) ** 2 / 2

    def sqrt(self, x: Real) -> Real:
        return self._monotone(_root if x.ends is not None and x.ends[0] >= 0 else None, x)

    def exp(self, x: Real) -> Real:
        return self(1) if x.exact == 0 else self._monotone(at.exp, x)

    def log(self, x: Real) -> Real:
        return self(0) if x.exact == 1 else self._monotone(at.log if holds(self(0), x, "<") else None, x)

    def upper_tail(self, t: Real) -> Real:
        return self(Fraction(1, 2)) if t.exact == 0 else self._monotone(lambda t, bits: _tails(t, bits)[0], t, -1)

    def mills(self, t: Real) -> Real:
        return self._monotone(lambda t, bits: _tails(t, bits)[1], t, -1)

    def q1(self, t: Real) -> Real:
        return self._monotone(lambda t, bits: _tails(t, bits)[2], t, -1)

    def upper_quantile(self, q: Real) -> Real:
        """The zero of log q - log Q, for q <= 1/2 between 0 and sqrt(-2 log q), as Q(t) <= e^(-t^2/2) for t >= 0."""
        if not holds(self(0), q, "<") or not holds(q, self(1), "<"):
            return Real(self.bits, None)
        R = Reals(self.bits + 16, self.work)

        def lesser(q: Real) -> Real:
            target = R.log(q)
            return R.root(lambda t: target - R.log(R.upper_tail(t)), R(0), R.sqrt(-2 * target))

        return self.choose(
            q, "<=", R(Fraction(1, 2)), lambda: R.decreasing(lesser, q), lambda: -R.decreasing(lesser, 1 - q)
        )

    def poisson_below(self, count: int, y: Real) -> Real:
        usable = holds(self(0), y, "<") and 1 <= count <= _MOST_TERMS
        self.work.spend(count // 64 if usable else 1)
        return self._monotone((lambda y, bits: _poisson(count, y, bits)) if usable else None, y, -1)

    def power(self, base: Real, exponent: Real) -> Real:
        """base^exponent, as e^(exponent log base) where the exponent is not whole, for a base in [0, 1]."""
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MOST_POWER:
            self.work.spend(1)
            return base ** int(exponent.exact)
        if not holds(self(0), exponent, "<") or not holds(base, self(1), "<=") or base.exact == 0:
            return base if base.exact == 0 else Real(self.bits, None)
        R = Reals(self.bits + 80, self.work)
        return self.minimum(R.exp(exponent * R.log(base)), self(1))

    def minimum(self, first: Real, *others: Real) -> Real:
        return -self.maximum(-first, *(-other for other in others))

    def maximum(self, first: Real, *others: Real) -> Real:
        known = [value.ends for value in (first, *others) if value.ends is not None]
        whole = len(known) == 1 + len(others)
        return Real(self.bits, (max(low for low, _ in known), max(high for _, high in known)) if whole else None)

    def increasing(self, f: Callable[[Real], Real], x: Real) -> Real:
        """f over an interval from its values at the two ends."""
        return f(x) if x.ends is None or x.exact is not None else self._hull(*(f(Real(x.bits, (e, e))) for e in x.ends))

    decreasing = increasing

    def choose(self, left: Real, relation: Relation, right: Real, then: Branch, otherwise: Branch) -> Real:
        if left.ends is None or right.ends is None:
            return Real(self.bits, None)
        found = holds(left, right, relation)
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
            a, b = f(Real(self.bits, (t, t))).ends or (Fraction(0), Fraction(0))
            return (a > 0) - (b < 0), down((a + b) / 2, self.bits)

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
            while low < point + side * away < high and at_point(point + side * away)[0] != side:
                away *= 4
            low, high = (max(low, point - away), high) if side < 0 else (low, min(high, point + away))
        return Real(self.bits, (low, high))

    def _hull(self, first: Real, second: Real) -> Real:
        ends = [*(first.ends or ()), *(second.ends or ())]
        return Real(self.bits, (min(ends), max(ends)) if len(ends) == 4 else None)

    def _monotone(self, f: Callable[[Fraction, int], Pair | None] | None, x: Real, direction: int = 1) -> Real:
        """A monotone function over an interval from its values at the two ends; it falls where the direction is -1."""
        if f is None or x.ends is None:
            return Real(self.bits, None)
        self.work.spend(2 * max(1, self.bits >> 8))
        first, last = x.ends[::direction]
        below = f(first, self.bits)
        above = below if first == last else f(last, self.bits)
        return Real(self.bits, None if below is None or above is None else (below[0], above[1]))


def _root(x: Fraction, bits: int) -> Pair:
    """The root of n/d: itself where it is a fraction, else floor and floor + 1 of the root of n d 4^s, over d 2^s."""
    n, d = x.numerator, x.denominator
    if isqrt(n) ** 2 == n and isqrt(d) ** 2 == d:
        return (Fraction(isqrt(n), isqrt(d)),) * 2
    s = max(0, bits + 8 - (n * d).bit_length() // 2)
    v = isqrt(n * d << 2 * s)
    return Fraction(v, d << s), Fraction(v + 1, d << s)


def _tails(t: Fraction, bits: int) -> tuple[Pair, Pair | None, Pair]:
    """Q(t), the Mills ratio Q/phi, and Q1(t) = phi - t Q.

    Far out Q/phi = 1/x_0 and phi - t Q = phi (1 - t/x_0) = phi/(x_0 x_1); nearer Q is its series; and Q(-t) = 1 - Q(t),
    Q1(-t) = t + Q1(t).
    """
    wide = bits + 40
    root, bell = at.root_two_pi(wide), at.exp(-t * t / 2, wide) or (Fraction(0), Fraction(1))
    peak = bell[0] / root[1], bell[1] / root[0]
    if t < 0:
        found, _, area = _tails(-t, wide)
        tail, first = (1 - found[1], 1 - found[0]), (area[0] - t, area[1] - t)
    else:
        fraction = at.fraction_tails(t, bits)
        if fraction is not None:
            x, y = fraction
            over = 1 / x[1], 1 / x[0]
            return (peak[0] * over[0], peak[1] * over[1]), over, (peak[0] * over[0] / y[1], peak[1] * over[1] / y[0])
        tail = at.upper_tail_series(t, wide)
        first = peak[0] - t * tail[1], peak[1] - t * tail[0]
    return tail, (tail[0] / peak[1], tail[1] / peak[0]) if peak[0] > 0 else None, first


def _poisson(count: int, y: Fraction, bits: int) -> Pair | None:
    """e^-y y^m/m! (1 + m/y (1 + (m - 1)/y (1 + ...))) for m = count - 1 and y > m/2, the bracket in fixed point."""
    w, m = bits + 64, count - 1
    if 2 * y <= m:
        return None
    inverse, low, high = (y.denominator << w) // y.numerator, 1 << w, 1 << w
    for j in range(1, count):
        low, high = (low * inverse * j >> w) + (1 << w), up(high * (inverse + 1) * j, 1 << w) + (1 << w)
    total = Real(w, at.exp(-y, w)) * Real(w, (y, y), stated=True) ** m / factorial(m)
    return (total * Real(w, (Fraction(low, 1 << w), Fraction(high, 1 << w)))).ends
