"""Guesses for the Gaussian mechanism: the ratio mu at which the profile meets delta, and the tight epsilon.

A double-precision guess from the logarithm of the profile, then Newton steps on the kernel's midpoints at the
precision asked for:
d delta/d mu = phi(a) and d delta/d epsilon = -phi(a) M(a + mu), with a = epsilon/mu - mu/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from certify.errors import CertifyError
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.statements.gaussian import density, profile

_LOG_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)


def ratio_for(epsilon: Fraction, delta: Fraction, digits: int) -> Fraction:
    """A guess at the mu > 0 with delta(epsilon; mu) = delta, to ``digits`` digits."""
    start = Fraction(_float_ratio(epsilon, delta))
    R = Intervals(_bits(digits) + _bits_of(start) + _bits_of(1 - delta))

    def step(guess: Fraction) -> Fraction | None:
        mu = R(guess)
        slope = density(R, R(epsilon) / mu - mu / 2)
        value, target = profile(R, R(epsilon), mu), R(delta)
        if 2 * delta > 1:
            value, target, slope = 1 - value, 1 - target, -slope
        return _log_step(R, value, target, slope)

    return _newton(start, step, digits)


def epsilon_for(delta: Fraction, ratio: Fraction, digits: int) -> Fraction:
    """A guess at the epsilon > 0 with delta(epsilon; ratio) = delta, to ``digits`` digits."""
    start = Fraction(_float_epsilon(delta, ratio))
    R = Intervals(_bits(digits) + _bits_of(ratio) + _bits_of(start))

    def step(guess: Fraction) -> Fraction | None:
        epsilon, mu = R(guess), R(ratio)
        slope = -(density(R, epsilon / mu - mu / 2) * R.mills(epsilon / mu + mu / 2))
        return _log_step(R, profile(R, epsilon, mu), R(delta), slope)

    return _newton(start, step, digits)


def _newton(guess: Fraction, step: Callable[[Fraction], Fraction | None], digits: int) -> Fraction:
    """Newton steps from a guess until they fall below the digits wanted; their number grows with log digits."""
    for _ in range(digits.bit_length() + 6):
        change = step(guess)
        if change is None:
            break
        guess = _moved(guess, change, digits)
        if abs(change) <= abs(guess) * Fraction(1, 10 ** (digits + 2)):
            break
    return guess


def widened(guess: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Two short rationals just below and just above a positive guess, a relative 10^-digits apart."""
    bits = digits * 10 // 3 + 7
    exponent = bits - (guess.numerator.bit_length() - guess.denominator.bit_length())
    scaled = guess * Fraction(2) ** exponent
    below, above = math.floor(scaled) - 1, math.ceil(scaled) + 1
    return Fraction(below) / Fraction(2) ** exponent, Fraction(above) / Fraction(2) ** exponent


def _bits(digits: int) -> int:
    """Bits for so many digits, and some to spare."""
    return digits * 10 // 3 + 48


def _bits_of(x: Fraction) -> int:
    return 2 * abs(x.numerator.bit_length() - x.denominator.bit_length())


def _log_step(R: Intervals, value: Interval, target: Interval, slope: Interval) -> Fraction | None:
    """The Newton step for log(value) = log(target), or None where the precision does not carry it."""
    return midpoint(-(R.log(value / target) * value / slope))


def midpoint(x: Interval) -> Fraction | None:
    """A rational near the middle of an interval, None where an end is infinite or too large to be written out."""
    enclosure = Enclosure.of(x)
    try:
        return (enclosure.lower + enclosure.upper) / 2
    except CertifyError:
        return None


def _moved(guess: Fraction, step: Fraction, digits: int) -> Fraction:
    """guess + step, kept within a factor of two of the guess and cut to a few digits more than are wanted."""
    moved = min(max(guess + step, guess / 2), guess * 2)
    bits = digits * 10 // 3 + 20
    exponent = bits - (moved.numerator.bit_length() - moved.denominator.bit_length())
    return Fraction(math.floor(moved * Fraction(2) ** exponent)) / Fraction(2) ** exponent


def _log(x: Fraction) -> float:
    """log x for a positive rational of any size."""
    return math.log(x.numerator) - math.log(x.denominator)


def _float_ratio(epsilon: Fraction, delta: Fraction) -> float:
    mostly = 2 * delta > 1
    target = _log(1 - delta) if mostly else _log(delta)
    eps = _bounded_float(epsilon)
    low, high = -800.0, 800.0
    for _ in range(80):
        middle = (low + high) / 2
        mu = math.exp(max(-700.0, min(700.0, middle)))
        if (log_complement(eps, mu) > target) if mostly else (log_profile(eps, mu) < target):
            low = middle
        else:
            high = middle
    return math.exp(max(-700.0, min(700.0, low)))


def _float_epsilon(delta: Fraction, ratio: Fraction) -> float:
    target = _log(delta)
    mu = _bounded_float(ratio)
    low, high = -800.0, 700.0
    for _ in range(80):
        middle = (low + high) / 2
        if log_profile(math.exp(middle), mu) > target:
            low = middle
        else:
            high = middle
    return math.exp(low)


def _bounded_float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return 1e300


def log_profile(epsilon: float, mu: float) -> float:
    """log delta(epsilon; mu) in doubles, good to a few digits wherever it is finite."""
    if mu <= 0.0:
        return -math.inf
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if near < -8.0:
        return math.log1p(-math.exp(min(log_complement(epsilon, mu), -1e-16)))
    if mu * (1 + abs(near)) < 1e-4:
        middle = (near + far) / 2
        return _log_density(near) + math.log(mu) + math.log(max(1 - middle * float_mills(middle), 1e-300))
    gap = float_mills(near) - float_mills(far)
    return _log_density(near) + math.log(gap) if gap > 0 else -math.inf


def log_complement(epsilon: float, mu: float) -> float:
    """log(1 - delta(epsilon; mu)) in doubles, from 1 - delta = Q(-a) + e^epsilon Q(a + mu)."""
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    first, second = log_tail(-near), min(0.0, log_tail(far) + epsilon)
    return max(first, second) + math.log1p(math.exp(-abs(first - second)))


def _log_density(t: float) -> float:
    return -t * t / 2 - _LOG_ROOT_TWO_PI if abs(t) < 1e150 else -math.inf


def float_tail(t: float) -> float:
    """Q(t) in doubles."""
    return 0.5 * math.erfc(t / math.sqrt(2))


def log_tail(t: float) -> float:
    """log Q(t) in doubles, without underflow."""
    return math.log(float_tail(t)) if t < 8 else _log_density(t) + math.log(float_mills(t))


def float_mills(t: float) -> float:
    """Q(t)/phi(t) in doubles."""
    if t < 8:
        return float_tail(t) * math.exp(min(t * t / 2 + _LOG_ROOT_TWO_PI, 700.0))
    fraction = t
    for k in range(60, 0, -1):
        fraction = t + k / fraction
    return 1 / fraction
