"""What `certify eval` is made of: named inputs in, enclosed values and hypotheses out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from certify.errors import UnusableInput
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.exact import exact
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted
from certify.kernel.loop import Decided, Limits, Stated, decide, enclose

Domain = Literal["any", ">= 0", "> 0", "[0, 1]", "(0, 1)", "(0, 1]", "> 1"]
Given: TypeAlias = Fraction | str | tuple[Fraction, ...]

_DOMAINS: dict[Domain, Callable[[Fraction], bool]] = {
    "any": lambda _: True,
    ">= 0": lambda x: x >= 0,
    "> 0": lambda x: x > 0,
    "[0, 1]": lambda x: 0 <= x <= 1,
    "(0, 1)": lambda x: 0 < x < 1,
    "(0, 1]": lambda x: 0 < x <= 1,
    "> 1": lambda x: x > 1,
}
MAX_COUNT = 10**18
NOT_TIGHT = "not enclosed more tightly within the limits on bits, evaluations or seconds"
MAX_LIST = 10_000


@dataclass(frozen=True)
class Input:
    """One named input: a number in a domain, a whole count >= 1, a comma list of numbers, or one word of several.

    ``default`` is None where the input is needed, "" where it may be left out, else the text that is read instead.
    """

    name: str
    domain: Domain = "any"
    default: str | None = None
    kind: Literal["number", "count", "list"] = "number"
    words: tuple[str, ...] = ()
    meaning: str = ""

    def read(self, value: object) -> Given:
        """The exact value of a given input, or UnusableInput naming it and what is accepted."""
        if isinstance(value, str) and value in self.words:
            return value
        if self.words and self.kind == "number" and self.domain == "any":
            raise UnusableInput(f"{value!r} is not accepted; accepted: {', '.join(self.words)}", field=self.name)
        if self.kind == "list":
            parts = value.split(",") if isinstance(value, str) else value
            if not isinstance(parts, Iterable):
                parts = [parts]
            items = tuple(self._number(part.strip() if isinstance(part, str) else part) for part in parts)
            if not 1 <= len(items) <= MAX_LIST:
                raise UnusableInput(f"a list of 1 to {MAX_LIST} numbers is needed", field=self.name)
            return items
        number = self._number(value)
        if self.kind == "count" and (number.denominator != 1 or not 1 <= number <= MAX_COUNT):
            raise UnusableInput(f"a whole number from 1 to 10^18 is needed, not {value}", field=self.name)
        return number

    def _number(self, value: object) -> Fraction:
        number = exact(value, self.name)
        if not _DOMAINS[self.domain](number):
            shown = str(value)
            place = self.domain if self.domain[0] in "<>" else f"in {self.domain}"
            raise UnusableInput(f"{shown[:40]} is out of range; a number {place} is needed", field=self.name)
        return number


@dataclass(frozen=True)
class Inputs:
    """The inputs of one evaluation as exact values; ``number`` and friends say what is expected of each."""

    given: Mapping[str, Given]

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def number(self, name: str) -> Fraction:
        """The exact number given for ``name``."""
        value = self.given.get(name)
        if not isinstance(value, Fraction):
            raise UnusableInput("a number is needed", field=name)
        return value

    def optional(self, name: str) -> Fraction | None:
        """The exact number given for ``name``, or None where it is left out."""
        value = self.given.get(name)
        return value if isinstance(value, Fraction) else None

    def count(self, name: str) -> int:
        """The whole number given for ``name``."""
        return int(self.number(name))

    def word(self, name: str) -> str:
        """The word given for ``name``."""
        value = self.given.get(name)
        return value if isinstance(value, str) else ""

    def numbers(self, name: str) -> tuple[Fraction, ...]:
        """The list given for ``name``."""
        value = self.given.get(name)
        return value if isinstance(value, tuple) else ()


@dataclass(frozen=True)
class Task:
    """How well to answer: digits of relative accuracy, limits, and one allowance for all the steps."""

    digits: int
    limits: Limits
    allowance: Allowance

    def enclose(self, values: Callable[[Intervals], Mapping[str, Interval]]) -> dict[str, Enclosure]:
        """Enclose named values to the digits asked for; one that the limits leave wider says so in its reason."""
        found = enclose(values, self.digits, self.limits, self.allowance)
        return {
            name: value if value.is_tight(self.digits) else replace(value, reason=NOT_TIGHT)
            for name, value in found.items()
        }

    def is_spent(self) -> bool:
        """Whether the limits on evaluations or seconds allow nothing more; counts one evaluation."""
        try:
            self.allowance.spend()
        except WorkExhausted:
            return True
        return False

    def decide(self, conditions: Callable[[Intervals], Iterable[Stated]]) -> tuple[Decided, ...]:
        """Decide conditions within the limits."""
        return decide(conditions, self.limits, self.allowance)


@dataclass(frozen=True)
class Answer:
    """Named values (an Enclosure, or a plain int) and the decided hypotheses of the statement."""

    values: Mapping[str, Enclosure | int]
    hypotheses: tuple[Decided, ...] = ()

    def judged(self, digits: int) -> Answer:
        """The same answer, with an undecided condition added where some value was left wider than asked."""
        values = {
            name: replace(value, reason=NOT_TIGHT)
            if isinstance(value, Enclosure) and value.reason is None and not value.is_tight(digits)
            else value
            for name, value in self.values.items()
        }
        if not any(isinstance(value, Enclosure) and value.reason == NOT_TIGHT for value in values.values()):
            return self
        text = f"every value is enclosed to {digits} digits within the limits"
        undecided = Decided(text, "conclusion", "<=", Decision.UNDECIDED, exactly(0), exactly(0), 0)
        return Answer(values, (*self.hypotheses, undecided))


@dataclass(frozen=True)
class Entry:
    """One statement that `certify eval` answers: its inputs, and the function that answers them."""

    name: str
    inputs: tuple[Input, ...]
    answer: Callable[[Task, Inputs], Answer]
    example: str = ""
    values: tuple[str, ...] = field(default=())


def formula(
    values: Callable[[Intervals, Inputs], Mapping[str, Interval]],
    hypotheses: Callable[[Intervals, Inputs], Iterable[Stated]] | None = None,
) -> Callable[[Task, Inputs], Answer]:
    """The answer of a statement that is a closed formula: enclose its values, decide its hypotheses."""

    def answer(task: Task, given: Inputs) -> Answer:
        decided = () if hypotheses is None else task.decide(lambda R: hypotheses(R, given))
        return Answer(task.enclose(lambda R: values(R, given)), decided)

    return answer


def exactly(value: int | Fraction, reason: str | None = None) -> Enclosure:
    """A value known exactly."""
    return Enclosure(Fraction(value), Fraction(value), reason)


def unbounded(reason: str, lower: Fraction = Fraction(0)) -> Enclosure:
    """A value with no finite upper bound, and why."""
    from mpmath.libmp import finf

    return Enclosure(lower, finf, reason)
