"""Values of statements for the tests: proved ends, floats of them, and decisions between two of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import Limits, decide, enclose
from certify.statements.language import at_most

Value = Callable[[Intervals], Interval]
_LIMITS = Limits(max_bits=256)


def enclosed(value: Value, digits: int = 15) -> Enclosure:
    """The enclosure of a value."""
    return enclose(lambda R: {"value": value(R)}, digits, _LIMITS)["value"]


def upper(value: Value) -> float:
    """The proved upper end as a double."""
    return float(enclosed(value).upper)


def holds(left: Value, right: Value) -> Decision:
    """The decision on left <= right."""
    return decide(lambda R: [at_most("left <= right", left(R), right(R))], _LIMITS)[0].decision


def near(value: Value, digits: str) -> bool:
    """Whether the value is the decimal given, to one unit in its last digit."""
    place = Fraction(10) ** -len(digits.split("e")[0].partition(".")[2])
    place *= Fraction(10) ** int(digits.partition("e")[2] or "0")
    found = enclosed(value, len(digits))
    return found.lower - place <= Fraction(digits) <= found.upper + place
