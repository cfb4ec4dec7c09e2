"""The loop that decides conditions and tightens enclosures at 64, 128, ... bits, up to a cap on bits and evaluations.

The statement is an argument. A condition keeps the decision of the first precision that settles it; what no precision
settles is undecided, and so is what a limit cuts off. The same input gives the same answer in every process and thread;
a limit in seconds holds only where the user asks for one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from certify.errors import CertifyError
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted, compare

FIRST_BITS = 64


class Stated(Protocol):
    """One inequality of a statement, as ``certify.statements.language.Condition`` holds it."""

    @property
    def text(self) -> str: ...
    @property
    def left(self) -> Interval: ...
    @property
    def relation(self) -> Literal["<=", "<"]: ...
    @property
    def right(self) -> Interval: ...
    @property
    def role(self) -> Literal["hypothesis", "conclusion"]: ...


@dataclass(frozen=True)
class Limits:
    """How far to go: bits of precision, evaluations of functions, and (only if asked) seconds."""

    max_bits: int = 4096
    max_evaluations: int = 200_000
    seconds: int | None = None

    def allowance(self) -> Allowance:
        """A fresh count of evaluations, with the clock started where one is asked for."""
        if self.seconds is None:
            return Allowance(self.max_evaluations)
        end = time.monotonic_ns() + self.seconds * 1_000_000_000
        return Allowance(self.max_evaluations, lambda: time.monotonic_ns() >= end)


@dataclass(frozen=True)
class Decided:
    """A condition with its decision, the two enclosures that decide it, and the bits used."""

    text: str
    role: Literal["hypothesis", "conclusion"]
    relation: Literal["<=", "<"]
    decision: Decision
    left: Enclosure
    right: Enclosure
    bits: int


def precisions(limits: Limits) -> Iterator[int]:
    """64, 128, 256, ... and the cap itself."""
    bits = FIRST_BITS
    while bits < limits.max_bits:
        yield bits
        bits *= 2
    yield limits.max_bits


def decide(
    conditions: Callable[[Intervals], Iterable[Stated]], limits: Limits = Limits(), allowance: Allowance | None = None
) -> tuple[Decided, ...]:
    """Decide every condition of a statement, in its order.

    The statement is evaluated again at the next precision while some condition is undecided; each condition keeps the
    first decision found, so the statement must yield the same conditions at every precision. Where a limit cuts the
    evaluation off, an undecided mark is the last of the answer, as conditions not yet reached are missing from it.
    """
    allowance = limits.allowance() if allowance is None else allowance
    found: list[Decided] = []
    for bits in precisions(limits):
        try:
            for position, stated in enumerate(conditions(Intervals(bits, allowance))):
                if position == len(found) or found[position].decision is Decision.UNDECIDED:
                    found[position : position + 1] = [_decided(stated, bits)]
                elif found[position].text != stated.text:
                    raise CertifyError(f"condition {position} was {found[position].text!r} and is now {stated.text!r}")
        except WorkExhausted:
            found.append(_cut_off(bits))
            break
        if all(item.decision is not Decision.UNDECIDED for item in found):
            break
    return tuple(found)


def _decided(stated: Stated, bits: int) -> Decided:
    decision = compare(stated.left, stated.relation, stated.right)
    left, right = Enclosure.of(stated.left), Enclosure.of(stated.right)
    return Decided(stated.text, stated.role, stated.relation, decision, left, right, bits)


def _cut_off(bits: int) -> Decided:
    """The mark of an evaluation cut off by a limit: undecided, so nothing that contains it is proved."""
    line = Enclosure.of(Interval(bits))
    return Decided("the evaluation ended within its limits", "hypothesis", "<=", Decision.UNDECIDED, line, line, bits)


def proved(decided: Iterable[Decided]) -> bool:
    """Whether there is at least one condition and every one is proved."""
    found = tuple(decided)
    return bool(found) and all(item.decision is Decision.PROVED for item in found)


def enclose(
    values: Callable[[Intervals], Mapping[str, Interval]],
    digits: int = 12,
    limits: Limits = Limits(),
    allowance: Allowance | None = None,
) -> dict[str, Enclosure]:
    """Enclose named values to ``digits`` digits of relative accuracy, or as well as the limits allow."""
    allowance = limits.allowance() if allowance is None else allowance
    best: dict[str, Enclosure] = {}
    for bits in precisions(limits):
        try:
            for name, value in values(Intervals(bits, allowance)).items():
                if name not in best or not best[name].is_tight(digits):
                    best[name] = Enclosure.of(value)
        except WorkExhausted:
            break
        if all(enclosure.is_tight(digits) for enclosure in best.values()):
            break
    return best
