"""Measured excess empirical risk of gradient-descent releases, for the claims that bound it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.mechanism import BLOCK, Descent
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.gradient_descent import perturbed_minimiser


def excess_risks(data: Data, mechanism: Descent, count: int, seed: np.random.SeedSequence) -> Array:
    """F(w_N) - F(w*_S) for ``count`` releases, (count); w*_S by Newton's method."""
    run = mechanism.fit(data)
    releases = mechanism.releases(run, count, np.random.default_rng(seed))
    best = perturbed_minimiser(run.objective, np.zeros(run.objective.d))
    parts = np.array_split(releases, 1 + count * run.objective.n // BLOCK)
    return np.concatenate([run.objective.value(w) for w in parts]) - run.objective.value(best)


@dataclass(frozen=True)
class Mean:
    """A mean with its interval by Student's t."""

    value: float
    low: float
    high: float


def mean_interval(values: Array, level: float) -> Mean:
    """The mean of independent values and its two-sided interval at ``level``, exact for normal means; size >= 2."""
    from scipy.stats import t

    middle = float(values.mean())
    room = float(t.ppf((1 + level) / 2, len(values) - 1)) * float(values.std(ddof=1)) / len(values) ** 0.5
    return Mean(middle, middle - room, middle + room)
