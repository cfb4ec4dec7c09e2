"""What is shown: an enclosure with exact ends, printed in decimal and rounded outward to the last digit.

Printing uses integers only. An end is m 2^e or a fraction; its leading digits come from an exact quotient where the numbers are small, and from
a proved integer bracket of the power of ten where the exponent is large. The lower end is rounded down and the upper end up, so the printed pair
encloses too; a positive upper end is never printed as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mpmath.libmp import finf, fninf, from_int, mpf_abs, mpf_le, mpf_lt, mpf_mul, mpf_sub

from certify.errors import CertifyError
from certify.kernel.elementary import Point, raised_quotient
from certify.kernel.interval import Interval

_EXACT_EXPONENT = 20_000
_LARGEST_RATIONAL = 1 << 26
_SHORT = 20
_CHUNK = 1000
# log10(2) to 26 digits: the decimal place of 2^e is estimated to within one for any exponent that occurs.
_LOG10_TWO = (30102999566398119521373889, 10**26)


@dataclass(frozen=True)
class Enclosure:
    """A closed interval that contains the true value: exact ends, and why an end is infinite where one is.

    ``lower`` and ``upper`` are the exact rational ends; ``text(digits)`` is the outward-rounded decimal pair.
    """

    low: Point
    high: Point
    reason: str | None = None

    @classmethod
    def of(cls, value: Interval, reason: str | None = None) -> Enclosure:
        """The enclosure that an interval holds."""
        low, high = value.points()
        return cls(low, high, reason)

    @property
    def lower(self) -> Fraction:
        """The lower end, exactly."""
        return _rational(self.low)

    @property
    def upper(self) -> Fraction:
        """The upper end, exactly."""
        return _rational(self.high)

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are finite."""
        return self.low != fninf and self.high != finf

    def is_tight(self, digits: int) -> bool:
        """Whether the width is at most half of 10^(1-digits) times the lesser end in size."""
        if self.low == self.high:
            return True
        if isinstance(self.low, Fraction) or isinstance(self.high, Fraction):
            if not self.is_bounded:
                return False
            return (self.upper - self.lower) * 2 * 10 ** (digits - 1) <= min(abs(self.lower), abs(self.upper))
        if not self.is_bounded:
            return False
        width = mpf_mul(mpf_sub(self.high, self.low), from_int(2 * 10 ** (digits - 1)))
        low, high = mpf_abs(self.low), mpf_abs(self.high)
        return bool(mpf_le(width, low if mpf_lt(low, high) else high))

    def text(self, digits: int = 12) -> tuple[str, str]:
        """The two ends in decimal, rounded outward; ``digits`` of relative accuracy, short decimals and integers in full."""
        return rounded_down(self.low, digits + 1), rounded_up(self.high, digits + 1)


def rounded_down(x: Point, digits: int) -> str:
    """The largest decimal of ``digits`` significant digits that is at most x."""
    return _decimal(x, digits, up=False)


def rounded_up(x: Point, digits: int) -> str:
    """The least decimal of ``digits`` significant digits that is at least x."""
    return _decimal(x, digits, up=True)


def int_to_text(n: int) -> str:
    """The decimal digits of an integer of any size, without the interpreter's limit on int-to-str conversion."""
    if n < 0:
        return "-" + int_to_text(-n)
    if n.bit_length() <= 3 * _CHUNK:
        return str(n)
    half = _decimal_places(n.bit_length()) // 2
    head, tail = divmod(n, 10**half)
    return int_to_text(head) + int_to_text(tail).rjust(half, "0")


def _rational(x: Point) -> Fraction:
    if isinstance(x, Fraction):
        return x
    sign, mantissa, exponent, _ = x
    if x in (finf, fninf):
        raise CertifyError("this end is infinite and has no rational value")
    if abs(exponent) > _LARGEST_RATIONAL:
        raise CertifyError(
            f"this end, near 2^{exponent}, is too large or too small to be written out as a fraction; use text()"
        )
    signed = -int(mantissa) if sign else int(mantissa)
    return Fraction(signed << exponent) if exponent >= 0 else Fraction(signed, 1 << -exponent)


def _decimal(x: Point, digits: int, *, up: bool) -> str:
    if x == finf or x == fninf:
        return "inf" if x == finf else "-inf"
    if isinstance(x, Fraction):
        numerator, denominator, exponent = x.numerator, x.denominator, 0
    else:
        numerator, denominator, exponent = -int(x[1]) if x[0] else int(x[1]), 1, int(x[2])
    if numerator == 0:
        return "0"
    negative = numerator < 0
    if abs(exponent) <= _EXACT_EXPONENT:
        numerator, denominator = abs(numerator) << max(exponent, 0), denominator << max(-exponent, 0)
        whole, power = _leading(numerator, denominator, digits, up=up is not negative)
    else:
        whole, power = _leading_far(abs(numerator), exponent, digits, up=up is not negative)
    return ("-" if negative else "") + _written(whole, power)


