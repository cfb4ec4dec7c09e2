"""The constants of gradient descent on a perturbed objective, and the standing hypotheses on them.

Mechanism: w_0 = 0, w_{k+1} = w_k - eta (grad F(w_k; S) + z), z ~ N(0, sigma^2 I_d) drawn once, w_N released, where
F(w; S) = (1/n) sum of l(<w, x_i>, y_i) + (mu/2)|w|^2, |x_i| <= zeta, and |l'|, l'', |l'''| (derivatives in the first
argument, l'' >= 0) are bounded by L1, L2, L3. Adjacency is replace-one. sigma is a standard deviation.
Source: GD paper, equations (1) and (4), Section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal

from certify.statements.language import Conditions, Reals, X, at_most, below

Chosen = Literal["L", "M", "eta"]


@dataclass(frozen=True, kw_only=True)
class Objective(Generic[X]):
    """The objective and the step: n records, mu, zeta, loss constants, L, M, eta.

    ``defaults`` names those of L, M, eta that are the default by definition: L = mu + L2 zeta^2, M = L3 zeta^3,
    eta = 1/L. Their hypotheses then hold with equality, whatever the arithmetic can decide.
    """

    n: int
    mu: X
    zeta: X
    L1: X
    L2: X
    L3: X
    L: X
    M: X
    eta: X
    defaults: frozenset[Chosen] = frozenset()

    @property
    def G(self) -> X:
        """G = 2 L1 zeta/n, how far apart the gradients of neighbouring objectives are. [Lemma B.5]"""
        return 2 * self.L1 * self.zeta / self.n

    @property
    def delta_H(self) -> X:
        """Delta_H = 2 L2 zeta^2, the Hessian scale of one replaced record. [Section 3.1]"""
        return 2 * self.L2 * self.zeta**2

    @property
    def rho(self) -> X:
        """rho = 1 - eta mu, the contraction factor of one step."""
        return 1 - self.eta * self.mu

    @property
    def kappa(self) -> X:
        """kappa = L/mu, the condition number."""
        return self.L / self.mu

    @property
    def B(self) -> X:
        """B = 1/mu, the bound on the inverse Hessian."""
        return 1 / self.mu

    @property
    def Lipschitz(self) -> X:
        """L_l = L1 zeta, the Lipschitz constant of one record's loss."""
        return self.L1 * self.zeta


@dataclass(frozen=True, kw_only=True)
class Descent(Objective[X]):
    """An objective with its release: dimension d, noise scale sigma, truncation parameter u (None: not given)."""

    d: int
    sigma: X
    u: X | None = None

    @property
    def d_star(self) -> int:
        """d* = min(d, n + 1), the most dimensions that the features of two neighbouring data sets span. [(2)]"""
        return min(self.d, self.n + 1)


def logistic_constants(R: Reals[X]) -> tuple[X, X, X]:
    """L1 = 1, L2 = 1/4, L3 = 1/(6 sqrt 3) for the logistic loss l(t, y) = log(1 + e^(-yt)), y = +1 or -1.

    Proof: with s = 1/(1 + e^(yt)) in (0, 1) one has l' = -y s, l'' = s(1 - s), l''' = -y s(1 - s)(1 - 2s). So |l'| < 1;
    l'' <= 1/4 at s = 1/2; and with v = 1 - 2s, |l'''| = |v|(1 - v^2)/4, whose derivative (1 - 3v^2)/4 in v > 0 vanishes
    only at v = 1/sqrt 3, where it is (1/sqrt 3)(2/3)/4 = 1/(6 sqrt 3).
    """
    return R(1), R(Fraction(1, 4)), 1 / (6 * R.sqrt(R(3)))


def smoothness(mu: X, zeta: X, L2: X) -> X:
    """The default L = mu + L2 zeta^2. [Section 3.1]"""
    return mu + L2 * zeta**2


def hessian_lipschitz(zeta: X, L3: X) -> X:
    """The default M = L3 zeta^3. [Section 3.1]"""
    return L3 * zeta**3


def step_times_L(R: Reals[X], p: Objective[X]) -> X:
    """eta L, exactly 1 where eta = 1/L by definition."""
    return R(1) if "eta" in p.defaults else p.eta * p.L


def hypotheses(R: Reals[X], p: Objective[X]) -> Conditions[X]:
    """The standing hypotheses on the constants. [Section 3.1; Section 3.2: 0 < eta <= 1/L and eta mu < 1]"""
    yield below("0 < mu", R(0), p.mu)
    yield below("0 < eta", R(0), p.eta)
    yield at_most("eta <= 1/L (as eta L <= 1)", step_times_L(R, p), R(1))
    yield below("eta mu < 1", p.eta * p.mu, R(1))
    least_L, least_M = smoothness(p.mu, p.zeta, p.L2), hessian_lipschitz(p.zeta, p.L3)
    yield at_most("mu + L2 zeta^2 <= L", *_ordered(R, least_L, p.L, "L" in p.defaults))
    yield at_most("L3 zeta^3 <= M", *_ordered(R, least_M, p.M, "M" in p.defaults))
    yield at_most("1 <= n", R(1), R(p.n))


def release_hypotheses(R: Reals[X], p: Descent[X]) -> Conditions[X]:
    """The hypotheses on constants and release: ``hypotheses``, d >= 1, sigma > 0, u >= 0 where u is given."""
    yield from hypotheses(R, p)
    yield at_most("1 <= d", R(1), R(p.d))
    yield below("0 < sigma", R(0), p.sigma)
    if p.u is not None:
        yield at_most("0 <= u", R(0), p.u)


def _ordered(R: Reals[X], least: X, chosen: X, equal: bool) -> tuple[X, X]:
    """The two sides of least <= chosen; 0 <= 0 where they are the same number by definition."""
    return (R(0), R(0)) if equal else (least, chosen)
