"""D8 (a-d) pointwise against small logistic problems run in numpy; every bound is shown able to fail."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import perturbed_minimiser
from certify.search.sharp_scales import number
from tests.statements.sharp_simulation import OMEGA, Bounds, random_problem, run, started
from tests.statements.small_problem import SmallProblem

ROOM = 1 + 1e-9  # double precision of the simulation


def drawn(seed: int, d: int) -> tuple[Array, float, int]:
    """A perturbation, its norm, and a count."""
    rng = np.random.default_rng(10_000 + seed)
    radius = float(rng.choice([0.01, 0.3, 3.0, 20.0]))
    z = rng.normal(size=d)
    return z * radius / np.linalg.norm(z), radius, int(rng.integers(1, 30))


@pytest.mark.parametrize("seed", range(60))
def test_bounds_hold_pointwise(seed: int) -> None:
    """|w_k - w_N| (a, b), the nuclear Jacobian error (c) and the residual (d), n <= 8, d <= 4."""
    problem = random_problem(seed)
    z, radius, N = drawn(seed, problem.x.shape[1])
    bounds, found = Bounds.at(problem, N, radius), run(problem, z, N)
    for k in range(N):
        assert np.linalg.norm(found.path[k] - found.path[-1]) <= bounds.distance(k) * ROOM
    assert found.residual <= bounds.residual * ROOM + 1e-13
    assert found.jacobian_error <= bounds.least_jacobian_error() * ROOM + 1e-13
    for splits in ((0, 0), (0, N), (N // 3, 2 * N // 3)):
        assert found.jacobian_error <= bounds.jacobian_error(splits) * ROOM + 1e-13
    assert np.linalg.norm(perturbed_minimiser(problem.objective, z)) <= number(bounds.minimiser) * ROOM


@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold_from_a_public_start(seed: int) -> None:
    problem = started(random_problem(seed), seed)
    z, radius, N = drawn(seed, problem.x.shape[1])
    bounds, found = Bounds.at(problem, N, radius), run(problem, z, N)
    for k in range(N):
        assert np.linalg.norm(found.path[k] - found.path[-1]) <= bounds.distance(k) * ROOM
    assert found.residual <= bounds.residual * ROOM + 1e-13
    reached = perturbed_minimiser(problem.objective, z)
    assert np.linalg.norm(found.path[0] - reached) <= number(bounds.minimiser) * ROOM


def attaining(zeta: float, radius: float, mu: Fraction) -> tuple[SmallProblem, Array]:
    """The data set on which |w*| = R*: all margins at 1 + omega, one vector across added and taken away."""
    omega = number(OMEGA)
    star = (radius + np.sqrt(radius**2 + 4 * float(mu) * omega)) / (2 * float(mu))
    along = (1 + omega) / star
    across = np.sqrt(zeta**2 - along**2)
    x = np.array([[along, across], [along, -across]])
    return SmallProblem(x, np.ones(2), mu, Fraction(zeta), Fraction(1)), np.array([-radius, 0.0])


def test_the_minimiser_bound_is_attained() -> None:
    """So 0.999 R* would be caught."""
    problem, z = attaining(2.0, 0.5, Fraction(1, 10))
    norm = float(np.linalg.norm(perturbed_minimiser(problem.objective, z)))
    star = number(Bounds.at(problem, 10, 0.5).minimiser)
    assert 0.999 * star < norm <= star * ROOM


def test_the_trajectory_bound_is_attained() -> None:
    """One record along z, tiny features: |w_0 - w_N| is close to (1 - rho^N) R-bar; 0.99 of it would be caught."""
    problem = SmallProblem(np.array([[0.01]]), np.ones(1), Fraction(1), Fraction(1, 100), Fraction(3, 10))
    found = run(problem, np.array([-5.0]), 8)
    bound = Bounds.at(problem, 8, 5.0).distance(0)
    assert 0.99 * bound < float(np.linalg.norm(found.path[0] - found.path[-1])) <= bound * ROOM


def test_a_smaller_jacobian_error_would_be_caught() -> None:
    """Two steps in one dimension come within 3 % of the bound."""
    problem = SmallProblem(np.array([[0.2]]), np.ones(1), Fraction(1), Fraction(1, 5), Fraction(3, 10))
    found, bound = run(problem, np.array([-15.155]), 2), Bounds.at(problem, 2, 15.155).least_jacobian_error()
    assert 0.95 * bound < found.jacobian_error <= bound * ROOM


def test_a_smaller_residual_would_be_caught() -> None:
    """Both forms: the first within 1 % (features small), the second within a half (the minimiser bound active)."""
    problem = SmallProblem(np.array([[0.1]]), np.ones(1), Fraction(1), Fraction(1, 10), Fraction(3, 10))
    found, bound = run(problem, np.array([-50.0]), 30), Bounds.at(problem, 30, 50.0).residual
    assert 0.99 * bound < found.residual <= bound * ROOM
    problem = SmallProblem(np.array([[4.0, 0.0]]), np.ones(1), Fraction(1, 10), Fraction(4), Fraction(1))
    bounds, plain = Bounds.at(problem, 400, 0.05), float(problem.mu) * number(problem.constants.rho) ** 400
    found = run(problem, np.array([0.0, 0.05]), 400)
    assert bounds.residual < plain * number(bounds.trajectory)
    assert 0.05 * bounds.residual < found.residual <= bounds.residual * ROOM
