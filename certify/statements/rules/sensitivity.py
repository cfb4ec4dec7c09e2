"""The sensitivity that a Ball-DP claim rests on: which head, which constants, at which radius."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.statements import ball, heads, prototype
from certify.statements.language import Reals, X
from certify.statements.rules.claim import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.declared import counts_are_public
from certify.statements.rules.rule import Evaluated, Memory, no_memory

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


def sensitivity_of(claims: ClaimFile, radius: Fraction | None, memory: Memory = no_memory) -> Evaluated | None:
    """Delta at the radius, or over any two records where there is none; None where no theorem gives one."""
    model = claims.model
    tolerance = model.gradient_tolerance or Fraction(0)
    if model.head is None or (model.head == "ridge-prototype" and radius is None):
        return None
    if model.head == "ridge-prototype":
        distance = radius or Fraction(0)

        def exact(R: Reals[X], /) -> X:
            n, smallest = R(model.n), R(smallest_class(claims))
            main = prototype.sensitivity(R(distance), R(model.regularization), n, smallest)
            return main + 2 * R(tolerance) / R(model.regularization)

        return exact

    def bounded(R: Reals[X], /) -> X:
        return ball.sensitivity(
            gradient_difference(R, claims, radius, memory), R(model.regularization), R(model.n), R(tolerance)
        )

    return bounded


def gradient_difference(R: Reals[X], claims: ClaimFile, radius: Fraction | None, memory: Memory) -> X:
    """D(r), or 2g without a radius, for a head that is not the ridge prototype."""
    head, constant, bound = _convex_head(claims), claims.model.constant, claims.model.feature_bound

    def difference(R: Reals[X]) -> X:
        found = constants_of(R, claims, memory)
        return found.any_record if radius is None else heads.difference(R, head, constant, R(bound), found, R(radius))

    return memory(("D(r)", *_key(claims), radius), R, difference)


def constants_of(R: Reals[X], claims: ClaimFile, memory: Memory) -> heads.HeadConstants[X]:
    """The constants of a head that is not the ridge prototype."""
    model, head = claims.model, _convex_head(claims)

    def constants(R: Reals[X]) -> heads.HeadConstants[X]:
        bound, regularization = R(model.feature_bound), R(model.regularization)
        return heads.constants(R, head, model.constant, bound, regularization, R(model.classes or 2))

    return memory(("head", *_key(claims)), R, constants)


def sensitivity_quantities(
    R: Reals[X], claims: ClaimFile, radius: Fraction | None, found: Evaluated, memory: Memory
) -> Iterator[tuple[str, X]]:
    """The named quantities on the way to the ratio of the sensitivity found to sigma."""
    if claims.model.head != "ridge-prototype":
        constants = constants_of(R, claims, memory)
        yield "radius of the minimisers R", constants.radius
        yield "record-Lipschitz constant L_z", constants.lipschitz
        yield "gradient difference", gradient_difference(R, claims, radius, memory)
    sensitivity = found(R)
    yield "sensitivity", sensitivity
    yield "ratio mu = sensitivity/sigma", sensitivity / R(claims.release.sigma)


def _convex_head(claims: ClaimFile) -> heads.Head:
    head = claims.model.head
    return "squared-hinge" if head is None or head == "ridge-prototype" else head


def _key(claims: ClaimFile) -> tuple[object, ...]:
    """What the constants of a head depend on."""
    model = claims.model
    return model.head, model.constant, model.feature_bound, model.regularization, model.classes
