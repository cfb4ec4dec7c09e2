"""Numbers coming in: what is read, exactly, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.errors import UnusableInput
from certify.kernel.exact import MAX_EXPONENT, MAX_LENGTH, digits_to_int, exact, exact_double


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2", Fraction(2)),
        ("-0.25", Fraction(-1, 4)),
        ("+.5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e-6", Fraction(1, 10**6)),
        ("1E+3", Fraction(1000)),
        ("1.50e1", Fraction(15)),
        ("1e0000000000000000002", Fraction(100)),
        ("010", Fraction(10)),
        ("1/3", Fraction(1, 3)),
        ("-6/4", Fraction(-3, 2)),
        ("-0", Fraction(0)),
        (7, Fraction(7)),
        (Fraction(2, 7), Fraction(2, 7)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("-1e9999"), Fraction(-(10**9999))),
        (f"1e{MAX_EXPONENT}", Fraction(10**MAX_EXPONENT)),
        (f"1e-{MAX_EXPONENT}", Fraction(1, 10**MAX_EXPONENT)),
        ("9" * MAX_LENGTH, Fraction(10**MAX_LENGTH - 1)),
        ("1/" + "1" * 3000, Fraction(9, 10**3000 - 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_number_is_read_exactly(value: object, expected: Fraction) -> None:
    """Text, integers, fractions and decimals denote rationals."""
    assert exact(value, "x") == expected


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (0.1, "float 0.1 is refused"),
        (float("nan"), "refused"),
        (True, "truth value"),
        (1j, "not complex"),
        (None, "not NoneType"),
        ([1], "not list"),
        (b"1", "not bytes"),
        (Decimal("NaN"), "not a finite"),
        (Decimal("-Infinity"), "not a finite"),
        (Decimal("sNaN"), "not a finite"),
        (Decimal("1e10000000"), "exponent"),
        (Decimal("1e-10000000"), "exponent"),
        (Decimal((0, (1,) * (MAX_LENGTH + 1), 0)), "digits"),
        ("", "not an exact number"),
        (".", "not an exact number"),
        ("e5", "not an exact number"),
        ("-", "not an exact number"),
        ("nan", "not an exact number"),
        ("inf", "not an exact number"),
        ("1_0", "not an exact number"),
        (" 1", "not an exact number"),
        ("1\n", "not an exact number"),
        ("0x10", "not an exact number"),
        ("\u0661", "not an exact number"),
        ("1,5", "not an exact number"),
        ("1.5/2", "not an exact number"),
        ("1/-2", "not an exact number"),
        ("[2,1]", "not an exact number"),
        ("1 +- 0.1", "not an exact number"),
        ("1.0(5)", "not an exact number"),
        ("x" * 50, "..."),
        ("1/0", "denominator 0"),
        ("1e10000", "exponent"),
        ("1e-10000000", "exponent"),
        ("1" * (MAX_LENGTH + 1), "characters"),
        (Fraction(1, 1 << 60_000), "bits"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_an_exact_number_is_refused(value: object, says: str) -> None:
    """The message names the field and says what is wrong."""
    with pytest.raises(UnusableInput) as caught:
        exact(value, "epsilon")
    assert says in str(caught.value)
    assert caught.value.field == "epsilon"


def test_a_huge_integer_is_refused() -> None:
    """An int beyond the cap is not turned into text."""
    with pytest.raises(UnusableInput, match="bits"):
        exact(1 << 60_000, "x")


def test_a_double_is_kept_only_on_request() -> None:
    """0.1 as a double lies above one tenth; what is not a finite double is refused."""
    assert exact_double(0.1, "x") == Fraction(3602879701896397, 36028797018963968) > Fraction(1, 10)
    for value in (float("nan"), float("inf"), 1, "0.1", True):
        with pytest.raises(UnusableInput):
            exact_double(value, "x")  # type: ignore[arg-type]


@given(st.decimals(allow_nan=False, allow_infinity=False, places=30))
def test_text_and_decimal_agree(value: Decimal) -> None:
    """The text of a decimal denotes the decimal."""
    assert exact(str(value), "x") == exact(value, "x") == Fraction(value)


@given(st.integers(0, 10**60), st.integers(0, 1500))
def test_digits_of_any_length_are_read(n: int, zeros: int) -> None:
    """No limit of the interpreter on the length of digits applies."""
    assert digits_to_int(f"{n}{'0' * zeros}{'0' * zeros}{'0' * zeros}{'0' * zeros}7") == n * 10 ** (4 * zeros + 1) + 7
