"""Neighbours stay in the ball and on the policy."""

from __future__ import annotations

import numpy as np
import pytest

from certify.mechanisms.arrays import Data
from certify.mechanisms.heads import class_counts
from certify.mechanisms.neighbours import Worst, clipped, in_ball, label_preserving_neighbour, worst_case_pair


@pytest.mark.parametrize("seed", range(20))
def test_points_stay_in_both_balls(seed: int) -> None:
    generator = np.random.default_rng(seed)
    centre = clipped(generator.standard_normal(3), 2.0)
    found = np.array([in_ball(generator, centre, 0.7, 2.0) for _ in range(50)])
    assert np.linalg.norm(found - centre, axis=1).max() <= 0.7 * (1 + 1e-12)
    assert np.linalg.norm(found, axis=1).max() <= 2 * (1 + 1e-12)
    assert np.linalg.norm(found - centre, axis=1).max() >= 0.69


def test_at_the_origin_there_is_no_opposite() -> None:
    generator = np.random.default_rng(0)
    assert max(np.linalg.norm(in_ball(generator, np.zeros(2), 1.0, 1.0)) for _ in range(20)) == pytest.approx(1)


def test_a_neighbour_differs_in_one_record_of_the_same_label() -> None:
    generator = np.random.default_rng(1)
    data = Data(0.1 * generator.standard_normal((6, 3)), np.arange(6) % 3, 3)
    other, index = label_preserving_neighbour(generator, data, 0.5, 1.0)
    assert (other.labels == data.labels).all()
    assert np.flatnonzero((other.features != data.features).any(axis=1)).tolist() == [index]
    assert data.without(index).n == 5
    assert data.replaced(0, np.ones(3), 2).labels[0] == 2


@pytest.mark.parametrize("kind", ["antipodal", "singleton", "attaining"])
@pytest.mark.parametrize("head", ["softmax", "binary-logistic"])
def test_worst_pairs(kind: Worst, head: str) -> None:
    first, second = worst_case_pair(kind, head, 7, 3, 1.0, 5.0, 2)  # type: ignore[arg-type]
    assert np.linalg.norm(first.features[0] - second.features[0]) == pytest.approx(2.0)
    assert (first.features[1:] == second.features[1:]).all()
    assert (first.labels == second.labels).all()
    assert np.linalg.norm(first.features, axis=1).max() <= 1 + 1e-12
    own = int((first.labels == first.labels[0]).sum())
    assert own == {"antipodal": 4, "singleton": 1, "attaining": 7}[kind]
    if head == "softmax":
        assert class_counts(first).sum() == 7
