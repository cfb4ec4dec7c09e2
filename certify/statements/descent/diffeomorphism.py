"""Corollary 4.4 and Theorem A.12 (D4): the map z -> w_N is a diffeomorphism on a ball.

Statement: with R_D = (radius + L1 zeta)/mu, if alpha_D = gamma_N - eta M R_D B nu~_N rho^(N-1) > 0 then z -> w_N is a
C^1-diffeomorphism of the ball |z| <= radius onto its image, and every singular value of its Jacobian is >= alpha_D.
M = 0 is allowed.
Hypotheses: those of ``constants.hypotheses``, N >= 1, radius >= 0, alpha_D > 0.
Source: GD paper, Corollary 4.4, Theorems A.12 and A.13.
"""

from __future__ import annotations

from certify.statements.descent.constants import Objective, hypotheses
from certify.statements.descent.jacobian import correction, gamma
from certify.statements.language import Conditions, Reals, X, at_most, below


def alpha(R: Reals[X], p: Objective[X], N: X, radius: X) -> X:
    """alpha_D = gamma_N - corr, a lower bound on the singular values where it is positive. [Theorem A.12]"""
    return gamma(R, p, N) - correction(R, p, N, radius)


def conditions(R: Reals[X], p: Objective[X], N: X, radius: X) -> Conditions[X]:
    """The hypotheses, and alpha_D > 0."""
    yield from hypotheses(R, p)
    yield at_most("0 <= radius", R(0), radius)
    yield below("0 < alpha_D", R(0), alpha(R, p, N, radius))
