"""D8 (c): the Jacobian error of gradient descent, by three bounds on how far the Hessian moves.

Statement: let J_N be the Jacobian of z -> w_N and J~_N the one with the Hessian frozen at w_N. In nuclear norm
    |J_N - J~_N| <= corr = (eta/mu) sum over k < N of rho^{N-1-k} (1 - rho^k) h_k,
for any h_k that bounds |H(w_k) - H(w_N)| in nuclear norm, H the Hessian of F. Three such bounds are
    L2 zeta^2,   M (rho^k + rho^N) R*,   M (rho^k - rho^N) R-bar.
Proof: Lemma A.10 unrolls the error as -eta sum of A_{N-1} ... A_{k+1} (H(w_k) - H(w_N)) J~_k with |A_j| <= rho and
|J~_k| <= (1 - rho^k)/mu in operator norm, and the nuclear norm of XYZ is at most |X| |Y|_* |Z| (Lemma E.7).
H(w_k) - H(w_N) = (1/n) sum of c_i x_i x_i^T with c_i a difference of two values of l'' in [0, L2], so |c_i| <= L2 and
the nuclear norm is at most L2 zeta^2; and it is at most M |w_k - w_N| (Lemma B.2), which ``sharp_trajectory`` bounds.
Any choice per k is valid, so the ranges k < first, first <= k < second and second <= k are taken with one bound each;
all three fall in k, the first the slowest and the last the fastest, so the least of them has this shape.
Every h_k is continuous in r', as Lemma C.11 needs to extend the margin to an open neighbourhood of the ball.
Source: GD paper, Proposition A.11 and Lemma B.4, which use the third bound for every k.
"""

from __future__ import annotations

from certify.statements.descent.constants import Objective
from certify.statements.language import Reals, X


def jacobian_error(
    R: Reals[X], p: Objective[X], iterations: int, trajectory: X, minimiser: X | None, splits: tuple[int, int]
) -> X:
    """corr at the splits (first, second), which are cut to 0 <= first <= second <= N.

    Here trajectory = R-bar and minimiser = R*; without R* the middle range is empty: second = first.
    """
    first = min(max(splits[0], 0), iterations)
    second = first if minimiser is None else min(max(splits[1], first), iterations)
    total = p.L2 * p.zeta**2 * capped_weights(R, p, iterations, first)
    if minimiser is not None:
        total = total + p.M * minimiser * settling_weights(R, p, iterations, first, second, 1)
    total = total + p.M * trajectory * settling_weights(R, p, iterations, second, iterations, -1)
    return p.eta / p.mu * total


def capped_weights(R: Reals[X], p: Objective[X], iterations: int, stop: int) -> X:
    """The sum of rho^{N-1-k} (1 - rho^k) over 0 <= k < stop.

    Each term is rho^{N-1-k} - rho^{N-1}, so the sum is rho^{N-stop} S_stop - stop rho^{N-1}, where
    S_m = 1 + rho + ... + rho^{m-1} = (1 - rho^m)/(eta mu).
    """
    if stop == 0:
        return R(0)
    rho = p.rho
    return rho ** (iterations - stop) * geometric(p, stop) - stop * rho ** (iterations - 1)


def settling_weights(R: Reals[X], p: Objective[X], iterations: int, start: int, stop: int, sign: int) -> X:
    """The sum of rho^{N-1-k} (1 - rho^k) (rho^k + s rho^N) over start <= k < stop, s = ``sign`` = 1 or -1.

    A term is rho^{N-1} - rho^{N-1+k} + s rho^{2N-1-k} - s rho^{2N-1}, so with m = stop - start the sum is
    m rho^{N-1} (1 - s rho^N) - (rho^{N-1+start} - s rho^{2N-stop}) S_m. For s = -1 over 0 <= k < N it is
    rho^{N-1} times nu~_N of Proposition A.11.
    """
    length = stop - start
    if length == 0:
        return R(0)
    rho = p.rho
    flat = length * rho ** (iterations - 1) * (1 - sign * rho**iterations)
    curved = rho ** (iterations - 1 + start) - sign * rho ** (2 * iterations - stop)
    return flat - curved * geometric(p, length)


def geometric(p: Objective[X], length: int) -> X:
    """S_m = 1 + rho + ... + rho^{m-1} = (1 - rho^m)/(eta mu)."""
    return (1 - p.rho**length) / (p.eta * p.mu)
