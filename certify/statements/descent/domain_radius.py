"""Remark C.14 made exact (D6): the least domain radius r' that satisfies (47), and when there is one.

Statement: with c = (eta M B nu~_N rho^(N-1))/mu, A = G(1 - rho^N)/mu and D = gamma_N - c(r + L1 zeta), some r' > r has
alpha > 0 and (47) iff D > 0 and D >= 2 sqrt(cA); the least is r' = r + 2A/(D + sqrt(D^2 - 4cA)).
Proof: at r' = r + g one has alpha = D - cg, so (47) with alpha > 0 is g(D - cg) >= A with g >= 0, that is
c g^2 - D g + A <= 0. Its discriminant is D^2 - 4cA, and the lesser root is the g above; there
alpha = (D + sqrt(D^2 - 4cA))/2 > 0. Delta_xi, corr and 1/alpha increase with r', and so does s_N: the least r' is best.
A public start adds mu |w_0| to L1 zeta.
Hypotheses: those of ``constants.release_hypotheses``, N >= 1, r > 0, D > 0, D >= 2 sqrt(cA).
Source: GD paper, Remark C.14, whose (53) is only sufficient.
"""

from __future__ import annotations

from certify.statements.descent.constants import Descent
from certify.statements.descent.jacobian import correction_per_scale
from certify.statements.descent.radii import Radii
from certify.statements.descent.theorem_c13 import alpha_bar, displacement
from certify.statements.language import Conditions, Reals, X, at_most, below


def least_radii(R: Reals[X], p: Descent[X], N: X, inner: X) -> Radii[X]:
    """The radius r with the least r' - r that satisfies (47)."""
    steepness, reach, margin = _quadratic(R, p, N, inner)
    return Radii(inner, 2 * reach / (margin + R.sqrt(margin**2 - 4 * steepness * reach)))


def existence(R: Reals[X], p: Descent[X], N: X, inner: X) -> Conditions[X]:
    """Some r' satisfies (47)."""
    steepness, reach, margin = _quadratic(R, p, N, inner)
    yield below("0 < D", R(0), margin)
    yield at_most("2 sqrt(c A) <= D", 2 * R.sqrt(steepness * reach), margin)


def _quadratic(R: Reals[X], p: Descent[X], N: X, inner: X) -> tuple[X, X, X]:
    """c, A and D: (47) with alpha > 0 holds at the gap g >= 0 iff c g^2 - D g + A <= 0."""
    steepness = correction_per_scale(R, p, N) / p.mu
    return steepness, displacement(R, p, N), alpha_bar(R, p, N, Radii(inner, R(0)))
