"""Guesses at tails in double precision, on a logarithmic scale so that nothing underflows."""

from __future__ import annotations

import math

_LOG_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)
_DEPTH = 80
_MOST_TERMS = 10_000


def log_q1(t: float) -> float:
    """log Q1(t) for t >= 0: the closed form for small t, Laplace's continued fraction beyond."""
    log_density = -t * t / 2 - _LOG_ROOT_TWO_PI
    if t < 2:
        return math.log(math.exp(log_density) - t * math.erfc(t / math.sqrt(2)) / 2)
    fraction = t
    for k in range(_DEPTH, 1, -1):
        fraction = t + k / fraction
    return log_density - math.log(t * fraction + 1)


def log_chi_tail(dimension: int, ratio: float) -> float:
    """The logarithm of the chi tail bound (T3) at r/sigma = ratio."""
    half = (dimension + 1) // 2
    y, last = ratio * ratio / 2, half - 1
    shortfall = max(0.0, ratio - math.sqrt(dimension))
    plain = -shortfall * shortfall / 2
    if y <= last:
        return plain
    if half > _MOST_TERMS:
        exponent = last * math.log(y / last) - (y - last) - 1 / (12 * last + 1)
        return min(plain, exponent - 0.5 * math.log(2 * math.pi * last) - math.log(1 - last / y))
    total = term = 1.0
    for j in range(last, 0, -1):
        term *= j / y
        total += term
        if term < 1e-17 * total:
            break
    lead = last * math.log(y) - y - math.lgamma(half) if last else -y
    return min(plain, lead + math.log(total), 0.0)
