"""Where the true value of a printed figure comes from: a value of `certify eval`, or a formula over the statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from certify.evaluation import answer
from certify.evaluation.entries import Answer, exactly, unbounded
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import enclose
from certify.reproduce.figure import Source


def evaluated(statement: str, value: str, inputs: Mapping[str, str], multiple: int = 1) -> Source:
    """A value of `certify eval`, times a whole number >= 1; with no bound where a hypothesis is not proved."""
    given = tuple(inputs.items())

    def source(digits: int) -> Enclosure:
        found = _answer(statement, given, digits)
        failed = [item.text for item in found.hypotheses if item.decision is not Decision.PROVED]
        if failed:
            return unbounded(f"not proved: {failed[0]}")
        number = found.values.get(value)
        if number is None:
            return unbounded(f"{statement} gives no {value} here")
        if isinstance(number, int):
            return exactly(multiple * number)
        if multiple == 1 or not number.is_bounded:
            return number
        return Enclosure(multiple * number.lower, multiple * number.upper)

    return source


def computed(value: Callable[[Intervals], Interval]) -> Source:
    """A formula."""

    def source(digits: int) -> Enclosure:
        return enclose(lambda R: {"value": value(R)}, digits).get("value", unbounded("the limits were reached"))

    return source


def quotient(numerator: Source, denominator: Source) -> Source:
    """The quotient of two positive values."""

    def source(digits: int) -> Enclosure:
        above, below = numerator(digits), denominator(digits)
        if not (above.is_bounded and below.is_bounded and below.lower > 0):
            return unbounded("a part of the quotient has no bound")
        return Enclosure(above.lower / below.upper, above.upper / below.lower)

    return source


def through(source: Source, value: Callable[[Intervals, Interval], Interval]) -> Source:
    """A formula of a value that is itself known by an enclosure only."""

    def composed(digits: int) -> Enclosure:
        inner = source(digits + 6)
        if not inner.is_bounded:
            return inner
        return computed(lambda R: value(R, R.between(inner.lower, inner.upper)))(digits)

    return composed


@lru_cache(maxsize=512)
def _answer(statement: str, inputs: tuple[tuple[str, str], ...], digits: int) -> Answer:
    return answer(statement, dict(inputs), digits)[1]
