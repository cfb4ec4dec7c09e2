"""Guesses for the finite-support bound (R4): two levels nu that enclose the best one.

The slope 1 - sum of Phi(x_i) rises in nu. It is halved in log nu with doubles, then refined by Newton steps on the
kernel's midpoints; where it jumps, at a candidate of distance 0, the jump itself is the guess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import log_tail, midpoint, widened
from certify.statements.gaussian import density
from certify.statements.support import Candidates, support_slope

Group = tuple[int, Fraction, Fraction]
_NEAR = 1e-9
_FLOAT_DIGITS = 12


def levels_for(groups: Sequence[Group], digits: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Brackets of a best level for groups (count, distance, weight), the cheapest first."""
    guess = _float_level(groups)
    near = [weight for _, distance, weight in groups if distance == 0 and abs(_log(weight / guess)) < _NEAR]
    if near:
        yield widened(near[0], digits + 4)
    else:
        wanted = digits // 2 + 6
        yield widened(guess if wanted <= _FLOAT_DIGITS else _refined(groups, guess, wanted + 2), wanted)
    yield _halved(groups, guess / 4, 4 * guess, digits)


def largest_first(groups: Sequence[Group]) -> tuple[Group, ...]:
    """The groups, that with the largest x_i at the guessed level first."""
    log_level = _log(_float_level(groups))
    return tuple(sorted(groups, key=lambda group: -_threshold(float(group[1]), _log(group[2]) - log_level)))


def _halved(groups: Sequence[Group], lower: Fraction, upper: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """A bracket of relative width 10^-(digits + 4) by halving with the kernel's slope: slow, but good at any
    steepness."""
    bits = 8 * digits + 128
    R = Intervals(bits)
    support = _held(R, groups)
    while upper - lower > lower / 10 ** (digits + 4):
        middle = _cut((lower + upper) / 2, bits)
        slope = midpoint(support_slope(R, support, R(middle)))
        lower, upper = (middle, upper) if slope is not None and slope < 0 else (lower, middle)
    return lower, upper


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
        if _falls([(count, _threshold(distance, log_weight - middle)) for count, distance, log_weight in terms]):
            low = middle
        else:
            high = middle
    exponent = round(high / math.log(2))
    return Fraction(math.exp(high - exponent * math.log(2))) * Fraction(2) ** exponent


def _threshold(distance: float, log_ratio: float) -> float:
    """x of one term, infinite at distance 0."""
    if distance == 0:
        return math.inf if log_ratio > 0 else -math.inf
    return (log_ratio - distance * distance / 2) / distance


def _falls(terms: Sequence[tuple[int, float]]) -> bool:
    """Whether the slope Q(x) - sum of Phi over all but one of the candidates with the largest x is negative, by
    logarithms."""
    place = max(range(len(terms)), key=lambda index: terms[index][1])
    count, top = terms[place]
    others = [*terms[:place], (count - 1, top), *terms[place + 1 :]]
    logs = [math.log(count) + _log_tail(-x) for count, x in others if count > 0]
    most = max(logs, default=-math.inf)
    if most == -math.inf:
        return False
    return most + math.log(sum(math.exp(value - most) for value in logs)) > _log_tail(top)


def _log_tail(t: float) -> float:
    if math.isinf(t):
        return -math.inf if t > 0 else 0.0
    return log_tail(t)


def _refined(groups: Sequence[Group], guess: Fraction, digits: int) -> Fraction:
    """Newton steps on the slope; its derivative is sum of phi(x_i)/(a_i nu)."""
    level = guess
    bits = int(digits * 3.33) + 64
    for _ in range(digits.bit_length()):
        R = Intervals(bits)
        nu = R(level)
        support = _held(R, groups)
        step = midpoint(support_slope(R, support, nu) / _curvature(R, support, nu))
        if step is None or abs(step) > level / 2:
            return guess
        level = _cut(level - step, bits)
        if abs(step) <= level / 10 ** (digits + 1):
            break
    return level


def _held(R: Intervals, groups: Sequence[Group]) -> list[Candidates[Interval]]:
    return [Candidates(count, R(distance), R(weight)) for count, distance, weight in groups]


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
