"""D8 (d): the residual of the inversion identity z = -grad F(w_N) + xi, twice as small as rho^N alone makes it.

Setting: f = F + <z, .>, g_k its gradient at the step w_k, w* its minimiser, D_k = |w_k - w*|, f* = f(w*),
0 < eta <= 1/L, rho = 1 - eta mu. The residual is xi = grad F(w_N) + z = g_N.
"""

from __future__ import annotations

from certify.statements.descent.constants import Objective
from certify.statements.language import Reals, X


def residual(R: Reals[X], p: Objective[X], iterations: int, trajectory: X, minimiser: X | None) -> X:
    """A bound on |xi|: the lesser of mu rho^N R-bar and mu rho^N R* sqrt((1 + rho)/(rho (1 - rho^N)(1 - rho^{N+1}))).

    Here trajectory = R-bar bounds |g_0|/mu and minimiser = R* bounds D_0 = |w_0 - w*|; R* may be None (not known).
    Proof of the first: |g_{k+1}| <= rho |g_k|, as g_{k+1} = (I - eta H) g_k with an averaged Hessian H. [Lemma C.1]
    Proof of the second, in three steps.
    1. f(w_{j+1}) <= f(w_j) - (eta/2)|g_j|^2 (smoothness, eta <= 1/L), and strong convexity gives
       f(w_j) - f* <= <g_j, w_j - w*> - (mu/2) D_j^2. As 2 eta <g_j, w_j - w*> = D_j^2 - D_{j+1}^2 + eta^2 |g_j|^2,
       f(w_{j+1}) - f* <= (rho D_j^2 - D_{j+1}^2)/(2 eta). Summed over 0 <= j < N with weights rho^{-j-1} this
       telescopes: the sum over 1 <= j <= N of rho^{-j} (f(w_j) - f*) is at most D_0^2/(2 eta).
    2. The descent inequality summed from j on gives f(w_j) - f* >= (eta/2) sum over j <= i <= N of |g_i|^2, and
       |g_i| >= rho^{-(N-i)} |g_N|; so f(w_j) - f* >= (eta/2)|g_N|^2 (rho^{-2(N-j+1)} - 1)/(rho^{-2} - 1).
    3. The sum over 1 <= j <= N of rho^{-j} (rho^{-2(N-j+1)} - 1) is rho^{-2N-1} (1 - rho^N)(1 - rho^{N+1})/(eta mu).
       Together: |g_N|^2 <= mu^2 D_0^2 rho^{2N} (1 + rho)/(rho (1 - rho^N)(1 - rho^{N+1})).
    """
    settled = p.rho**iterations
    plain = p.mu * settled * trajectory
    if minimiser is None:
        return plain
    rho = p.rho
    factor = R.sqrt((1 + rho) / (rho * (1 - settled) * (1 - settled * rho)))
    return R.minimum(plain, p.mu * settled * minimiser * factor)
