"""`certify eval` from the tests: printed pairs, and the field that an unusable input names."""

from __future__ import annotations

import pytest

from certify.errors import UnusableInput
from certify.evaluation import answer
from certify.kernel.enclosure import Enclosure


def printed(name: str, digits: int = 12, **inputs: object) -> dict[str, tuple[str, str]]:
    """Name to printed lower and upper end; an input named lambda_ is lambda."""
    _, found = answer(name, named(inputs), digits)
    return {key: value.text(digits) for key, value in found.values.items() if isinstance(value, Enclosure)}


def value(name: str, digits: int = 12, **inputs: object) -> Enclosure:
    """The first value of a statement."""
    _, found = answer(name, named(inputs), digits)
    first = next(iter(found.values.values()))
    assert isinstance(first, Enclosure)
    return first


def refused(name: str, field: str, **inputs: object) -> None:
    """The inputs are refused, and the field is named."""
    with pytest.raises(UnusableInput) as caught:
        answer(name, named(inputs))
    assert caught.value.field == field


def named(inputs: dict[str, object]) -> dict[str, object]:
    return {key.rstrip("_"): item for key, item in inputs.items()}


def agrees(pair: tuple[str, str], target: str) -> bool:
    """Whether a printed pair encloses a target that was rounded to nearest."""
    from fractions import Fraction

    digits, _, exponent = target.partition("e")
    place = Fraction(10) ** (int(exponent or "0") - len(digits.partition(".")[2]))
    return Fraction(pair[0]) - place / 2 <= Fraction(target) <= Fraction(pair[1]) + place / 2
