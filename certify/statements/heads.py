"""The heads in one table: radius of the minimisers, L_z, the any-record gradient difference 2g, and D(r) (H1-H3, B7).

``constant`` names whose constants are meant: "paper" (Ball-DP Proposition 12) or "sharp" (new, never larger). Each is
a bound at every minimiser of mean loss + (lambda/2) ||theta||^2 over records ||x|| <= B; the intercepts of the
logistic and softmax heads are regularised, the hinge has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal

from certify.statements import hinge, logistic, softmax
from certify.statements.augmented import where_midpoint_grows
from certify.statements.language import Reals, X

Head = Literal["squared-hinge", "binary-logistic", "softmax"]
Constant = Literal["sharp", "paper"]


@dataclass(frozen=True)
class HeadConstants(Generic[X]):
    """A head's bounds: minimiser norm R, record-Lipschitz constant L_z, any-record gradient difference 2g (B7)."""

    radius: X
    lipschitz: X
    any_record: X


def constants(
    R: Reals[X], head: Head, constant: Constant, feature_bound: X, regularization: X, classes: X
) -> HeadConstants[X]:
    """H1-H3. The constants of a head; ``classes`` is read by softmax only.

    Hypotheses: B >= 0, lambda > 0, K >= 2. Source: Ball-DP Proposition 12; the head's file derives the sharp ones.
    """
    B, regular = feature_bound, regularization
    if head == "squared-hinge":
        radius = hinge.sharp_radius(R, B, regular) if constant == "sharp" else hinge.paper_radius(R, regular)
        return HeadConstants(radius, hinge.lipschitz(B, radius), 2 * hinge.gradient_bound(B, radius))
    if head == "binary-logistic":
        if constant == "sharp":
            radius = logistic.sharp_radius(R, B, regular)
            lipschitz = logistic.sharp_lipschitz(R, B, radius)
        else:
            radius, lipschitz = logistic.paper_radius(R, B, regular), logistic.paper_lipschitz(B, regular)
        return HeadConstants(radius, lipschitz, 2 * logistic.gradient_bound(R, B, radius))
    if constant == "sharp":
        radius = softmax.sharp_radius(R, B, regular, classes)
        lipschitz = softmax.lipschitz(R, B, radius)
    else:
        radius, lipschitz = softmax.paper_radius(R, B, regular), softmax.paper_lipschitz(R, B, regular)
    return HeadConstants(radius, lipschitz, 2 * softmax.gradient_bound(R, B))


def difference(R: Reals[X], head: Head, constant: Constant, feature_bound: X, found: HeadConstants[X], radius: X) -> X:
    """D(r), the bound on the gradient difference over same-label records at distance <= r, for Theorem 2.

    Statement: paper: L_z r. Sharp: the least of L_z r, the head's midpoint form (for logistic and softmax only where it
    grows, r <= 4 B~/sqrt(5)) and the cap 2g. Each is nondecreasing in r on its range, and so is the least of them:
    where the midpoint form drops out, the rest is not below it.
    Hypotheses: r <= 2B (``ball.effective_radius``); ``found`` are the head's constants at this B.
    Source: Ball-DP Theorem 2 and Proposition 12; the sharp forms are new.
    """
    linear = found.lipschitz * radius
    if constant == "paper":
        return linear
    simple = R.minimum(linear, found.any_record)
    if head == "squared-hinge":
        return R.minimum(simple, hinge.midpoint_difference(R, feature_bound, found.radius, radius))
    form = logistic.midpoint_difference if head == "binary-logistic" else softmax.midpoint_difference
    midpoint = R.minimum(simple, form(R, feature_bound, found.radius, radius))
    return where_midpoint_grows(R, feature_bound, radius, midpoint, simple)
