"""D8 (a, b): the trajectory measured from the loss itself, not only from its Lipschitz constant.

Setting: f = F + <z, .> for one data set and |z| <= r', w_k its gradient steps from a public w_0 (0 unless said), w* its
minimiser.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from certify.statements.augmented import margin_maximum
from certify.statements.descent.constants import Objective
from certify.statements.language import Reals, X


@dataclass(frozen=True)
class Loss(Generic[X]):
    """What is known of a loss beyond |l'| <= L1, 0 <= l'' <= L2, |l'''| <= L3.

    slope_within: c -> sup of |l'(t, y)| over y and |t| <= c. turn: sup over t, y of -t l'(t, y), None where it is not
    known. one_signed: l'(., y) has one sign for each y.
    """

    slope_within: Callable[[X], X]
    turn: X | None = None
    one_signed: bool = False


def any_loss(p: Objective[X]) -> Loss[X]:
    """The class of all losses with the constants L1, L2, L3: |l'| <= L1 and nothing more."""
    return Loss(lambda _: p.L1)


def logistic_loss(R: Reals[X]) -> Loss[X]:
    """The logistic loss l(t, y) = log(1 + e^{-yt}), y = +1 or -1.

    Statement: l'(t, y) = -y/(1 + e^{yt}) has the sign of -y, |l'(t, y)| <= 1/(1 + e^{-c}) for |t| <= c (1/2 at c = 0),
    and -t l'(t, y) = m/(1 + e^m) at the margin m = yt, whose sup is omega = W0(1/e) = 0.27846... (``margin_maximum``).
    """
    return Loss(lambda bound: 1 / (1 + R.exp(-bound)), margin_maximum(R, R(1)), True)


def trajectory_scale(R: Reals[X], p: Objective[X], radius: X, loss: Loss[X]) -> X:
    """a. R-bar = (r' + zeta sup|l'(t, y)|)/mu + |w_0|, the sup over |t| <= zeta |w_0|: a bound on |grad f(w_0)|/mu.

    Statement: |w_k - w_N| <= (rho^k - rho^N) R-bar for 0 <= k <= N.
    Proof: grad f(w_0) is the mean of l'(<w_0, x_i>, y_i) x_i plus mu w_0 plus z, with |<w_0, x_i>| <= zeta |w_0|. The
    rest is Lemma A.6, which bounds the distance by (rho^k - rho^N) |grad f(w_0)|/mu.
    Attained: the bound on the gradient, at w_0 = 0, when all records agree and |x| = zeta.
    """
    start = R(0) if p.start is None else p.start
    return (radius + p.zeta * loss.slope_within(p.zeta * start)) / p.mu + start


def minimiser_scale(R: Reals[X], p: Objective[X], radius: X, turn: X) -> X:
    """b. R* = (r' + sqrt(r'^2 + 4 mu omega))/(2 mu) + |w_0|, a bound on |w_0 - w*|.

    Statement: |w_0 - w*| <= R*, so |w_k - w_N| <= |w_k - w*| + |w* - w_N| <= (rho^k + rho^N) R*.
    Proof: mu w* = -z - mean of l'(t_i, y_i) x_i with t_i = <w*, x_i>. The inner product with w* gives
    mu |w*|^2 = -<z, w*> + mean of -t_i l'(t_i, y_i) <= r' |w*| + omega, so |w*| is at most the larger root of
    mu x^2 = r' x + omega. The iterates contract towards w* (Lemma A.4): |w_k - w*| <= rho^k |w_0 - w*|.
    Attained at w_0 = 0 by the logistic loss: n even, d >= 2, zeta R* >= 1 + omega, z = -r' v for a unit vector v,
    y_i = 1 and x_i = ((1 + omega)/R*) v plus and minus one vector across v, each sign half the time: then w* = R* v.
    """
    norm = (radius + R.sqrt(radius**2 + 4 * p.mu * turn)) / (2 * p.mu)
    return norm if p.start is None else norm + p.start
