"""A third arithmetic for certificates, Arb's balls (python-flint): `certify verify --engine arb`.

It takes exp, log, erfc, the inverse of erfc and the Gamma sum from Arb, and shares with the checker only the rule which
numbers are kept as rationals.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from certify.checker.functions import FAR, Pair
from certify.checker.real import Work, holds
from certify.errors import MissingExtra
from certify.statements.language import Relation

try:
    import flint
    from flint import arb
except ImportError:
    raise MissingExtra("the Arb engine needs python-flint: pip install 'certify-dp[arb]'") from None

_MOST_EXACT, _MOST_EXACT_POWER, _MOST_POWER, _MOST_TERMS = 1 << 12, 1 << 10, 1 << 62, 10_000
_SPARE = 32


class Ball:
    """A real number enclosed by a ball, and the number itself where it is a known rational."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ball: Any, exact: Fraction | None = None, within: Pair | None = None) -> None:
        self.ball, self.exact, self.within = ball, exact, within

    @property
    def ends(self) -> Pair | None:
        """The ends as rationals, outward; None where the ball is not finite or beyond 2^150000."""
        if self.exact is not None:
            return self.exact, self.exact
        if self.within is not None:  # of a maximum, whose ends no ball need have
            return self.within
        if not self.ball.is_finite():
            return None
        low, high = (_rational(end) for end in (self.ball.lower(), self.ball.upper()))
        return None if low is None or high is None else (low[0], high[1])

    def _with(
        self, other: Ball | int | Fraction, exactly: Callable[..., Fraction], enclosed: Callable[..., Any]
    ) -> Ball:
        right = other if isinstance(other, Ball) else known(other)
        if self.exact is not None and right.exact is not None:
            number = exactly(self.exact, right.exact)
            if number.numerator.bit_length() + number.denominator.bit_length() <= _MOST_EXACT:
                return Ball(_ball(number), number)
        return Ball(enclosed(self.ball, right.ball))

    def __add__(self, other: Ball | int | Fraction) -> Ball:
        right = other if isinstance(other, Ball) else known(other)
        return self if right.exact == 0 else self._with(right, Fraction.__add__, arb.__add__)

    def __sub__(self, other: Ball | int | Fraction) -> Ball:
        return self._with(other, Fraction.__sub__, arb.__sub__)

    def __mul__(self, other: Ball | int | Fraction) -> Ball:
        right = other if isinstance(other, Ball) else known(other)
        if (self.exact == 0 and right.ball.is_finite()) or (right.exact == 0 and self.ball.is_finite()):
            return known(0)
        return self._with(right, Fraction.__mul__, arb.__mul__)

    def __truediv__(self, other: Ball | int | Fraction) -> Ball:
        right = other if isinstance(other, Ball) else known(other)
        return Ball(arb.nan()) if right.exact == 0 else self._with(right, Fraction.__truediv__, arb.__truediv__)

    def __radd__(self, other: int | Fraction) -> Ball:
        return self + other

    def __rsub__(self, other: int | Fraction) -> Ball:
        return known(other) - self

    def __rmul__(self, other: int | Fraction) -> Ball:
        return self * other

    def __rtruediv__(self, other: int | Fraction) -> Ball:
        return known(other) / self

    def __neg__(self) -> Ball:
        within = None if self.within is None else (-self.within[1], -self.within[0])
        return Ball(-self.ball, None if self.exact is None else -self.exact, within)

    def __pow__(self, exponent: int) -> Ball:
        if exponent < 0:
            return 1 / self**-exponent
        if self.exact is not None:
            size = max(self.exact.numerator.bit_length(), self.exact.denominator.bit_length())
            if self.exact in (0, 1) or size * exponent <= _MOST_EXACT_POWER:
                return known(self.exact**exponent)
        return Ball(arb.nan() if exponent >= _MOST_POWER else self.ball**exponent)

    def __bool__(self) -> bool:
        raise TypeError("a ball has no truth value")


Operand = Ball | int | Fraction


def known(value: int | Fraction) -> Ball:
    """A rational number itself."""
    number = Fraction(value)
    return Ball(_ball(number), number)


def _ball(x: Fraction) -> Any:
    return arb(flint.fmpq(x.numerator, x.denominator))


def _rational(end: Any) -> Pair | None:
    """A lower and an upper rational for an end, the same where its exponent is within range; None above it."""
    mantissa, exponent = (int(part) for part in end.mid().man_exp())
    if exponent < -FAR - 10_000:
        tiny = Fraction(1, 1 << FAR)
        return (Fraction(0) if mantissa >= 0 else -tiny), (Fraction(0) if mantissa <= 0 else tiny)
    if exponent > FAR:
        return None
    middle = Fraction(mantissa << max(exponent, 0), 1 << max(-exponent, 0))
    mantissa, exponent = (int(part) for part in end.rad().man_exp())
    room = Fraction(mantissa << max(exponent, 0), 1 << max(-exponent, 0)) if mantissa else Fraction(0)
    return middle - room, middle + room


Branch = Callable[[], Ball]


