"""Privacy claims on gradient descent on a perturbed objective: Theorems 4.1 (D1), C.13 (D2), and C.13 sharp (D8)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.statements import assumptions
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.descent import benchmark, sharp, theorem_41, theorem_c13
from certify.statements.descent.radii import Radii, fixed_radii, fixed_tail
from certify.statements.language import Conditions, Reals, X
from certify.statements.rules import declared
from certify.statements.rules.claim import ClaimFile, DifferentialPrivacy
from certify.statements.rules.descent_problem import constants, loss_of, problem_of, steps
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Case, Memory, Missing, Rule, Witnesses, trivial

PUBLIC = ("n", "d", "feature_bound", "regularization")
SPLITS = ("first split", "second split")
THEOREM_41, FIXED_RADII, SHARP = "Theorem 4.1", "Theorem C.13 at fixed radii", "Theorem C.13 sharp"


def privacy_case(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Case:
    """(epsilon, delta)-DP, replace-one of any record, of the released iterate."""
    shown = f"({exact_text(claim.epsilon)}, {exact_text(claim.delta)})"
    return Case(
        f"the iterate released after {steps(claims)} steps is {shown}-private for replacing any one record",
        f"delta at epsilon = {exact_text(claim.epsilon)}",
        claim.delta,
        (
            *_privacy_rules(claims, claim, memory),
            *trivial("B1", "delta", claim.delta),
            *_refutations(claims, claim),
        ),
        tuple(descent_missing(claims)),
        tuple(descent_assumptions(claims)),
    )


def descent_missing(claims: ClaimFile) -> Iterator[Missing]:
    """What every theorem on this mechanism needs declared."""
    yield from declared.adjacency(claims)
    yield from declared.public(claims, PUBLIC)
    yield from declared.intercept(claims)


def descent_assumptions(claims: ClaimFile) -> Iterator[Assumption]:
    """What every theorem on this mechanism takes on trust."""
    yield from declared.model_assumptions(claims)
    yield assumptions.ANY_RECORD
    yield from STANDING


def _privacy_rules(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Iterator[Rule]:
    """Those that the claim asks for, by theorem and variant."""
    if claim.theorem in (None, "4.1"):
        yield _theorem_41(claims, claim)
    if claim.theorem in (None, "C.13") and claim.variant in (None, "fixed-radii"):
        yield _theorem_c13(claims, claim)
    if claim.theorem in (None, "C.13") and claim.variant in (None, "sharp"):
        yield _sharp(claims, claim, memory)


def _truncation(claim: DifferentialPrivacy, found: Witnesses) -> Fraction:
    """u, as the claim states it or, where it states none, as it was found."""
    return found["u"] if claim.truncation is None else claim.truncation


def _theorem_41(claims: ClaimFile, claim: DifferentialPrivacy) -> Rule:
    """Witness: the truncation parameter u, where the claim states none."""
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims, _truncation(claim, found))
        return theorem_41.conditions(R, p, R(N), R(epsilon), R(delta))

    def bound(R: Reals[X], found: Witnesses, /) -> X:
        return theorem_41.delta(R, problem_of(R, claims, _truncation(claim, found)), R(N), R(epsilon))

    def quantities(R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]:
        p = problem_of(R, claims, _truncation(claim, found))
        yield from constants(p)
        least = theorem_41.epsilon0(R, p, R(N))
        yield "threshold (7)", theorem_41.threshold(R, p)
        yield "tau* (8)", theorem_41.tau_star(R, p, R(N))
        yield "epsilon0 (9)", least
        yield "truncation e^(-u^2/2)", fixed_tail(R, p)
        yield "divergence (2G/sigma) Q1", theorem_41.divergence(R, p, R(epsilon) - least)

    witnesses = ("u",) if claim.truncation is None else ()
    return Rule(
        THEOREM_41, "D1", "GD paper, Theorem 4.1", "certified", conditions, bound, quantities, witnesses=witnesses
    )


def _theorem_c13(claims: ClaimFile, claim: DifferentialPrivacy) -> Rule:
    """Witness: the truncation parameter u, where the claim states none."""
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims, _truncation(claim, found))
        return theorem_c13.conditions(R, p, R(N), R(epsilon), R(delta))

    def bound(R: Reals[X], found: Witnesses, /) -> X:
        p = problem_of(R, claims, _truncation(claim, found))
        return theorem_c13.delta(R, p, R(N), R(epsilon), fixed_radii(R, p), fixed_tail(R, p))

    def quantities(R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]:
        return c13_quantities(R, claims, _truncation(claim, found))

    source = "GD paper, Theorem C.13 at the radii of Theorem 4.1"
    witnesses = ("u",) if claim.truncation is None else ()
    return Rule(FIXED_RADII, "D2", source, "certified", conditions, bound, quantities, witnesses=witnesses)


def c13_quantities(R: Reals[X], claims: ClaimFile, u: Fraction) -> Iterator[tuple[str, X]]:
    p, N = problem_of(R, claims, u), R(steps(claims))
    radii = fixed_radii(R, p)
    margin = theorem_c13.alpha_bar(R, p, N, radii)
    yield from constants(p)
    yield "truncation radius r", radii.inner
    yield "domain radius r'", radii.outer
    yield "alpha (47)", margin
    yield "tau (48)", theorem_c13.tau(R, p, N, radii, margin)
    yield "s_N (49)", theorem_c13.spent(R, p, N, radii, margin)
    yield "truncation e^(-u^2/2)", fixed_tail(R, p)


def _sharp(claims: ClaimFile, claim: DifferentialPrivacy, memory: Memory) -> Rule:
    """Witnesses: the radius r, the gap r' - r, and the two steps at which the displacement bound changes."""
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta

    def witness(R: Reals[X], found: Witnesses) -> sharp.Witness[X]:
        first, second = (found[name].numerator for name in SPLITS)
        return sharp.Witness(Radii(R(found["r"]), R(found["r' - r"])), (first, second))

    def certificate(R: Reals[X], found: Witnesses) -> sharp.Certificate[X]:
        p = problem_of(R, claims)
        return sharp.certificate(R, p, N, loss_of(R, claims, p, memory), witness(R, found))

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims)
        return sharp.conditions(R, p, N, R(epsilon), R(delta), loss_of(R, claims, p, memory), witness(R, found))

    def bound(R: Reals[X], found: Witnesses, /) -> X:
        return certificate(R, found).delta(R(epsilon))

    def quantities(R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]:
        yield from constants(problem_of(R, claims))
        quantity = certificate(R, found)
        yield "alpha (47)", quantity.alpha_bar
        yield "tau (48)", quantity.tau
        yield "s_N (49)", quantity.s
        yield "needed of r' - r (47)", quantity.radius_need

    source = "GD paper, Theorem C.13 with the sharp ingredients"
    return Rule(
        SHARP, "D8", source, "certified", conditions, bound, quantities, witnesses=("r", "r' - r"), counts=SPLITS
    )


def _refutations(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Rule]:
    """D7, for claims that state L1, L2, L3: the linear loss is in their class."""
    if claims.model.loss is not None:
        return

    def conditions(R: Reals[X], _: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims)
        if claim.delta == 0:
            return benchmark.pure_refutation(R, p, R(claim.epsilon))
        return benchmark.refutation(R, p, R(claim.epsilon), R(claim.delta))

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return benchmark.class_floor(R, problem_of(R, claims), R(claim.epsilon))

    def quantities(R: Reals[X], _: Witnesses, /) -> Iterator[tuple[str, X]]:
        return constants(problem_of(R, claims))

    yield Rule(
        "linear loss",
        "D7",
        "GD paper, Appendix C.5; Balle and Wang 2018, Theorem 8",
        "refuted",
        conditions,
        bound,
        quantities,
        words="the linear loss l(t, y) = -L1 t y has the stated constants, and two data sets that differ in the label "
        "of one record of norm feature_bound: the release is then exactly a Gaussian mechanism with ratio G/sigma",
    )
