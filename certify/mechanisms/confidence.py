"""Exact binomial confidence limits (Clopper and Pearson 1934), in double precision."""

from __future__ import annotations

from dataclasses import dataclass


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
    from scipy.special import betaincinv

    if not 0 <= successes <= trials or trials < 1 or not 0 < level < 1:
        raise ValueError(f"{successes} successes in {trials} trials at level {level} are no binomial observation")
    miss = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, miss))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - miss))
    return Limits(low, high)
