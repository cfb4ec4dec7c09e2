"""Exact binomial confidence limits (Clopper and Pearson 1934), in double precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array, Labels


@dataclass(frozen=True)
class Limits:
    """A confidence interval for a probability."""

    low: float
    high: float


def clopper_pearson(successes: int, trials: int, level: float) -> Limits:
    """The two-sided interval that holds the success probability with probability at least ``level``.

    Each side misses with probability at most (1 - level)/2, so either end alone is a one-sided limit at (1 + level)/2.
    Hypotheses: independent trials of one success probability, 0 <= successes <= trials, trials >= 1, 0 < level < 1; the
    level is fixed before the trials. Raises ValueError otherwise.
    """
    if not 0 <= successes <= trials or trials < 1 or not 0 < level < 1:
        raise ValueError(f"{successes} successes in {trials} trials at level {level} are no binomial observation")
    low, high = interval_ends(np.array([successes]), trials, level)
    return Limits(float(low[0]), float(high[0]))


def interval_ends(successes: Labels, trials: int, level: float) -> tuple[Array, Array]:
    """Both ends of ``clopper_pearson`` for many counts of successes at once, each by itself at the level: (m), (m)."""
    from scipy.special import betaincinv

    miss, failures = (1 - level) / 2, trials - successes
    # The end that is 0 or 1 without a formula has a parameter 0 there, which betaincinv does not take.
    low = np.where(successes == 0, 0.0, betaincinv(np.maximum(successes, 1), failures + 1, miss))
    high = np.where(failures == 0, 1.0, betaincinv(successes + 1, np.maximum(failures, 1), 1 - miss))
    return low, high
