"""The trusted arithmetic: closed intervals with mpf ends, and exact rationals for as long as they stay small.

Sums, differences, products, quotients, square roots and integer powers are mpmath's (``mpmath.libmp``), which round outward; precision is a property of
the arithmetic, never global. A value known exactly keeps its Fraction, so a tie between rationals is decided, not left undecided.
Every operation is total: an expression that has no value, such as a quotient by an interval that contains 0, is enclosed by
the whole line, from which nothing can be proved. An interval has no truth value and no equality.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NoReturn

from mpmath.libmp import (
    finf,
    fninf,
    fone,
    fzero,
    mpf_add,
    mpf_ge,
    mpf_gt,
    mpf_le,
    mpf_lt,
    mpf_shift,
    mpf_sign,
)
from mpmath.libmp.libmpi import mpi_add, mpi_div, mpi_mul, mpi_neg, mpi_pow_int, mpi_sqrt, mpi_sub

from certify.kernel.decision import Decision
from certify.kernel.elementary import Ends, Mpf, Point, exp_ends, floored, log_ends, magnitude, pi_ends
from certify.kernel.tails import as_ends, mills_ends, poisson_ends, q1_ends, quantile_ends, upper_tail_ends

_LINE: Ends = (fninf, finf)
_MAX_EXACT_BITS = 1 << 15
_MAX_EXACT_POWER_BITS = 1 << 10
_MAX_POWER = 1 << 62


class WorkExhausted(Exception):
    """The evaluations that the caller allowed are used up; what was asked stays undecided."""


class Interval:
    """A real number enclosed: two mpf ends at ``bits`` bits, and the number itself where it is a known rational."""

    __slots__ = ("_ends", "bits", "exact")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, bits: int, ends: Ends | None = None, exact: Fraction | None = None) -> None:
        self.bits = bits
        self._ends = ends
        self.exact = exact

    @property
    def ends(self) -> Ends:
        """The lower and upper end, rounded outward."""
        if self._ends is None:
            self._ends = _LINE if self.exact is None else as_ends(self.exact, self.bits)
        return self._ends

    def points(self) -> tuple[Point, Point]:
        """The two ends as exact points; both are the number itself where that is known."""
        if self.exact is not None:
            return self.exact, self.exact
        return self.ends

    def _of(self, other: Interval | int | Fraction) -> Interval:
        if isinstance(other, Interval):
            return other
        return Interval(self.bits, exact=Fraction(other))

    def _combined(
        self,
        other: Interval,
        exactly: Callable[[Fraction, Fraction], Fraction],
        enclosed: Callable[[Ends, Ends, int], Ends],
    ) -> Interval:
        bits = max(self.bits, other.bits)
        if self.exact is not None and other.exact is not None:
            number = exactly(self.exact, other.exact)
            if _is_small(number):
                return Interval(bits, exact=number)
        return Interval(bits, enclosed(self.ends, other.ends, bits))

    def __add__(self, other: Interval | int | Fraction) -> Interval:
        return self._combined(self._of(other), Fraction.__add__, mpi_add)

    def __sub__(self, other: Interval | int | Fraction) -> Interval:
        return self._combined(self._of(other), Fraction.__sub__, mpi_sub)

    def __mul__(self, other: Interval | int | Fraction) -> Interval:
        divisor = self._of(other)
        if self.exact == 0 or divisor.exact == 0:
            return self._zero_times(divisor)
        return self._combined(divisor, Fraction.__mul__, mpi_mul)

    def _zero_times(self, other: Interval) -> Interval:
        """0 times a number is 0; 0 times an expression that may have no value is enclosed by the whole line."""
        factor = other if self.exact == 0 else self
        if factor.exact is None and (factor.ends[0] == fninf or factor.ends[1] == finf):
            return Interval(self.bits, _LINE)
        return Interval(self.bits, exact=Fraction(0))

    def __truediv__(self, other: Interval | int | Fraction) -> Interval:
        divisor = self._of(other)
        if divisor.exact == 0 or (
            divisor.exact is None and mpf_sign(divisor.ends[0]) <= 0 and mpf_sign(divisor.ends[1]) >= 0
        ):
            return Interval(max(self.bits, divisor.bits), _LINE)
        return self._combined(divisor, Fraction.__truediv__, mpi_div)

    def __radd__(self, other: int | Fraction) -> Interval:
        return self._of(other) + self

    def __rsub__(self, other: int | Fraction) -> Interval:
        return self._of(other) - self

    def __rmul__(self, other: int | Fraction) -> Interval:
        return self._of(other) * self

    def __rtruediv__(self, other: int | Fraction) -> Interval:
        return self._of(other) / self

    def __neg__(self) -> Interval:
        if self.exact is not None:
            return Interval(self.bits, exact=-self.exact)
        return Interval(self.bits, mpi_neg(self.ends))

    def __pow__(self, exponent: int) -> Interval:
        if exponent < 0:
            return 1 / self**-exponent
        if self.exact is not None:
            size = max(self.exact.numerator.bit_length(), self.exact.denominator.bit_length())
            if self.exact in (0, 1) or size * exponent <= _MAX_EXACT_POWER_BITS:
                return Interval(self.bits, exact=self.exact**exponent)
        return Interval(self.bits, mpi_pow_int(self.ends, exponent, self.bits))

    def __bool__(self) -> NoReturn:
        raise TypeError("an interval has no truth value; ask compare, or state a condition")

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("intervals are not compared for equality; ask compare, or state a condition")

    def __repr__(self) -> str:
        return f"Interval({self.exact if self.exact is not None else self.ends})"


def _is_small(number: Fraction) -> bool:
    return number.numerator.bit_length() + number.denominator.bit_length() <= _MAX_EXACT_BITS


def compare(left: Interval, relation: Literal["<=", "<"], right: Interval) -> Decision:
    """The decision on ``left <= right`` or ``left < right``: certain for every point of both, or undecided."""
    if left.exact is not None and right.exact is not None:
        holds = left.exact <= right.exact if relation == "<=" else left.exact < right.exact
        return Decision.PROVED if holds else Decision.DISPROVED
    (left_low, left_high), (right_low, right_high) = left.ends, right.ends
    if relation == "<=":
        if mpf_le(left_high, right_low):
            return Decision.PROVED
        return Decision.DISPROVED if mpf_lt(right_high, left_low) else Decision.UNDECIDED
    if mpf_lt(left_high, right_low):
        return Decision.PROVED
    return Decision.DISPROVED if mpf_le(right_high, left_low) else Decision.UNDECIDED


class Intervals:
    """The arithmetic R of the statements, at ``bits`` bits; every function evaluated at a point counts as one evaluation."""

    def __init__(self, bits: int, allowance: Allowance | None = None) -> None:
        self.bits = bits
        self.allowance = allowance

    def __call__(self, value: int | Fraction) -> Interval:
        return Interval(self.bits, exact=Fraction(value))

    def between(self, lower: int | Fraction, upper: int | Fraction) -> Interval:
        """The interval of all reals between two rationals."""
        return self.hull(self(lower), self(upper))

    @property
    def pi(self) -> Interval:
        return Interval(self.bits, pi_ends(self.bits))

    def sqrt(self, x: Interval) -> Interval:
        self._count()
        if x.exact is not None and x.exact >= 0:
            root = _exact_root(x.exact)
            if root is not None:
                return Interval(self.bits, exact=root)
        lower, upper = x.ends
        if mpf_sign(upper) < 0:
            return Interval(self.bits, _LINE)
        return Interval(self.bits, mpi_sqrt((_at_least_zero(lower), upper), self.bits))

    def exp(self, x: Interval) -> Interval:
        if x.exact == 0:
            return self(1)
        return self._monotone(_total_exp, x)

    def log(self, x: Interval) -> Interval:
        if x.exact == 1:
            return self(0)
        if (x.exact is not None and x.exact <= 0) or mpf_sign(x.ends[1]) <= 0:
            return Interval(self.bits, _LINE)
        return self._monotone(_total_log, x)

    def upper_tail(self, t: Interval) -> Interval:
        if t.exact == 0:
            return self(Fraction(1, 2))
        return self._monotone(_total_tail, t, falling=True)

    def mills(self, t: Interval) -> Interval:
        return self._monotone(_total_mills, t, falling=True)

    def q1(self, t: Interval) -> Interval:
        return self._monotone(_total_q1, t, falling=True)

    def upper_quantile(self, q: Interval) -> Interval:
        if q.exact == Fraction(1, 2):
            return self(0)
        return self._monotone(_total_quantile, q, falling=True)

    def poisson_below(self, count: int, y: Interval) -> Interval:
        return self._monotone(lambda point, bits: _total_poisson(count, point, bits), y, falling=True)

    def power(self, base: Interval, exponent: Interval) -> Interval:
        """base^exponent, falling in the exponent and rising in the base for base in [0, 1] and exponent >= 0."""
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MAX_POWER:
            self._count()
            return base ** int(exponent.exact)
        least, most = (
            Interval(self.bits, exact=p) if isinstance(p, Fraction) else Interval(self.bits, (p, p))
            for p in exponent.points()
        )
        return self.hull(self._power_at(base, most), self._power_at(base, least))

    def _power_at(self, base: Interval, exponent: Interval) -> Interval:
        point = exponent.points()[0]
        if isinstance(point, Fraction) or point not in (finf, fninf):
            doubled = floored(point, 1)
            exactly = Interval(self.bits, exact=Fraction(doubled, 2))
            if 0 <= doubled < _MAX_POWER and compare(exactly, "<=", exponent) is Decision.PROVED is compare(
                exponent, "<=", exactly
            ):
                self._count()
                return (base if doubled % 2 == 0 else self.sqrt(base)) ** (
                    doubled // 2 if doubled % 2 == 0 else doubled
                )
        return self.exp(exponent * self.log(base))

    def minimum(self, first: Interval, *others: Interval) -> Interval:
        least = first
        for other in others:
            least = self._extreme(least, other, lower=True)
        return least

    def maximum(self, first: Interval, *others: Interval) -> Interval:
        most = first
        for other in others:
            most = self._extreme(most, other, lower=False)
        return most

    def _extreme(self, a: Interval, b: Interval, *, lower: bool) -> Interval:
        order = compare(a, "<=", b)
        if order is not Decision.UNDECIDED:
            return a if (order is Decision.PROVED) is lower else b
        pick = _lesser if lower else _greater
        return Interval(self.bits, (pick(a.ends[0], b.ends[0]), pick(a.ends[1], b.ends[1])))

    def hull(self, first: Interval, *others: Interval) -> Interval:
        """The least interval that contains all the values."""
        if all(o.exact is not None and o.exact == first.exact for o in others):
            return first
        lower, upper = first.ends
        for other in others:
            lower, upper = _lesser(lower, other.ends[0]), _greater(upper, other.ends[1])
        return Interval(self.bits, (lower, upper))

    def increasing(self, f: Callable[[Interval], Interval], x: Interval) -> Interval:
        """f over the interval x from its values at the two ends."""
        if x.exact is not None or x.ends[0] == x.ends[1] or x.ends[0] == fninf or x.ends[1] == finf:
            return f(x)
        low, high = x.ends
        return Interval(self.bits, (f(Interval(x.bits, (low, low))).ends[0], f(Interval(x.bits, (high, high))).ends[1]))

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
        decision = compare(left, relation, right)
        if decision is Decision.UNDECIDED:
            return self.hull(then(), otherwise())
        return then() if decision is Decision.PROVED else otherwise()

    def root(self, f: Callable[[Interval], Interval], lower: Interval, upper: Interval) -> Interval:
        """The zero of an increasing f, by bisection for the last point proved negative and the first one proved positive.

        Sound whatever f is: the ends returned are the outer ends given, or points at which the sign of f is proved.
        """
        low, high = lower.ends[0], upper.ends[1]
        if low in (fninf, finf) or high in (fninf, finf):
            return Interval(self.bits, _LINE)
        inner_low, inner_high = high, low
        for _ in range(self.bits + 8):
            middle = _middle(low, high, self.bits + 8)
            sign = self._sign(f, middle)
            if sign < 0:
                low = middle
            elif sign > 0:
                high = middle
            else:
                inner_low = inner_high = middle
                break
        else:
            return Interval(self.bits, (low, high))
        for _ in range(self.bits + 8):
            middle = _middle(low, inner_low, self.bits + 8)
            if self._sign(f, middle) < 0:
                low = middle
            else:
                inner_low = middle
        for _ in range(self.bits + 8):
            middle = _middle(inner_high, high, self.bits + 8)
            if self._sign(f, middle) > 0:
                high = middle
            else:
                inner_high = middle
        return Interval(self.bits, (low, high))

    def _sign(self, f: Callable[[Interval], Interval], point: Mpf) -> int:
        """1 or -1 where the sign of f at the point is proved, else 0."""
        value = f(Interval(self.bits, (point, point)))
        if mpf_gt(value.ends[0], fzero):
            return 1
        return -1 if mpf_lt(value.ends[1], fzero) else 0

    def _monotone(self, f: Callable[[Point, int], Ends], x: Interval, *, falling: bool = False) -> Interval:
        """A monotone function over x: evaluated at the two ends, or once where they agree."""
        low, high = x.points()
        if falling:
            low, high = high, low
        self._count()
        first = f(low, self.bits)
        if low is high or low == high:
            return Interval(self.bits, first)
        self._count()
        return Interval(self.bits, (first[0], f(high, self.bits)[1]))

    def _count(self) -> None:
        if self.allowance is not None:
            self.allowance.spend()


class Allowance:
    """How many evaluations are left, shared by all the precisions of one decision, and an optional clock."""

    def __init__(self, evaluations: int, expired: Callable[[], bool] | None = None) -> None:
        self.left = evaluations
        self._expired = expired

    def spend(self) -> None:
        """Count one evaluation; raise WorkExhausted when none is left or the time the user set is over."""
        if self.left <= 0 or (self._expired is not None and self._expired()):
            raise WorkExhausted
        self.left -= 1


def _lesser(a: Mpf, b: Mpf) -> Mpf:
    return a if mpf_le(a, b) else b


def _greater(a: Mpf, b: Mpf) -> Mpf:
    return a if mpf_ge(a, b) else b


def _at_least_zero(x: Mpf) -> Mpf:
    return _greater(x, fzero)


def _middle(low: Mpf, high: Mpf, bits: int) -> Mpf:
    """A point between two: exactly halfway or rounded to ``bits`` bits."""
    return mpf_shift(mpf_add(low, high, bits, "f"), -1)  # type: ignore[no-any-return]


def _exact_root(x: Fraction) -> Fraction | None:
    from math import isqrt

    n, d = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(n, d) if n * n == x.numerator and d * d == x.denominator else None


def _total_exp(x: Point, bits: int) -> Ends:
    if x == finf:
        return fone, finf
    return (fzero, fone) if x == fninf else exp_ends(x, bits)


def _total_log(x: Point, bits: int) -> Ends:
    if x == finf:
        return fzero, finf
    if (x <= 0) if isinstance(x, Fraction) else mpf_sign(x) <= 0:
        return _LINE
    return log_ends(x, bits)


def _total_tail(t: Point, bits: int) -> Ends:
    return (fzero, fone) if t in (finf, fninf) else upper_tail_ends(t, bits)


def _total_mills(t: Point, bits: int) -> Ends:
    return (fzero, finf) if t in (finf, fninf) else mills_ends(t, bits)


def _total_q1(t: Point, bits: int) -> Ends:
    return (fzero, finf) if t in (finf, fninf) else q1_ends(t, bits)


def _total_quantile(q: Point, bits: int) -> Ends:
    if isinstance(q, Fraction):
        return quantile_ends(q, bits) if 0 < q < 1 else _LINE
    return quantile_ends(q, bits) if mpf_gt(q, fzero) and mpf_lt(q, fone) else _LINE


def _total_poisson(count: int, y: Point, bits: int) -> Ends:
    return (fzero, fone) if y in (finf, fninf) or magnitude(y) > 64 else poisson_ends(count, y, bits)
