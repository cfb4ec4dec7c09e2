"""Exact numbers in: text, integers, fractions and decimals become rationals, everything else is refused.

Grammar of a literal (ASCII only): an optional sign, digits with an optional point and an optional exponent ("2",
"-0.25", ".5", "1e-6"), or a fraction of two integers ("1/3"). At most MAX_LENGTH characters and an exponent of at most
MAX_EXPONENT in size, both checked before any conversion, since ``Fraction("1e-10000000")`` takes seconds. "0.1" means
one tenth. A Python float is refused: its decimal text is not its value. ``exact_double`` keeps the double itself.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from certify.errors import UnusableInput

MAX_LENGTH = 4000
MAX_EXPONENT = 9999

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?")
_RATIO = re.compile(r"([+-]?)([0-9]+)/([0-9]+)")
_ACCEPTED = 'accepted: an exact number such as 2, "0.1", "1e-6" or "1/3"'


def exact(value: object, field: str) -> Fraction:
    """Return the rational number that ``value`` denotes.

    Accepts text of the grammar above, int, Fraction and Decimal. Raises UnusableInput, naming ``field``, for anything
    else: floats, booleans, complex numbers, NaN, infinities, over-long literals, exponents beyond +-9999.
    """
    if isinstance(value, bool):
        raise UnusableInput(f"a number is needed, not the truth value {value}; {_ACCEPTED}", field=field)
    if isinstance(value, int):
        return _capped(Fraction(value), field)
    if isinstance(value, Fraction):
        return _capped(value, field)
    if isinstance(value, Decimal):
        return _from_decimal(value, field)
    if isinstance(value, str):
        return _from_text(value, field)
    if isinstance(value, float):
        raise UnusableInput(
            f"the float {value!r} is refused, since a double is rarely the decimal it prints; "
            f'write it as text ("{value!r}"), or use exact_double to keep the double itself',
            field=field,
        )
    raise UnusableInput(f"a number is needed, not {type(value).__name__}; {_ACCEPTED}", field=field)


def exact_double(value: float, field: str) -> Fraction:
    """Return the exact value of a finite double: ``exact_double(0.1, "epsilon")`` is a little above one tenth."""
    if not isinstance(value, float):
        raise UnusableInput(f"a float is needed, not {type(value).__name__}", field=field)
    try:
        return Fraction(*value.as_integer_ratio())
    except (ValueError, OverflowError):
        raise UnusableInput(f"{value!r} is not a finite number", field=field) from None


def digits_to_int(digits: str) -> int:
    """Convert ASCII digits to an integer without the interpreter's limit on int-to-str conversion."""
    if len(digits) <= 1000:
        return int(digits or "0")
    half = len(digits) // 2
    ten_power: int = 10**half
    return digits_to_int(digits[:-half]) * ten_power + digits_to_int(digits[-half:])


def _from_text(text: str, field: str) -> Fraction:
    if len(text) > MAX_LENGTH:
        raise UnusableInput(f"a number of {len(text)} characters; at most {MAX_LENGTH} are read", field=field)
    ratio = _RATIO.fullmatch(text)
    if ratio is not None:
        denominator = digits_to_int(ratio[3])
        if denominator == 0:
            raise UnusableInput(f"the fraction {_shown(text)} has denominator 0", field=field)
        return _signed(ratio[1], Fraction(digits_to_int(ratio[2]), denominator))
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None or not (decimal[2] or decimal[3]):
        raise UnusableInput(f"{_shown(text)} is not an exact number; {_ACCEPTED}", field=field)
    sign, whole, part, exponent_sign, exponent = decimal.groups(default="")
    size = exponent.lstrip("0")
    if len(size) > len(str(MAX_EXPONENT)) or int(size or "0") > MAX_EXPONENT:
        raise UnusableInput(f"the exponent of {_shown(text)} is beyond +-{MAX_EXPONENT}", field=field)
    shift = (-int(size or "0") if exponent_sign == "-" else int(size or "0")) - len(part)
    digits = digits_to_int(whole + part)
    return _signed(sign, Fraction(digits * 10**shift) if shift >= 0 else Fraction(digits, 10**-shift))


def _from_decimal(value: Decimal, field: str) -> Fraction:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise UnusableInput(f"{value} is not a finite number; {_ACCEPTED}", field=field)
    if len(digits) > MAX_LENGTH or abs(exponent + len(digits)) > MAX_EXPONENT + MAX_LENGTH:
        raise UnusableInput(
            f"a decimal beyond {MAX_LENGTH} digits or an exponent of +-{MAX_EXPONENT} is not read", field=field
        )
    return Fraction(value)


def _capped(value: Fraction, field: str) -> Fraction:
    bits = 4 * (MAX_EXPONENT + MAX_LENGTH)
    if value.numerator.bit_length() > bits or value.denominator.bit_length() > bits:
        raise UnusableInput(f"a number of more than {bits} bits is not read", field=field)
    return value


def _signed(sign: str, value: Fraction) -> Fraction:
    return -value if sign == "-" else value


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")
