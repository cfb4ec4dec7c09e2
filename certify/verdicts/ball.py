"""Claims on Gaussian output perturbation: (epsilon, delta)-Ball-DP (B5), replace-one DP (B7), reconstruction (R3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from certify.claims.model import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.kernel.enclosure import fraction_text
from certify.kernel.interval import Interval, Intervals
from certify.statements import assumptions, ball, gaussian, prototype, reconstruction
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.language import Conditions, at_most, below
from certify.verdicts import declarations
from certify.verdicts.ball_guesses import guesses
from certify.verdicts.guessing import guessing_refutation, reconstruction_sentence
from certify.verdicts.judge import Refutation, Route, trivial
from certify.verdicts.model import Missing, Note
from certify.verdicts.plan import Changed, Knob, Plan, Switch
from certify.verdicts.sensitivity import (
    Sensitivity,
    is_any_record,
    item_of,
    radius_of,
    sensitivity_of,
    smallest_class,
)


def privacy_plan(claims: ClaimFile, claim: DifferentialPrivacy) -> Plan:
    """(r, epsilon, delta)-Ball-DP, or replace-one DP where the metric is any-record."""
    sensitivity = sensitivity_of(claims, radius_of(claims, claim))
    epsilon, delta, sigma = claim.epsilon, claim.delta, claims.release.sigma
    item = f"B5 with {item_of(claims)}" + (" and B7" if is_any_record(claims) else "")
    source = "Ball-DP Theorems 2 and 3, Proposition 12; Balle and Wang 2018, Theorem 8"
    routes: tuple[Route, ...] = ()
    if sensitivity is not None:
        found: Sensitivity = sensitivity

        def conditions(R: Intervals) -> Conditions[Interval]:
            return ball.output_perturbation(R, R(epsilon), R(delta), found(R), R(sigma), R(0))

        def bound(R: Intervals) -> Interval:
            return R.minimum(gaussian.profile(R, R(epsilon), found(R) / R(sigma)), R(1))

        routes = (Route(item, source, "output perturbation", conditions, bound),)
    shown = f"({fraction_text(epsilon)}, {fraction_text(delta)})"
    return Plan(
        f"the release is {shown}-private for {_relation(claims, claim)}",
        f"delta at epsilon = {fraction_text(epsilon)}",
        delta,
        (*routes, *trivial("B1", "delta", delta)),
        tuple(_privacy_refutations(claims, claim)),
        tuple(_missing(claims, claim)),
        tuple(_assumptions(claims)),
        (*_notes(claims, claim), *declarations.delta_note(claims, delta)),
        _knobs(claims, claim, sensitivity),
        tuple(_switches(claims, claim)),
        tuple(_unused_counts(claims)),
    )


def reconstruction_plan(claims: ClaimFile, claim: Reconstruction) -> Plan:
    """Success of an informed attacker at most the claimed one (R3)."""
    sensitivity = sensitivity_of(claims, radius_of(claims, claim))
    kappa, success, sigma = claim.kappa, claim.success, claims.release.sigma
    routes: tuple[Route, ...] = ()
    if sensitivity is not None:
        found: Sensitivity = sensitivity

        def bound(R: Intervals) -> Interval:
            return R.minimum(reconstruction.from_gaussian(R, found(R) / R(sigma), R(kappa)), R(1))

        def conditions(R: Intervals) -> Conditions[Interval]:
            yield at_most("Phi(Phi^-1(baseline) + sensitivity/sigma) <= success", bound(R), R(success), "conclusion")

        source = "Ball-DP Theorem 8, Corollary 1, with Theorem 2 and Proposition 12"
        routes = (Route(f"R3 with {item_of(claims)}", source, "reconstruction", conditions, bound),)

    return Plan(
        f"{reconstruction_sentence(claim)}, the hidden record in {_ball(claims, claim)}",
        "success probability",
        success,
        (*routes, *trivial("R1", "success", success)),
        (guessing_refutation(claim),),
        tuple(_missing(claims, claim)),
        (*_assumptions(claims), assumptions.KNOWN_REST, assumptions.PRIOR),
        tuple(_notes(claims, claim)),
        _knobs(claims, claim, sensitivity),
        tuple(_switches(claims, claim)),
        tuple(_unused_counts(claims)),
    )


def _privacy_refutations(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Refutation]:
    """Ridge prototypes: the sensitivity is attained, so the exact profile decides.

    A min_class_count that is stated counts here whether it is declared public or not: what is not declared refutes
    nothing, and a claim that is false of such data sets is false of all.
    """
    radius = radius_of(claims, claim)
    if claims.model.head != "ridge-prototype" or not radius:
        return
    public = (*claims.model.public, "class_counts")
    stated = replace(claims, model=replace(claims.model, gradient_tolerance=None, public=public))
    sensitivity = sensitivity_of(stated, radius)
    if sensitivity is None:
        return
    attained: Sensitivity = sensitivity
    smallest = smallest_class(stated)
    classes = claims.model.classes or (1 if smallest == claims.model.n else 2)

    def conditions(R: Intervals) -> Conditions[Interval]:
        yield from prototype.attained(R, R(claims.model.n), R(classes), R(smallest))
        if claim.delta == 0:
            text = "0 < sensitivity (no Gaussian release of two data sets that far apart has delta = 0)"
            yield below(text, R(0), attained(R), "conclusion")
            return
        exact = gaussian.profile(R, R(claim.epsilon), attained(R) / R(claims.release.sigma))
        yield below("delta < delta(epsilon; sensitivity/sigma)", R(claim.delta), exact, "conclusion")

    yield Refutation(
        "H4 with G1",
        "Ball-DP Theorem 9, Proposition 10; Balle and Wang 2018, Theorem 8",
        conditions,
        prototype.witness_pair(fraction_text(radius), str(smallest))
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
    return "the set of all records" if radius is None else f"a ball of radius {fraction_text(radius)}"


def _missing(claims: ClaimFile, claim: Claim) -> Iterator[Missing]:
    yield from declarations.adjacency(claims)
    yield from _metric(claims, claim)
    labels_kept = radius_of(claims, claim) is not None or claims.model.head == "ridge-prototype"
    needed = ("feature_bound", "radius", "n") if labels_kept else ("feature_bound", "n")
    unused = () if claims.model.min_class_count is None else ("class_counts",)
    yield from declarations.public(claims, needed, unused)
    yield from declarations.intercept(claims)


def _unused_counts(claims: ClaimFile) -> Iterator[Missing]:
    """A min_class_count that is stated and not public: the claim may hold without it."""
    if claims.model.min_class_count is not None and not declarations.counts_are_public(claims):
        names = ", ".join(f'"{name}"' for name in (*claims.model.public, "class_counts"))
        yield Missing(
            "a class of one record is taken, the worst case, and min_class_count is not used, unless the class counts "
            "are declared public",
            f"public = [{names}]   # under [model]",
        )


def _metric(claims: ClaimFile, claim: Claim) -> Iterator[Missing]:
    """The metric must be named, and ridge prototypes need the one that keeps labels."""
    prototypes, has_radius = claims.model.head == "ridge-prototype", radius_of(claims, claim) is not None
    euclidean = 'metric = "label-preserving-euclidean"   # under [policy]'
    if not has_radius:
        widest = fraction_text(2 * claims.model.feature_bound)
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
    yield from declarations.model_assumptions(claims)
    yield assumptions.ANY_RECORD if is_any_record(claims) else assumptions.SAME_LABEL_BALL
    yield from STANDING


def _notes(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction) -> Iterator[Note]:
    widest = 2 * claims.model.feature_bound
    if claim.radius is not None and not is_any_record(claims):
        if claim.radius > widest:
            yield Note(
                "radius-above-2B", f"records lie within 2B = {fraction_text(widest)} of each other; it is used instead"
            )
        if claim.radius >= widest:
            yield Note(
                "labels-not-protected",
                "a radius of 2B or more is replace-one privacy among records of one label; labels are not protected",
            )
    if claims.model.min_class_count is not None and not declarations.counts_are_public(claims):
        yield Note(
            "class-counts-not-public",
            'min_class_count is not used, since public does not name "class_counts": a class of one record is taken',
        )


def _knobs(
    claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction, sensitivity: Sensitivity | None
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
