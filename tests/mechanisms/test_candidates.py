"""Supports for the attack: farthest points in the ball, the simplex and its exact success."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from certify.mechanisms.candidates import farthest_point_candidates, simplex_canary, simplex_success
from certify.mechanisms.output_perturbation import calibrated_sigma


def test_farthest_points() -> None:
    pool = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.1, 0.0], [5.0, 0.0]])
    chosen = farthest_point_candidates(pool, np.zeros(2), 2.0, 3)
    assert chosen[:, 0].tolist() == [1.0, -1.0, 0.0]


def test_each_farthest_point_is_as_far_as_any_record_in_the_ball() -> None:
    generator = np.random.default_rng(0)
    pool, centre = generator.standard_normal((200, 3)), np.array([0.5, 0.0, 0.0])
    chosen = farthest_point_candidates(pool, centre, 1.2, 6)
    inside = pool[np.linalg.norm(pool - centre, axis=1) <= 1.2]
    assert (np.linalg.norm(chosen - centre, axis=1) <= 1.2).all()
    for k in range(1, 6):
        reach = np.linalg.norm(inside[:, None] - chosen[:k], axis=2).min(axis=1)
        assert np.linalg.norm(chosen[k] - chosen[:k], axis=1).min() == reach.max()


@pytest.mark.parametrize(("radius", "count", "held"), [(2.0, 4, 3), (0.5, 2, 1), (0.05, 1, 0)])
def test_too_few_records(radius: float, count: int, held: int) -> None:
    """Copies are one record."""
    pool = np.array([[0.1, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.1, 0.0], [5.0, 0.0]])
    with pytest.raises(ValueError, match=f"holds {held} distinct records, fewer than {count}"):
        farthest_point_candidates(pool, np.zeros(2), radius, count)


def test_the_simplex() -> None:
    corners = simplex_canary(np.ones(4), 0.5, 3)
    assert (corners - 1) @ (corners - 1).T == pytest.approx(0.25 * np.eye(3))
    with pytest.raises(ValueError, match="a dimension of at least 5"):
        simplex_canary(np.ones(4), 0.5, 5)


@pytest.mark.parametrize(("epsilon", "known"), [("1", 0.1476), ("4", 0.3174), ("8", 0.5652)])
def test_the_simplex_success_is_known(epsilon: str, known: float) -> None:
    """m = 10, delta = 1e-5."""
    assert simplex_success(1 / calibrated_sigma(epsilon, "1e-5", 1), 10) == pytest.approx(known, abs=5e-5)


def test_the_simplex_success_at_its_ends() -> None:
    assert simplex_success(0.0, 7) == pytest.approx(1 / 7, rel=1e-9)
    assert simplex_success(50.0, 7) == pytest.approx(1, rel=1e-9)
    assert simplex_success(1.3, 1) == pytest.approx(1, rel=1e-9)


def test_the_simplex_success_is_an_orthant_probability() -> None:
    """Two candidates: Phi(ratio/sqrt 2). Three: two normal differences of variance 2 and covariance 1 are positive."""
    assert simplex_success(1.3, 2) == pytest.approx(norm.cdf(1.3 / 2**0.5), rel=1e-9)
    both = multivariate_normal([0.0, 0.0], [[2.0, 1.0], [1.0, 2.0]])
    assert simplex_success(1.3, 3) == pytest.approx(both.cdf([1.3, 1.3]), abs=1e-5)
