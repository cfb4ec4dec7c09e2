"""The nearest repairs: change one thing, decide the changed claim like any other, and show it only if it is proved.

The search is untrusted and bounded: a count of decisions per file, so that a file of many failing claims is answered
soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from certify.kernel.decision import Decision
from certify.kernel.exact import MAX_EXPONENT
from certify.kernel.loop import Decided, proved
from certify.statements.rules.fields import MAX_COUNT
from certify.statements.rules.numbers import exact_text
from certify.verdicts.model import Repair
from certify.verdicts.plan import Changed, Knob, Plan

_DIGITS = 4
_STEPS = 30
_GROWTHS = 10
_OPEN_TRIES = 2
# What a claim file can hold, with room for the digits kept.
_LARGEST = Fraction(10) ** (MAX_EXPONENT - _DIGITS)
_SMALLEST = 1 / _LARGEST

Proof = tuple[Decided, ...]
Prover = Callable[[Changed], Proof]
"""The decided conditions of a changed claim; they are a proof where all are proved."""


class Tries:
    """How many changed claims may still be decided."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, cost: int = 1) -> bool:
        """Whether one more is allowed; counts it ``cost`` times."""
        self.left -= cost
        return self.left >= 0


def found_repairs(plan: Plan, prove: Prover, tries: Tries) -> Iterator[Repair]:
    """Each single change found that is proved to certify the claim, with its proof."""
    for switch in plan.switches:
        proof = prove(switch.change()) if tries.take() else ()
        if proved(proof):
            yield Repair(f'{switch.field} = "{switch.value}"', switch.field, switch.value, proof)
    for knob in plan.knobs:
        found = _search(knob, prove, tries)
        if found is not None:
            value, proof = found
            shown = exact_text(value)
            yield Repair(
                f"{knob.field} = {shown}" if knob.whole else f'{knob.field} = "{shown}"', knob.field, shown, proof
            )


def _search(knob: Knob, prove: Prover, tries: Tries) -> tuple[Fraction, Proof] | None:
    """A short value near the least change that is proved, with the proof; None where none was found.

    It gives up where a few candidates in a row are neither proved nor disproved: they are out of reach.
    """
    failing = knob.current
    passing: tuple[Fraction, Proof] | None = None
    still_open = 0
    for value in _candidates(knob):
        if not _beyond(value, failing, knob.direction) or not _may_be_written(value, knob):
            continue
        if not tries.take(knob.cost):
            return None
        proof = prove(knob.change(value))
        if proved(proof):
            passing = (value, proof)
            break
        still_open = 0 if _is_disproved(proof) else still_open + 1
        if still_open == _OPEN_TRIES:
            return None
        failing = value
    if passing is None:
        return None
    for _ in range(_STEPS):
        middle = _rounded((failing + passing[0]) / 2, knob)
        if middle == passing[0]:
            middle -= knob.direction * _unit(middle, knob)
        if not (_beyond(middle, failing, knob.direction) and _beyond(passing[0], middle, knob.direction)):
            break
        if not tries.take(knob.cost):
            break
        proof = prove(knob.change(middle))
        if proved(proof):
            passing = (middle, proof)
        else:
            failing = middle
    return passing


def _is_disproved(proof: Proof) -> bool:
    return any(item.decision is Decision.DISPROVED for item in proof)


def _may_be_written(value: Fraction, knob: Knob) -> bool:
    """Whether a claim file may hold the value: within the knob's limit, and within what is read."""
    if knob.limit is not None and _beyond(value, knob.limit, knob.direction):
        return False
    return value <= MAX_COUNT if knob.whole else _SMALLEST <= value <= _LARGEST


def _candidates(knob: Knob) -> Iterator[Fraction]:
    """The guess, a little beyond it, then ever larger changes."""
    guess = knob.guess()
    if guess is not None and guess > 0:
        for widening in (Fraction(0), Fraction(1, 10**4), Fraction(1, 100)):
            yield _rounded(guess * (1 + knob.direction * widening), knob)
    start = knob.current if knob.current > 0 else Fraction(1, 1000)
    factor = Fraction(9, 8)
    for _ in range(_GROWTHS):
        yield _rounded(start * factor if knob.direction > 0 else start / factor, knob)
        factor *= 2 if factor < 16 else 16


def _beyond(value: Fraction, other: Fraction, direction: int) -> bool:
    return value > other if direction > 0 else value < other


def _rounded(value: Fraction, knob: Knob) -> Fraction:
    """The value rounded in the knob's direction to a whole number, or to a few significant digits."""
    if value <= 0:
        return value
    unit = _unit(value, knob)
    quotient = value / unit
    floor = quotient.numerator // quotient.denominator
    if knob.direction > 0 and floor * unit != value:
        floor += 1
    return floor * unit


def _unit(value: Fraction, knob: Knob) -> Fraction:
    return Fraction(1) if knob.whole else Fraction(10) ** _place(value)


def _place(value: Fraction) -> int:
    """The decimal place of the last of the significant digits kept."""
    estimate = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000
    while Fraction(10) ** (estimate + 1) <= value:
        estimate += 1
    while Fraction(10) ** estimate > value:
        estimate -= 1
    return estimate - _DIGITS + 1
