"""Calibration of mu, sigma and N to a privacy pair and a comparator radius (U6).

Statement: for 0 < epsilon <= 1, delta and delta_S in (0, 1), W > 0 put u = sqrt(2 log(2/delta)), sigma = 4Gu/epsilon,
  A = d sigma^2 + 16 L_l^2 (32 + log(1/delta_S))/n,  mu_util = sqrt(2A)/W,  mu_priv = L2 zeta^2/(n(e^{epsilon/4} - 1)),
  mu = max(mu_util, mu_priv),  L >= mu + L2 zeta^2,  0 < eta <= 1/L.
If N meets the threshold (7) and c_N <= epsilon/4, the release w_N is (epsilon, delta)-DP, replace-one, and with
probability >= 1 - delta_S over the sample, for all |v| <= W at once,
  E[R_0(w_N)] - R_0(v) <= W sqrt(2A) + mu_priv W^2/2 + 2 E_opt(N), the middle term dropped if mu_util >= mu_priv.
Why: epsilon0 = G^2/(2 sigma^2) + log(1 + L2 zeta^2/(n mu)) + c_N, so epsilon0 + (G/sigma) u <= 25 epsilon/32.
Hypotheses: those above and of ``release_hypotheses``. The theorem asks M > 0; M = 0 is its limit (``theorem_41``).
Source: GD paper, Corollary 4.13 and Appendix D.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from certify.statements.descent.constants import Descent, Objective, release_hypotheses, released
from certify.statements.descent.theorem_41 import threshold
from certify.statements.language import Conditions, Reals, X, at_most, below
from certify.statements.utility import optimization


@dataclass(frozen=True)
class Target(Generic[X]):
    """What is asked: the privacy pair, the failure probability of the sample, the comparator radius W."""

    epsilon: X
    delta: X
    sample_failure: X
    comparator_norm: X


@dataclass(frozen=True)
class Calibration(Generic[X]):
    """The release that is chosen, and A, mu_util, mu_priv."""

    release: Descent[X]
    cost: X
    mu_util: X
    mu_priv: X


def calibration(R: Reals[X], target: Target[X], d: int, objective_at: Callable[[X], Objective[X]]) -> Calibration[X]:
    """The choice of u, sigma and mu; ``objective_at`` gives the objective, with its L and eta, at a mu."""
    p = objective_at(R(1))
    u = R.sqrt(2 * R.log(2 / target.delta))
    sigma = 4 * p.G * u / target.epsilon
    cost = d * sigma**2 + 16 * p.gradient_bound**2 * (32 - R.log(target.sample_failure)) / p.n
    mu_util = R.sqrt(2 * cost) / target.comparator_norm
    mu_priv = p.L2 * p.zeta**2 / (p.n * (R.exp(target.epsilon / 4) - 1))
    chosen = objective_at(R.maximum(mu_util, mu_priv))
    return Calibration(released(chosen, d, sigma, u), cost, mu_util, mu_priv)


def finite_correction(R: Reals[X], p: Descent[X], N: X) -> X:
    """c_N = (G/sigma) rho^{N/2} + (G^2/(2 sigma^2))(2 rho^{N/2} + rho^N) + (e eta mu/2) min(1, MG/L) N rho^{N/2}.

    It falls in N where N meets (7): then N eta mu >= 2 log 4 > 2, and N rho^{N/2} falls for N log(1/rho) >= 2.
    """
    ratio, decay = p.G / p.sigma, R.power(p.rho, N / 2)
    capped = R.minimum(R(1), p.M * p.G / p.L)
    gaussian = ratio * decay + ratio**2 / 2 * (2 * decay + decay**2)
    return gaussian + R.exp(R(1)) * p.eta * p.mu / 2 * capped * N * decay


def excess_risk(R: Reals[X], found: Calibration[X], N: X, comparator_norm: X) -> X:
    """W sqrt(2A) + mu_priv W^2/2 + 2 E_opt(N), the middle term only where mu_util < mu_priv."""
    regularization = R.choose(
        found.mu_priv,
        "<=",
        found.mu_util,
        lambda: R(0),
        lambda: found.mu_priv * comparator_norm**2 / 2,
    )
    stopping = 2 * optimization(R, found.release, N)
    return comparator_norm * R.sqrt(2 * found.cost) + regularization + stopping


def range_conditions(R: Reals[X], target: Target[X]) -> Conditions[X]:
    """0 < epsilon <= 1, delta and delta_S in (0, 1), W > 0."""
    yield below("0 < epsilon", R(0), target.epsilon)
    yield at_most("epsilon <= 1", target.epsilon, R(1))
    for name, value in (("delta", target.delta), ("delta_S", target.sample_failure)):
        yield below(f"0 < {name}", R(0), value)
        yield below(f"{name} < 1", value, R(1))
    yield below("0 < W", R(0), target.comparator_norm)


def settled(R: Reals[X], target: Target[X], p: Descent[X], N: X) -> Conditions[X]:
    """What is asked of N: the threshold (7), and c_N <= epsilon/4."""
    yield at_most("threshold (7) <= N", threshold(R, p), N)
    yield at_most("c_N <= epsilon/4", finite_correction(R, p, N), target.epsilon / 4)


def hypotheses(R: Reals[X], target: Target[X], p: Descent[X], N: X) -> Conditions[X]:
    """What the corollary needs, in its order."""
    yield from range_conditions(R, target)
    yield from release_hypotheses(R, p)
    yield from settled(R, target, p, N)


def conditions(
    R: Reals[X], target: Target[X], d: int, objective_at: Callable[[X], Objective[X]], N: X, claimed: X
) -> Conditions[X]:
    """The hypotheses, and that the excess risk of the calibrated release is at most the one claimed."""
    found = calibration(R, target, d, objective_at)
    yield from hypotheses(R, target, found.release, N)
    risk = excess_risk(R, found, N, target.comparator_norm)
    yield at_most("unregularised population excess risk (U6) <= bound", risk, claimed, "conclusion")
