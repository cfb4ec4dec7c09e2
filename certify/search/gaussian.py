"""Guesses for the Gaussian mechanism: the ratio mu at which the profile meets delta, and the tight epsilon.

The profile is phi(a) (M(a) - M(b)) with a = epsilon/mu - mu/2, b = a + mu and M the Mills ratio. A guess in doubles
bisects on a, which is of ordinary size whatever epsilon and mu are; then Newton steps on the kernel's midpoints, with
d delta/d mu = phi(a) and d delta/d epsilon = -phi(a) M(b).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from certify.kernel.enclosure import Enclosure
from certify.kernel.ends import magnitude
from certify.kernel.interval import Interval, Intervals
from certify.statements.gaussian import density, profile

_LOG_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)
_MOST_BITS = 1 << 13
_STEPS = 24
_CLAMP = 16
_NEGLIGIBLE = 40
_MOST_MAGNITUDE = 1 << 17


def ratio_for(epsilon: Fraction, delta: Fraction, digits: int) -> Fraction:
    """A guess at the mu > 0 with delta(epsilon; mu) = delta, to ``digits`` digits."""
    bits = _bits(digits) - min(0, _lead(1 - delta))
    start = _start_ratio(epsilon, delta, Intervals(min(bits, _MOST_BITS)))
    bits += 2 * max(0, _lead(start))
    if bits > _MOST_BITS:
        return start
    R = Intervals(bits)

    def step(guess: Fraction) -> Fraction | None:
        mu = R(guess)
        slope = density(R, R(epsilon) / mu - mu / 2)
        return _log_step(R, profile(R, R(epsilon), mu), R(delta), slope)

    return _newton(start, step, digits)


def epsilon_for(delta: Fraction, ratio: Fraction, digits: int) -> Fraction:
    """A guess at the epsilon > 0 with delta(epsilon; ratio) = delta, to ``digits`` digits."""
    start = _start_epsilon(delta, ratio)
    lost = 2 * max(0, _lead(ratio)) + 2 * max(0, min(0, _lead(ratio)) - _lead(start))
    bits = _bits(digits) - min(0, _lead(1 - delta)) + lost
    if bits > _MOST_BITS:
        return start
    R = Intervals(bits)

    def step(guess: Fraction) -> Fraction | None:
        epsilon, mu = R(guess), R(ratio)
        slope = -(density(R, epsilon / mu - mu / 2) * R.mills(epsilon / mu + mu / 2))
        return _log_step(R, profile(R, epsilon, mu), R(delta), slope)

    return _newton(start, step, digits)


def _start_ratio(epsilon: Fraction, delta: Fraction, R: Intervals) -> Fraction:
    """mu from a guessed a: mu = 2 epsilon/(a + sqrt(a^2 + 2 epsilon)); from Q(mu/2) = (1 - delta)/2 at epsilon = 0.

    The latter serves too where epsilon is negligible beside delta.
    """
    if epsilon == 0 or _lead(epsilon) < min(_lead(delta), 0) - _NEGLIGIBLE:
        return midpoint(2 * R.upper_quantile(R((1 - delta) / 2))) or Fraction(1)
    log_epsilon, root = _log(epsilon), 2 * _bounded_float(epsilon)

    def log_ratio(a: float) -> float:
        sum_of_sides = abs(a) + math.hypot(a, math.sqrt(root))
        if sum_of_sides == 0:
            return (math.log(2) + log_epsilon) / 2
        return math.log(2) + log_epsilon - math.log(sum_of_sides) if a > 0 else math.log(sum_of_sides)

    a = R(Fraction(_bisected(delta, log_ratio)))
    far = R.sqrt(a**2 + 2 * R(epsilon))
    return midpoint(2 * R(epsilon) / (a + far) if (a.exact or 0) > 0 else far - a) or Fraction(1)


def _start_epsilon(delta: Fraction, ratio: Fraction) -> Fraction:
    """epsilon = mu (a + mu/2) from a guessed a; near 0, where that cancels, from the slope -Q(mu/2) there."""
    log_mu = _log(ratio)
    guess = ratio * (Fraction(_bisected(delta, lambda _: log_mu)) + ratio / 2)
    if guess > min(ratio, ratio**2) / 10**6:
        return guess
    R = Intervals(512)
    near = midpoint((profile(R, R(0), R(ratio)) - R(delta)) / R.upper_tail(R(ratio) / 2))
    return near if near is not None and near > 0 else abs(guess) or Fraction(1)


def _bisected(delta: Fraction, log_ratio: Callable[[float], float]) -> float:
    """The a at which the profile is about delta, where log mu is a function of a; the profile falls in a."""
    mostly = 2 * delta > 1
    target = _log(1 - delta) if mostly else _log(delta)
    low, high = -690.0, 690.0
    for _ in range(90):
        middle = (low + high) / 2
        a = math.sinh(middle)
        log_mu = log_ratio(a)
        far = a + math.exp(min(log_mu, 690.0))
        over = log_complement(a, far) < target if mostly else log_profile(a, far, log_mu) > target
        low, high = (middle, high) if over else (low, middle)
    return math.sinh(low)


def _newton(guess: Fraction, step: Callable[[Fraction], Fraction | None], digits: int) -> Fraction:
    """Newton steps from a guess until they fall below the digits wanted."""
    for _ in range(_STEPS):
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


def _lead(x: Fraction) -> int:
    """About log2 |x|, for x != 0."""
    return x.numerator.bit_length() - x.denominator.bit_length()


def _log_step(R: Intervals, value: Interval, target: Interval, slope: Interval) -> Fraction | None:
    """The Newton step for log value = log target, or in the logarithms of what is missing to 1 where that is less.

    None where the precision does not carry it.
    """
    if target.exact is not None and 2 * target.exact > 1:
        value, target, slope = 1 - value, 1 - target, -slope
    return midpoint(-(R.log(value / target) * value / slope))


def midpoint(x: Interval) -> Fraction | None:
    """A rational near the middle of an interval, None where an end is infinite or beyond what a claim file may hold."""
    if any(abs(magnitude(end)) > _MOST_MAGNITUDE for end in x.points()):
        return None
    enclosure = Enclosure.of(x)
    return (enclosure.lower + enclosure.upper) / 2 if enclosure.is_bounded else None


def _moved(guess: Fraction, step: Fraction, digits: int) -> Fraction:
    """guess + step, kept within a factor of the guess and cut to a few digits more than are wanted."""
    moved = min(max(guess + step, guess / _CLAMP), guess * _CLAMP)
    bits = digits * 10 // 3 + 20
    exponent = bits - (moved.numerator.bit_length() - moved.denominator.bit_length())
    return Fraction(math.floor(moved * Fraction(2) ** exponent)) / Fraction(2) ** exponent


def _log(x: Fraction) -> float:
    """log x for a positive rational of any size."""
    return math.log(x.numerator) - math.log(x.denominator)


def _bounded_float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return 1e300


def log_profile(near: float, far: float, log_mu: float) -> float:
    """log of phi(a) (M(a) - M(b)) in doubles, with a = near, b = far and log(b - a), good to a few digits."""
    if near < -8.0:
        return math.log1p(-math.exp(min(log_complement(near, far), -1e-16)))
    if log_mu + math.log1p(abs(near)) < math.log(1e-4):
        bend = 1 - near * float_mills(near) if near < 1e3 else 1 / (near * near + 3)
        return _log_density(near) + log_mu + math.log(max(bend, 1e-300))
    gap = float_mills(near) - float_mills(far)
    return _log_density(near) + math.log(gap) if gap > 0 else -math.inf


def log_complement(near: float, far: float) -> float:
    """log(1 - delta) in doubles, from 1 - delta = Q(-a) + phi(a) M(b)."""
    first, second = log_tail(-near), _log_density(near) + math.log(float_mills(far))
    top = min(max(first, second), 0.0)
    return top + math.log1p(math.exp(-abs(first - second))) if abs(first - second) < 700 else top


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
    if t > 1e150:
        return 1e-150
    fraction = t
    for k in range(60, 0, -1):
        fraction = t + k / fraction
    return 1 / fraction
