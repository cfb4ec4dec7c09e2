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
    """The objective and the step: n records, mu, zeta, loss constants, L, M, eta; |w_0| where the start is not 0.

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
    start: X | None = None

    # The papers' names are kept.
    @property
    def G(self) -> X:  # noqa: N802
        """G = 2 L1 zeta/n, how far apart the gradients of neighbouring objectives are. [Lemma B.5]"""
        return 2 * self.L1 * self.zeta / self.n

    @property
    def delta_H(self) -> X:  # noqa: N802
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
    def gradient_bound(self) -> X:
        """L_l = L1 zeta, the Lipschitz constant of one record's loss and a bound on the gradient at 0. [Section 3.1]"""
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


def objective(
    R: Reals[X],
    n: int,
    mu: X,
    zeta: X,
    losses: tuple[X, X, X],
    *,
    L: X | None = None,
    M: X | None = None,
    eta: X | None = None,
) -> Objective[X]:
    """The objective with loss constants (L1, L2, L3); defaults L = mu + L2 zeta^2, M = L3 zeta^3, eta = 1/L."""
    L1, L2, L3 = losses
    chosen: dict[Chosen, X | None] = {"L": L, "M": M, "eta": eta}
    smooth = mu + L2 * zeta**2 if L is None else L
    return Objective(
        n=n,
        mu=mu,
        zeta=zeta,
        L1=L1,
        L2=L2,
        L3=L3,
        L=smooth,
        M=L3 * zeta**3 if M is None else M,
        eta=R(1) / smooth if eta is None else eta,
        defaults=frozenset(name for name, value in chosen.items() if value is None),
    )


def released(objective: Objective[X], d: int, sigma: X, u: X | None = None) -> Descent[X]:
    """The objective with its release."""
    return Descent(d=d, sigma=sigma, u=u, **vars(objective))


def logistic_constants(R: Reals[X]) -> tuple[X, X, X]:
    """L1 = 1, L2 = 1/4, L3 = 1/(6 sqrt 3) for the logistic loss l(t, y) = log(1 + e^(-yt)), y = +1 or -1.

    Proof: with s = 1/(1 + e^(yt)) in (0, 1) one has l' = -y s, l'' = s(1 - s), l''' = -y s(1 - s)(1 - 2s). So |l'| < 1;
    l'' <= 1/4 at s = 1/2; and with v = 1 - 2s, |l'''| = |v|(1 - v^2)/4, whose derivative (1 - 3v^2)/4 in v > 0 vanishes
    only at v = 1/sqrt 3, where it is (1/sqrt 3)(2/3)/4 = 1/(6 sqrt 3).
    """
    return R(1), R(Fraction(1, 4)), 1 / (6 * R.sqrt(R(3)))


def step_smoothness(R: Reals[X], p: Objective[X]) -> X:
    """eta L, exactly 1 where eta = 1/L by definition."""
    return R(1) if "eta" in p.defaults else p.eta * p.L


def hypotheses(R: Reals[X], p: Objective[X]) -> Conditions[X]:
    """The standing hypotheses on the constants. [Section 3.1; Section 3.2: 0 < eta <= 1/L and eta mu < 1]"""
    zero = R(0)
    yield below("0 < mu", zero, p.mu)
    yield below("0 < eta", zero, p.eta)
    yield at_most("eta <= 1/L (as eta L <= 1)", step_smoothness(R, p), R(1))
    yield below("eta mu < 1", p.eta * p.mu, R(1))
    default_L, default_M = "L" in p.defaults, "M" in p.defaults
    yield at_most("mu + L2 zeta^2 <= L", zero if default_L else p.mu + p.L2 * p.zeta**2, zero if default_L else p.L)
    yield at_most("L3 zeta^3 <= M", zero if default_M else p.L3 * p.zeta**3, zero if default_M else p.M)
    yield at_most("1 <= n", R(1), R(p.n))


def release_hypotheses(R: Reals[X], p: Descent[X]) -> Conditions[X]:
    """``hypotheses``, and on the release d >= 1, sigma > 0, G > 0, u >= 0 where u is given."""
    yield from hypotheses(R, p)
    yield at_most("1 <= d", R(1), R(p.d))
    yield below("0 < sigma", R(0), p.sigma)
    yield below("0 < G", R(0), p.G)
    if p.u is not None:
        yield at_most("0 <= u", R(0), p.u)
