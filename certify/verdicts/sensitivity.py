"""The sensitivity that a Ball-DP claim rests on: which head, which constants, at which radius."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from certify.claims.model import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.kernel.interval import Interval, Intervals
from certify.statements import ball, heads, prototype
from certify.verdicts.declarations import counts_are_public

Sensitivity: TypeAlias = Callable[[Intervals], Interval]

_ITEMS = {"squared-hinge": "H1", "binary-logistic": "H2", "softmax": "H3", "ridge-prototype": "H4"}


def item_of(claims: ClaimFile) -> str:
    """The spec number of the head's constants."""
    return _ITEMS[claims.model.head or ""]


def is_any_record(claims: ClaimFile) -> bool:
    """Whether the policy protects labels too (B7)."""
    return claims.policy.metric == "any-record"


def radius_of(claims: ClaimFile, claim: Claim) -> Fraction | None:
    """The claim's radius, taken at min(r, 2B); None where the policy has no radius."""
    if not isinstance(claim, DifferentialPrivacy | Reconstruction) or is_any_record(claims) or claim.radius is None:
        return None
    return min(claim.radius, 2 * claims.model.feature_bound)


def smallest_class(claims: ClaimFile) -> int:
    """n_min where class counts are public, else 1, the worst case."""
    count = claims.model.min_class_count
    return count if count is not None and counts_are_public(claims) else 1


def sensitivity_of(claims: ClaimFile, radius: Fraction | None) -> Sensitivity | None:
    """Delta at the radius, or over any two records where there is none; None where no theorem gives one."""
    model = claims.model
    tolerance = model.gradient_tolerance or Fraction(0)
    if model.head is None or (model.head == "ridge-prototype" and radius is None):
        return None
    if model.head == "ridge-prototype":
        distance = radius or Fraction(0)

        def exact(R: Intervals) -> Interval:
            n, smallest = R(model.n), R(smallest_class(claims))
            main = prototype.sensitivity(R(distance), R(model.regularization), n, smallest)
            return main + 2 * R(tolerance) / R(model.regularization)

        return exact
    gap = _difference(model.head, model.constant, model.feature_bound, model.regularization, model.classes or 2, radius)

    def bounded(R: Intervals) -> Interval:
        return ball.sensitivity(gap(R), R(model.regularization), R(model.n), R(tolerance))

    return bounded


@lru_cache(maxsize=256)
def _difference(
    head: heads.Head,
    constant: heads.Constant,
    feature_bound: Fraction,
    regularization: Fraction,
    classes: int,
    radius: Fraction | None,
) -> Sensitivity:
    """D(r), or 2g without a radius.

    Each precision is evaluated once, since repairs of sigma, epsilon or n do not change it; and never charged to an
    allowance, so that no claim's verdict depends on which others came before.
    """
    known: dict[int, Interval] = {}

    def difference(asking: Intervals) -> Interval:
        if asking.bits not in known:
            R = Intervals(asking.bits)
            B, lam = R(feature_bound), R(regularization)
            found = heads.constants(R, head, constant, B, lam, R(classes))
            gap = found.any_record
            known[R.bits] = gap if radius is None else heads.difference(R, head, constant, B, found, R(radius))
        return known[asking.bits]

    return difference
