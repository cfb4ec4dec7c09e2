"""What releases of two neighbouring data sets show about (epsilon, delta), whatever the mechanism.

A test names a set S of outputs; (epsilon, delta)-privacy says P[S] <= e^epsilon Q[S] + delta. Here S is {score > c} or
{score < c}; side and c are chosen on one half of the releases, and P[S], Q[S] are estimated on the other half, so the
confidence holds for any score, also a useless one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.confidence import clopper_pearson

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
    choosing, testing = (first[:half], second[:half]), (first[half:], second[half:])
    # S for the other direction is a lower tail, which is an upper tail of the negated score.
    turned = [choosing, (-choosing[1], -choosing[0])]
    tested = [testing, (-testing[1], -testing[0])]
    best: dict[str, tuple[float, int, float]] = {}
    for way, (high, low) in enumerate(turned):
        cuts = np.quantile(np.concatenate([high, low]), np.linspace(0, 1, _THRESHOLDS, endpoint=False), method="lower")
        for cut in np.unique(cuts):
            for name, value in _limits(high, low, float(cut), epsilon, delta, level).items():
                if name not in best or value > best[name][0]:
                    best[name] = (value, way, float(cut))
    found = {}
    for name, (_, way, cut) in best.items():
        high, low = tested[way]
        found[name] = max(0.0, _limits(high, low, cut, epsilon, delta, level)[name])
    return EmpiricalPrivacy(found["epsilon"], found["delta"], len(testing[0]))


def _limits(high: Array, low: Array, cut: float, epsilon: float, delta: float, level: float) -> dict[str, float]:
    """Lower limits from S = {score > cut}: each side of each interval misses with probability (1 - level)/2."""
    p = clopper_pearson(int((high > cut).sum()), len(high), level).low
    q = clopper_pearson(int((low > cut).sum()), len(low), level).high
    ratio = (p - delta) / q
    return {"epsilon": math.log(ratio) if ratio > 0 else -math.inf, "delta": p - math.exp(min(epsilon, 700.0)) * q}
