"""How a figure was cut: against rounding by integers, at ties, and never wrong on a wide enclosure."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis.strategies import fractions, integers, sampled_from

from certify.evaluation.entries import exactly, unbounded
from certify.kernel.enclosure import Enclosure
from certify.reproduce.cut import MAX_DIGITS, classification, classified
from certify.reproduce.figure import Role, printed_digits, printed_value

ROLES: tuple[Role, ...] = ("upper bound", "lower bound", "floor", "failing value", "plain value")
roles = sampled_from(ROLES)
values = fractions(min_value=0, max_value=20, max_denominator=400)


def expected(value: Fraction, printed: Fraction, unit: Fraction) -> tuple[str, ...]:
    """The words by rounding to a whole number of units."""
    n, x = int(printed / unit), value / unit
    nearest = {floor(x)} if x - floor(x) < Fraction(1, 2) else {ceil(x)}
    if x - floor(x) == Fraction(1, 2):
        nearest = {floor(x), ceil(x)}
    words = [word for word, at in (("nearest", nearest), ("up", {ceil(x)}), ("down", {floor(x)})) if n in at]
    return ("exact",) if len(words) == 3 else tuple(words) or ("none",)


def expected_bound(value: Fraction, printed: Fraction, role: Role) -> str:
    if role == "plain value":
        return "n/a"
    return "safe" if (value <= printed if role == "upper bound" else printed <= value) else "unsafe"


@given(value=values, shift=integers(-2, 2), places=integers(0, 3), role=roles)
def test_words_are_those_of_rounding(value: Fraction, shift: int, places: int, role: Role) -> None:
    unit = Fraction(1, 10**places)
    printed = (floor(value / unit) + shift) * unit
    found = classification(exactly(value), printed, unit, role)
    assert found.cut == expected(value, printed, unit)
    assert found.bound == expected_bound(value, printed, role)


@given(value=values, below=fractions(0, 1), above=fractions(0, 1), shift=integers(-2, 2), role=roles)
def test_a_wide_enclosure_never_decides_wrongly(
    value: Fraction, below: Fraction, above: Fraction, shift: int, role: Role
) -> None:
    unit = Fraction(1, 10)
    printed = (floor(value / unit) + shift) * unit
    found = classification(Enclosure(value - below, value + above), printed, unit, role)
    assert found.cut in (("undecided",), expected(value, printed, unit))
    assert found.bound in ("undecided", expected_bound(value, printed, role))


@given(n=integers(1, 10**6), exponent=integers(-40, 5), half=sampled_from([-1, 1]))
def test_at_a_tie_both_neighbours_are_nearest(n: int, exponent: int, half: int) -> None:
    text = f"{n}e{exponent}"
    printed, unit = printed_value(text)
    tie = printed + half * unit / 2
    _, found = classified(text, "plain value", lambda digits: exactly(tie + 0 * digits))
    assert found.cut == (("nearest", "up") if half < 0 else ("nearest", "down"))


def test_digits_grow_until_decided() -> None:
    value = Fraction(5, 10**3) + Fraction(1, 10**40)

    def source(digits: int) -> Enclosure:
        asked.append(digits)
        return Enclosure(value - Fraction(1, 10**digits), value + Fraction(1, 10**digits))

    asked: list[int] = []
    enclosure, found = classified("0.01", "upper bound", source)
    assert (found.cut, found.bound) == (("nearest", "up"), "safe")
    assert asked == [12, 24, 48]
    assert enclosure.lower < value < enclosure.upper


def test_what_no_precision_decides_is_undecided() -> None:
    value = Fraction(1, 2)
    around = lambda digits: Enclosure(value - Fraction(1, 10**digits), value + Fraction(1, 10**digits))  # noqa: E731
    enclosure, found = classified("0.5", "upper bound", around)
    assert (found.cut, found.bound) == (("undecided",), "undecided")
    assert enclosure.upper - enclosure.lower == Fraction(2, 10**MAX_DIGITS)


def test_no_bound_is_undecided() -> None:
    _, found = classified("0.5", "plain value", lambda digits: unbounded(f"none at {digits}"))
    assert (found.cut, found.bound) == (("undecided",), "undecided")


@pytest.mark.parametrize(
    ("text", "value", "unit", "digits"),
    [
        ("9.90e-8", Fraction(99, 10**9), Fraction(1, 10**10), 3),
        ("1.5e9", Fraction(1500000000), Fraction(10**8), 2),
        ("0.0200 + 2.5e-5", Fraction(20025, 10**6), Fraction(1, 10**6), 5),
        ("4.000", Fraction(4), Fraction(1, 1000), 4),
        ("1319", Fraction(1319), Fraction(1), 4),
        ("1/2", Fraction(1, 2), Fraction(0), 1),
    ],
)
def test_printed_numbers_and_their_units(text: str, value: Fraction, unit: Fraction, digits: int) -> None:
    assert printed_value(text) == (value, unit)
    assert printed_digits(text) == digits


def test_a_printed_fraction_is_equal_or_not() -> None:
    assert classification(exactly(Fraction(1, 2)), *printed_value("1/2"), "plain value").cut == ("exact",)
    assert classification(exactly(Fraction(1, 3)), *printed_value("1/2"), "plain value").cut == ("none",)
