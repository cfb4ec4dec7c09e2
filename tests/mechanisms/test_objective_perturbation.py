"""The comparators against closed forms and against each other."""

from __future__ import annotations

import numpy as np
import pytest

from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser
from certify.mechanisms.losses import LINEAR, LOGISTIC, Loss
from certify.mechanisms.objective_perturbation import approximate_minima_perturbation, objective_perturbation


def problem(loss: Loss) -> Objective:
    rng = np.random.default_rng(1)
    return Objective(rng.normal(size=(6, 2)), rng.choice([-1.0, 1.0], size=6), 0.3, loss)


def test_objective_perturbation_releases_minimisers() -> None:
    """Of the draws that the same generator gives; for the linear loss -(b_S + z)/mu."""
    z = 0.5 * np.random.default_rng(7).standard_normal((50, 2))
    for loss in (LINEAR, LOGISTIC):
        goal = problem(loss)
        found = objective_perturbation(goal, 0.5, np.random.default_rng(7), 50)
        np.testing.assert_allclose(found, perturbed_minimiser(goal, z), rtol=1e-13)
        assert np.linalg.norm(goal.gradient(found) + z, axis=1).max() < 1e-14
    linear = problem(LINEAR)
    found = objective_perturbation(linear, 0.5, np.random.default_rng(7), 50)
    np.testing.assert_allclose(found, (linear.labels @ linear.features / 6 - z) / 0.3, rtol=1e-12)


@pytest.mark.parametrize("tolerance", [1e-1, 1e-4, 1e-9])
def test_approximate_minima_are_within_their_tolerance(tolerance: float) -> None:
    """Without output noise: the perturbed gradient is at most the tolerance, and is not needlessly small."""
    goal, z = problem(LOGISTIC), 0.5 * np.random.default_rng(7).standard_normal((50, 2))
    found = approximate_minima_perturbation(goal, 0.5, 0.0, tolerance, np.random.default_rng(7), 50)
    sizes = np.linalg.norm(goal.gradient(found) + z, axis=1)
    assert tolerance / 100 < sizes.max() <= tolerance
    assert np.linalg.norm(found - perturbed_minimiser(goal, z), axis=1).max() <= tolerance / goal.mu


def test_approximate_minima_are_given_output_noise() -> None:
    """4000 releases less their minimisers: standard deviation 0.2 in each coordinate, to 4.5 of its deviations."""
    goal, count = problem(LOGISTIC), 4000
    z = 0.5 * np.random.default_rng(7).standard_normal((count, 2))
    found = approximate_minima_perturbation(goal, 0.5, 0.2, 1e-9, np.random.default_rng(7), count)
    spread = (found - perturbed_minimiser(goal, z)).std(axis=0)
    assert np.abs(spread / 0.2 - 1).max() <= 4.5 / (2 * count) ** 0.5


def test_a_tolerance_below_double_precision_is_refused() -> None:
    with pytest.raises(ValueError, match="double precision"):
        approximate_minima_perturbation(problem(LOGISTIC), 1.0, 0.1, 1e-30, np.random.default_rng(0), 5)
