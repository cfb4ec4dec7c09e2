"""The trusted arithmetic: closed intervals with mpf ends, and exact rationals for as long as they stay small.

Precision is a property of the arithmetic, never global. A value known exactly keeps its Fraction, so a tie between
rationals is decided, not left undecided. Every operation is total: an expression that has no value, or may have none
(a quotient by an interval that contains 0, the logarithm or root of one that reaches below it), is the whole line, and
whatever is computed from the whole line is the whole line, from which nothing can be proved. An interval has no truth
value and no equality.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NoReturn

from mpmath import libmp
from mpmath.libmp import finf, fninf, fone, fzero

from certify.kernel import ends as pairs
from certify.kernel.decision import Decision
from certify.kernel.elementary import exp_ends, log_ends, pi_ends, power_ends
from certify.kernel.ends import LINE, Ends, Mpf, Point, as_ends, sign
from certify.kernel.tails import MAX_COUNT, mills_ends, poisson_ends, q1_ends, quantile_ends, upper_tail_ends

_MAX_EXACT_BITS = 1 << 12
_MAX_EXACT_POWER_BITS = 1 << 10
_MAX_POWER = 1 << 62
_BITS_OF_ONE, _TERMS_OF_ONE = 256, 64


class WorkExhausted(Exception):
    """The evaluations that the caller allowed are used up; what was asked stays undecided."""


class Interval:
    """A real number enclosed: two mpf ends at ``bits`` bits, and the number itself where it is a known rational."""

    __slots__ = ("_ends", "bits", "exact")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, bits: int, ends: Ends = LINE, exact: Fraction | None = None) -> None:
        self.bits = bits
        self._ends: Ends | None = ends if exact is None else None
        self.exact = exact

    @property
    def ends(self) -> Ends:
        """The lower and upper end, rounded outward."""
        if self._ends is None:
            self._ends = LINE if self.exact is None else as_ends(self.exact, self.bits)
        return self._ends

    @property
    def is_line(self) -> bool:
        """Whether nothing is known, not even that the value exists."""
        return self._ends == LINE

    def points(self) -> tuple[Point, Point]:
        """The two ends as exact points; both are the number itself where that is known."""
        return self.ends if self.exact is None else (self.exact, self.exact)

    def _combined(
        self,
        other: Interval,
        exactly: Callable[[Fraction, Fraction], Fraction],
        enclosed: Callable[[Ends, Ends, int], Ends],
    ) -> Interval:
        bits = max(self.bits, other.bits)
        if self.exact is not None and other.exact is not None:
            number = exactly(self.exact, other.exact)
            if number.numerator.bit_length() + number.denominator.bit_length() <= _MAX_EXACT_BITS:
                return Interval(bits, exact=number)
        return Interval(bits, enclosed(self.ends, other.ends, bits))

    def _of(self, other: Interval | int | Fraction) -> Interval:
        return other if isinstance(other, Interval) else Interval(self.bits, exact=_rational(other))

    def __add__(self, other: Interval | int | Fraction) -> Interval:
        return self._combined(self._of(other), Fraction.__add__, pairs.add)

    def __sub__(self, other: Interval | int | Fraction) -> Interval:
        return self._combined(self._of(other), Fraction.__sub__, pairs.sub)

    def __mul__(self, other: Interval | int | Fraction) -> Interval:
        """The product; an exact 0 times a bounded interval is the exact 0."""
        factor = self._of(other)
        if (self.exact == 0 and factor._is_bounded()) or (factor.exact == 0 and self._is_bounded()):
            return Interval(max(self.bits, factor.bits), exact=Fraction(0))
        return self._combined(factor, Fraction.__mul__, pairs.mul)

    def __truediv__(self, other: Interval | int | Fraction) -> Interval:
        divisor = self._of(other)
        if divisor.exact == 0:
            return Interval(max(self.bits, divisor.bits))
        return self._combined(divisor, Fraction.__truediv__, pairs.div)

    def __radd__(self, other: int | Fraction) -> Interval:
        return self._of(other) + self

    def __rsub__(self, other: int | Fraction) -> Interval:
        return self._of(other) - self

    def __rmul__(self, other: int | Fraction) -> Interval:
        return self._of(other) * self

    def __rtruediv__(self, other: int | Fraction) -> Interval:
        return self._of(other) / self

    def __neg__(self) -> Interval:
        return (
            Interval(self.bits, pairs.neg(self.ends)) if self.exact is None else Interval(self.bits, exact=-self.exact)
        )

    def __pow__(self, exponent: int) -> Interval:
        if exponent < 0:
            return 1 / self**-exponent
        if self.exact is not None:
            size = max(self.exact.numerator.bit_length(), self.exact.denominator.bit_length())
            if self.exact in (0, 1) or size * exponent <= _MAX_EXACT_POWER_BITS:
                return Interval(self.bits, exact=self.exact**exponent)
        if self.is_line or exponent >= _MAX_POWER:
            return Interval(self.bits)
        return Interval(self.bits, pairs.power(self.ends, exponent, self.bits))

    def __bool__(self) -> NoReturn:
        raise TypeError("an interval has no truth value; ask compare, or state a condition")

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("intervals are not compared for equality; ask compare, or state a condition")

    def __repr__(self) -> str:
        return f"Interval({self.exact if self.exact is not None else self.ends})"

    def _is_bounded(self) -> bool:
        return self.exact is not None or (self.ends[0] != fninf and self.ends[1] != finf)


def compare(left: Interval, relation: Literal["<=", "<"], right: Interval) -> Decision:
    """The decision on ``left <= right`` or ``left < right``: certain for every point of both, or undecided."""
    if left.exact is not None and right.exact is not None:
        holds = left.exact <= right.exact if relation == "<=" else left.exact < right.exact
        return Decision.PROVED if holds else Decision.DISPROVED
    (left_low, left_high), (right_low, right_high) = left.ends, right.ends
    if (libmp.mpf_le if relation == "<=" else libmp.mpf_lt)(left_high, right_low):
        return Decision.PROVED
    if (libmp.mpf_lt if relation == "<=" else libmp.mpf_le)(right_high, left_low):
        return Decision.DISPROVED
    return Decision.UNDECIDED


class Allowance:
    """How many evaluations are left, shared by all the precisions of one decision, and an optional clock."""

    def __init__(self, evaluations: int, expired: Callable[[], bool] | None = None) -> None:
        self.left = evaluations
        self._expired = expired

    def spend(self, cost: int = 1) -> None:
        """Count an evaluation; raise WorkExhausted when none is left or the time the user set is over."""
        if self.left <= 0 or (self._expired is not None and self._expired()):
            raise WorkExhausted
        self.left -= cost


def _sign(value: Interval) -> int:
    """1 or -1 where the sign of the value is proved, else 0."""
    low, high = value.ends
    return int(libmp.mpf_gt(low, fzero)) - int(libmp.mpf_lt(high, fzero))


class Intervals:
    """The arithmetic R of the statements, at ``bits`` bits; a function at a point counts as one evaluation,
    or as bits/256 where that is more; a Poisson sum as one more for each 64 terms.
    """

    def __init__(self, bits: int, allowance: Allowance | None = None) -> None:
        self.bits = bits
        self.allowance = allowance

    def __call__(self, value: int | Fraction) -> Interval:
        return Interval(self.bits, exact=_rational(value))

    def between(self, lower: int | Fraction, upper: int | Fraction) -> Interval:
        """The interval of all reals between two rationals."""
        return self.hull(self(lower), self(upper))

    @property
    def pi(self) -> Interval:
        return Interval(self.bits, pi_ends(self.bits))

    def sqrt(self, x: Interval) -> Interval:
        self._count()
        low, high = x.ends if x.exact is None else as_ends(x.exact, self.bits)
        if libmp.mpf_sign(low) < 0:
            return Interval(self.bits)
        if x.exact is not None:
            n, d = math.isqrt(x.exact.numerator), math.isqrt(x.exact.denominator)
            if Fraction(n * n, d * d) == x.exact:
                return Interval(self.bits, exact=Fraction(n, d))
        return Interval(self.bits, pairs.sqrt((low, high), self.bits))

    def exp(self, x: Interval) -> Interval:
        return self(1) if x.exact == 0 else self._monotone(exp_ends, x, (fzero, finf))

    def log(self, x: Interval) -> Interval:
        if x.exact == 1:
            return self(0)
        return self._monotone(log_ends, x, LINE) if sign(x.points()[0]) > 0 else Interval(self.bits)

    def upper_tail(self, t: Interval) -> Interval:
        return self(Fraction(1, 2)) if t.exact == 0 else self._monotone(upper_tail_ends, t, (fone, fzero))

    def mills(self, t: Interval) -> Interval:
        return self._monotone(mills_ends, t, (finf, fzero))

    def q1(self, t: Interval) -> Interval:
        return self._monotone(q1_ends, t, (finf, fzero))

    def upper_quantile(self, q: Interval) -> Interval:
        inside = compare(self(0), "<", q) is Decision.PROVED is compare(q, "<", self(1))
        return self._monotone(quantile_ends, q, (finf, fninf)) if inside else Interval(self.bits)

    def poisson_below(self, count: int, y: Interval) -> Interval:
        if sign(y.points()[0]) < 0:
            return Interval(self.bits)
        self._count(min(count, MAX_COUNT) // _TERMS_OF_ONE)
        return self._monotone(lambda point, bits: poisson_ends(count, point, bits), y, (fone, fzero))

    def power(self, base: Interval, exponent: Interval) -> Interval:
        """base^exponent for base >= 0 and exponent >= 0, where 0^0 = 1.

        It rises in the base. In the exponent it falls where the base is below 1 and rises where it is above; so the
        least value is at the lower end of the base and the end of the exponent that the former or the latter calls for.
        """
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MAX_POWER:
            self._count()
            return base ** int(exponent.exact)
        (low, high), (least, most) = base.points(), exponent.points()
        if sign(low) < 0 or sign(least) < 0:
            return Interval(self.bits)
        lower = self._power_at(low, most if _beside_one(low) < 0 else least)[0]
        upper = self._power_at(high, most if _beside_one(high) > 0 else least)[1]
        return Interval(self.bits, (lower, upper))

    def _power_at(self, base: Point, exponent: Point) -> Ends:
        self._count()
        if sign(exponent) == 0 or _beside_one(base) == 0:
            return pairs.ONE
        if sign(base) == 0:
            return pairs.ZERO
        if finf in (base, exponent):
            return (fone, finf) if _beside_one(base) > 0 else (fzero, fone)
        return power_ends(base, exponent, self.bits)

    def minimum(self, first: Interval, *others: Interval) -> Interval:
        return -self.maximum(-first, *(-other for other in others))

    def maximum(self, first: Interval, *others: Interval) -> Interval:
        most = first
        for other in others:
            order = compare(most, "<=", other)
            if order is Decision.UNDECIDED:
                (a, b), (c, d) = most.ends, other.ends
                ends = LINE if most.is_line or other.is_line else (_greater(a, c), _greater(b, d))
                most = Interval(self.bits, ends)
            elif order is Decision.PROVED:
                most = other
        return most

    def hull(self, first: Interval, *others: Interval) -> Interval:
        """The least interval that contains all the values."""
        if all(other.exact is not None and other.exact == first.exact for other in others):
            return first
        lower, upper = first.ends
        for other in others:
            lower = libmp.mpf_neg(_greater(libmp.mpf_neg(lower), libmp.mpf_neg(other.ends[0])))
            upper = _greater(upper, other.ends[1])
        return Interval(self.bits, (lower, upper))

    def increasing(self, f: Callable[[Interval], Interval], x: Interval) -> Interval:
        """f over the interval x from its values at the two ends."""
        low, high = x.ends
        if x.exact is not None or low in (high, fninf) or high == finf:
            return f(x)
        first, last = f(Interval(x.bits, (low, low))), f(Interval(x.bits, (high, high)))
        return Interval(self.bits, LINE if first.is_line or last.is_line else (first.ends[0], last.ends[1]))

    def decreasing(self, f: Callable[[Interval], Interval], x: Interval) -> Interval:
        return -self.increasing(lambda y: -f(y), x)

    def choose(
        self,
        left: Interval,
        relation: Literal["<=", "<"],
        right: Interval,
        then: Callable[[], Interval],
        otherwise: Callable[[], Interval],
    ) -> Interval:
        if left.is_line or right.is_line:
            return Interval(self.bits)
        decision = compare(left, relation, right)
        if decision is Decision.UNDECIDED:
            return self.hull(then(), otherwise())
        return then() if decision is Decision.PROVED else otherwise()

    def root(self, f: Callable[[Interval], Interval], lower: Interval, upper: Interval) -> Interval:
        """The zero of an f that increases on the hull of lower and upper, where f(lower) <= 0 <= f(upper) is known.

        An end moves only to a point where the sign of f is proved. The points tried are guesses: interpolated between
        the ends (the Illinois rule: an end kept twice counts half) until the sign at one is not proved, then ever
        farther from that one on both sides.
        """
        low, high = lower.ends[0], upper.ends[1]
        if low == fninf or high == finf or libmp.mpf_gt(low, high):
            return Interval(self.bits)
        at_low, at_high = self._at(f, low), self._at(f, high)
        before = 0
        for step in range(self.bits + 8):
            point = self._middle(low, high) if step % 8 == 7 else self._interpolated((low, at_low), (high, at_high))
            value = self._at(f, point)
            found = _sign(value)
            if found == 0:
                low, high = self._nearest(f, point, low, -1), self._nearest(f, point, high, 1)
                break
            if found < 0:
                low, at_low, at_high = point, value, at_high / 2 if before < 0 else at_high
            else:
                high, at_high, at_low = point, value, at_low / 2 if before > 0 else at_low
            before = found
        return Interval(self.bits, (low, high))

    def _nearest(self, f: Callable[[Interval], Interval], point: Mpf, end: Mpf, wanted: int) -> Mpf:
        """A point between ``point`` and ``end``, close to the first, where f has the sign wanted; else ``end``."""
        apart = pairs.sub((end, end), (point, point), self.bits)[0]
        size = libmp.mpf_abs(apart if sign(point) == 0 else point)
        unit = libmp.mpf_neg(size) if wanted < 0 else size
        for doubling in range(2, self.bits + 8, 2):
            moved = pairs.add((point, point), pairs.doubled((unit, unit), doubling - self.bits), self.bits + 8)[0]
            if not (libmp.mpf_lt(end, moved) if wanted < 0 else libmp.mpf_lt(moved, end)):
                break
            if _sign(self._at(f, moved)) == wanted:
                return moved
        return end

    def _interpolated(self, below: tuple[Mpf, Interval], above: tuple[Mpf, Interval]) -> Mpf:
        """Where the line through two points of f meets 0, or halfway where that is not strictly between them."""
        (low, at_low), (high, at_high) = below, above
        start, end = Interval(self.bits + 8, (low, low)), Interval(self.bits + 8, (high, high))
        met: Mpf = (start - at_low * (end - start) / (at_high - at_low)).ends[0]
        return met if libmp.mpf_lt(low, met) and libmp.mpf_lt(met, high) else self._middle(low, high)

    def _at(self, f: Callable[[Interval], Interval], point: Mpf) -> Interval:
        return f(Interval(self.bits, (point, point)))

    def _middle(self, a: Mpf, b: Mpf) -> Mpf:
        """A point of the segment between a and b: halfway, or one end where halfway rounds out of it."""
        middle = pairs.doubled(pairs.add((a, a), (b, b), self.bits + 8), -1)[0]
        return middle if libmp.mpf_lt(a, middle) is libmp.mpf_lt(middle, b) else a

    def _monotone(self, f: Callable[[Point, int], Ends], x: Interval, limits: tuple[Mpf, Mpf]) -> Interval:
        """A monotone function over x from its values at the two ends; ``limits`` are its limits at -inf and +inf."""
        if x.is_line:
            return x
        first, last = x.points()
        if libmp.mpf_gt(*limits):
            first, last = last, first
        lower, upper = self._value(f, first, limits)
        return Interval(self.bits, (lower, upper if first == last else self._value(f, last, limits)[1]))

    def _value(self, f: Callable[[Point, int], Ends], point: Point, limits: tuple[Mpf, Mpf]) -> Ends:
        if point in (fninf, finf):
            return (limits[point == finf],) * 2
        self._count()
        return f(point, self.bits)

    def _count(self, times: int = 1) -> None:
        if self.allowance is not None:
            self.allowance.spend(times * max(1, self.bits // _BITS_OF_ONE))


def _rational(value: int | Fraction) -> Fraction:
    """An int or Fraction as a Fraction; anything else, floats and truth values too, is refused."""
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise TypeError(f"an int or a Fraction is needed, not {type(value).__name__}")
    return Fraction(value)


def _greater(a: Mpf, b: Mpf) -> Mpf:
    return a if libmp.mpf_ge(a, b) else b


def _beside_one(x: Point) -> int:
    """-1, 0 or 1 as x is below, at or above 1."""
    return (x > 1) - (x < 1) if isinstance(x, Fraction) else int(libmp.mpf_cmp(x, fone))
