"""The language in which theorems are written: an arithmetic R, its values, and conditions between them.

A theorem is one plain function of an arithmetic ``R`` and exact parameters; it computes only through ``R``. Whoever
supplies ``R`` decides what comes out: an enclosure (the kernel), a guess (floats), a re-check (the checker). This
file
imports neither of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, Protocol, Self, TypeVar

Relation = Literal["<=", "<"]
Role = Literal["hypothesis", "conclusion"]


class Real(Protocol):
    """A real number as some arithmetic holds it. Integers and fractions may stand on either side of an operator."""

    def __add__(self, other: Self | int | Fraction, /) -> Self: ...
    def __radd__(self, other: int | Fraction, /) -> Self: ...
    def __sub__(self, other: Self | int | Fraction, /) -> Self: ...
    def __rsub__(self, other: int | Fraction, /) -> Self: ...
    def __mul__(self, other: Self | int | Fraction, /) -> Self: ...
    def __rmul__(self, other: int | Fraction, /) -> Self: ...
    def __truediv__(self, other: Self | int | Fraction, /) -> Self: ...
    def __rtruediv__(self, other: int | Fraction, /) -> Self: ...
    def __pow__(self, exponent: int, /) -> Self: ...
    def __neg__(self) -> Self: ...


X = TypeVar("X", bound=Real)


class Reals(Protocol[X]):
    """An arithmetic. Every method is total; where a value does not exist, nothing can be proved from the answer."""

    def __call__(self, value: int | Fraction, /) -> X:
        """The rational number itself."""

    @property
    def pi(self) -> X:
        """The circle's constant."""

    def sqrt(self, x: X, /) -> X:
        """The square root of x >= 0."""

    def exp(self, x: X, /) -> X:
        """The exponential of x."""

    def log(self, x: X, /) -> X:
        """The natural logarithm of x > 0."""

    def upper_tail(self, t: X, /) -> X:
        """Q(t) = 1 - Phi(t), the upper tail of the standard normal law."""

    def mills(self, t: X, /) -> X:
        """Q(t)/phi(t), the tail scaled by the density (Mills ratio)."""

    def q1(self, t: X, /) -> X:
        """Q1(t), the integral of Q over [t, infinity) (T1)."""

    def upper_quantile(self, q: X, /) -> X:
        """The t with Q(t) = q, for 0 < q < 1."""

    def poisson_below(self, count: int, y: X, /) -> X:
        """exp(-y) times the sum of y^j/j! over 0 <= j < count, for y >= 0."""

    def power(self, base: X, exponent: X, /) -> X:
        """base^exponent for base in [0, 1] and exponent >= 0, where 0^0 = 1."""

    def minimum(self, first: X, /, *others: X) -> X:
        """The least of the values."""

    def maximum(self, first: X, /, *others: X) -> X:
        """The greatest of the values."""

    def increasing(self, f: Callable[[X], X], x: X, /) -> X:
        """f(x) for an f that is nondecreasing wherever x may lie."""

    def decreasing(self, f: Callable[[X], X], x: X, /) -> X:
        """f(x) for an f that is nonincreasing wherever x may lie."""

    def choose(self, left: X, relation: Relation, right: X, /, then: Callable[[], X], otherwise: Callable[[], X]) -> X:
        """``then()`` where the comparison holds, ``otherwise()`` where it fails (both branches agree at a tie)."""

    def root(self, f: Callable[[X], X], lower: X, upper: X, /) -> X:
        """The zero of an f that is continuous and increasing on [lower, upper], f(lower) <= 0 <= f(upper)."""


@dataclass(frozen=True)
class Condition(Generic[X]):
    """One inequality of a theorem, named: a hypothesis it needs or the conclusion it draws."""

    text: str
    left: X
    relation: Relation
    right: X
    role: Role = "hypothesis"


Conditions = Iterator[Condition[X]]


def at_most(text: str, left: X, right: X, role: Role = "hypothesis") -> Condition[X]:
    """The condition left <= right."""
    return Condition(text, left, "<=", right, role)


def below(text: str, left: X, right: X, role: Role = "hypothesis") -> Condition[X]:
    """The condition left < right."""
    return Condition(text, left, "<", right, role)