def _leading(n: int, d: int, digits: int, *, up: bool) -> tuple[int, int]:
    """Integers w, k with w 10^k the rounding of n/d to ``digits`` digits, or n/d itself where it is a short decimal."""
    short = _short_decimal(n, d, max(digits, _SHORT))
    if short is not None:
        return short
    place = _decimal_places(n.bit_length() - d.bit_length()) - digits - 1
    scaled_n, scaled_d = (n * 10**-place, d) if place < 0 else (n, d * 10**place)
    whole = raised_quotient(scaled_n, scaled_d) if up else scaled_n // scaled_d
    return _cut(whole, place, digits, up=up)


def _decimal_places(bits: int) -> int:
    """The floor of bits * log10(2), to within one."""
    return bits * _LOG10_TWO[0] // _LOG10_TWO[1]


def _cut(whole: int, place: int, digits: int, *, up: bool) -> tuple[int, int]:
    """whole * 10^place rounded in the given direction to ``digits`` digits."""
    excess = len(int_to_text(whole)) - digits
    if excess <= 0:
        return whole, place
    step = 10**excess
    return (raised_quotient(whole, step) if up else whole // step), place + excess


def _short_decimal(n: int, d: int, digits: int) -> tuple[int, int] | None:
    """w, k with n/d = w 10^k where w has at most ``digits`` digits, else None."""
    if d.bit_length() > 4 * digits + 16 * _SHORT:
        return None
    twos = (d & -d).bit_length() - 1
    rest, fives = d >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return None
    shift = max(twos, fives)
    whole, place = n * 2 ** (shift - twos) * 5 ** (shift - fives), -shift
    if whole.bit_length() > 40_000:
        return None
    text = int_to_text(whole)
    zeros = len(text) - len(text.rstrip("0"))
    return (whole // 10**zeros, place + zeros) if len(text) - zeros <= digits else None


def _leading_far(m: int, exponent: int, digits: int, *, up: bool) -> tuple[int, int]:
    """As ``_leading`` for m 2^exponent with a large exponent, through a bracket of 10^|place|."""
    bits = 4 * digits + 64 + abs(exponent).bit_length()
    place = _decimal_places(m.bit_length() + exponent) - digits - 4
    low, high, shift = _power_of_ten(abs(place), bits)
    # low 2^shift <= 10^|place| <= high 2^shift; the value wanted is m 2^exponent / 10^place.
    if place >= 0:
        top, bottom = (m, low if up else high), exponent - shift
        n, d = top
    else:
        n, d, bottom = m * (high if up else low), 1, exponent + shift
    n, d = (n << bottom, d) if bottom >= 0 else (n, d << -bottom)
    whole = raised_quotient(n, d) if up else n // d
    return _cut(whole, place, digits, up=up)


def _power_of_ten(k: int, bits: int) -> tuple[int, int, int]:
    """low, high, shift with low 2^shift <= 10^k <= high 2^shift, by repeated squaring with both ends cut outward."""
    low = high = 1
    shift = 0
    for digit in bin(k)[2:]:
        low, high, shift = low * low, high * high, 2 * shift
        if digit == "1":
            low, high = 10 * low, 10 * high
        excess = max(0, low.bit_length() - bits)
        low, high, shift = low >> excess, -(-high >> excess), shift + excess
    return low, high, shift


def _written(whole: int, place: int) -> str:
    """whole * 10^place in plain form near 1, else with an exponent; trailing zeros dropped."""
    text = int_to_text(whole)
    stripped = text.rstrip("0")
    place += len(text) - len(stripped)
    text = stripped
    leading = len(text) + place - 1
    if place >= 0 and leading < _SHORT:
        return text + "0" * place
    if -5 <= leading < 0:
        return "0." + "0" * (-leading - 1) + text
    if leading >= 0 and place < 0:
        return text[: leading + 1] + "." + text[leading + 1 :]
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{mantissa}e{leading}"


def fraction_text(x: Fraction) -> str:
    """A rational in full: a short decimal where it is one, else numerator/denominator."""
    short = _short_decimal(abs(x.numerator), x.denominator, _SHORT)
    if x == 0 or short is None:
        tail = "" if x.denominator == 1 else "/" + int_to_text(x.denominator)
        return int_to_text(x.numerator) + tail
    return ("-" if x < 0 else "") + _written(*short)
