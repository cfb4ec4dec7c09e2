"""R1-R4 in their order, and the two forms of the attack R5."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from certify.evaluation.entries import Task
from certify.evaluation.rero import support_enclosure
from certify.kernel.interval import Intervals
from certify.kernel.loop import Limits
from certify.statements import prototype, reconstruction, support
from tests.statements.bounds import upper


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
