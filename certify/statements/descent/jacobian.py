"""The finite-N Jacobian quantities: gamma_N, nu_N, nu~_N, the correction of the frozen Hessian, and g-bar_N.

Each takes N >= 1 as a value of the arithmetic: one count, or an interval of counts to speak of all of them at once.
Source: GD paper, Section 4.2, Proposition A.11 with (22), Theorem A.12, Lemma C.5.
"""

from __future__ import annotations

from certify.statements.descent.constants import Objective, step_smoothness
from certify.statements.descent.radii import trajectory_scale
from certify.statements.language import Reals, X


def gamma(R: Reals[X], p: Objective[X], N: X) -> X:
    """gamma_N = (1 - (1 - eta L)^N)/L, the least singular value of the frozen-Hessian Jacobian. [Lemma A.9]"""
    return (1 - R.power(1 - step_smoothness(R, p), N)) / p.L


def nu(R: Reals[X], p: Objective[X], N: X) -> X:
    """nu_N = sum over k < N of (1 - rho^k) = N - (1 - rho^N)/(eta mu). [(22)]

    nu(t) = t - (1 - rho^t)/(1 - rho) is convex with nu(0) = nu(1) = 0, so it is nondecreasing for t >= 1.
    """
    return R.increasing(lambda t: t - (1 - R.power(p.rho, t)) / (p.eta * p.mu), N)


def nu_tilde(R: Reals[X], p: Objective[X], N: X) -> X:
    """nu~_N = sum over k < N of (1 - rho^(N-k))(1 - rho^k) = N(1 + rho^N) - (1 + rho)(1 - rho^N)/(1 - rho). [(22)]

    The terms are nonnegative. With c = (1 + rho)/(1 - rho) and l = -log rho, f(t) = t(1 + rho^t) - c(1 - rho^t) has
    f'' = l rho^t (t l + c l - 2) >= 0 for t >= 0, because c l = l coth(l/2) >= 2; and f(0) = f(1) = 0. So f is
    nondecreasing for t >= 1 and nonnegative there.
    """

    def curve(t: X) -> X:
        decay = R.power(p.rho, t)
        return t * (1 + decay) - (1 + p.rho) * (1 - decay) / (p.eta * p.mu)

    return R.maximum(R(0), R.increasing(curve, N))


def correction_per_scale(R: Reals[X], p: Objective[X], N: X) -> X:
    """eta M B nu~_N rho^(N-1): the Jacobian error for each unit of trajectory scale. [Proposition A.11]"""
    return p.eta * p.M / p.mu * nu_tilde(R, p, N) * R.power(p.rho, N - 1)


def correction(R: Reals[X], p: Objective[X], N: X, radius: X) -> X:
    """corr = eta M R-bar B nu~_N rho^(N-1), at least |J_N - J~_N| on the ball of that radius. [Proposition A.11]"""
    return trajectory_scale(p, radius) * correction_per_scale(R, p, N)


def g_bar(R: Reals[X], p: Objective[X], N: X) -> X:
    """1 - (1 - eta L)^(N-1), at least g-bar_N; 0 at N = 1, where 0^0 = 1. [Lemma C.5]"""
    return 1 - R.power(1 - step_smoothness(R, p), N - 1)
