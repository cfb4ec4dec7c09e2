"""Confidence limits and bounds for the Monte Carlo checks.

LEVEL is fixed in advance: each check that reads one end of an interval alarms falsely with probability at most
(1 - LEVEL)/2 = 0.0005, and seeds are fixed, so what passed once passes always.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.mechanisms.arrays import Array
from certify.mechanisms.confidence import Limits, clopper_pearson

LEVEL = 0.999
_R = Intervals(96)


def share(events: np.ndarray) -> Limits:
    """Limits for the probability of an event from independent trials of it."""
    return clopper_pearson(int(events.sum()), events.size, LEVEL)


def mean_of(values: Array) -> Limits:
    """Limits for the mean of many independent values, by the normal law: 3.3 standard errors either way."""
    room = 3.29 * float(values.std(ddof=1)) / len(values) ** 0.5
    return Limits(float(values.mean()) - room, float(values.mean()) + room)


def least(value: Callable[[Intervals], Interval]) -> float:
    """The proved lower end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).lower)


def most(value: Callable[[Intervals], Interval]) -> float:
    """The proved upper end of a value at 96 bits."""
    return float(Enclosure.of(value(_R)).upper)
