"""Reconstruction from a finite support: the bound for known candidates, and the attack that it bounds (R4, R5).

The hidden record is one of m candidates with prior weights pi_i > 0 (drop those of weight 0), released as N(theta_i,
sigma^2 I). For any centre c let a_i = ||theta_i - c||/sigma. Candidates with the same a_i and pi_i are given once,
with how many they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from certify.statements.language import Condition, Reals, X, at_most


@dataclass(frozen=True)
class Candidates(Generic[X]):
    """``count`` candidates of prior weight pi each, whose releases are centred a sigma away from the centre."""

    count: int
    distance: X
    weight: X


def support_bound(R: Reals[X], support: Sequence[Candidates[X]], level: X) -> X:
    """R4. For every nu > 0: success <= nu + sum of [pi_i Phi(x_i + a_i) - nu Phi(x_i)], x_i = (log(pi_i/nu) -
    a_i^2/2)/a_i.

    A term with a_i = 0 is max(pi_i - nu, 0).
    Proof: success is sum of pi_i P_i(E_i) over disjoint events E_i, and sum of P_c(E_i) <= 1 for the law P_c at the
    centre. So it is at most nu + sum of [pi_i P_i(E_i) - nu P_c(E_i)], and each term is largest where
    pi_i dP_i/dP_c > nu: with z the coordinate along theta_i - c in units of sigma that is z > -x_i, and
    P_c(z > -x_i) = Phi(x_i), P_i(z > -x_i) = Phi(x_i + a_i).
    Weak duality: any nu and any c give a valid bound, so both may be guessed. By duality the least over nu is the most
    that sum of pi_i g_i(t_i) reaches with sum of t_i <= 1, where g_i(t) = Phi(Phi^{-1}(t) + a_i) is concave and grows
    in a_i; by Jensen it is at most R3 at kappa = max pi_i and mu = max a_i, with equality for uniform pi and equal
    a_i.
    Hypotheses: nu > 0, a_i >= 0, pi_i > 0, sum of pi_i = 1. Source: Ball-DP Section 10.7, restored.
    """
    total = level
    for group in support:
        total = total + group.count * _excess(R, group, level)
    return total


def _excess(R: Reals[X], group: Candidates[X], level: X) -> X:
    """The largest pi P(E) - nu P_c(E) over events E, with Phi(x) = Q(-x)."""

    def tested() -> X:
        x = _threshold(R, group, level)
        return group.weight * R.upper_tail(-(x + group.distance)) - level * R.upper_tail(-x)

    return R.choose(group.distance, "<=", R(0), lambda: R.maximum(group.weight - level, R(0)), tested)


def _threshold(R: Reals[X], group: Candidates[X], level: X) -> X:
    return (R.log(group.weight / level) - group.distance**2 / 2) / group.distance


def support_slope(R: Reals[X], support: Sequence[Candidates[X]], level: X) -> X:
    """R4. The right derivative of ``support_bound`` in nu: 1 - sum of Phi(x_i), where Phi(x_i) means 1{pi_i > nu} if
    a_i = 0.

    ``support_bound`` is a supremum of affine functions of nu, so convex, and each term's derivative is -P_c of its best
    event. Summed as Q(x) of one of the first candidates less Phi of all the others, so that little cancels where the
    candidate with the largest x comes first.
    """
    first, *others = support
    total = _share(R, first, level, beyond=True) - (first.count - 1) * _share(R, first, level)
    for group in others:
        total = total - group.count * _share(R, group, level)
    return total


def _share(R: Reals[X], group: Candidates[X], level: X, *, beyond: bool = False) -> X:
    """The probability at the centre of the best event E of one term, Phi(x) or 1{pi > nu} where a = 0; or of its
    complement."""

    def tested() -> X:
        x = _threshold(R, group, level)
        return R.upper_tail(x if beyond else -x)

    inside, outside = (R(0), R(1)) if beyond else (R(1), R(0))
    return R.choose(
        group.distance,
        "<=",
        R(0),
        lambda: R.choose(level, "<", group.weight, lambda: inside, lambda: outside),
        tested,
    )


def support_floor(bound: X, slope: X, lower: X, upper: X) -> X:
    """R4. A floor of ``support_bound`` over all nu: its tangent at ``lower``, taken at ``upper``.

    Statement: ``bound`` and ``slope`` are ``support_bound`` and ``support_slope`` at ``lower``. With ``slope_turns``
    some best nu is at most upper. If it is >= lower, convexity keeps the bound there above the tangent, which is least
    at nu = upper as the slope is <= 0; below lower the bound is at least the one at lower.
    """
    return bound + slope * (upper - lower)


def slope_turns(R: Reals[X], support: Sequence[Candidates[X]], lower: X, upper: X) -> tuple[Condition[X], Condition[X]]:
    """R4. The slope is <= 0 at ``lower`` and >= 0 at ``upper``, so some best nu is at most ``upper``, and none below
    ``lower`` is better."""
    return (
        at_most("slope of the bound at the lower level <= 0", support_slope(R, support, lower), R(0)),
        at_most("0 <= slope of the bound at the upper level", R(0), support_slope(R, support, upper)),
    )


def map_score(R: Reals[X], weight: X, squared_distance: X, sigma: X) -> X:
    """R5. The attack that is best on average: guess the candidate with the largest log pi_i - ||t - t_i||^2/(2
    sigma^2).

    t is the released parameter and t_i the minimiser with candidate i as the hidden record. For ridge prototypes under
    a uniform prior it is the candidate nearest to W_y (``prototype.inverted_record`` of the release).
    Hypotheses: pi_i > 0, sigma > 0. Source: Ball-DP Proposition 5, Corollary 3.
    """
    return R.log(weight) - squared_distance / (2 * sigma**2)
