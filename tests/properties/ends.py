"""Values through the public face, and what may be said of two enclosures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from mpmath import libmp

import certify
from certify import Enclosure, Evaluation
from certify.kernel.ends import Mpf, Point

Given = Mapping[str, object]


def value(statement: str, name: str, given: Given, digits: int = 12) -> Enclosure:
    """One value of a statement."""
    return certify.evaluate(statement, digits=digits, **given)[name]


def evaluated(statement: str, given: Given, digits: int = 12) -> Evaluation:
    """All values of a statement, with its hypotheses."""
    return certify.evaluate(statement, digits=digits, **given)


def _down(x: Point) -> Mpf:
    """An end as it is, or a rational rounded down to 300 bits: ends may be too small to be written as fractions."""
    return libmp.from_rational(x.numerator, x.denominator, 300, "f") if isinstance(x, Fraction) else x


def _up(x: Point) -> Mpf:
    """As ``_down``, rounded up."""
    return libmp.from_rational(x.numerator, x.denominator, 300, "c") if isinstance(x, Fraction) else x


def in_order(less: Enclosure, more: Enclosure) -> bool:
    """Whether the first true value can be at most the second: nothing proves the opposite."""
    return not libmp.mpf_gt(_down(less.low), _up(more.high))


def apart(less: Enclosure, more: Enclosure) -> bool:
    """Whether the first true value is proved to be below the second."""
    return bool(libmp.mpf_lt(_up(less.high), _down(more.low)))


def meet(first: Enclosure, second: Enclosure) -> bool:
    """Whether the two can enclose one value."""
    return in_order(first, second) and in_order(second, first)


def agree(first: Enclosure, second: Enclosure, digits: int = 10) -> bool:
    """Whether the two can enclose one value and are both narrow: within 10^-digits of each other, relatively."""
    ends = (first.lower, first.upper, second.lower, second.upper)
    return meet(first, second) and max(ends) - min(ends) <= max(abs(end) for end in ends) / 10**digits


def holds_exactly(enclosure: Enclosure, number: Fraction) -> bool:
    """Whether both ends are the number."""
    return enclosure.lower == enclosure.upper == number
