"""How a printed figure was cut, and whether it is safe: exact comparisons of rationals with the ends of an enclosure.

For a true value x, a printed number p and its unit h, one in the last digit:
  nearest  |x - p| <= h/2 (at a tie both neighbours are nearest),
  up       p - h < x <= p,
  down     p <= x < p + h;
"exact" where all hold, which means x = p, and "none" where none does. As an upper bound p is safe if x <= p; as a lower
bound, a floor or evidence of failure it is safe if p <= x. Each is the membership of x in an interval with rational
ends, decided where the whole enclosure of x lies inside it or outside it; the digits are doubled until all are decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.kernel.enclosure import Enclosure
from certify.reproduce.figure import Bound, Classification, Figure, Role, Source, Word, printed_value

FIRST_DIGITS = 12
MAX_DIGITS = 384


@dataclass(frozen=True)
class Judged:
    """A figure with the enclosure of its true value and the classification that it proves."""

    figure: Figure
    enclosure: Enclosure
    found: Classification

    @property
    def agrees(self) -> bool:
        """Whether the value is enclosed and classified as recorded."""
        return self.enclosure.is_bounded and self.found == self.figure.recorded


def judged(figure: Figure) -> Judged:
    """Enclose the true value of a figure and classify the figure."""
    enclosure, found = classified(figure.printed, figure.role, figure.source)
    return Judged(figure, enclosure, found)


def classified(printed: str, role: Role, source: Source) -> tuple[Enclosure, Classification]:
    """The classification of a printed number, with the first enclosure that decides all of it, or the last tried."""
    value, unit = printed_value(printed)
    digits = FIRST_DIGITS
    while True:
        enclosure = source(digits)
        found = classification(enclosure, value, unit, role)
        if "undecided" not in (*found.cut, found.bound) or not enclosure.is_bounded or digits >= MAX_DIGITS:
            return enclosure, found
        digits *= 2


def classification(enclosure: Enclosure, printed: Fraction, unit: Fraction, role: Role) -> Classification:
    """What one enclosure proves of a printed number; "undecided" for what it leaves open."""
    if not enclosure.is_bounded:
        return Classification(("undecided",), "undecided")
    low, high = enclosure.lower, enclosure.upper
    return Classification(_cut(low, high, printed, unit), _bound(low, high, printed, role))


def _cut(low: Fraction, high: Fraction, printed: Fraction, unit: Fraction) -> tuple[Word, ...]:
    if low == high == printed:
        return ("exact",)
    at_most, at_least = _decided(high <= printed, printed < low), _decided(printed <= low, high < printed)
    near = _decided(abs(low - printed) <= unit / 2 >= abs(high - printed), not _meets(low, high, printed, unit / 2))
    tests: dict[Word, bool | None] = {
        "nearest": near,
        "up": _both(at_most, _decided(printed - unit < low, high <= printed - unit)),
        "down": _both(at_least, _decided(high < printed + unit, printed + unit <= low)),
    }
    if None in tests.values():
        return ("undecided",)
    return tuple(word for word, holds in tests.items() if holds) or ("none",)


def _bound(low: Fraction, high: Fraction, printed: Fraction, role: Role) -> Bound:
    if role == "plain value":
        return "n/a"
    if role == "upper bound":
        low, high, printed = -high, -low, -printed
    if printed <= low:
        return "safe"
    return "unsafe" if high < printed else "undecided"


def _decided(proved: bool, disproved: bool) -> bool | None:
    """True, False, or None where neither is shown."""
    return True if proved else False if disproved else None


def _both(first: bool | None, second: bool | None) -> bool | None:
    """Whether two statements hold together."""
    return _decided(first is second is True, first is False or second is False)


def _meets(low: Fraction, high: Fraction, middle: Fraction, distance: Fraction) -> bool:
    """Whether some point of [low, high] is within ``distance`` of ``middle``."""
    return low <= middle + distance and middle - distance <= high