class Balls:
    """Arb as the arithmetic R of the statements, at ``bits`` bits."""

    def __init__(self, bits: int, work: Work) -> None:
        self.work = work
        flint.ctx.prec = bits + _SPARE

    def __call__(self, value: int | Fraction) -> Ball:
        return known(value)

    def _counted(self, ball: Any) -> Ball:
        self.work.spend(1)
        return Ball(ball)

    @property
    def pi(self) -> Ball:
        return Ball(arb.pi())

    def sqrt(self, x: Ball) -> Ball:
        """A rational root exactly; of a ball about 0 that reaches below it nothing."""
        if x.exact is not None and x.exact >= 0:
            n, d = isqrt(x.exact.numerator), isqrt(x.exact.denominator)
            if n * n == x.exact.numerator and d * d == x.exact.denominator:
                return known(Fraction(n, d))
        return self._counted(x.ball.sqrt() if x.ball >= 0 else arb.nan())

    def exp(self, x: Ball) -> Ball:
        return known(1) if x.exact == 0 else self._counted(x.ball.exp())

    def log(self, x: Ball) -> Ball:
        return known(0) if x.exact == 1 else self._counted(x.ball.log() if x.ball > 0 else arb.nan())

    def upper_tail(self, t: Ball) -> Ball:
        return known(Fraction(1, 2)) if t.exact == 0 else self._counted(_tail(t.ball))

    def mills(self, t: Ball) -> Ball:
        """Q/phi; far out, where phi is too small for its exponent, between t/(1 + t^2) and 1/t."""
        if t.ball > 10**6:
            return self._counted((t.ball / (1 + t.ball**2)).union(1 / t.ball))
        return self._counted(_tail(t.ball) / _density(t.ball))

    def q1(self, t: Ball) -> Ball:
        """phi - t Q, with bits to spare for what cancels."""
        before = flint.ctx.prec
        flint.ctx.prec = before + 80
        found = _density(t.ball) - t.ball * _tail(t.ball)
        flint.ctx.prec = before
        return self._counted(found)

    def upper_quantile(self, q: Ball) -> Ball:
        inside = bool(q.ball > 0) and bool(q.ball < 1)
        return self._counted(arb(2).sqrt() * (2 * q.ball).erfcinv() if inside else arb.nan())

    def poisson_below(self, count: int, y: Ball) -> Ball:
        if not y.ball >= 0 or not 0 <= count <= _MOST_TERMS:
            return Ball(arb.nan())
        self.work.spend(count // 64)
        total = term = arb(1 if count else 0)
        for j in range(1, count):
            term = term * y.ball / j
            total += term
        return self._counted((-y.ball).exp() * total)

    def power(self, base: Ball, exponent: Ball) -> Ball:
        if exponent.exact is not None and exponent.exact.denominator == 1 and 0 <= exponent.exact < _MOST_POWER:
            self.work.spend(1)
            return base ** int(exponent.exact)
        if base.exact == 0 and exponent.ball > 0:
            return base
        return self._counted(base.ball**exponent.ball if base.ball > 0 and exponent.ball > 0 else arb.nan())

    def minimum(self, first: Ball, *others: Ball) -> Ball:
        return -self.maximum(-first, *(-other for other in others))

    def maximum(self, first: Ball, *others: Ball) -> Ball:
        most = first
        for other in others:
            order = holds(most, other, "<=")
            if order is None:
                a, b = most.ends, other.ends
                within = None if a is None or b is None else (max(a[0], b[0]), max(a[1], b[1]))
                most = Ball(most.ball.max(other.ball), within=within)
            elif order:
                most = other
        return most

    def increasing(self, f: Callable[[Ball], Ball], x: Ball) -> Ball:
        """f over a ball from its values at the two ends."""
        if x.exact is not None or not x.ball.is_finite():
            return f(x)
        return Ball(f(Ball(x.ball.lower())).ball.union(f(Ball(x.ball.upper())).ball))

    decreasing = increasing

    def choose(self, left: Ball, relation: Relation, right: Ball, then: Branch, otherwise: Branch) -> Ball:
        if not left.ball.is_finite() or not right.ball.is_finite():
            return Ball(arb.nan())
        found = holds(left, right, relation)
        if found is not None:
            return then() if found else otherwise()
        first, second = then(), otherwise()
        if first.exact is not None and first.exact == second.exact:
            return first
        return Ball(first.ball.union(second.ball))

    def root(self, f: Callable[[Ball], Ball], lower: Ball, upper: Ball) -> Ball:
        """The zero of an f that increases where f(lower) <= 0 <= f(upper) is known, by halving."""
        low, high = lower.ball.lower(), upper.ball.upper()
        for _ in range(2 * flint.ctx.prec):
            middle = ((low + high) / 2).mid()
            sign = f(Ball(middle)).ball
            if sign < 0 and low < middle:
                low = middle
            elif sign > 0 and middle < high:
                high = middle
            else:
                break
        return Ball(low.union(high))


def _tail(t: Any) -> Any:
    """Q(t)."""
    return (t / arb(2).sqrt()).erfc() / 2


def _density(t: Any) -> Any:
    """phi(t)."""
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt()


def arb_engine() -> Callable[[int, Work], Balls]:
    """The engine that the checker can be given."""
    return Balls
