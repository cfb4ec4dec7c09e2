"""Claims on Gaussian output perturbation: (epsilon, delta)-Ball-DP (B5), replace-one DP (B7), reconstruction (R3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from certify.statements import assumptions, ball, gaussian, prototype, reconstruction
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.language import Conditions, Reals, X, at_most, below
from certify.statements.rules import declared
from certify.statements.rules.claim import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.guessing import guessing, reconstruction_sentence
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Case, Evaluated, Memory, Missing, Rule, Witnesses, trivial
from certify.statements.rules.sensitivity import (
    is_any_record,
    item_of,
    radius_of,
    sensitivity_of,
    sensitivity_quantities,
    smallest_class,
)


def privacy_case(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Case:
    """(r, epsilon, delta)-Ball-DP, or replace-one DP where the metric is any-record."""
    epsilon, delta = claim.epsilon, claim.delta
    return Case(
        f"the release is ({exact_text(epsilon)}, {exact_text(delta)})-private for {_relation(claims, claim)}",
        f"delta at epsilon = {exact_text(epsilon)}",
        delta,
        (
            *_privacy_rules(claims, claim, memory),
            *trivial("B1", "delta", delta),
            *_privacy_refutations(claims, claim, memory),
        ),
        tuple(_missing(claims, claim)),
        tuple(_assumptions(claims)),
    )


def reconstruction_case(claims: ClaimFile, claim: Reconstruction, memory: Memory) -> Case:
    """Success of an informed attacker at most the claimed one (R3)."""
    return Case(
        f"{reconstruction_sentence(claim)}, the hidden record in {_ball(claims, claim)}",
        "success probability",
        claim.success,
        (
            *_reconstruction_rules(claims, claim, memory),
            *trivial("R1", "success", claim.success),
            guessing(claim),
        ),
        tuple(_missing(claims, claim)),
        (*_assumptions(claims), assumptions.KNOWN_REST, assumptions.PRIOR),
    )


def _privacy_rules(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Iterator[Rule]:
    radius, epsilon, delta, sigma = radius_of(claims, claim), claim.epsilon, claim.delta, claims.release.sigma
    found = sensitivity_of(claims, radius, memory)
    if found is None:
        return
    sensitivity: Evaluated = found

    def conditions(R: Reals[X], _: Witnesses, /) -> Conditions[X]:
        return ball.output_perturbation(R, R(epsilon), R(delta), sensitivity(R), R(sigma), R(0))

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return R.minimum(gaussian.profile(R, R(epsilon), sensitivity(R) / R(sigma)), R(1))

    def quantities(R: Reals[X], _: Witnesses, /) -> Iterator[tuple[str, X]]:
        return sensitivity_quantities(R, claims, radius, sensitivity, memory)

    item = f"B5 with {item_of(claims)}" + (" and B7" if is_any_record(claims) else "")
    source = "Ball-DP Theorems 2 and 3, Proposition 12; Balle and Wang 2018, Theorem 8"
    yield Rule("output perturbation", item, source, "certified", conditions, bound, quantities)


def _reconstruction_rules(claims: ClaimFile, claim: Reconstruction, memory: Memory) -> Iterator[Rule]:
    radius, kappa, success, sigma = radius_of(claims, claim), claim.kappa, claim.success, claims.release.sigma
    found = sensitivity_of(claims, radius, memory)
    if found is None:
        return
    sensitivity: Evaluated = found

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return R.minimum(reconstruction.from_gaussian(R, sensitivity(R) / R(sigma), R(kappa)), R(1))

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        text = "Phi(Phi^-1(baseline) + sensitivity/sigma) <= success"
        yield at_most(text, bound(R, found), R(success), "conclusion")

    def quantities(R: Reals[X], _: Witnesses, /) -> Iterator[tuple[str, X]]:
        yield from sensitivity_quantities(R, claims, radius, sensitivity, memory)
        yield "baseline kappa", R(kappa)

    source = "Ball-DP Theorem 8, Corollary 1, with Theorem 2 and Proposition 12"
    yield Rule("reconstruction", f"R3 with {item_of(claims)}", source, "certified", conditions, bound, quantities)


def _privacy_refutations(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Iterator[Rule]:
    """Ridge prototypes: the sensitivity is attained, so the exact profile decides.

    A min_class_count that is stated counts here whether it is declared public or not: what is not declared refutes
    nothing, and a claim that is false of such data sets is false of all.
    """
    radius = radius_of(claims, claim)
    public = (*claims.model.public, "class_counts")
    stated = replace(claims, model=replace(claims.model, gradient_tolerance=None, public=public))
    found = sensitivity_of(stated, radius, memory)
    if claims.model.head != "ridge-prototype" or not radius or found is None:
        return
    attained: Evaluated = found
    smallest = smallest_class(stated)
    classes = claims.model.classes or (1 if smallest == claims.model.n else 2)

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return gaussian.profile(R, R(claim.epsilon), attained(R) / R(claims.release.sigma))

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        yield from prototype.attained(R, R(claims.model.n), R(classes), R(smallest))
        if claim.delta == 0:
            text = "0 < sensitivity (no Gaussian release of two data sets that far apart has delta = 0)"
            yield below(text, R(0), attained(R), "conclusion")
            return
        yield below("delta < delta(epsilon; sensitivity/sigma)", R(claim.delta), bound(R, found), "conclusion")

    def quantities(R: Reals[X], _: Witnesses, /) -> Iterator[tuple[str, X]]:
        return sensitivity_quantities(R, stated, radius, attained, memory)

    yield Rule(
        "attained sensitivity",
        "H4 with G1",
        "Ball-DP Theorem 9, Proposition 10; Balle and Wang 2018, Theorem 8",
        "refuted",
        conditions,
        bound,
        quantities,
        words=prototype.witness_pair(exact_text(radius), str(smallest))
        + (", trained exactly, as gradient_tolerance allows" if claims.model.gradient_tolerance else ""),
    )


def _relation(claims: ClaimFile, claim: Claim) -> str:
    if is_any_record(claims):
        return "replacing any one record, label included"
    if claims.policy.metric is None:
        return "replacing one record by another (the claim does not say which)"
    return f"replacing one record by another of the same label in {_ball(claims, claim)}"


def _ball(claims: ClaimFile, claim: Claim) -> str:
    radius = radius_of(claims, claim)
    return "the set of all records" if radius is None else f"a ball of radius {exact_text(radius)}"


def _missing(claims: ClaimFile, claim: Claim) -> Iterator[Missing]:
    yield from declared.adjacency(claims)
    yield from _metric(claims, claim)
    labels_kept = radius_of(claims, claim) is not None or claims.model.head == "ridge-prototype"
    needed = ("feature_bound", "radius", "n") if labels_kept else ("feature_bound", "n")
    unused = () if claims.model.min_class_count is None else ("class_counts",)
    yield from declared.public(claims, needed, unused)
    yield from declared.intercept(claims)


def _metric(claims: ClaimFile, claim: Claim) -> Iterator[Missing]:
    """The metric must be named, and ridge prototypes need the one that keeps labels."""
    prototypes, has_radius = claims.model.head == "ridge-prototype", radius_of(claims, claim) is not None
    euclidean = 'metric = "label-preserving-euclidean"   # under [policy]'
    if not has_radius:
        widest = exact_text(2 * claims.model.feature_bound)
        euclidean += f'\nradius = "{widest}"   # under [policy]: 2B, every record of the same label; or a smaller one'
    if prototypes and is_any_record(claims):
        yield Missing(
            "B7 is not for ridge prototypes: a replaced label moves a record between classes and changes the counts",
            euclidean,
        )
    if claims.policy.metric is None:
        yield Missing(
            "the claim names no metric, and which two records count as neighbours is not assumed: "
            '"label-preserving-euclidean" keeps labels and takes a radius, "any-record" protects labels too',
            euclidean if prototypes or has_radius else 'metric = "any-record"   # under [policy]',
        )


def _assumptions(claims: ClaimFile) -> Iterator[Assumption]:
    yield from declared.model_assumptions(claims)
    yield assumptions.ANY_RECORD if is_any_record(claims) else assumptions.SAME_LABEL_BALL
    yield from STANDING
