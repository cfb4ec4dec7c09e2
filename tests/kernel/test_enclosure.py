"""Outward printing: what is shown encloses too."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import libmp

from certify.errors import CertifyError
from certify.kernel.enclosure import Enclosure, int_to_text, rounded_down, rounded_up
from certify.kernel.ends import FAR_DOWN, FAR_UP
from certify.kernel.exact import digits_to_int
from certify.kernel.interval import Interval, Intervals
from certify.statements.rules.numbers import exact_text

from .test_ends import mpfs, rational


def read(text: str) -> Fraction:
    """The rational that a printed decimal denotes, whatever its exponent."""
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.lstrip("-").partition(".")
    value = Fraction(digits_to_int(whole + part)) * Fraction(10) ** (int(exponent or "0") - len(part))
    return -value if text.startswith("-") else value


@given(st.one_of(mpfs(), st.fractions()), st.integers(1, 40))
def test_the_printed_pair_encloses_within_a_unit(x: Fraction | tuple[int, int, int, int], digits: int) -> None:
    """Down is below, up is above, and neither is a unit of the last digit away."""
    value = x if isinstance(x, Fraction) else rational(x)
    down, up = read(rounded_down(x, digits)), read(rounded_up(x, digits))
    assert down <= value <= up
    assert up - down <= abs(value) * Fraction(10) ** (1 - digits)
    assert (down == 0) == (up == 0) == (value == 0)


@given(st.integers(-(10**20) + 1, 10**20 - 1), st.integers(-60, 60), st.integers(1, 12))
def test_decimals_of_up_to_twenty_digits_print_in_full(n: int, place: int, digits: int) -> None:
    """A short decimal is shown exactly however few digits are asked."""
    value = n * Fraction(10) ** place
    assert read(rounded_down(value, digits)) == value == read(rounded_up(value, digits))
    assert read(exact_text(value)) == value


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=10**9), st.integers(0, 10**6), st.integers(1, 30))
def test_a_tight_enclosure_prints_tightly(middle: Fraction, width: int, digits: int) -> None:
    """If tight, the printed pair is within 10^(1-digits) of relative width."""
    enclosure = Enclosure(middle, middle + Fraction(width, 10 ** (digits + 4)))
    low, high = (read(end) for end in enclosure.text(digits))
    assert low <= enclosure.lower <= enclosure.upper <= high
    if enclosure.is_tight(digits):
        assert high - low <= min(abs(low), abs(high)) * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (Fraction(1, 3), "0.3333", "0.3334"),
        (Fraction(-1, 3), "-0.3334", "-0.3333"),
        (Fraction(1, 10), "0.1", "0.1"),
        (Fraction(99999, 1), "99999", "99999"),
        (Fraction(10**25 + 1), "1e25", "1.001e25"),
        (Fraction(2, 3) * 10**30, "6.666e29", "6.667e29"),
        (Fraction(1, 10**9999), "1e-9999", "1e-9999"),
        (Fraction(10**9999), "1e9999", "1e9999"),
        (Fraction(1, 3 * 10**7), "3.333e-8", "3.334e-8"),
        (Fraction(99_9999, 7) / 99_9999 * 7 - Fraction(1, 10**30), "0.9999", "1"),
        (Fraction(12345), "12345", "12345"),
        (Fraction(1, 100000), "0.00001", "0.00001"),
        (Fraction(1, 1000000), "1e-6", "1e-6"),
        (Fraction(5, 2), "2.5", "2.5"),
        (libmp.from_int(0), "0", "0"),
        (libmp.finf, "inf", "inf"),
        (libmp.fninf, "-inf", "-inf"),
    ],
)
def test_printed_forms(value: Fraction, down: str, up: str) -> None:
    """Four digits, rounded down and up."""
    assert (rounded_down(value, 4), rounded_up(value, 4)) == (down, up)


@pytest.mark.parametrize(
    ("exponent", "pair"),
    [
        (50_000_000, ("1.2449806209e21714724", "1.244980621e21714724")),
        (-50_000_000, ("8.0322535398e-21714725", "8.0322535399e-21714725")),
    ],
)
def test_far_exponents_print(exponent: int, pair: tuple[str, str]) -> None:
    """e^(+-5e7) in decimal, as Arb has it too."""
    assert Enclosure.of(Intervals(128).exp(Intervals(128)(exponent))).text(10) == pair


def test_the_farthest_ends_print() -> None:
    """2^(2^63) and its inverse print without being written out; a positive upper end is not 0."""
    places = (1 << 63) * 30102999566398119521373889 // 10**26
    assert rounded_down(FAR_UP, 3).endswith(f"e{places}")
    assert rounded_up(FAR_DOWN, 3).endswith(f"e-{places + 1}")


def test_no_limit_on_the_length_of_integers() -> None:
    """Digits beyond the interpreter's limit of 4300 are written and read."""
    n = 7 * 10**6000 + 13
    text = int_to_text(n)
    assert len(text) == 6001
    assert digits_to_int(text) == n
    assert int_to_text(-n) == "-" + text
    assert len(rounded_down(Fraction(n, 3), 5000)) == 5001 + len("e6000")


def test_a_fraction_prints_in_full() -> None:
    """A decimal where it is short, else numerator/denominator."""
    texts = {Fraction(1, 3): "1/3", Fraction(-5, 2): "-2.5", Fraction(0): "0", Fraction(10**21 + 1): f"{10**21 + 1}"}
    assert {x: exact_text(x) for x in texts} == texts


def test_the_ends_as_rationals() -> None:
    """Finite ends are exact rationals; infinite and far ones say that they are not."""
    R = Intervals(64)
    enclosure = Enclosure.of(R.between(-1, Fraction(1, 4)), "why")
    assert (enclosure.lower, enclosure.upper, enclosure.reason) == (-1, Fraction(1, 4), "why")
    assert Enclosure(libmp.from_int(6), libmp.from_int(6)).lower == 6
    assert Enclosure(Fraction(1, 3), Fraction(1, 3)).is_tight(1000)
    line = Enclosure.of(Interval(64))
    assert not line.is_bounded
    assert not line.is_tight(1)
    assert line.text() == ("-inf", "inf")
    assert Enclosure.of(R(1)).is_bounded
    with pytest.raises(CertifyError, match="infinite"):
        _ = line.upper
    with pytest.raises(CertifyError, match="text"):
        _ = Enclosure(FAR_DOWN, FAR_UP).lower
    assert not Enclosure(FAR_DOWN, FAR_UP).is_tight(1)
