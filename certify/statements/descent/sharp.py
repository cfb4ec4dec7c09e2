"""D8: Theorem C.13 with sharper ingredients, at free radii r and r'.

Statement: let alpha = gamma_N - corr > 0 and r' >= r + G(1 - rho^N)/(mu alpha) (47). Then for every
epsilon >= s the release is (epsilon, delta)-DP, replace-one, with
  tau = g-bar_N log(1 + Delta_H/(2 n mu)) + 2 corr/alpha,
  s = r Delta_xi/sigma^2 + (G + Delta_xi)^2/(2 sigma^2) + tau, Delta_xi twice the residual bound,
  delta = Pr(|Z| > r) + the divergence term at t = (epsilon - s) sigma/G.
The proof is that of Theorem C.13, which uses its constants only through: a bound R-bar on the trajectory scale (a), a
bound corr on the Jacobian error in nuclear norm (b, c), a bound on the residual (d), an upper bound on the projected
perturbation (e), and the tail of a normal vector in the feature span, of dimension at most d* (f, Lemma B.6).
Each may be left out; with none of them this is Theorem C.13 itself, with the tail bound of Corollary E.4.
Hypotheses: ``release_hypotheses``, N >= 1, r > 0, alpha > 0, (47), s <= epsilon; the facts stated of the loss.
Source: GD paper, Theorem C.13 and Lemma C.11; the derivations stand with each ingredient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Generic

from certify.statements.descent.constants import Descent, release_hypotheses
from certify.statements.descent.jacobian import g_bar, gamma
from certify.statements.descent.radii import Radii
from certify.statements.descent.sharp_displacement import jacobian_error
from certify.statements.descent.sharp_divergence import divergence
from certify.statements.descent.sharp_residual import residual
from certify.statements.descent.sharp_trajectory import Loss, any_loss, minimiser_scale, trajectory_scale
from certify.statements.descent.theorem_41 import determinant_floor
from certify.statements.descent.theorem_c13 import radius_need
from certify.statements.language import Conditions, Reals, X, at_most, below
from certify.statements.tails import chi_tail, concentration_tail


@dataclass(frozen=True)
class Ingredients:
    """Which ingredients are used, a to f. a, b and e need facts of the loss, and d needs b."""

    origin_slope: bool = True
    minimiser_norm: bool = True
    nuclear_displacement: bool = True
    summed_residual: bool = True
    one_signed_loss: bool = True
    chi_tail: bool = True

    def used(self, loss: Loss[X], *, named: bool) -> tuple[str, ...]:
        """The names of those that this loss admits; ``named``: it is one loss, not the class of all."""
        excluded = set() if named else {"origin_slope"}
        if loss.turn is None or not self.minimiser_norm:
            excluded |= {"minimiser_norm", "summed_residual"}
        if not loss.one_signed:
            excluded.add("one_signed_loss")
        return tuple(f.name for f in fields(self) if getattr(self, f.name) and f.name not in excluded)


ALL = Ingredients()
NONE = Ingredients(False, False, False, False, False, False)


@dataclass(frozen=True)
class Witness(Generic[X]):
    """The radii, and the two steps at which the displacement bound changes. Found by search; any splits are valid."""

    radii: Radii[X]
    splits: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Certificate(Generic[X]):
    """alpha, tau, s, r' - r, what (47) asks of it, and delta(epsilon) for epsilon >= s."""

    alpha_bar: X
    tau: X
    s: X
    radius_gap: X
    radius_need: X
    delta: Callable[[X], X]


def certificate(
    R: Reals[X], p: Descent[X], iterations: int, loss: Loss[X], witness: Witness[X], ingredients: Ingredients = ALL
) -> Certificate[X]:
    """The quantities of the statement at one witness."""
    N, r, outer = R(iterations), witness.radii.inner, witness.radii.outer
    known = loss if ingredients.origin_slope else replace(loss, slope_within=any_loss(p).slope_within)
    trajectory = trajectory_scale(R, p, outer, known)
    minimiser = None
    if loss.turn is not None and ingredients.minimiser_norm:
        minimiser = minimiser_scale(R, p, outer, loss.turn)
    splits = witness.splits if ingredients.nuclear_displacement else (0, 0)
    corr = jacobian_error(R, p, iterations, trajectory, minimiser, splits)
    alpha = gamma(R, p, N) - corr
    tau = g_bar(R, p, N) * determinant_floor(R, p) + 2 * corr / alpha
    xi = 2 * residual(R, p, iterations, trajectory, minimiser if ingredients.summed_residual else None)
    s = (r * xi + (p.G + xi) ** 2 / 2) / p.sigma**2 + tau
    one_signed = loss.one_signed and ingredients.one_signed_loss
    tail = chi_tail if ingredients.chi_tail else concentration_tail

    def delta(epsilon: X) -> X:
        threshold = (epsilon - s) * p.sigma / p.G
        return tail(R, p.d_star, r, p.sigma) + divergence(R, p.G / p.sigma, threshold, one_signed=one_signed)

    return Certificate(alpha, tau, s, witness.radii.gap, radius_need(R, p, N, alpha), delta)


def feasibility(
    R: Reals[X], p: Descent[X], iterations: int, epsilon: X, radius: X, found: Certificate[X]
) -> Conditions[X]:
    """What the theorem needs, in its order."""
    yield from release_hypotheses(R, p)
    yield at_most("1 <= N", R(1), R(iterations))
    yield below("0 < r", R(0), radius)
    yield below("0 < alpha", R(0), found.alpha_bar)
    yield at_most("(47) G(1 - rho^N)/(mu alpha) <= r' - r", found.radius_need, found.radius_gap)
    yield at_most("s_N <= epsilon", found.s, epsilon)


def hypotheses(
    R: Reals[X],
    p: Descent[X],
    iterations: int,
    epsilon: X,
    loss: Loss[X],
    witness: Witness[X],
    ingredients: Ingredients = ALL,
) -> Conditions[X]:
    """``feasibility`` at a witness."""
    found = certificate(R, p, iterations, loss, witness, ingredients)
    yield from feasibility(R, p, iterations, epsilon, witness.radii.inner, found)


def conditions(
    R: Reals[X],
    p: Descent[X],
    iterations: int,
    epsilon: X,
    delta: X,
    loss: Loss[X],
    witness: Witness[X],
    ingredients: Ingredients = ALL,
) -> Conditions[X]:
    """The release is (epsilon, delta)-DP: every hypothesis, and the theorem's delta is at most the one claimed."""
    found = certificate(R, p, iterations, loss, witness, ingredients)
    yield from feasibility(R, p, iterations, epsilon, witness.radii.inner, found)
    yield at_most("delta(epsilon) (D8) <= delta", found.delta(epsilon), delta, "conclusion")
