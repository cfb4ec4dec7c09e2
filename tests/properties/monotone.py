"""One row of the table of monotonicity: which value moves which way when one input grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from certify import Enclosure
from tests.properties.declared import Property, registered
from tests.properties.drawn import CLEAR, FACTOR
from tests.properties.ends import apart, evaluated, in_order

Draws = Mapping[str, SearchStrategy[object]]


@dataclass(frozen=True)
class Moves:
    """``values`` of ``statement`` rise (or fall) where the input ``moved`` grows, all else equal.

    ``others`` are the other inputs. ``strict``: where the input grows clearly, the values are told apart. ``whole``: it
    is a whole number; ``most``: it grows no further. Only draws at which every hypothesis holds at both inputs count.
    """

    statement: str
    values: tuple[str, ...]
    moved: str
    rises: bool
    start: SearchStrategy[object]
    others: Draws
    strict: bool = True
    whole: bool = False
    most: Fraction | None = None
    examples: int = 6
    label: str = ""

    @property
    def name(self) -> str:
        """Such as "gaussian.sigma falls in epsilon"."""
        way = "rises" if self.rises else "falls"
        return f"{self.statement} {'/'.join(self.values)} {way} in {self.moved}{self.label}"

    def declare(self) -> Property:
        """The row as a property, known by its name."""
        ROWS[self.name] = self
        return registered(self.as_property())

    def as_property(self) -> Property:
        """The row as a property."""
        drawn = {"start": self.start, "factor": FACTOR, "others": st.fixed_dictionaries(dict(self.others))}
        return Property(self.name, self.holds, drawn, self.examples)

    def holds(self, start: Fraction, factor: Fraction, others: dict[str, object]) -> None:
        """Assert the row at an input and at ``factor`` times it."""
        grown = start * factor
        if self.whole:
            grown = Fraction(int(grown))
        if self.most is not None:
            grown = max(start, min(grown, self.most))
        ends = [{**others, self.moved: point} for point in (start, grown)]
        before, after = (evaluated(self.statement, given) for given in ends)
        assume(before.hold and after.hold)
        for name in self.values:
            less, more = (before, after) if self.rises else (after, before)
            assert in_order(less[name], more[name])
            if self.strict and grown >= start * CLEAR and not _saturated(less[name], more[name]):
                assert apart(less[name], more[name])


def _saturated(less: Enclosure, more: Enclosure) -> bool:
    """Whether both are within a millionth below 1, where a probability is flat to the digits asked for."""
    return apart(_NEARLY_ONE, less) and not apart(_ONE, more)


ROWS: dict[str, Moves] = {}
_NEARLY_ONE, _ONE = (Enclosure(end, end) for end in (1 - Fraction(1, 10**6), Fraction(1)))
