"""What releases of two neighbouring data sets show about (epsilon, delta), whatever the mechanism.

A test names a set S of outputs; (epsilon, delta)-privacy says P[S] <= e^epsilon Q[S] + delta. Here S is {score > c} or
{score < c}; side and c are chosen on one half of the releases, and P[S], Q[S] are estimated on the other half, so the
confidence holds for any score, also a useless one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array, Labels
from certify.mechanisms.confidence import interval_ends

_THRESHOLDS = 200


@dataclass(frozen=True)
class EmpiricalPrivacy:
    """Lower confidence limits, each at the stated level: epsilon at the given delta, delta at the given epsilon.

    ``trials`` releases of each data set were used to test (as many again to choose the sets).
    """

    epsilon: float
    delta: float
    trials: int


def projected(releases: Array, direction: Array) -> Array:
    """The score <release, direction>: the likelihood ratio of two Gaussians up to its scale.  (k, p) -> (k)"""
    return np.asarray(releases @ direction)


def empirical_privacy(first: Array, second: Array, epsilon: float, delta: float, level: float) -> EmpiricalPrivacy:
    """Limits from scores of independent releases of two data sets, of which ``first`` should score higher: (k), (k).

    Both directions, first against second and second against first, are considered. Each limit is 0 where the releases
    show nothing. A score that does not tell the data sets apart gives positive limits with probability below 1 - level.
    Hypotheses: k >= 2, no score is NaN; the score and the level do not depend on these releases. Raises ValueError.
    """
    if first.shape != second.shape or first.ndim != 1 or len(first) < 2:
        raise ValueError(f"scores of shapes {first.shape} and {second.shape}: two or more of each data set are needed")
    if np.isnan(first).any() or np.isnan(second).any():
        raise ValueError("a score is not a number: such a release belongs to no threshold set")
    half = len(first) // 2
    tested: dict[str, tuple[float, float]] = {"epsilon": (-math.inf, 0.0), "delta": (-math.inf, 0.0)}
    # S for the other direction is a lower tail, which is an upper tail of the negated score.
    for high, low in ((first, second), (-second, -first)):
        pooled = np.concatenate([high[:half], low[:half]])
        cuts = np.unique(np.quantile(pooled, np.linspace(0, 1, _THRESHOLDS, endpoint=False), method="lower"))
        chosen = _limits(high[:half], low[:half], cuts, epsilon, delta, level)
        for name, limits in chosen.items():
            best = int(limits.argmax())
            if limits[best] > tested[name][0]:
                again = _limits(high[half:], low[half:], cuts[best : best + 1], epsilon, delta, level)
                tested[name] = float(limits[best]), float(again[name][0])
    found = {name: max(0.0, value) for name, (_, value) in tested.items()}
    return EmpiricalPrivacy(found["epsilon"], found["delta"], len(first) - half)


def _limits(high: Array, low: Array, cuts: Array, epsilon: float, delta: float, level: float) -> dict[str, Array]:
    """Lower limits from S = {score > cut}: each side of each interval misses with probability (1 - level)/2."""
    p, q = (interval_ends(_above(scores, cuts), len(scores), level)[end] for end, scores in enumerate((high, low)))
    inside = np.maximum(p - delta, 0.0)
    with np.errstate(divide="ignore"):
        return {"epsilon": np.log(inside / q), "delta": p - math.exp(min(epsilon, 700.0)) * q}


def _above(scores: Array, cuts: Array) -> Labels:
    """How many scores exceed each cut."""
    return len(scores) - np.searchsorted(np.sort(scores), cuts, side="right")
