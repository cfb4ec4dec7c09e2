"""Enclosures and decided inequalities in words, with every printed number rounded outward."""

from __future__ import annotations

from fractions import Fraction

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals, compare
from certify.kernel.loop import Decided
from certify.report.printable import visible

_GAP_DIGITS = 3
_GUARD_BITS = 64


def in_words(enclosure: Enclosure, digits: int) -> str:
    """The number, or the two numbers that it lies between."""
    lower, upper = enclosure.text(digits)
    if lower == upper:
        return lower
    reason = f" ({visible(enclosure.reason)})" if enclosure.reason else ""
    if upper == "inf":
        return f"without a known bound{reason}" if lower == "-inf" else f"at least {lower}, with no bound above{reason}"
    return f"at most {upper}{reason}" if lower == "-inf" else f"between {lower} and {upper}"


def sides(condition: Decided, digits: int) -> str:
    """Both sides of an inequality."""
    return f"the left side is {in_words(condition.left, digits)}; the right side is {in_words(condition.right, digits)}"


def condition_sentence(condition: Decided, digits: int) -> str:
    """The inequality, whether it holds, its two sides, and how far apart they are where it fails."""
    noun = "hypothesis" if condition.role == "hypothesis" else "inequality"
    named = f'the {noun} "{visible(condition.text)}"'
    if condition.decision is Decision.PROVED:
        return f"{named} holds: {sides(condition, digits)}"
    if condition.decision is Decision.DISPROVED:
        return f"{named} does not hold: {sides(condition, digits)}; {_excess(condition)}"
    stopped = f"{named} is undecided at {condition.bits} bits"
    if condition.left == condition.right:
        return stopped
    return f"{stopped}: {sides(condition, digits)}; the two could not be told apart at this precision"


def _excess(condition: Decided) -> str:
    """By how much the left side is above the right one: proved lower bounds, in absolute and relative terms."""
    bits = condition.bits + _GUARD_BITS
    R = Intervals(bits)
    left, right = _interval(condition.left, R), _interval(condition.right, R)
    lower, upper = Enclosure.of(left - right).text(_GAP_DIGITS)
    if lower == "0":
        return "the left side must be strictly smaller"
    excess = f"the left side is too large by {lower if lower == upper else f'at least {lower}'}"
    if compare(R(0), "<", right) is not Decision.PROVED:
        return excess
    if compare(R(2), "<=", left / right) is Decision.PROVED:
        return f"{excess}; it is at least {_at_least(left / right)} times the right side"
    return f"{excess}, which is at least {_at_least((left - right) / right * 100)} % of the right side"


def _at_least(value: Interval) -> str:
    return Enclosure.of(value).text(_GAP_DIGITS)[0]


def _interval(enclosure: Enclosure, R: Intervals) -> Interval:
    ends = (enclosure.low, enclosure.high)
    return R.hull(*(R(end) if isinstance(end, Fraction) else Interval(R.bits, (end, end)) for end in ends))
