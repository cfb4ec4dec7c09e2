"""R3-R5 against the attack itself: the MAP rule on sampled releases never beats the bound, with 99.9 % confidence.

Seeds and the level are fixed in advance; a bound whose distances are a tenth too small is caught where R4 is attained.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta

from certify.evaluation.entries import Task
from certify.evaluation.rero import support_enclosure
from certify.kernel.interval import Intervals
from certify.kernel.loop import Limits
from certify.statements import prototype, reconstruction, support
from tests.statements.bounds import upper

RELEASES = 200_000
LEVEL = 0.999
Array = NDArray[np.float64]


def success(candidates: Array, prior: Array, seed: int) -> tuple[float, float]:
    """A Clopper-Pearson interval for the success of the MAP rule (Proposition 5) with sigma = 1."""
    generator = np.random.default_rng(seed)
    hidden = generator.choice(len(prior), RELEASES, p=prior)
    release = candidates[hidden] + generator.standard_normal((RELEASES, candidates.shape[1]))
    squares = ((release[:, None, :] - candidates[None]) ** 2).sum(axis=2)
    right = int(((np.log(prior) - squares / 2).argmax(axis=1) == hidden).sum())
    miss = (1 - LEVEL) / 2
    return float(beta.ppf(miss, right, RELEASES - right + 1)), float(beta.ppf(1 - miss, right + 1, RELEASES - right))


def bound(candidates: Array, prior: list[Fraction], scale: Fraction = Fraction(1)) -> float:
    """R4 with the prior's mean as the centre, the distances multiplied by ``scale``."""
    centre = np.asarray([float(p) for p in prior]) @ candidates
    distances = [Fraction(float(np.linalg.norm(c - centre))) * scale for c in candidates]
    limits = Limits()
    return float(support_enclosure(Task(9, limits, limits.allowance()), distances, prior).upper)


PRIORS = ["1/2 1/2", "1/3 1/3 1/3", "1/2 1/4 1/4", "7/10 1/10 1/10 1/10", "1/10 " * 10]


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("size", [0.3, 1.0, 2.5])
def test_the_attack_stays_below_the_bound(prior: str, size: float) -> None:
    weights = [Fraction(p) for p in prior.split()]
    candidates = np.random.default_rng(7).standard_normal((len(weights), 3)) * size
    low, _ = success(candidates, np.asarray([float(p) for p in weights]), 11)
    assert low <= bound(candidates, weights)


@pytest.mark.parametrize("size", [0.3, 1.0, 2.0])
def test_two_candidates_attain_the_bound(size: float) -> None:
    """Success is Phi(a) at distance a on either side: the bound is met, and one with 0.9 a is beaten."""
    candidates = np.asarray([[size, 0.0], [-size, 0.0]])
    low, high = success(candidates, np.asarray([0.5, 0.5]), 13)
    half = [Fraction(1, 2)] * 2
    assert low <= bound(candidates, half) <= high
    assert low > bound(candidates, half, Fraction(9, 10))


def test_the_order_of_the_bounds() -> None:
    """R4 <= R3 <= R2 and R1 at a release calibrated to (2, 1e-6), ten candidates at distances up to Delta."""
    ratio, tenth = Fraction("0.448334740395"), Fraction(1, 10)
    limits = Limits()
    distances = [ratio * Fraction(k, 10) for k in range(1, 11)]
    known = float(support_enclosure(Task(9, limits, limits.allowance()), distances, [tenth] * 10).upper)
    tested = upper(lambda R: reconstruction.from_gaussian(R, R(ratio), R(tenth)))
    renyi = upper(lambda R: reconstruction.from_best_renyi(R, R(ratio), R(tenth)))
    private = upper(lambda R: reconstruction.from_privacy(R, R(2), R(Fraction(1, 10**6)), R(tenth)))
    assert known < tested < renyi < private


def test_map_rule_for_prototypes_is_the_nearest_neighbour_of_the_inverted_release() -> None:
    """Corollary 3, one class of five records in one dimension: both rules choose the same candidate."""
    R = Intervals(64)
    generator = np.random.default_rng(5)
    n, lam, rest = 5, Fraction(1, 10), Fraction(3, 2)
    candidates = [Fraction(int(k), 16) for k in generator.integers(-16, 16, 6)]
    scale = 2 * n + lam * n
    for _ in range(50):
        hidden = candidates[generator.integers(6)]
        released = 2 * (rest + hidden) / scale + Fraction(float(generator.standard_normal())) / 5
        inverted = prototype.inverted_record(R(released), R(n), R(lam), R(n), R(rest)).exact
        assert inverted is not None
        moved = [(released - 2 * (rest + c) / scale) ** 2 for c in candidates]
        scores = [float(support.map_score(R, R(1), R(square), R(Fraction(1, 5))).exact or 0) for square in moved]
        nearest = min(abs(inverted - c) for c in candidates)
        assert abs(inverted - candidates[int(np.argmax(scores))]) == nearest
