"""Theorem C.13 (D2): differential privacy of gradient descent on a perturbed objective, in its exact finite-N form.

Statement: at radii r and r' with R-bar = (r' + L1 zeta)/mu, corr = eta M R-bar B nu~_N rho^(N-1) and
alpha = gamma_N - corr > 0, if (47) r' >= r + G(1 - rho^N)/(mu alpha), put
  (48) tau = g-bar_N log(1 + Delta_H/(2 n mu)) + 2 corr/alpha,  Delta_xi = 2 mu rho^N R-bar,
       s_N = r Delta_xi/sigma^2 + (G + Delta_xi)^2/(2 sigma^2) + tau;
then for every epsilon >= s_N the release w_N is (epsilon, delta)-DP, replace-one, with
  (50) delta = Pr(|Z| > r) + (2G/sigma) Q1((sigma/G)(epsilon - s_N)),
Z ~ N(0, sigma^2 I) in the feature span, of dimension <= d* (Lemma B.6). M = 0 is allowed.
Hypotheses: those of ``constants.release_hypotheses``, N >= 1, r > 0, alpha > 0, (47), epsilon >= s_N.
Radii: ``radii.fixed_radii`` with tail exp(-u^2/2) unless others are given with a bound on their tail.
Source: GD paper, Theorem C.13 with (47)-(50); Lemma C.5 for g-bar_N; Remark 4.3 (public start).
"""

from __future__ import annotations

from certify.statements.descent.constants import Descent, release_hypotheses
from certify.statements.descent.diffeomorphism import alpha
from certify.statements.descent.jacobian import correction, g_bar
from certify.statements.descent.radii import Radii, fixed_radii, fixed_tail, trajectory_scale
from certify.statements.descent.theorem_41 import determinant_floor, divergence
from certify.statements.language import Conditions, Reals, X, at_most, below


def alpha_bar(R: Reals[X], p: Descent[X], N: X, radii: Radii[X]) -> X:
    """alpha = gamma_N - corr on the ball of radius r'. [(47)]"""
    return alpha(R, p, N, radii.outer)


def displacement(R: Reals[X], p: Descent[X], N: X) -> X:
    """G(1 - rho^N)/mu, at least how far apart the outputs of neighbouring data sets are. [Lemma A.7]"""
    return p.G * (1 - R.power(p.rho, N)) / p.mu


def radius_need(R: Reals[X], p: Descent[X], N: X, alpha: X) -> X:
    """G(1 - rho^N)/(mu alpha), what (47) asks of r' - r."""
    return displacement(R, p, N) / alpha


def tau(R: Reals[X], p: Descent[X], N: X, radii: Radii[X], alpha: X) -> X:
    """(48), a bound on the log-determinant ratio. [Theorem C.9]"""
    return g_bar(R, p, N) * determinant_floor(R, p) + 2 * correction(R, p, N, radii.outer) / alpha


def residual(R: Reals[X], p: Descent[X], N: X, radii: Radii[X]) -> X:
    """Delta_xi = 2 mu rho^N R-bar, the inversion residual of the two preimages together. [Corollary C.2]"""
    return 2 * p.mu * R.power(p.rho, N) * trajectory_scale(p, radii.outer)


def spent(R: Reals[X], p: Descent[X], N: X, radii: Radii[X], alpha: X) -> X:
    """s_N, the part of epsilon that does not buy a smaller delta. [(49) and (51)]"""
    xi = residual(R, p, N, radii)
    gaussian = (radii.inner * xi + (p.G + xi) ** 2 / 2) / p.sigma**2
    return gaussian + tau(R, p, N, radii, alpha)


def hypotheses(R: Reals[X], p: Descent[X], N: X, epsilon: X, radii: Radii[X]) -> Conditions[X]:
    """What the theorem needs, in its order."""
    yield from release_hypotheses(R, p)
    yield at_most("1 <= N", R(1), N)
    yield below("0 < r", R(0), radii.inner)
    margin = alpha_bar(R, p, N, radii)
    yield below("0 < alpha", R(0), margin)
    yield at_most("(47) G(1 - rho^N)/mu <= alpha (r' - r)", displacement(R, p, N), margin * radii.gap)
    yield at_most("s_N <= epsilon", spent(R, p, N, radii, margin), epsilon)


def delta(R: Reals[X], p: Descent[X], N: X, epsilon: X, radii: Radii[X], tail: X) -> X:
    """(50) at the t that spends the whole of epsilon, where the hypotheses hold."""
    return tail + divergence(R, p, epsilon - spent(R, p, N, radii, alpha_bar(R, p, N, radii)))


def conditions(
    R: Reals[X], p: Descent[X], N: X, epsilon: X, delta_claimed: X, radii: Radii[X] | None = None, tail: X | None = None
) -> Conditions[X]:
    """The hypotheses, and that the theorem's delta is at most the one claimed; ``tail`` bounds Pr(|Z| > r)."""
    balls = fixed_radii(R, p) if radii is None else radii
    bound = fixed_tail(R, p) if tail is None else tail
    yield from hypotheses(R, p, N, epsilon, balls)
    yield at_most("delta(epsilon) (50) <= delta", delta(R, p, N, epsilon, balls, bound), delta_claimed, "conclusion")
