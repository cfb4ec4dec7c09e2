"""Theorem 4.1 (D1): differential privacy of gradient descent on a perturbed objective, in closed form.

Statement: with r_u = sigma (sqrt(d*) + u), r' = r_u + 2LG/mu, R-bar = (r' + L1 zeta)/mu, if N meets the threshold (7)
then the release w_N is (epsilon, delta(epsilon))-DP, replace-one, for every epsilon >= epsilon0, where
  (8)  tau* = log(1 + Delta_H/(2 n mu)) + (e eta mu/2) min{1, MG/L} N rho^(N/2),
  (9)  epsilon0 = (G/sigma) rho^(N/2) + (G^2/2 sigma^2)(1 + rho^(N/2))^2 + tau*,
  (10) delta(epsilon) = exp(-u^2/2) + (2G/sigma) Q1((sigma/G)(epsilon - epsilon0)).
Below epsilon0 the theorem says nothing.
Hypotheses: those of ``constants.release_hypotheses``, N >= (7), epsilon >= epsilon0.
M = 0 (needs L3 = 0) may be put in: the theorem is stated for M > 0, and then holds for every M > 0. For M <= L/G the
second entry of (7) does not depend on M, and as M falls to 0 the N-term of tau* falls to 0, so delta(epsilon') at every
epsilon' > epsilon0 is a limit of certified pairs, and privacy is closed under limits.
Source: GD paper, Theorem 4.1 and Appendix C.3; Remark 4.3 (public start).
"""

from __future__ import annotations

from certify.statements.descent.constants import Descent, Objective, release_hypotheses
from certify.statements.descent.radii import fixed_radii, fixed_tail, trajectory_scale
from certify.statements.language import Conditions, Reals, X, at_most, below


def threshold(R: Reals[X], p: Descent[X]) -> X:
    """The right side of (7), with its second entry as 8 L B R-bar max(M, L/G)/(e rho mu): no division by M."""
    outer = fixed_radii(R, p).outer
    scale = trajectory_scale(p, outer)
    residual = 2 * p.mu * scale * outer / (p.G * p.sigma)
    jacobian = 8 * p.kappa * scale * R.maximum(p.M, p.L / p.G) / (R.exp(R(1)) * p.rho * p.mu)
    return 2 / (p.eta * p.mu) * R.log(R.maximum(residual, jacobian, R(4)))


def least_iterations(R: Reals[X], p: Descent[X], N: X) -> Conditions[X]:
    """N is the least integer that meets (7)."""
    needed = threshold(R, p)
    yield at_most("threshold (7) <= N", needed, N, "conclusion")
    yield below("N - 1 < threshold (7)", N - 1, needed, "conclusion")


def determinant_floor(R: Reals[X], p: Objective[X]) -> X:
    """log(1 + Delta_H/(2 n mu)), the log-determinant ratio of the exact minimizer. [Lemma C.6]"""
    return R.log(1 + p.delta_H / (2 * p.n * p.mu))


def tau_star(R: Reals[X], p: Descent[X], N: X) -> X:
    """(8)."""
    capped = R.minimum(R(1), p.M * p.G / p.L)
    return determinant_floor(R, p) + R.exp(R(1)) * p.eta * p.mu / 2 * capped * N * R.power(p.rho, N / 2)


def epsilon0(R: Reals[X], p: Descent[X], N: X) -> X:
    """(9), the least epsilon of which the theorem speaks."""
    ratio, decay = p.G / p.sigma, R.power(p.rho, N / 2)
    return ratio * decay + ratio**2 / 2 * (1 + decay) ** 2 + tau_star(R, p, N)


def divergence(R: Reals[X], p: Descent[X], excess: X) -> X:
    """(2G/sigma) Q1((sigma/G) excess), the second term of (10), for excess >= 0. [Lemma C.12]"""
    return 2 * p.G / p.sigma * R.q1(excess * p.sigma / p.G)


def delta(R: Reals[X], p: Descent[X], N: X, epsilon: X) -> X:
    """(10), for epsilon >= epsilon0."""
    return fixed_tail(R, p) + divergence(R, p, epsilon - epsilon0(R, p, N))


def hypotheses(R: Reals[X], p: Descent[X], N: X, epsilon: X) -> Conditions[X]:
    """What the theorem needs, in its order."""
    yield from release_hypotheses(R, p)
    yield at_most("threshold (7) <= N", threshold(R, p), N)
    yield at_most("epsilon0 (9) <= epsilon", epsilon0(R, p, N), epsilon)


def conditions(R: Reals[X], p: Descent[X], N: X, epsilon: X, delta_claimed: X) -> Conditions[X]:
    """The hypotheses, and that the theorem's delta is at most the one claimed."""
    yield from hypotheses(R, p, N, epsilon)
    yield at_most("delta(epsilon) (10) <= delta", delta(R, p, N, epsilon), delta_claimed, "conclusion")
