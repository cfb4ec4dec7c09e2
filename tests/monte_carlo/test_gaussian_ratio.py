"""M4, the Gaussian ratio: the preimage Phi(z), Corollary C.2, Proposition C.3, Theorem C.4 and (52), pointwise.

For each z in the ball, Newton's method finds the perturbation Phi(z) of the neighbour with the same output. Every bound
is the upper end of the product's statement at radii that satisfy (47). Nothing is sampled with an error: where a bound
is exceeded, it is wrong. The linear loss attains the bounds.

The residual in (34) is not seen in simulated runs: the residuals of two runs with one output nearly cancel, and the
linear loss has the same for both. Each of them alone attains its bound (a_trajectory_at_its_scale, in
test_trajectories), and s_N is compared with the paper's sums (theorem_c13_is_the_papers_formula, in
test_descent_privacy).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from certify.kernel.interval import Interval
from certify.mechanisms.arrays import Array
from certify.mechanisms.losses import LINEAR, LOGISTIC
from certify.search.sharp_scales import best_splits, scales
from certify.statements.descent import radii, sharp, sharp_divergence, theorem_c13
from certify.statements.descent.sharp_trajectory import Loss, any_loss, logistic_loss
from tests.monte_carlo.descent_cases import (
    PAIRS,
    ROOM,
    Case,
    Pair,
    adversarial,
    cased,
    high,
    norms,
    paired,
    properties_of,
)
from tests.properties.declared import Property, fixed, prop
from tests.statements.small_problem import R, SmallProblem


def rounding(pair: Pair) -> float:
    """For perturbations, which are of the size of L R-bar where they are recovered from an output."""
    p = pair.case.constants
    return 1e-11 * high(p.L * radii.trajectory_scale(p, pair.radii.outer))


def sigma(pair: Pair) -> float:
    """The noise scale of the statements."""
    return high(pair.case.constants.sigma)


def gradient_difference(pair: Pair) -> Array:
    """g(y) = grad F(y) - grad F'(y) at the shared outputs."""
    y = pair.case.path[-1]
    return pair.case.problem.objective.gradient(y) - pair.case.other.objective.gradient(y)


def projected(pair: Pair) -> tuple[Array, Array]:
    """<z, x_n> and <z, x_n'>, in units of 2 zeta sigma."""
    case, unit = pair.case, 2 * float(pair.case.problem.zeta) * sigma(pair)
    return case.z @ case.problem.x[case.index] / unit, case.z @ case.other.x[case.index] / unit


def projection(pair: Pair) -> Array:
    """T = (|U| + |U'|)/(2 zeta).  [(30)]"""
    own, new = projected(pair)
    return np.asarray(np.abs(own) + np.abs(new))


def one_signed_projection(pair: Pair) -> Array:
    """T with positive parts only: l'(., y) has the sign of -y for the losses here.  [D8 e]"""
    case, (own, new) = pair.case, projected(pair)
    signs = -case.problem.y[case.index], -case.other.y[case.index]
    return np.asarray(np.maximum(signs[0] * own, 0) + np.maximum(-signs[1] * new, 0))


def gaussian_ratio(pair: Pair) -> Array:
    """(|Phi(z)|^2 - |z|^2)/(2 sigma^2), the logarithm of the ratio of the densities of z and Phi(z)."""
    return np.asarray((norms(pair.shared.z) ** 2 - norms(pair.case.z) ** 2) / (2 * sigma(pair) ** 2))


def determinant_ratio(pair: Pair) -> Array:
    """log |det J'_N(Phi(z))| - log |det J_N(z)|."""
    both = np.linalg.slogdet(pair.shared.jacobians).logabsdet, np.linalg.slogdet(pair.case.jacobians).logabsdet
    return np.asarray(both[0] - both[1])


def gaussian_part(pair: Pair) -> Interval:
    """r Delta_xi/sigma^2 + (G + Delta_xi)^2/(2 sigma^2): s_N without tau.  [(34)]"""
    p, N = pair.case.constants, pair.case.count
    return theorem_c13.spent(R, p, N, pair.radii, pair.margin) - theorem_c13.tau(R, p, N, pair.radii, pair.margin)


