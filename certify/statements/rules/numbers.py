"""Exact numbers as text: one form for each rational, and back."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

_SHORT = 20
_LONGEST = 30_000
MOST_EXPONENT = 20_000
"""Of a decimal; what is smaller or larger is printed as 0 to 1e-20000, or as 1e20000 to infinity."""
_WHOLE = re.compile(r"-?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"-?([0-9]+(?:\.[0-9]+)?)(?:e(-?[0-9]{1,6}))?", re.ASCII)


def exact_text(x: Fraction) -> str:
    """A rational in full: a decimal where it has at most 20 digits, else a whole number or a fraction."""
    short = _short_decimal(abs(x))
    if short is None:
        short = _digits(abs(x.numerator)) + ("" if x.denominator == 1 else "/" + _digits(x.denominator))
    return "-" + short if x < 0 else short


def exact_number(text: str) -> Fraction | None:
    """The rational whose ``exact_text`` this is, None where it is the text of none."""
    over, slash, under = text.partition("/")
    if len(text) > _LONGEST or (
        slash and not (_WHOLE.fullmatch(over) and _WHOLE.fullmatch(under) and under.strip("0"))
    ):
        return None
    x = Fraction(_whole(over), _whole(under)) if slash else _decimal_value(over)
    return x if x is not None and exact_text(x) == text else None


def decimal_number(text: str) -> Fraction | None:
    """The value of a decimal in this module's form, of any number of digits; None for any other text."""
    x = _decimal_value(text) if len(text) <= _LONGEST else None
    if x is None:
        return None
    _, digits, exponent = Decimal(text).as_tuple()
    shown = "".join(map(str, digits))
    kept = shown.rstrip("0") or "0"
    form = plain(kept, int(exponent) + len(shown) - len(kept) if x else 0)
    return x if text == ("-" + form if x < 0 else form) else None


def plain(digits: str, place: int) -> str:
    """The digits (no trailing zero) times 10^place: in plain form near 1, else with an exponent."""
    leading = len(digits) + place - 1
    if place >= 0 and leading < _SHORT:
        return digits + "0" * place
    if -5 <= leading < 0:
        return "0." + "0" * (-leading - 1) + digits
    if place < 0 <= leading:
        return digits[: leading + 1] + "." + digits[leading + 1 :]
    return digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{leading}"


def _decimal_value(text: str) -> Fraction | None:
    found = _DECIMAL.fullmatch(text)
    if found is None or abs(int(found[2] or 0)) > MOST_EXPONENT:
        return None
    return Fraction(Decimal(text))


def _digits(n: int) -> str:
    """The decimal digits of n >= 0; a Decimal has no limit on their number, where the interpreter's ``str`` has one."""
    return str(Decimal(n))


def _whole(text: str) -> int:
    return int(Decimal(text))


def _short_decimal(x: Fraction) -> str | None:
    """x >= 0 as a decimal of at most 20 digits; None where it is none."""
    d = x.denominator
    twos = (d & -d).bit_length() - 1
    rest = d >> twos
    fives = (rest.bit_length() - 1) * 1000 // 2322  # not above it, as log2(5) < 2.322
    while 5**fives < rest:
        fives += 1
    if 5**fives != rest:
        return None
    places = max(twos, fives)
    text = _digits(x.numerator * 10**places // d)
    digits = text.rstrip("0") or "0"
    return None if len(digits) > _SHORT else plain(digits, len(text) - len(digits) - places if x else 0)
