"""Gradient descent on a perturbed objective, its minimisers and derivatives: closed forms, differences, scipy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from certify.mechanisms import gradient_descent
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import (
    Objective,
    descend,
    perturbed_minimiser,
    release,
    smoothness,
    trajectory,
)
from certify.mechanisms.jacobians import NoPreimage, frozen_jacobian, jacobian, preimage
from certify.mechanisms.losses import LINEAR, LOGISTIC, Loss

N = 25


def problem(loss: Loss = LOGISTIC, n: int = 7, d: int = 3, mu: float = 0.2) -> Objective:
    rng = np.random.default_rng(1)
    return Objective(2 * rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n), mu, loss)


F = problem()
STEP = 0.9 / smoothness(F)
Z = np.random.default_rng(2).normal(size=(4, 5, 3))


def differences(f: Callable[[Array], Array], at: Array) -> Array:
    """The derivative of a map or function at a point, by central differences: the last axis is that of the point."""
    h = 1e-5
    return np.stack([(f(at + step) - f(at - step)) / (2 * h) for step in h * np.eye(len(at))], axis=-1)


@pytest.mark.parametrize("loss", [LOGISTIC, LINEAR], ids=lambda loss: loss.name)
def test_derivatives_of_the_objective(loss: Loss) -> None:
    goal, w = problem(loss), Z[0, 0]
    np.testing.assert_allclose(goal.gradient(w), differences(goal.value, w), atol=1e-9)
    np.testing.assert_allclose(goal.hessian(w), differences(goal.gradient, w), atol=1e-9)
    largest = np.linalg.eigvalsh(goal.hessian(Z)).max()
    assert largest <= smoothness(goal) * (1 + 1e-12)


def test_the_objective_is_the_mean_loss_with_ridge() -> None:
    """Written out record by record, at w = (1, -2, 0.5) and mu = 0.2."""
    w = np.array([1.0, -2.0, 0.5])
    terms = [np.log(1 + np.exp(-y * float(x @ w))) for x, y in zip(F.features, F.labels, strict=True)]
    assert float(F.value(w)) == pytest.approx(sum(terms) / 7 + 0.1 * 5.25, rel=1e-14)


def test_batches_agree_with_single_points() -> None:
    path = trajectory(F, Z, N, STEP)
    assert path.shape == (N + 1, 4, 5, 3)
    np.testing.assert_array_equal(path[0], np.zeros_like(Z))
    np.testing.assert_allclose(path[-1], descend(F, Z, N, STEP), rtol=1e-14)
    one = trajectory(F, Z[1, 2], N, STEP)
    np.testing.assert_allclose(path[:, 1, 2], one, rtol=1e-12)
    for now, following in pairwise(one):
        np.testing.assert_allclose(following, now - STEP * (F.gradient(now) + Z[1, 2]), rtol=1e-12)
    for derivative in (jacobian, frozen_jacobian):
        np.testing.assert_allclose(derivative(F, path, STEP)[1, 2], derivative(F, one, STEP), rtol=1e-12)
    np.testing.assert_allclose(perturbed_minimiser(F, Z)[1, 2], perturbed_minimiser(F, Z[1, 2]), rtol=1e-12)
    assert F.value(Z).shape == (4, 5)


def test_blocks_do_not_change_the_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, minimisers = descend(F, Z, N, STEP), perturbed_minimiser(F, Z)
    monkeypatch.setattr(gradient_descent, "_CELLS", 15)
    np.testing.assert_allclose(descend(F, Z, N, STEP), whole, rtol=1e-13)
    np.testing.assert_allclose(perturbed_minimiser(F, Z), minimisers, rtol=1e-12)


def test_a_start_is_where_it_begins() -> None:
    start = np.array([3.0, -1.0, 2.0])
    path = trajectory(F, Z, N, STEP, start)
    np.testing.assert_array_equal(path[0, 2, 2], start)
    np.testing.assert_allclose(path[-1], descend(F, Z, N, STEP, start), rtol=1e-14)
    np.testing.assert_array_equal(descend(F, Z, 0, STEP, start)[1, 1], start)


def test_linear_loss_with_ridge_is_the_closed_form() -> None:
    """w_N = -((1 - rho^N)/mu)(b_S + Z), the mean of y_i x_i taken negative for b_S.  [GD paper Appendix C.5]"""
    goal, step = problem(LINEAR), 1.3
    moment, rho = -(goal.labels @ goal.features) / goal.n, 1 - step * goal.mu
    expected = -(1 - rho**N) / goal.mu * (moment + Z)
    np.testing.assert_allclose(descend(goal, Z, N, step), expected, rtol=1e-12)
    np.testing.assert_allclose(perturbed_minimiser(goal, Z), -(moment + Z) / goal.mu, rtol=1e-13)
    path = trajectory(goal, Z[0, 0], N, step)
    for derivative in (jacobian, frozen_jacobian):
        np.testing.assert_allclose(derivative(goal, path, step), -(1 - rho**N) / goal.mu * np.eye(3), rtol=1e-12)
    np.testing.assert_allclose(preimage(goal, expected, np.zeros_like(Z), N, step), Z, atol=1e-11)


def test_releases_have_the_stated_law() -> None:
    """Linear loss: mean -((1 - rho^N)/mu) b and standard deviation sigma (1 - rho^N)/mu.

    4000 releases in three coordinates: each mean and each standard deviation is 4.5 of its own deviations off with
    probability below 1e-5.
    """
    goal, step, sigma, count = problem(LINEAR), 1.3, 0.7, 4000
    found = release(goal, sigma, N, step, np.random.default_rng(3), count)
    scale = (1 - (1 - step * goal.mu) ** N) / goal.mu
    assert found.shape == (count, 3)
    off = found.mean(axis=0) - scale * (goal.labels @ goal.features) / goal.n
    assert np.abs(off).max() <= 4.5 * sigma * scale / count**0.5
    assert np.abs(found.std(axis=0) / (sigma * scale) - 1).max() <= 4.5 / (2 * count) ** 0.5


def test_minimisers_agree_with_scipy() -> None:
    for z in Z[0]:
        found = minimize(lambda w, z=z: float(F.value(w) + z @ w), np.zeros(3), method="BFGS", options={"gtol": 1e-9})
        np.testing.assert_allclose(perturbed_minimiser(F, z), found.x, atol=1e-6)


@pytest.mark.parametrize(("mu", "size"), [(1e-6, 1.0), (1e-8, 0.0), (1e-3, 100.0), (10.0, 1e-3)])
def test_minimisers_of_hard_problems(mu: float, size: float) -> None:
    """Separable and nearly unregularised, large perturbations: the gradient vanishes to its rounding error."""
    goal = problem(n=5, d=20, mu=mu)
    z = size * np.random.default_rng(4).normal(size=(3, 20))
    w = perturbed_minimiser(goal, z)
    rounding = 1e-15 * (np.linalg.norm(z, axis=1) + smoothness(goal) * np.linalg.norm(w, axis=1) + 1)
    assert (np.linalg.norm(goal.gradient(w) + z, axis=1) <= rounding).all()


def test_descent_reaches_the_minimiser() -> None:
    np.testing.assert_allclose(descend(F, Z, 2000, STEP), perturbed_minimiser(F, Z), atol=1e-12)


def test_the_jacobian_is_the_derivative_of_the_release() -> None:
    z = Z[0, 0]
    found = jacobian(F, trajectory(F, z, N, STEP), STEP)
    np.testing.assert_allclose(found, differences(lambda at: descend(F, at, N, STEP), z), atol=1e-8)


def test_the_frozen_jacobian_is_its_closed_form() -> None:
    """J~_N = -(H*)^-1 (I - (I - eta H*)^N), H* the Hessian at w_N.  [GD paper Lemma A.8]"""
    path = trajectory(F, Z[0, 0], N, STEP)
    held = F.hessian(path[-1])
    powered = np.linalg.matrix_power(np.eye(3) - STEP * held, N)
    np.testing.assert_allclose(frozen_jacobian(F, path, STEP), -np.linalg.solve(held, np.eye(3) - powered), rtol=1e-12)


def test_the_jacobian_error_unrolls() -> None:
    """J_N - J~_N = -eta sum A_{N-1} ... A_{k+1} (H(w_k) - H*) J~_k.  [GD paper Lemma A.10, (19)]"""
    path = trajectory(F, 10 * Z[0, 0], N, STEP)
    held, unit = F.hessian(path[-1]), np.eye(3)
    frozen, total = np.zeros((3, 3)), np.zeros((3, 3))
    for w in path[:-1]:
        total = (unit - STEP * F.hessian(w)) @ total - STEP * (F.hessian(w) - held) @ frozen
        frozen = (unit - STEP * held) @ frozen - STEP * unit
    error = jacobian(F, path, STEP) - frozen_jacobian(F, path, STEP)
    assert np.abs(error).max() > 1e-3
    np.testing.assert_allclose(error, total, atol=1e-12)


def test_preimages_of_a_neighbour() -> None:
    other = F.replaced(2, -F.features[2], float(F.labels[2]))
    output = descend(F, Z, N, STEP)
    found = preimage(other, output, Z, N, STEP)
    np.testing.assert_allclose(descend(other, found, N, STEP), output, atol=1e-13)
    assert np.linalg.norm(found - Z, axis=-1).min() > 1e-3
    np.testing.assert_array_equal(other.features[2], -F.features[2])
    start = np.array([1.0, 0.0, -1.0])
    output = descend(F, Z, N, STEP, start)
    np.testing.assert_allclose(preimage(F, output, np.zeros_like(Z), N, STEP, start), Z, atol=1e-11)


def test_an_output_without_a_preimage_is_refused() -> None:
    with pytest.raises(NoPreimage, match="missed by"):
        preimage(F, np.array([[1.0, 0.0, 0.0], [np.nan, 0.0, 0.0]]), np.zeros((2, 3)), N, STEP)
