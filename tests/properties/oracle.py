"""An independent arithmetic, Arb's balls at high precision, for the statements and for formulas written out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Literal

import flint
from flint import arb

BITS = 1600


@contextmanager
def precision(bits: int = BITS) -> Iterator[None]:
    """Work at so many bits inside."""
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(x: int | Fraction) -> arb:
    """A ball around a rational."""
    number = Fraction(x)
    return arb(number.numerator) / number.denominator


def upper_tail(t: arb) -> arb:
    """Q(t)."""
    return (t / arb(2).sqrt()).erfc() / 2


def density(t: arb) -> arb:
    """phi(t)."""
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt()


def q1(t: arb) -> arb:
    """Q1(t)."""
    return density(t) - t * upper_tail(t)


def profile(epsilon: arb, ratio: arb) -> arb:
    """delta(epsilon; ratio) by its definition, Phi(-x) being Q(x)."""
    return upper_tail(epsilon / ratio - ratio / 2) - epsilon.exp() * upper_tail(epsilon / ratio + ratio / 2)


class Ball:
    """A number as an Arb ball, with the operators of ``certify.statements.language.Real``."""

    __slots__ = ("number",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: arb) -> None:
        self.number = number

    def __add__(self, other: Ball | int | Fraction) -> Ball:
        return Ball(self.number + _arb(other))

    def __radd__(self, other: int | Fraction) -> Ball:
        return Ball(_arb(other) + self.number)

    def __sub__(self, other: Ball | int | Fraction) -> Ball:
        return Ball(self.number - _arb(other))

    def __rsub__(self, other: int | Fraction) -> Ball:
        return Ball(_arb(other) - self.number)

    def __mul__(self, other: Ball | int | Fraction) -> Ball:
        return Ball(self.number * _arb(other))

    def __rmul__(self, other: int | Fraction) -> Ball:
        return Ball(_arb(other) * self.number)

    def __truediv__(self, other: Ball | int | Fraction) -> Ball:
        return Ball(self.number / _arb(other))

    def __rtruediv__(self, other: int | Fraction) -> Ball:
        return Ball(_arb(other) / self.number)

    def __pow__(self, exponent: int) -> Ball:
        return Ball(self.number**exponent)

    def __neg__(self) -> Ball:
        return Ball(-self.number)


def _arb(x: Ball | int | Fraction) -> arb:
    return x.number if isinstance(x, Ball) else ball(x)


def comparison(left: Ball, relation: Literal["<=", "<"], right: Ball) -> bool | None:
    """Whether the comparison holds; None where the balls do not tell, or a side has no value."""
    less, more = left.number, right.number
    if less < more or (relation == "<=" and less <= more):
        return True
    if less > more or (relation == "<" and less >= more):
        return False
    return None


class Balls:
    """Arb as the arithmetic R of the statements."""

    def __call__(self, value: int | Fraction) -> Ball:
        return Ball(ball(value))

    @property
    def pi(self) -> Ball:
        return Ball(arb.pi())

    def sqrt(self, x: Ball) -> Ball:
        """The root of the part that is not below 0: a ball about 0 reaches below it."""
        low, high = x.number.lower(), x.number.upper()
        return Ball(arb(0).union(high.sqrt()) if low < 0 <= high else x.number.sqrt())

    def exp(self, x: Ball) -> Ball:
        return Ball(x.number.exp())

    def log(self, x: Ball) -> Ball:
        return Ball(x.number.log())

    def upper_tail(self, t: Ball) -> Ball:
        return Ball(upper_tail(t.number))

    def mills(self, t: Ball) -> Ball:
        """Q/phi; far out, where phi is too small for its exponent, between t/(1 + t^2) and 1/t."""
        if t.number > 10**6:
            return Ball((t.number / (1 + t.number**2)).union(1 / t.number))
        return Ball(upper_tail(t.number) / density(t.number))

    def q1(self, t: Ball) -> Ball:
        return Ball(q1(t.number))

    def upper_quantile(self, q: Ball) -> Ball:
        return Ball(arb(2).sqrt() * (2 * q.number).erfcinv())

    def poisson_below(self, count: int, y: Ball) -> Ball:
        total = term = arb(1)
        for j in range(1, count):
            term = term * y.number / j
            total += term
        return Ball((-y.number).exp() * total)

    def power(self, base: Ball, exponent: Ball) -> Ball:
        return Ball(base.number**exponent.number)

    def minimum(self, first: Ball, *others: Ball) -> Ball:
        for other in others:
            first = Ball(first.number.min(other.number))
        return first

    def maximum(self, first: Ball, *others: Ball) -> Ball:
        for other in others:
            first = Ball(first.number.max(other.number))
        return first

    def increasing(self, f: Callable[[Ball], Ball], x: Ball) -> Ball:
        return f(x)

    decreasing = increasing

    def choose(
        self,
        left: Ball,
        relation: Literal["<=", "<"],
        right: Ball,
        then: Callable[[], Ball],
        otherwise: Callable[[], Ball],
    ) -> Ball:
        holds = comparison(left, relation, right)
        if holds is None:
            return Ball(then().number.union(otherwise().number))
        return then() if holds else otherwise()

    def root(self, f: Callable[[Ball], Ball], lower: Ball, upper: Ball) -> Ball:
        low, high = lower.number.lower(), upper.number.upper()
        while True:
            middle = ((low + high) / 2).mid()
            sign = f(Ball(middle)).number
            if sign < 0 and low < middle:
                low = middle
            elif sign > 0 and middle < high:
                high = middle
            else:
                return Ball(low.union(high))
