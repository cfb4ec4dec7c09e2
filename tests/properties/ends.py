"""Values through the public face, and what may be said of two enclosures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import certify
from certify import Enclosure, Evaluation

Given = Mapping[str, object]


def value(statement: str, name: str, given: Given, digits: int = 12) -> Enclosure:
    """One value of a statement."""
    return certify.evaluate(statement, digits=digits, **given)[name]


def evaluated(statement: str, given: Given, digits: int = 12) -> Evaluation:
    """All values of a statement, with its hypotheses."""
    return certify.evaluate(statement, digits=digits, **given)


def in_order(less: Enclosure, more: Enclosure) -> bool:
    """Whether the first true value can be at most the second: nothing proves the opposite."""
    return not more.is_bounded or less.lower <= more.upper


def apart(less: Enclosure, more: Enclosure) -> bool:
    """Whether the first true value is proved to be below the second."""
    return less.is_bounded and less.upper < more.lower


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
