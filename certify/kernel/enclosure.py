"""What is shown: an enclosure with exact ends, printed in decimal and rounded outward to the last digit.

Printing uses integers only: an end n 2^e / d is divided by a proved integer bracket of a power of ten. The lower end is
rounded down and the upper end up, so the printed pair encloses too; a positive upper end is never printed as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mpmath import libmp
from mpmath.libmp import finf, fninf

from certify.errors import CertifyError
from certify.kernel import ends as pairs
from certify.kernel.ends import Point, as_ends
from certify.kernel.interval import Interval

_LARGEST_RATIONAL = 1 << 26
_SHORT = 20
# Powers of ten of so many bits are exact: those of every number of the input grammar.
_TEN_BITS = 40_000
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
        return not (self.low == fninf or self.high == finf)

    def is_tight(self, digits: int) -> bool:
        """Whether the width is at most half of 10^(1-digits) times the lesser end in size."""
        if self.low == self.high:
            return True
        if not self.is_bounded:
            return False
        bits = 4 * digits + 64
        low, high = as_ends(self.low, bits)[0], as_ends(self.high, bits)[1]
        width = pairs.mul(pairs.sub((high, high), (low, low), bits), pairs.integer(2 * 10 ** (digits - 1)), bits)[1]
        return all(libmp.mpf_le(width, libmp.mpf_abs(end)) for end in (low, high))

    def text(self, digits: int = 12) -> tuple[str, str]:
        """The two ends in decimal, rounded outward to a digit more than asked; decimals of up to 20 digits in full."""
        return rounded_down(self.low, digits + 1), rounded_up(self.high, digits + 1)


def rounded_down(x: Point, digits: int) -> str:
    """A decimal of ``digits`` significant digits at most x, less than one unit of the last digit below it."""
    return _decimal(x, digits, up=False)


def rounded_up(x: Point, digits: int) -> str:
    """A decimal of ``digits`` significant digits at least x, less than one unit of the last digit above it."""
    return _decimal(x, digits, up=True)


def int_to_text(n: int) -> str:
    """The decimal digits of an integer of any size, without the interpreter's limit on int-to-str conversion."""
    if n < 0:
        return "-" + int_to_text(-n)
    if n.bit_length() <= 3000:
        return str(n)
    half = _decimal_places(n.bit_length()) // 2
    head, tail = divmod(n, 10**half)
    return int_to_text(head) + int_to_text(tail).rjust(half, "0")


def _rational(x: Point) -> Fraction:
    if isinstance(x, Fraction):
        return x
    if x in (finf, fninf):
        raise CertifyError("this end is infinite and has no rational value")
    sign, mantissa, exponent, _ = x
    if abs(exponent) > _LARGEST_RATIONAL:
        raise CertifyError(
            f"this end, near 2^{exponent}, is too large or too small to be written out as a fraction; use text()"
        )
    signed = -int(mantissa) if sign else int(mantissa)
    return Fraction(signed << max(exponent, 0), 1 << max(-exponent, 0))


def _decimal(x: Point, digits: int, *, up: bool) -> str:
    """x in decimal, rounded up or down to ``digits`` digits, or in full where it has at most 20."""
    if x in (finf, fninf):
        return "inf" if x == finf else "-inf"
    n, d, e = (x.numerator, x.denominator, 0) if isinstance(x, Fraction) else ((-1) ** x[0] * int(x[1]), 1, x[2])
    if n < 0:
        return "-" + _decimal(pairs.opposite(x), digits, up=not up)
    if n == 0:
        return "0"
    kept = max(digits, _SHORT)
    place = _decimal_places(n.bit_length() - d.bit_length() + e) - kept - 2
    low, high, shift = _power_of_ten(abs(place), _TEN_BITS + 4 * digits)
    # x / 10^place, as n 2^e / d from here on, below it or above it as asked.
    if place >= 0:
        d, e = d * (low if up else high), e - shift
    else:
        n, e = n * (high if up else low), e + shift
    whole, rest = divmod(n << max(e, 0), d << max(-e, 0))
    text = int_to_text(whole)
    if rest == 0 and low == high and len(text.rstrip("0")) <= kept:
        return _written(text, place)
    excess = len(text) - digits
    return _written(int_to_text(whole // 10**excess + up), place + excess)


def _decimal_places(bits: int) -> int:
    """The floor of bits * log10(2), to within one."""
    return bits * _LOG10_TWO[0] // _LOG10_TWO[1]


def _power_of_ten(k: int, bits: int) -> tuple[int, int, int]:
    """low, high, shift with low 2^shift <= 10^k <= high 2^shift, by repeated squaring with both ends cut outward."""
    low = high = 1
    shift = 0
    for digit in bin(k)[2:]:
        low, high, shift = low * low, high * high, 2 * shift
        if digit == "1":
            low, high = 10 * low, 10 * high
        excess = max(0, low.bit_length() - bits)
        low, high, shift = low >> excess, pairs.raised_quotient(high, 1 << excess), shift + excess
    return low, high, shift


def _written(text: str, place: int) -> str:
    """The digits times 10^place in plain form near 1, else with an exponent; trailing zeros dropped."""
    digits = text.rstrip("0")
    place += len(text) - len(digits)
    leading = len(digits) + place - 1
    if place >= 0 and leading < _SHORT:
        return digits + "0" * place
    if -5 <= leading < 0:
        return "0." + "0" * (-leading - 1) + digits
    if place < 0 <= leading:
        return digits[: leading + 1] + "." + digits[leading + 1 :]
    return digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{leading}"
