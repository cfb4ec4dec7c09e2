"""Confidence limits and bounds for the Monte Carlo checks.

LEVEL is fixed in advance. One end of an interval misses with probability at most (1 - LEVEL)/2 = 0.0005, so a check
that reads one end of each of two intervals alarms falsely with probability at most 0.001 on each draw. Seeds are fixed:
what passed once passes always.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.mechanisms.arrays import Array
from certify.mechanisms.confidence import Limits, clopper_pearson

LEVEL = 0.999
_R = Intervals(96)


def share(events: NDArray[np.bool_]) -> Limits:
    """Limits for the probability of an event from independent trials of it."""
    return clopper_pearson(int(events.sum()), events.size, LEVEL)


def mean_of(values: Array) -> Limits:
    """Limits for the mean of many independent values, by the normal law."""
    errors = float(ndtri((1 + LEVEL) / 2))
    middle, room = float(values.mean()), errors * float(values.std(ddof=1)) / len(values) ** 0.5
    return Limits(middle - room, middle + room)


def scaled(mean: Limits, log_scale: float) -> Limits:
    """The limits of a mean times e^log_scale, with room for rounding: where all values are equal there is no other."""
    scale, room = math.exp(log_scale), 1e-12
    return Limits(mean.low * scale * (1 - room), mean.high * scale * (1 + room))


def mean_beyond(t: float, value: Callable[[Array], Array], generator: np.random.Generator, count: int) -> Limits:
    """Limits for the mean of value(W - t) over W > t, counted 0 elsewhere, W ~ N(0, 1), from weighted draws beyond t.

    With E ~ Exp(1) and s = E/t it is phi(t)/t times the mean of value(s) e^{-s^2/2}. Hypothesis: t at least about 1.
    """
    step = generator.standard_exponential(count) / t
    log_density = -t * t / 2 - math.log(2 * math.pi) / 2
    return scaled(mean_of(value(step) * np.exp(-(step**2) / 2)), log_density - math.log(t))


def least(value: Callable[[Intervals], Interval]) -> float:
    """The proved lower end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).lower)


def most(value: Callable[[Intervals], Interval]) -> float:
    """The proved upper end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).upper)
