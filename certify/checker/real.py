"""The checker's arithmetic: closed intervals low 2^e to high 2^e in Python's integers, and exact rationals while small.

Every operation is total: an expression that has no value, or may have none, is the whole line (no span), and so is
whatever is computed from it. A rational is kept as such while it has at most 4096 bits, so that ties are decided.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import factorial, isqrt
from typing import Literal

from certify.checker import functions as at
from certify.checker.functions import Point, Span, up

_MOST_EXACT, _MOST_EXACT_POWER, _MOST_POWER, _MOST_TERMS = 1 << 12, 1 << 10, 1 << 62, 10_000
_END = 1_000_000


class TooMuchWork(Exception):
    """The evaluations allowed are used up."""


class Work:
    """How many evaluations are left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, cost: int = 1) -> None:
        """Count an evaluation; raise TooMuchWork when none is left."""
        self.left -= cost
        if self.left < 0:
            raise TooMuchWork


def cut(span: Span, bits: int) -> Span:
    """The span with ends of at most ``bits`` bits, rounded outward."""
    low, high, e = span
    shift = max(low.bit_length(), high.bit_length()) - bits
    return (low >> shift, -(-high >> shift), e + shift) if shift > 0 else span


class Real:
    """A real number enclosed: a span, None where nothing is known; and the number itself where it is known."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, bits: int, given: Span | None = None, exact: Fraction | None = None) -> None:
        self.bits, self.given, self.exact = bits, given, exact

    @cached_property
    def span(self) -> Span | None:
        """The ends at ``bits`` bits, outward."""
        if self.exact is None:
            return None if self.given is None else cut(self.given, self.bits)
        n, d = self.exact.numerator, self.exact.denominator
        shift = max(0, self.bits + 1 - n.bit_length() + d.bit_length())
        return cut(((n << shift) // d, up(n << shift, d), -shift), self.bits)

    @property
    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """The ends as rationals, outward: None is infinite, and below 2^-1000000 or above 2^1000000 less is said."""
        if self.exact is not None or self.span is None:
            return self.exact, self.exact
        low, high, e = self.span
        if abs(e) <= _END:
            scale = Fraction(1 << max(e, 0), 1 << max(-e, 0))
            return low * scale, high * scale
        if e > 0:
            return (Fraction(0) if low >= 0 else None), (Fraction(0) if high <= 0 else None)
        tiny = Fraction(max(abs(low), abs(high)) + 1, 1 << _END)
        return (Fraction(0) if low >= 0 else -tiny), (Fraction(0) if high <= 0 else tiny)

    @property
    def points(self) -> tuple[Point, Point] | None:
        """The two ends as points: twice the number itself where it is known; None for the line."""
        if self.exact is not None:
            return ((self.exact.numerator, self.exact.denominator, 0),) * 2
        return None if self.span is None else ((self.span[0], 1, self.span[2]), (self.span[1], 1, self.span[2]))

    def _with(
        self, other: Real | int | Fraction, exactly: Callable[[Fraction, Fraction], Fraction], enclosed: _Combined
    ) -> Real:
        right = other if isinstance(other, Real) else Real(self.bits, exact=Fraction(other))
        bits = max(self.bits, right.bits)
        if self.exact is not None and right.exact is not None:
            number = exactly(self.exact, right.exact)
            if number.numerator.bit_length() + number.denominator.bit_length() <= _MOST_EXACT:
                return Real(bits, exact=number)
        a, b = self.span, right.span
        return Real(bits, None if a is None or b is None else enclosed(a, b, bits))

    def __add__(self, other: Real | int | Fraction) -> Real:
        return self._with(other, Fraction.__add__, _sum)

    __radd__ = __add__

    def __neg__(self) -> Real:
        if self.exact is not None:
            return Real(self.bits, exact=-self.exact)
        return Real(self.bits, None if self.span is None else (-self.span[1], -self.span[0], self.span[2]))

    def __sub__(self, other: Real | int | Fraction) -> Real:
        return self + -other

    def __rsub__(self, other: int | Fraction) -> Real:
        return -self + other

    def __mul__(self, other: Real | int | Fraction) -> Real:
        number = other.exact if isinstance(other, Real) else other
        for zero, rest in ((self.exact, other), (number, self)):
            if zero == 0 and not (isinstance(rest, Real) and rest.exact is None and rest.span is None):
                return Real(self.bits, exact=Fraction(0))
        return self._with(other, Fraction.__mul__, _product)

    __rmul__ = __mul__

    def __truediv__(self, other: Real | int | Fraction) -> Real:
        if (other.exact if isinstance(other, Real) else other) == 0:
            return Real(self.bits)
        return self._with(other, Fraction.__truediv__, _quotient)

    def __rtruediv__(self, other: int | Fraction) -> Real:
        return Real(self.bits, exact=Fraction(other)) / self

    def __pow__(self, exponent: int) -> Real:
        if exponent < 0:
            return 1 / self**-exponent
        if self.exact is not None:
            size = max(self.exact.numerator.bit_length(), self.exact.denominator.bit_length())
            if self.exact in (0, 1) or size * exponent <= _MOST_EXACT_POWER:
                return Real(self.bits, exact=self.exact**exponent)
        if self.span is None or exponent >= _MOST_POWER:
            return Real(self.bits)
        wide = self.bits + exponent.bit_length() + 8
        low, high, e = self.span if self.exact is None else Real(wide, exact=self.exact).span or self.span
        if exponent % 2 == 0 and low < 0:  # of the size of the number, from 0 where it reaches 0
            low, high = (-high, -low) if high <= 0 else (0, max(-low, high))
        below, above = (_power((end, end, e), exponent, wide) for end in (low, high))
        return Real(self.bits, _hull(below, above, wide))

    def __eq__(self, other: object) -> bool:
        raise TypeError("reals are not compared for equality")

    def __bool__(self) -> bool:
        raise TypeError("a real has no truth value")


_Combined = Callable[[Span, Span, int], "Span | None"]


def _aligned(a: Span, b: Span, bits: int) -> tuple[Span, Span]:
    """Both at one exponent; the one of far smaller exponent is first cut to where it cannot matter much."""
    if a[2] > b[2]:
        return _aligned(b, a, bits)[::-1]
    if not any(b[:2]):
        return a, (0, 0, a[2])
    if not any(a[:2]):
        return (0, 0, b[2]), b
    (low, high, e), (other_low, other_high, top) = a, b
    excess = max(0, top - e - 2 * bits - 64)
    e += excess
    return (low >> excess, -(-high >> excess), e), (other_low << top - e, other_high << top - e, e)


def _sum(a: Span, b: Span, bits: int) -> Span:
    a, b = _aligned(a, b, bits)
    return a[0] + b[0], a[1] + b[1], a[2]


def _product(a: Span, b: Span, bits: int) -> Span:
    del bits
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends), a[2] + b[2]


def _quotient(a: Span, b: Span, bits: int) -> Span | None:
    if b[0] <= 0 <= b[1]:
        return None
    if b[1] < 0:
        a, b = (-a[1], -a[0], a[2]), (-b[1], -b[0], b[2])
    shift = bits + 2 + b[1].bit_length()
    low, high = a[0] << shift, a[1] << shift
    return low // (b[1] if low >= 0 else b[0]), up(high, b[0] if high >= 0 else b[1]), a[2] - b[2] - shift


def _power(a: Span, exponent: int, bits: int) -> Span:
    """A power of a point, by squarings cut outward; of a negative one as of its size."""
    negative = a[0] < 0
    base, found = (abs(a[0]), abs(a[0]), a[2]), (1, 1, 0)
    for digit in bin(exponent)[2:]:
        found = cut((found[0] * found[0], found[1] * found[1], 2 * found[2]), bits)
        if digit == "1":
            found = cut((found[0] * base[0], found[1] * base[1], found[2] + base[2]), bits)
    return (-found[1], -found[0], found[2]) if negative and exponent % 2 else found


def _hull(a: Span, b: Span, bits: int) -> Span:
    a, b = _aligned(a, b, bits)
    return min(a[0], b[0]), max(a[1], b[1]), a[2]


def holds(left: Real, relation: str, right: Real) -> bool | None:
    """Whether the comparison holds for every point of both (or fails for every one), None where that is not known."""
    if left.exact is not None and right.exact is not None:
        return left.exact <= right.exact if relation == "<=" else left.exact < right.exact
    if left.span is None or right.span is None:
        return None
    (a, b, _), (c, d, _) = _aligned(left.span, right.span, max(left.bits, right.bits))
    if b <= c if relation == "<=" else b < c:
        return True
    return False if (d < a if relation == "<=" else d <= a) else None


class Reals:
    """The arithmetic R of the statements at ``bits`` bits, for ``work.left`` evaluations."""

    def __init__(self, bits: int, work: Work) -> None:
        self.bits, self.work = bits, work

    def __call__(self, value: int | Fraction) -> Real:
        return Real(self.bits, exact=Fraction(value))

    @property
    def pi(self) -> Real:
        return Real(self.bits, at.pi(self.bits))

    def sqrt(self, x: Real) -> Real:
        self.work.spend()
        if x.exact is not None and x.exact >= 0:
            n, d = isqrt(x.exact.numerator), isqrt(x.exact.denominator)
            if Fraction(n * n, d * d) == x.exact:
                return Real(self.bits, exact=Fraction(n, d))
        if x.span is None or x.span[0] < 0:
            return Real(self.bits)
        low, high, e = x.span
        shift = max(0, 2 * self.bits + 2 - high.bit_length())
        shift += (e - shift) % 2
        top = isqrt((high << shift) - 1) + 1 if high else 0
        return Real(self.bits, (isqrt(low << shift), top, (e - shift) // 2))

    def exp(self, x: Real) -> Real:
        return self(1) if x.exact == 0 else self._monotone(at.exp, x)

    def log(self, x: Real) -> Real:
        if x.exact == 1:
            return self(0)
        return self._monotone(at.log, x) if holds(self(0), "<", x) else Real(self.bits)

    def upper_tail(self, t: Real) -> Real:
        return self(Fraction(1, 2)) if t.exact == 0 else self._monotone(_tail, t, falls=True)

    def mills(self, t: Real) -> Real:
        return self._monotone(_mills, t, falls=True)

    def q1(self, t: Real) -> Real:
        return self._monotone(_q1, t, falls=True)

    def upper_quantile(self, q: Real) -> Real:
        """The zero of log q - log Q, for q <= 1/2 between 0 and sqrt(-2 log q), as Q(t) <= e^(-t^2/2) for t >= 0."""
        if not holds(self(0), "<", q) or not holds(q, "<", self(1)):
            return Real(self.bits)
        R = Reals(self.bits + 16, self.work)

        def lesser(q: Real) -> Real:
            target = R.log(q)
            return R.root(lambda t: target - R.log(R.upper_tail(t)), R(0), R.sqrt(-2 * target))

        half = self(Fraction(1, 2))
        return self.choose(q, "<=", half, lambda: self.decreasing(lesser, q), lambda: -self.decreasing(lesser, 1 - q))

    def poisson_below(self, count: int, y: Real) -> Real:
        if not holds(self(0), "<=", y) or not 0 <= count <= _MOST_TERMS:
            return Real(self.bits)
        self.work.spend(count // 64)
        return self._monotone(lambda point, bits: _poisson(count, point, bits), y, falls=True)

    def power(self, base: Real, exponent: Real) -> Real:
        """base^exponent, as e^(exponent log base) where the exponent is not whole, for a base in [0, 1]."""
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MOST_POWER:
            self.work.spend()
            return base ** int(exponent.exact)
        if not holds(self(0), "<", exponent) or not holds(base, "<=", self(1)) or exponent.points is None:
            return Real(self.bits)
        if base.exact == 0:
            return base
        R = Reals(self.bits + 64 + max(0, at.magnitude(exponent.points[1])), self.work)
        return self.minimum(
            Real(self.bits, R.exp(Real(R.bits, exponent.span, exponent.exact) * R.log(base)).span), self(1)
        )

    def minimum(self, first: Real, *others: Real) -> Real:
        return -self.maximum(-first, *(-other for other in others))

    def maximum(self, first: Real, *others: Real) -> Real:
        most = first
        for other in others:
            order = holds(most, "<=", other)
            if order is None and (most.span is None or other.span is None):
                return Real(self.bits)
            if order is None and most.span is not None and other.span is not None:
                a, b = _aligned(most.span, other.span, self.bits)
                most = Real(self.bits, (max(a[0], b[0]), max(a[1], b[1]), a[2]))
            elif order:
                most = other
        return most

    def increasing(self, f: Callable[[Real], Real], x: Real) -> Real:
        """f over an interval from its values at the two ends."""
        if x.exact is not None or x.span is None or x.span[0] == x.span[1]:
            return f(x)
        first, last = (f(Real(x.bits, (end, end, x.span[2]))).span for end in x.span[:2])
        return Real(self.bits, None if first is None or last is None else _hull(first, last, self.bits))

    def decreasing(self, f: Callable[[Real], Real], x: Real) -> Real:
        return self.increasing(f, x)

    def choose(
        self,
        left: Real,
        relation: Literal["<=", "<"],
        right: Real,
        then: Callable[[], Real],
        otherwise: Callable[[], Real],
    ) -> Real:
        if any(side.exact is None and side.span is None for side in (left, right)):
            return Real(self.bits)
        found = holds(left, relation, right)
        if found is not None:
            return then() if found else otherwise()
        first, second = then(), otherwise()
        if first.exact is not None and first.exact == second.exact:
            return first
        a, b = first.span, second.span
        return Real(self.bits, None if a is None or b is None else _hull(a, b, self.bits))

    def root(self, f: Callable[[Real], Real], lower: Real, upper: Real) -> Real:
        """The zero of an f that increases where f(lower) <= 0 <= f(upper) is known.

        An end moves only to a point where the sign of f is proved. The points are guesses: where the line through the
        middles of f at the ends meets 0 (a kept end counts half, then a quarter, ...), halfway every eighth time; from
        the first point whose sign is not proved, the nearest points on both sides whose signs are.
        """
        if lower.span is None or upper.span is None or lower.span[0] * upper.span[1] < 0:
            return Real(self.bits)
        e = min(lower.span[2], upper.span[2], upper.span[2] + upper.span[1].bit_length() - self.bits) - 8
        if lower.span[2] - e > _END or upper.span[2] - e > _END:
            return Real(self.bits)
        low, high = lower.span[0] << lower.span[2] - e, upper.span[1] << upper.span[2] - e
        weights = [self._middle(f, low, e)[1], self._middle(f, high, e)[1]]
        before = 0
        for step in range(self.bits + 8):
            if high - low < 2:
                break
            spread = weights[1] - weights[0]
            point = low + (-weights[0] * (high - low) // spread if spread > 0 and step % 8 < 7 else (high - low) // 2)
            point = min(max(point, low + 1), high - 1)
            sign, weight = self._middle(f, point, e)
            if sign == 0:
                low, high = self._nearest(f, point, low, e, -1), self._nearest(f, point, high, e, 1)
                break
            if sign < 0:
                low, weights = point, [weight, weights[1] / (2 if before < 0 else 1)]
            else:
                high, weights = point, [weights[0] / (2 if before > 0 else 1), weight]
            before = sign
        return Real(self.bits, (low, high, e))

    def _middle(self, f: Callable[[Real], Real], point: int, e: int) -> tuple[int, Fraction]:
        """The sign of f at a point where it is proved, else 0; and about the middle of its value."""
        ends = f(Real(self.bits, (point, point, e))).ends
        if ends[0] is None or ends[1] is None:
            return 0, Fraction(0)
        return (ends[0] > 0) - (ends[1] < 0), (ends[0] + ends[1]) / 2

    def _nearest(self, f: Callable[[Real], Real], point: int, end: int, e: int, wanted: int) -> int:
        """A point between ``point`` and ``end``, close to the first, where f has the sign wanted; else ``end``."""
        away = 1
        while away < abs(end - point):
            if self._middle(f, point + wanted * away, e)[0] == wanted:
                return point + wanted * away
            away *= 4
        return end

    def _monotone(self, f: Callable[[Point, int], Span | None], x: Real, *, falls: bool = False) -> Real:
        """A monotone function over an interval from its values at the two ends."""
        if x.points is None:
            return Real(self.bits)
        first, last = x.points[::-1] if falls else x.points
        self.work.spend(max(1, self.bits >> 8))
        below = f(first, self.bits)
        if first == last or below is None:
            return Real(self.bits, below)
        self.work.spend(max(1, self.bits >> 8))
        above = f(last, self.bits)
        return Real(self.bits, None if above is None else _hull(below, above, self.bits))


def _density(t: Point, bits: int) -> Real:
    """phi(t) = e^(-t^2/2)/sqrt(2 pi)."""
    n, d, e = t
    return Real(bits, at.exp((-n * n, 2 * d * d, 2 * e), bits)) / Real(bits, at.root_two_pi(bits))


def _tail(t: Point, bits: int) -> Span | None:
    """Q(-t) = 1 - Q(t), and Q = phi/x_0 far out, by its series near 0."""
    n, d, e = t
    if n < 0:
        return (1 - Real(bits, _tail((-n, d, e), bits))).span
    steps = at.fraction_steps(t, bits)
    if steps is None:
        return at.upper_tail_series(t, bits)
    return (_density(t, bits + 8) / Real(bits + 8, at.fraction_tails(t, steps, bits)[0])).span


def _mills(t: Point, bits: int) -> Span | None:
    steps = at.fraction_steps(t, bits)
    if steps is None:
        return (Real(bits + 8, _tail(t, bits + 8)) / _density(t, bits + 8)).span
    return (1 / Real(bits + 8, at.fraction_tails(t, steps, bits)[0])).span


def _q1(t: Point, bits: int) -> Span | None:
    """Q1 = phi - t Q, and phi (1 - t/x_0) = phi/(x_0 x_1) far out; Q1(-t) = t + Q1(t)."""
    n, d, e = t
    number = Real(bits + 40, (n, n, e)) / d
    if n < 0:
        return (Real(bits + 8, _q1((-n, d, e), bits + 8)) - number).span
    steps = at.fraction_steps(t, bits)
    if steps is None:
        return (_density(t, bits + 40) - number * Real(bits + 40, _tail(t, bits + 40))).span
    first, second = (Real(bits + 8, tail) for tail in at.fraction_tails(t, steps, bits))
    return (_density(t, bits + 8) / (first * second)).span


def _poisson(count: int, y: Point, bits: int) -> Span | None:
    """e^-y y^m/m! (1 + m/y + m(m-1)/y^2 + ...), m = count - 1, the sum in fixed point."""
    n, d, e = y
    if count == 0 or n <= 0:
        return min(count, 1), min(count, 1), 0
    w = bits + 64
    inverse = Real(w, (d, d, -e)) / n
    if inverse.span is None:
        return None
    top = Real(w, at.exp((-n, d, e), w)) / inverse ** (count - 1) / factorial(count - 1)
    least, most = (at.floored((end, 1, inverse.span[2]), w) for end in inverse.span[:2])
    low = high = lower = upper = 1 << w
    for j in range(count - 1, 0, -1):
        low, high = low * least * j >> w, up(high * (most + 1) * j, 1 << w)
        lower, upper = lower + low, upper + high
        if low == 0 and high == 1 and (most + 1) * j <= 1 << w:  # what is left is at most 1 each
            upper += j
            break
    return (top * Real(w, (lower, upper, -w))).span
