"""M4, the Jacobian of z -> w_N: Lemmas A.9 to A.13, B.1 to B.4 and C.5 to C.9 of the GD paper, pointwise.

Every bound is an end of the product's statement, on its safe side. Nothing is sampled with an error: where a bound is
exceeded, it is wrong. Built cases attain the bounds, or nearly.

Two mutations are not seen in simulated runs. Without 2 corr/alpha, tau still bounds the log-determinant ratio of every
pair tried: along two runs with one output the Hessians differ by little besides the replaced record, which tau(0) pays
for. And at small N corr, alpha and s_N are far from the truth. Both are compared with the paper's sums at 60 digits
instead (theorem_c13_is_the_papers_formula, in test_descent_privacy).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from certify.mechanisms.arrays import Array
from certify.mechanisms.losses import LOGISTIC
from certify.statements.descent import diffeomorphism, jacobian, radii, theorem_41, theorem_c13
from tests.monte_carlo.descent_cases import (
    CASES,
    PAIRS,
    ROOM,
    STEEPEST,
    Case,
    Pair,
    adversarial,
    alone,
    high,
    low,
    norms,
    paired,
    properties_of,
)
from tests.properties.declared import Property, fixed, prop
from tests.statements.small_problem import R, SmallProblem


def rounding(case: Case) -> float:
    """For differences of Jacobians, which are of the size of 1/mu."""
    return 1e-12 / float(case.problem.mu)


def symmetric(matrices: Array) -> Array:
    """The symmetric parts."""
    return np.asarray((matrices + np.swapaxes(matrices, -1, -2)) / 2)


def singular_values(matrices: Array) -> Array:
    """From the largest to the smallest, along the last axis."""
    return np.asarray(np.linalg.svd(matrices, compute_uv=False))


def alpha(case: Case) -> float:
    """alpha_D on the ball of the largest |z|: the lower end."""
    return low(diffeomorphism.alpha(R, case.constants, case.count, case.radius))


def log_determinant(matrices: Array) -> Array:
    """log |det|."""
    return np.asarray(np.linalg.slogdet(matrices).logabsdet)


def symbol(case: Case, h: Array) -> Array:
    """p_N(h) = eta sum over j < N of (1 - eta h)^j, summed.  [(35)]"""
    steps = np.arange(case.iterations)
    return np.asarray(case.step_size * ((1 - case.step_size * h[:, None]) ** steps).sum(axis=1))


@prop(15, case=CASES)
def test_curvature_is_between_mu_and_L(case: Case) -> None:
    """B.1: mu I <= H(w) <= L I."""
    found = np.linalg.eigvalsh(case.problem.objective.hessian(case.path[:: max(1, case.iterations // 4)]))
    assert found.min() >= low(case.constants.mu) / ROOM
    assert found.max() <= high(case.constants.L) * ROOM


@prop(15, case=CASES)
def test_hessians_are_lipschitz(case: Case) -> None:
    """B.2: the nuclear norm of H(w) - H(w') is at most M |w - w'|."""
    path, goal = case.path, case.problem.objective
    differences = singular_values(goal.hessian(path[:-1]) - goal.hessian(path[-1])).sum(axis=-1)
    limits = high(case.constants.M) * ROOM * norms(path[:-1] - path[-1]) + 1e-13 * high(case.constants.L)
    assert (differences <= limits).all()


@prop(15, case=CASES)
def test_frozen_jacobians_are_between_gamma_and_B_N(case: Case) -> None:
    """A.9: the eigenvalues of J~_N lie in [-(1 - rho^N)/mu, -gamma_N]."""
    p, found = case.constants, np.linalg.eigvalsh(symmetric(case.frozen))
    assert found.max() <= -low(jacobian.gamma(R, p, case.count)) / ROOM
    assert found.min() >= -high(theorem_c13.displacement(R, p, case.count) / p.G) * ROOM


@prop(15, case=CASES)
def test_jacobian_errors_stay_within_corr(case: Case) -> None:
    """A.11 and B.4: |J_N - J~_N| <= eta M R-bar B nu~_N rho^(N-1), in operator and in nuclear norm."""
    found = singular_values(case.jacobians - case.frozen)
    limit = high(jacobian.correction(R, case.constants, case.count, case.radius)) * ROOM + rounding(case)
    assert (found.max(axis=-1) <= limit).all()
    assert (found.sum(axis=-1) <= limit).all()


@prop(15, case=CASES)
def test_jacobians_are_definite_with_the_margin_alpha(case: Case) -> None:
    """A.12: the symmetric part of J_N is at most -alpha_D I, and its singular values are at least alpha_D."""
    margin = alpha(case) - rounding(case)
    assert np.linalg.eigvalsh(symmetric(case.jacobians)).max() <= -margin
    assert singular_values(case.jacobians).min() >= margin


@prop(15, case=CASES)
def test_releases_are_apart_by_the_margin_alpha(case: Case) -> None:
    """A.13: <M(z) - M(z'), z - z'> <= -alpha_D |z - z'|^2, so |M(z) - M(z')| >= alpha_D |z - z'|."""
    margin = alpha(case) - 10 * rounding(case)
    moved, released_by = case.z[1:] - case.z[0], case.path[-1][1:] - case.path[-1][0]
    assert ((released_by * moved).sum(axis=-1) <= -margin * norms(moved) ** 2).all()
    assert (norms(released_by) >= margin * norms(moved)).all()


@prop(15, case=CASES)
def test_the_logarithm_of_the_frozen_symbol_falls_slowly(case: Case) -> None:
    """C.5: -h d/dh log p_N(h) = 1 - N a^(N-1)/(sum of a^j over j < N), a = 1 - eta h, is in [0, g-bar_N] on [mu, L]."""
    p, N = case.constants, case.iterations
    h = np.linspace(high(p.mu), low(p.L), 41)
    a = 1 - case.step_size * h
    stated = 1 - N * a ** (N - 1) / (symbol(case, h) / case.step_size)
    step = 1e-6 * h
    derived = -h * (np.log(symbol(case, h + step)) - np.log(symbol(case, h - step))) / (2 * step)
    np.testing.assert_allclose(stated, derived, atol=1e-7)
    assert stated.min() >= -1e-12
    assert stated.max() <= high(jacobian.g_bar(R, p, case.count)) * ROOM + 1e-12


@prop(8, pair=PAIRS)
def test_determinants_at_a_shared_output(pair: Pair) -> None:
    """C.6: |log det P_N - log det P'_N| <= g-bar_N log(1 + Delta_H/(2 n mu)) for the frozen Jacobians at one output.

    C.9: the same for the Jacobians themselves, with tau.
    """
    case, p, N = pair.case, pair.case.constants, pair.case.count
    np.testing.assert_allclose(pair.shared.path[-1], case.path[-1], atol=1e-9 * high(radii.trajectory_scale(p, R(1))))
    frozen = log_determinant(case.frozen) - log_determinant(pair.shared.frozen)
    limit = jacobian.g_bar(R, p, N) * theorem_41.determinant_floor(R, p)
    assert np.abs(frozen).max() <= high(limit) * ROOM + 1e-9
    ratio = log_determinant(case.jacobians) - log_determinant(pair.shared.jacobians)
    assert np.abs(ratio).max() <= high(theorem_c13.tau(R, p, N, pair.radii, pair.margin)) * ROOM + 1e-9


OF_CASES, OF_PAIRS = properties_of(__name__, case=CASES), properties_of(__name__, pair=PAIRS)


@fixed
def test_jacobians_of_adversarial_problems() -> None:
    """Each of the above on the built problems, from 0 and, but for C.6 and C.9, from a public start."""
    for place, case in enumerate(adversarial()):
        for check in OF_CASES:
            check.body(case.from_start() if place % 2 else case)
        for check in OF_PAIRS:
            check.body(paired(case))


@pytest.mark.slow
@pytest.mark.parametrize("check", [*OF_CASES, *OF_PAIRS], ids=lambda check: check.name)
def test_jacobians_beside_every_change(check: Property) -> None:
    for case in adversarial(every_change=True):
        if check in OF_PAIRS:
            check.body(paired(case))
        else:
            check.body(case)
            check.body(case.from_start())


@fixed
def test_curvature_at_its_bounds() -> None:
    """B.1 and A.9 are attained: two records that cancel hold w at 0, so along them H is L, and across them mu."""
    x = np.array([[1.0, 0.0], [1.0, 0.0]])
    problem = SmallProblem(x, np.array([1.0, -1.0]), Fraction(1, 5), Fraction(1), Fraction(1, 2))
    case = alone(problem, np.zeros((1, 2)), 6)
    p, N = case.constants, case.count
    curvatures = np.linalg.eigvalsh(problem.objective.hessian(case.path[-1, 0]))
    np.testing.assert_allclose(curvatures, [high(p.mu), high(p.L)], rtol=1e-12)
    np.testing.assert_allclose(case.jacobians, case.frozen, atol=1e-14)
    ends = [-high(theorem_c13.displacement(R, p, N) / p.G), -low(jacobian.gamma(R, p, N))]
    np.testing.assert_allclose(np.linalg.eigvalsh(case.jacobians[0]), ends, rtol=1e-12)


@fixed
def test_jacobian_errors_near_corr() -> None:
    """B.2 and A.11 within 3 %: a small feature where |l'''| is L3, so that all but the curvature's change is linear."""
    problem = SmallProblem(np.array([[0.01]]), np.ones(1), Fraction(1), Fraction(1, 100), Fraction(3, 10), STEEPEST)
    for N in (2, 7):
        case = alone(problem, np.array([[1.0]]), N)
        error = singular_values(case.jacobians - case.frozen).sum()
        limit = high(jacobian.correction(R, case.constants, case.count, case.radius))
        assert 0.97 * limit < error <= limit * ROOM
        first, last = case.path[0, 0], case.path[-1, 0]
        change = float(norms((problem.objective.hessian(first) - problem.objective.hessian(last)).ravel()))
        limit = high(case.constants.M) * float(norms(first - last))
        assert 0.97 * limit < change <= limit * ROOM


@fixed
def test_definiteness_needs_the_correction() -> None:
    """A.12: from a far public start the symmetric part of J_N has a positive eigenvalue, though gamma_N > 0.

    Early on one record is curved and at the end both are, so the factors of J_N do not commute.
    """
    x, start = np.array([[-6.6, 4.6], [10.8, 3.2]]), np.array([15.6, 9.2])
    problem = SmallProblem(x, -np.ones(2), Fraction(1, 10**5), Fraction(12), Fraction(1), LOGISTIC, start)
    case = alone(problem, np.array([[0.06, 0.18]]), 132)
    largest = np.linalg.eigvalsh(symmetric(case.jacobians)).max()
    assert 0 < largest <= -alpha(case)


@fixed
def test_determinants_at_their_bounds() -> None:
    """C.6 and C.9 are attained in the limit: one record at score 0 against none, mu = 1/4, N = 60.

    z is the opposite of the gradient at 0, so w stays at 0 and the Jacobians are those of constant Hessians L and mu.
    """
    problem = SmallProblem(np.array([[1.0]]), np.ones(1), Fraction(1, 4), Fraction(1), Fraction(1))
    other = problem.replaced(0, np.zeros(1), 1.0)
    pair = paired(Case(problem, other, 0, 60, -problem.objective.gradient(np.zeros((1, 1))), 0))
    p, N = pair.case.constants, pair.case.count
    ratio = log_determinant(pair.shared.jacobians) - log_determinant(pair.case.jacobians)
    frozen = log_determinant(pair.shared.frozen) - log_determinant(pair.case.frozen)
    limit = jacobian.g_bar(R, p, N) * theorem_41.determinant_floor(R, p)
    for found in (ratio, frozen):
        np.testing.assert_allclose(found, np.log(2), rtol=1e-9)
        np.testing.assert_allclose(found, high(limit), rtol=1e-9)
    np.testing.assert_allclose(ratio, high(theorem_c13.tau(R, p, N, pair.radii, pair.margin)), rtol=1e-6)
