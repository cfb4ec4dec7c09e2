"""M4, the iterates: Lemmas A.3 to A.7, B.5, B.6 and C.1 of the GD paper, pointwise.

Every bound is the upper end of the product's statement. Nothing is sampled with an error: where a bound is exceeded, it
is wrong. The linear loss and features near 0 attain the bounds, so that one a hundredth smaller is caught.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad_vec

from certify.kernel.interval import Interval
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser
from certify.mechanisms.losses import LINEAR
from certify.statements.descent import radii, theorem_c13
from certify.statements.descent.constants import Descent
from tests.monte_carlo.descent_cases import (
    CASES,
    ROOM,
    Case,
    adversarial,
    alone,
    cased,
    high,
    in_ball,
    neighbour,
    norms,
    properties_of,
    released,
)
from tests.properties.declared import Property, fixed, prop
from tests.statements.small_problem import R, SmallProblem


def settled(p: Descent[Interval], k: int) -> Interval:
    """rho^k."""
    return R.power(p.rho, R(k))


def scale(case: Case) -> Interval:
    """R-bar at the largest |z|."""
    return radii.trajectory_scale(case.constants, case.radius)


def disturbed(case: Case, start: Array, errors: Array) -> Array:
    """w'_0 ... w'_N with w'_{k+1} = w'_k - eta (grad F(w'_k) + z + e_k): errors (N, k, d)."""
    path = [np.broadcast_to(start, case.z.shape)]
    for error in errors:
        path.append(path[-1] - case.step_size * (case.problem.objective.gradient(path[-1]) + case.z + error))
    return np.array(path)


def averaged_hessian(goal: Objective, a: Array, b: Array) -> Array:
    """The mean of the Hessian on the segments from b to a (k, d).  [(13)]"""
    return np.asarray(quad_vec(lambda share: goal.hessian(b + share * (a - b)), 0, 1, epsabs=1e-12)[0])


def assert_below(found: Array, bound: Interval, rounding: float) -> None:
    assert (found <= high(bound) * ROOM + rounding).all()


@prop(15, case=CASES)
def test_runs_with_an_error_stay_close(case: Case) -> None:
    """A.3: |w_k - w'_k| <= rho^k |w_0 - w'_0| + (beta/mu)(1 - rho^k) for steps with errors of norm <= beta.

    A.7 is the second term at beta = G.
    """
    rng, p = case.generator, case.constants
    beta = float(rng.choice([0.01, 1.0]))
    errors = rng.normal(size=(case.iterations, *case.z.shape))
    errors *= beta / norms(errors)[..., None]
    gaps = norms(disturbed(case, rng.normal(size=case.z.shape), errors) - case.path)
    for k in range(1, case.iterations + 1):
        drift = theorem_c13.displacement(R, p, R(k)) * R(Fraction(beta)) / p.G
        assert_below(gaps[k] - high(settled(p, k)) * ROOM * gaps[0], drift, 1e-12 * high(scale(case)))


@prop(15, case=CASES)
def test_iterates_converge_to_the_minimiser(case: Case) -> None:
    """A.4: |w_k - w*| <= rho^k |w_0 - w*|. A.5: |w*(z) - w*(z')| <= |z - z'|/mu, R-bar's slope in the radius."""
    p, reached, rounding = (
        case.constants,
        perturbed_minimiser(case.problem.objective, case.z),
        1e-12 * high(scale(case)),
    )
    gaps = norms(case.path - reached)
    for k in range(1, case.iterations + 1):
        assert (gaps[k] <= high(settled(p, k)) * gaps[0] * ROOM + rounding).all()
    for z, w in zip(case.z[1:], reached[1:], strict=True):
        distance = R(Fraction(float(norms(z - case.z[0]))))
        bound = radii.trajectory_scale(p, distance) - radii.trajectory_scale(p, R(0))
        assert_below(norms(w - reached[0]), bound, rounding)


@prop(15, case=CASES)
def test_iterates_stay_within_the_trajectory_scale(case: Case) -> None:
    """A.6: R(z) = |w_1 - w_0|/(eta mu) = |grad F(w_0) + z|/mu <= R-bar; |w_{k+1} - w_k| <= eta mu rho^k R-bar;
    |w_k - w_N| <= (rho^k - rho^N) R-bar; |w_0 - w*| <= R-bar. From a public start too (Remark 4.3).
    """
    p, path, N, bound = case.constants, case.path, case.iterations, scale(case)
    rounding, mu = 1e-12 * high(bound), float(case.problem.mu)
    first = norms(path[1] - path[0]) / (case.step_size * mu)
    pushed = norms(case.problem.objective.gradient(path[0]) + case.z) / mu
    np.testing.assert_allclose(first, pushed, atol=1e3 * rounding)
    assert_below(first, bound, rounding)
    assert_below(norms(path[0] - perturbed_minimiser(case.problem.objective, case.z)), bound, rounding)
    for k in range(N):
        assert_below(norms(path[k + 1] - path[k]), p.eta * p.mu * settled(p, k) * bound, rounding)
        assert_below(norms(path[k] - path[-1]), (settled(p, k) - settled(p, N)) * bound, rounding)


@prop(15, case=CASES)
def test_neighbours_stay_close(case: Case) -> None:
    """A.7: |M_S(z) - M_S'(z)| <= (G/mu)(1 - rho^N), at every count."""
    gaps = norms(case.path - case.of_neighbour)
    for k in range(1, case.iterations + 1):
        assert_below(gaps[k], theorem_c13.displacement(R, case.constants, R(k)), 1e-12 * high(scale(case)))


@prop(15, case=CASES)
def test_gradients_of_neighbours_differ_in_two_directions(case: Case) -> None:
    """B.5: grad F_S(w) - grad F_S'(w) lies in span{x_n, x_n'} and has norm at most G."""
    goal, other = case.problem.objective, case.other.objective
    points = case.path[:: max(1, case.iterations // 3)].reshape(-1, goal.d)
    difference = goal.gradient(points) - other.gradient(points)
    found = np.linalg.svd(np.array([goal.features[case.index], other.features[case.index]]), full_matrices=False)
    plane = found.Vh[: np.linalg.matrix_rank(found.Vh * found.S[:, None])]
    rounding = 1e-12 * high(case.constants.L * scale(case))
    assert (norms(difference - difference @ plane.T @ plane) <= rounding).all()
    assert_below(norms(difference), case.constants.G, rounding)


@prop(15, case=CASES)
def test_what_is_across_the_features_is_known(case: Case) -> None:
    """B.6: with C the span of both data sets, M(z) = M^C(z_C) - B_N z_across + rho^N (w_0)_across.

    B_N = (1 - rho^N)/mu is A.7's factor. With 20 dimensions more the features are independent: dim C = n + 1 <= d*.
    """
    rng, n = case.generator, len(case.problem.y)
    x = np.hstack([case.problem.x, rng.normal(size=(n, 20)) / 20])
    wide = replace(case.problem, x=x, zeta=case.problem.zeta + 2, start=rng.normal(size=x.shape[1]))
    p, N, z = wide.constants, R(case.iterations), in_ball(wide, 1.0, rng)
    both = np.vstack([x, neighbour(wide, "another", 0, rng).x])
    basis = np.linalg.svd(both, full_matrices=False).Vh[: np.linalg.matrix_rank(both)]
    assert len(basis) <= p.d_star
    inside = replace(wide, x=x @ basis.T, start=basis @ wide.start)
    across = np.eye(x.shape[1]) - basis.T @ basis
    assembled = released(inside, z @ basis.T, case.iterations) @ basis
    assembled -= high(theorem_c13.displacement(R, p, N) / p.G) * z @ across
    assembled += high(settled(p, case.iterations)) * across @ wide.start
    np.testing.assert_allclose(released(wide, z, case.iterations), assembled, atol=1e-10 * high(scale(case)))


@prop(15, case=CASES)
def test_the_perturbation_is_the_gradient_up_to_a_residual(case: Case) -> None:
    """C.1: z = -grad F(y) + xi with xi = (I/eta - H)(w_{N-1} - y), H the averaged Hessian; |xi| <= mu rho^N R-bar.

    The product's Delta_xi is the residual of two preimages together: twice the bound.
    """
    p, goal, (before, y) = case.constants, case.problem.objective, case.path[-2:]
    xi, rounding = goal.gradient(y) + case.z, 1e-13 * high(p.L * scale(case))
    stretched = np.eye(goal.d) / case.step_size - averaged_hessian(goal, y, before)
    np.testing.assert_allclose(xi, np.einsum("kij,kj->ki", stretched, before - y), rtol=1e-6, atol=1e3 * rounding)
    assert_below(norms(xi), theorem_c13.residual(R, p, case.count, radii.Radii(case.radius, R(0))) / 2, rounding)


CHECKS = properties_of(__name__, case=CASES)


@fixed
def test_iterates_of_adversarial_problems() -> None:
    """Each of the above on the built problems, from 0 and from a public start."""
    for place, case in enumerate(adversarial()):
        for check in CHECKS:
            check.body(case.from_start() if place % 2 else case)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_iterates_beside_every_change(check: Property) -> None:
    for case in adversarial(every_change=True):
        check.body(case)
        check.body(case.from_start())


def linear(change: str = "label") -> Case:
    """Linear loss, three records with |x| = zeta = 1, mu = 1/5: every run is known, and neighbours are G apart."""
    x = np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 1.0]])
    problem = SmallProblem(x, np.ones(3), Fraction(1, 5), Fraction(1), Fraction(1, 2), LINEAR)
    return cased(problem, "label" if change == "label" else "opposite", 4, Fraction(1), 0)


@fixed
def test_neighbours_at_the_bound() -> None:
    """A.7 and B.5 are attained by the linear loss: 0.999 of them, or of G, would be caught."""
    for change in ("label", "opposite"):
        case = linear(change)
        for k in (1, 4):
            bound = high(theorem_c13.displacement(R, case.constants, R(k)))
            np.testing.assert_allclose(norms(case.path - case.of_neighbour)[k], bound, rtol=1e-9)
        goal, other = case.problem.objective, case.other.objective
        np.testing.assert_allclose(norms(goal.gradient(case.z) - other.gradient(case.z)), high(case.constants.G))


@fixed
def test_runs_at_the_bound() -> None:
    """A.3 and A.4 are attained by the linear loss, with one error in every step and the start off along it."""
    case, along = linear(), np.array([0.28, 0.96])
    p, N = case.constants, case.iterations
    gaps = norms(disturbed(case, -along, np.broadcast_to(along, (N, *case.z.shape))) - case.path)[-1]
    bound = high(settled(p, N) + theorem_c13.displacement(R, p, R(N)) / p.G)
    np.testing.assert_allclose(gaps, bound, rtol=1e-9)
    from_minimiser = norms(case.path - perturbed_minimiser(case.problem.objective, case.z))
    np.testing.assert_allclose(from_minimiser[-1], high(settled(p, N)) * from_minimiser[0], rtol=1e-9)


@fixed
def test_a_trajectory_at_its_scale() -> None:
    """A.6 and C.1 are attained by the linear loss, all records equal, z against them: R-bar, its L1 zeta, rho^N."""
    problem = SmallProblem(np.array([[0.6, 0.8]] * 3), np.ones(3), Fraction(1, 5), Fraction(1), Fraction(1, 2), LINEAR)
    for size in (0.0, 1.0):
        z = -size * problem.x[:1]
        case = alone(problem, z, 4)
        p, bound, path = case.constants, high(scale(case)), case.path
        np.testing.assert_allclose(norms(path[1] - path[0]), case.step_size * 0.2 * bound, rtol=1e-9)
        np.testing.assert_allclose(norms(path[0] - path[-1]), high(1 - settled(p, 4)) * bound, rtol=1e-9)
        residual = theorem_c13.residual(R, p, case.count, radii.Radii(case.radius, R(0))) / 2
        np.testing.assert_allclose(norms(case.problem.objective.gradient(path[-1]) + z), high(residual), rtol=1e-9)