def known(pair: Pair) -> Loss[Interval]:
    """What D8 may use of the loss."""
    return logistic_loss(R) if pair.case.problem.loss is LOGISTIC else any_loss(pair.case.constants)


def sharp_certificate(pair: Pair) -> sharp.Certificate[Interval]:
    """D8 at the same radii, with the splits that a search would take."""
    p, N = pair.case.constants, pair.case.iterations
    at = scales(lambda _: (p, known(pair)), N)
    splits = best_splits(at, high(pair.radii.outer) / at.mu + at.at_start, None)
    return sharp.certificate(R, p, N, known(pair), sharp.Witness(pair.radii, splits))


@prop(8, pair=PAIRS)
def test_shared_outputs_have_a_preimage_in_the_outer_ball(pair: Pair) -> None:
    """Theorem C.13: for |z| <= r some z' has M'(z') = M(z), |z'| <= r' and |z' - z| <= G(1 - rho^N)/(mu alpha)."""
    p, N, slack = pair.case.constants, pair.case.count, rounding(pair)
    reached = radii.trajectory_scale(p, pair.radii.outer)
    np.testing.assert_allclose(pair.shared.path[-1], pair.case.path[-1], atol=1e-10 * high(reached))
    assert norms(pair.shared.z).max() <= high(pair.radii.outer) * ROOM + slack
    moved = norms(pair.shared.z - pair.case.z).max()
    assert moved <= high(theorem_c13.radius_need(R, p, N, pair.margin)) * ROOM + slack
    assert moved <= high(sharp_certificate(pair).radius_need) * ROOM + slack


@prop(8, pair=PAIRS)
def test_preimages_differ_by_the_gradients_and_a_residual(pair: Pair) -> None:
    """C.2: z - z' = -g(y) + xi_Delta with |g(y)| <= G and |xi_Delta| <= 2 mu rho^N R-bar."""
    p, N, g = pair.case.constants, pair.case.count, gradient_difference(pair)
    residuals = [case.problem.objective.gradient(case.path[-1]) + case.z for case in (pair.case, pair.shared)]
    left_over = pair.case.z - pair.shared.z + g
    np.testing.assert_allclose(left_over, residuals[0] - residuals[1], atol=10 * rounding(pair))
    assert norms(left_over).max() <= high(theorem_c13.residual(R, p, N, pair.radii)) * ROOM + rounding(pair)
    assert norms(g).max() <= high(p.G) * ROOM


@prop(8, pair=PAIRS)
def test_the_gaussian_ratio_is_bounded_pointwise(pair: Pair) -> None:
    """C.3: |<g, 2z + g>| <= 2 sigma^2 ((G/sigma) T + G^2/(2 sigma^2)). C.4: (34), both ways."""
    p, g, T = pair.case.constants, gradient_difference(pair), projection(pair)
    ratio = high(p.G / p.sigma) * ROOM
    exact = np.abs((g * (2 * pair.case.z + g)).sum(axis=1)) / (2 * sigma(pair) ** 2)
    assert (exact <= ratio * T + high((p.G / p.sigma) ** 2 / 2) * ROOM).all()
    slack = rounding(pair) * high(pair.radii.outer) / sigma(pair) ** 2
    assert (np.abs(gaussian_ratio(pair)) <= ratio * T + high(gaussian_part(pair)) * ROOM + slack).all()


@prop(8, pair=PAIRS)
def test_one_signed_losses_use_half_of_the_projections(pair: Pair) -> None:
    """D8 e: above, the Gaussian ratio is bounded with the positive parts (s <z, x_n>)_+ and (-s' <z, x_n'>)_+ for T."""
    p = pair.case.constants
    slack = rounding(pair) * high(pair.radii.outer) / sigma(pair) ** 2
    limit = high(p.G / p.sigma) * ROOM * one_signed_projection(pair) + high(gaussian_part(pair)) * ROOM + slack
    assert (gaussian_ratio(pair) <= limit).all()


