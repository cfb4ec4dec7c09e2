"""The first passing count (D3): why every count of a range fails Theorem C.13, and why all counts beyond one do.

A count N passes for (epsilon, delta) if alpha > 0, (47), s_N <= epsilon and delta_N <= delta, at radii and a tail bound
that do not depend on N. Passing need not be monotone in N: "N is the first" says that N passes and every smaller count
fails.
Hypotheses: those of ``constants.release_hypotheses``, r > 0, r' > r.
Source: GD paper, Theorem C.13 and Appendix C.4 ("the first integer that certifies"); spec D3.
"""

from __future__ import annotations

from certify.statements.descent.constants import Descent
from certify.statements.descent.jacobian import g_bar
from certify.statements.descent.radii import Radii
from certify.statements.descent.theorem_41 import determinant_floor, divergence
from certify.statements.descent.theorem_c13 import alpha_bar, displacement, spent
from certify.statements.language import Conditions, Reals, X, at_most, below


def obstructions(R: Reals[X], p: Descent[X], N: X, epsilon: X, delta: X, radii: Radii[X], tail: X) -> Conditions[X]:
    """Any one of these, holding for an interval N of counts, shows that every count in it fails.

    1  alpha (r' - r) < G(1 - rho^N)/mu. The right side is positive: either alpha <= 0, or (47) is false.
    Where 1 is false, alpha >= m = G(1 - rho^N)/(mu(r' - r)) > 0, so alpha = max(alpha, m) and s_N is the s' with it:
    2  epsilon < s'.
    3  delta < tail + (2G/sigma) Q1((sigma/G)(epsilon - s')), where Q1 decreases also for negative arguments.
    So if 2, or 3, holds for every count of a range, each of them fails by 1 or by it.
    """
    alpha, apart = alpha_bar(R, p, N, radii), displacement(R, p, N)
    yield below("alpha (r' - r) < G(1 - rho^N)/mu", alpha * radii.gap, apart)
    excess = epsilon - spent(R, p, N, radii, R.maximum(alpha, apart / radii.gap))
    yield below("epsilon < s_N", excess, R(0))
    yield below("delta < delta_N(epsilon)", delta, tail + divergence(R, p, excess))


def endless_obstructions(R: Reals[X], p: Descent[X], N: X, epsilon: X, delta: X, tail: X) -> Conditions[X]:
    """Either of these shows that N and every larger count fails.

    Since Delta_xi > 0, corr >= 0 and g-bar_K is nondecreasing in K, a passing K >= N has
    s_K > f = G^2/(2 sigma^2) + g-bar_N log(1 + Delta_H/(2 n mu)), and Q1 strictly decreases.
    """
    excess = epsilon - ((p.G / p.sigma) ** 2 / 2 + g_bar(R, p, N) * determinant_floor(R, p))
    yield at_most("epsilon <= G^2/(2 sigma^2) + g_N log(1 + Delta_H/(2 n mu)) < s_K for all K >= N", excess, R(0))
    yield at_most(
        "delta <= a bound that delta_K(epsilon) exceeds for all K >= N", delta, tail + divergence(R, p, excess)
    )
