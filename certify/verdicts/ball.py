"""Plans for claims on Gaussian output perturbation: notes, and the numbers and words that a repair may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from certify.statements.rules.case import case_of
from certify.statements.rules.claim import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.declared import counts_are_public
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Evaluated, Missing
from certify.statements.rules.sensitivity import is_any_record, radius_of, sensitivity_of, smallest_class
from certify.verdicts.ball_guesses import guesses
from certify.verdicts.memory import remembered
from certify.verdicts.model import Note
from certify.verdicts.notes import delta_note
from certify.verdicts.plan import Changed, Knob, Plan, Switch, direct_routes


def ball_plan(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction) -> Plan:
    """(r, epsilon, delta)-Ball-DP, replace-one DP, or reconstruction: each is decided without a search."""
    case = case_of(claims, claim, remembered)
    return Plan(
        case,
        direct_routes(case),
        tuple(_notes(claims, claim)),
        _knobs(claims, claim, sensitivity_of(claims, radius_of(claims, claim), remembered)),
        tuple(_switches(claims, claim)),
        tuple(_unused_counts(claims)),
    )


def _unused_counts(claims: ClaimFile) -> Iterator[Missing]:
    """A min_class_count that is stated and not public: the claim may hold without it."""
    if claims.model.min_class_count is not None and not counts_are_public(claims):
        names = ", ".join(f'"{name}"' for name in (*claims.model.public, "class_counts"))
        yield Missing(
            "a class of one record is taken, the worst case, and min_class_count is not used, unless the class counts "
            "are declared public",
            f"public = [{names}]   # under [model]",
        )


def _notes(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction) -> Iterator[Note]:
    widest = 2 * claims.model.feature_bound
    if claim.radius is not None and not is_any_record(claims):
        if claim.radius > widest:
            yield Note(
                "radius-above-2B", f"records lie within 2B = {exact_text(widest)} of each other; it is used instead"
            )
        if claim.radius >= widest:
            yield Note(
                "labels-not-protected",
                "a radius of 2B or more is replace-one privacy among records of one label; labels are not protected",
            )
    if claims.model.min_class_count is not None and not counts_are_public(claims):
        yield Note(
            "class-counts-not-public",
            'min_class_count is not used, since public does not name "class_counts": a class of one record is taken',
        )
    if isinstance(claim, DifferentialPrivacy):
        yield from delta_note(claims, claim.delta)


def _knobs(
    claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction, sensitivity: Evaluated | None
) -> tuple[Knob, ...]:
    if sensitivity is None:
        return ()
    found = guesses(claims, claim, sensitivity)

    def with_sigma(value: Fraction) -> Changed:
        return replace(claims, release=replace(claims.release, sigma=value)), claim

    def with_n(value: Fraction) -> Changed:
        return replace(claims, model=replace(claims.model, n=int(value))), claim

    def with_radius(value: Fraction) -> Changed:
        return claims, replace(claim, radius=value)

    knobs = [Knob("sigma", claims.release.sigma, 1, with_sigma, found.sigma)]
    if isinstance(claim, DifferentialPrivacy):
        private = claim
        knobs.append(
            Knob("epsilon", claim.epsilon, 1, lambda value: (claims, replace(private, epsilon=value)), found.epsilon)
        )
    else:
        hidden = claim
        knobs.append(
            Knob(
                "success",
                claim.success,
                1,
                lambda value: (claims, replace(hidden, success=value)),
                found.success,
                limit=Fraction(1),
            )
        )
    radius = radius_of(claims, claim)
    if radius:
        knobs.append(Knob("radius", radius, -1, with_radius, found.radius))
    if smallest_class(claims) != claims.model.n:  # a single class holds all records: n does not change alone
        knobs.append(Knob("n", Fraction(claims.model.n), 1, with_n, found.n, whole=True))
    return tuple(knobs)


def _switches(claims: ClaimFile, claim: Claim) -> Iterator[Switch]:
    if claims.model.constant == "paper" and claims.model.head != "ridge-prototype":
        sharp = replace(claims, model=replace(claims.model, constant="sharp"))
        yield Switch("constant", "sharp", lambda: (sharp, claim))
