"""Guesses for the finite-support bound (R4): two levels nu that enclose the best one.

The slope 1 - sum of Phi(x_i) rises in nu. It is halved in log nu with doubles, then refined by Newton steps on the
kernel's midpoints; where it jumps, at a candidate of distance 0, the jump itself is the guess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import float_tail, midpoint, widened
from certify.statements.gaussian import density
from certify.statements.support import Candidates, support_slope

Group = tuple[int, Fraction, Fraction]
_NEAR = 1e-9


def levels_for(groups: Sequence[Group], digits: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Brackets of the best level for groups (count, distance, weight), the closest first, and the digits each is good
    for."""
    guess = _float_level(groups)
    near = [weight for _, distance, weight in groups if distance == 0 and abs(_log(weight / guess)) < _NEAR]
    if near:
        yield *widened(near[0], digits + 4), digits
    else:
        wanted = digits // 2 + 8
        yield *widened(_refined(groups, guess, wanted), wanted - 2), digits
    for coarse in (14, 10, 6):
        yield *widened(guess, coarse), min(digits, coarse - 2)
    yield guess / 4, guess * 4, 1


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


def _float_level(groups: Sequence[Group]) -> Fraction:
    """The level in doubles, good to about 14 digits where the slope is smooth: at x_i = +-10 it has the sign of the
    end."""
    terms = [(count, float(distance), _log(weight)) for count, distance, weight in groups]
    low = min(log_weight - distance * (distance / 2 + 10) for _, distance, log_weight in terms) - 1
    high = max(log_weight - distance * (distance / 2 - 10) for _, distance, log_weight in terms) + 1
    for _ in range(100):
        middle = (low + high) / 2
        if sum(count * _share(distance, log_weight - middle) for count, distance, log_weight in terms) > 1:
            low = middle
        else:
            high = middle
    exponent = round(high / math.log(2))
    return Fraction(math.exp(high - exponent * math.log(2))) * Fraction(2) ** exponent


def _share(distance: float, log_ratio: float) -> float:
    if distance == 0:
        return 1.0 if log_ratio > 0 else 0.0
    return float_tail(-(log_ratio - distance * distance / 2) / distance)


def _refined(groups: Sequence[Group], guess: Fraction, digits: int) -> Fraction:
    """Newton steps on the slope; its derivative is sum of phi(x_i)/(a_i nu)."""
    level = guess
    bits = int(digits * 3.33) + 64
    for _ in range(digits.bit_length()):
        R = Intervals(bits)
        nu = R(level)
        support = [Candidates(count, R(distance), R(weight)) for count, distance, weight in groups]
        step = midpoint(support_slope(R, support, nu) / _curvature(R, support, nu))
        if step is None or abs(step) > level / 2:
            return guess
        level = _cut(level - step, bits)
        if abs(step) <= level / 10 ** (digits + 1):
            break
    return level


def _curvature(R: Intervals, support: Sequence[Candidates[Interval]], level: Interval) -> Interval:
    total = R(0)
    for group in support:
        if group.distance.exact != 0:
            x = (R.log(group.weight / level) - group.distance**2 / 2) / group.distance
            total = total + group.count * density(R, x) / (group.distance * level)
    return total


def _cut(x: Fraction, bits: int) -> Fraction:
    """x > 0 to ``bits`` bits."""
    exponent = bits - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(math.floor(x * Fraction(2) ** exponent)) / Fraction(2) ** exponent