@prop(8, pair=PAIRS)
def test_the_privacy_loss_is_bounded_pointwise(pair: Pair) -> None:
    """(52): the logarithm of the ratio of the output densities is at most s_N + (G/sigma) T, and with D8's s.

    The divergence term is an expectation over T; the positive parts will do for the losses here.
    """
    p, N = pair.case.constants, pair.case.count
    loss = gaussian_ratio(pair) + determinant_ratio(pair)
    slack = 1e-9 + rounding(pair) * high(pair.radii.outer) / sigma(pair) ** 2
    for spent in (theorem_c13.spent(R, p, N, pair.radii, pair.margin), sharp_certificate(pair).s):
        limit = high(p.G / p.sigma) * ROOM * one_signed_projection(pair) + high(spent) * ROOM + slack
        assert (loss <= limit).all()


CHECKS = properties_of(__name__, pair=PAIRS)


@fixed
def test_ratios_of_adversarial_problems() -> None:
    """Each of the above on the built problems."""
    for case in adversarial():
        pair = paired(case)
        for check in CHECKS:
            check.body(pair)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_ratios_beside_every_change(check: Property) -> None:
    for case in adversarial(every_change=True):
        check.body(paired(case))


def linear(size: float) -> Pair:
    """Linear loss, 40 steps at rho = 1/2; a label turned, |x| = zeta, and z of norm ``size`` against that record."""
    x = np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 1.0]])
    problem = SmallProblem(x, np.ones(3), Fraction(1, 5), Fraction(1), Fraction(1, 2), LINEAR)
    case = cased(problem, "label", 40, Fraction(1), 0)
    z = -size * case.problem.x[case.index]
    return paired(Case(problem, case.other, case.index, 40, z[None], 0))


@fixed
def test_preimages_at_the_bound() -> None:
    """Existence and C.2 are attained by the linear loss: |z' - z| is G, the need of (47), and |z'| is the least r'."""
    pair = linear(1.0)
    p, N = pair.case.constants, pair.case.count
    moved = norms(pair.shared.z - pair.case.z)
    for bound in (p.G, theorem_c13.radius_need(R, p, N, pair.margin), pair.radii.gap):
        np.testing.assert_allclose(moved, high(bound), rtol=1e-9)
    np.testing.assert_allclose(norms(pair.shared.z), high(pair.radii.outer), rtol=1e-9)


@fixed
def test_ratios_at_the_bound() -> None:
    """C.3, C.4, (52) and the one-signed form are attained by the linear loss, with T and, at z = 0, without."""
    for size in (0.0, 1.0):
        pair = linear(size)
        p = pair.case.constants
        np.testing.assert_allclose(projection(pair), size / sigma(pair), rtol=1e-9, atol=1e-15)
        for T in (projection(pair), one_signed_projection(pair)):
            limit = high(p.G / p.sigma) * T + high(gaussian_part(pair))
            np.testing.assert_allclose(gaussian_ratio(pair), limit, rtol=1e-8)
        limit = high(p.G / p.sigma) * projection(pair) + high(sharp_certificate(pair).s)
        np.testing.assert_allclose(gaussian_ratio(pair) + determinant_ratio(pair), limit, rtol=1e-8)


@fixed
def test_the_divergence_of_one_signed_losses_is_attained() -> None:
    """D8 e at x_n = x_n', the label turned: T_+ = W_+ has E(1 - e^{-v(W - t)})_+ = Q(t) - e^{vt + v^2/2} Q(t + v).

    It is at most (G/sigma) Q1(t), v = G/sigma, and within 1 % for small v; twice as much with |W| for any loss.
    """
    for v in (0.002, 0.2, 2.0):
        for t in (0.0, 0.5, 2.0, 4.0):
            exact = norm.sf(t) - math.exp(v * t + v * v / 2) * norm.sf(t + v)
            at = R(Fraction(v)), R(Fraction(t))
            for times, one_signed in ((1, True), (2, False)):
                bound = high(sharp_divergence.divergence(R, *at, one_signed=one_signed))
                assert times * exact <= bound * ROOM
                assert v > 0.01 or times * exact >= 0.99 * bound
