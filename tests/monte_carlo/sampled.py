"""Confidence limits and bounds for the Monte Carlo checks.

LEVEL is fixed in advance. One end of an interval misses with probability at most (1 - LEVEL)/2 = 0.0005, so a check
that reads one end of each of two intervals alarms falsely with probability at most 0.001 on each draw. Seeds are fixed:
what passed once passes always.
"""

from __future__ import annotations

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
_ERRORS = float(ndtri((1 + LEVEL) / 2))
"""So many standard errors either way hold a mean at LEVEL."""


def share(events: NDArray[np.bool_]) -> Limits:
    """Limits for the probability of an event from independent trials of it."""
    return clopper_pearson(int(events.sum()), events.size, LEVEL)


def mean_of(values: Array) -> Limits:
    """Limits for the mean of many independent values, by the normal law."""
    middle, room = float(values.mean()), _ERRORS * float(values.std(ddof=1)) / len(values) ** 0.5
    return Limits(middle - room, middle + room)


def least(value: Callable[[Intervals], Interval]) -> float:
    """The proved lower end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).lower)


def most(value: Callable[[Intervals], Interval]) -> float:
    """The proved upper end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).upper)
