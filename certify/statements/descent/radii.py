"""Radii of the perturbation: the two nested balls of the privacy proof, and the trajectory scale on them.

The perturbation is cut to the ball of radius r, at the price of its tail; shared outputs have their other preimage in
the ball of radius r' = r + gap. The gap is held by itself, since (47) compares it with what is needed.
Source: GD paper, Theorem 4.1 (r_u and r'), Remark 4.3 (a start other than 0), Lemma A.6 (R-bar), Corollary E.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from certify.statements.descent.constants import Descent, Objective
from certify.statements.language import Reals, X


@dataclass(frozen=True)
class Radii(Generic[X]):
    """The radius r of the truncation ball and the gap r' - r to the domain ball."""

    inner: X
    gap: X

    @property
    def outer(self) -> X:
        """r' = r + gap."""
        return self.inner + self.gap


def truncation_parameter(R: Reals[X], p: Descent[X]) -> X:
    """u, or 0 where none is given (the tail bound is then 1)."""
    return R(0) if p.u is None else p.u


def fixed_radii(R: Reals[X], p: Descent[X]) -> Radii[X]:
    """r_u = sigma (sqrt(d*) + u) and r' = r_u + 2LG/mu. [Theorem 4.1]"""
    inner = p.sigma * (R.sqrt(R(p.d_star)) + truncation_parameter(R, p))
    return Radii(inner, 2 * p.L * p.G / p.mu)


def fixed_tail(R: Reals[X], p: Descent[X]) -> X:
    """exp(-u^2/2), at least Pr(|Z| > r_u) for Z ~ N(0, sigma^2 I) in the feature span of dimension <= d*.

    Source: Corollary E.4 (Gaussian norm concentration); Lemma B.6 (only the feature span matters).
    """
    return R.exp(-(truncation_parameter(R, p) ** 2) / 2)


def trajectory_scale(p: Objective[X], radius: X) -> X:
    """R-bar = (radius + L1 zeta)/mu, at least |grad F(w_0) + z|/mu for |z| <= radius; plus |w_0| for a public start.

    Source: Lemma A.6 and Section 3.1; Remark 4.3 for a fixed public w_0, where |grad F(w_0)| <= L1 zeta + mu |w_0|.
    """
    scale = (radius + p.gradient_bound) / p.mu
    return scale if p.start is None else scale + p.start
