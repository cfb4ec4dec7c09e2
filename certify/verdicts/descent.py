"""Privacy claims on gradient descent on a perturbed objective:

Theorems 4.1 (D1) and C.13 (D2), fixed radii or sharp (D8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from certify.claims.model import ClaimFile, DifferentialPrivacy, Reconstruction
from certify.kernel.enclosure import fraction_text
from certify.kernel.interval import Interval, Intervals
from certify.search.descent_sharp import witness
from certify.statements import assumptions
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.descent import benchmark, sharp, theorem_41, theorem_c13
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions
from certify.verdicts import declarations
from certify.verdicts.descent_problem import Problem, loss_of, middle, problem_of, truncations
from certify.verdicts.judge import Refutation, Route, trivial
from certify.verdicts.model import Missing
from certify.verdicts.plan import Changed, Knob, Plan, Switch

_SHARP_COST = 3
PUBLIC = ("n", "d", "feature_bound", "regularization")


def privacy_plan(claims: ClaimFile, claim: DifferentialPrivacy) -> Plan:
    """(epsilon, delta)-DP, replace-one of any record, of the released iterate."""
    shown = f"({fraction_text(claim.epsilon)}, {fraction_text(claim.delta)})"
    return Plan(
        f"the iterate released after {steps(claims)} steps is {shown}-private for replacing any one record",
        f"delta at epsilon = {fraction_text(claim.epsilon)}",
        claim.delta,
        (*_routes(claims, claim), *trivial("B1", "delta", claim.delta)),
        tuple(_refutations(claims, claim)),
        tuple(missing(claims)),
        tuple(descent_assumptions(claims)),
        tuple(declarations.delta_note(claims, claim.delta)),
        tuple(_knobs(claims, claim)),
        tuple(_switches(claims, claim)),
    )


def missing(claims: ClaimFile) -> Iterator[Missing]:
    """What every theorem on this mechanism needs declared."""
    yield from declarations.adjacency(claims)
    yield from declarations.public(claims, PUBLIC)
    yield from declarations.intercept(claims)


def descent_assumptions(claims: ClaimFile) -> Iterator[Assumption]:
    """What every theorem on this mechanism takes on trust."""
    yield from declarations.model_assumptions(claims)
    yield assumptions.ANY_RECORD
    yield from STANDING


def steps(claims: ClaimFile) -> int:
    """The released count of steps."""
    return claims.release.iterations or 1


def _routes(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Route]:
    given = claim.truncation
    parameters = truncations(claim.delta) if given is None else (given,)
    if claim.theorem in (None, "4.1"):
        for u in parameters:
            yield _theorem_41(claims, claim, problem_of(claims, u))
    if claim.theorem in (None, "C.13") and claim.variant in (None, "fixed-radii"):
        for u in parameters:
            yield _theorem_c13(claims, claim, problem_of(claims, u))
    if claim.theorem in (None, "C.13") and claim.variant in (None, "sharp"):
        yield _sharp(claims, claim, problem_of(claims, parameters[0]))


def _theorem_41(claims: ClaimFile, claim: DifferentialPrivacy, problem: Problem) -> Route:
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta

    def conditions(R: Intervals) -> Conditions[Interval]:
        return theorem_41.conditions(R, problem(R), R(N), R(epsilon), R(delta))

    def bound(R: Intervals) -> Interval:
        return theorem_41.delta(R, problem(R), R(N), R(epsilon))

    return Route("D1", "GD paper, Theorem 4.1", "4.1", conditions, bound)


def _theorem_c13(claims: ClaimFile, claim: DifferentialPrivacy, problem: Problem) -> Route:
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta

    def conditions(R: Intervals) -> Conditions[Interval]:
        return theorem_c13.conditions(R, problem(R), R(N), R(epsilon), R(delta))

    def bound(R: Intervals) -> Interval:
        p = problem(R)
        return theorem_c13.delta(R, p, R(N), R(epsilon), fixed_radii(R, p), fixed_tail(R, p))

    return Route("D2", "GD paper, Theorem C.13 at the radii of Theorem 4.1", "C.13", conditions, bound)


def _sharp(claims: ClaimFile, claim: DifferentialPrivacy, problem: Problem) -> Route:
    """D8 at a witness found by search, or at the fixed radii where none is found. The search runs when first asked."""
    N, epsilon, delta = steps(claims), claim.epsilon, claim.delta
    found: list[Callable[[Intervals], sharp.Witness[Interval]]] = []

    def at(R: Intervals) -> sharp.Witness[Interval]:
        if not found:
            guess = witness(lambda R: (problem(R), loss_of(claims, R, problem(R))), N, epsilon)
            found.append(guess.at if guess else lambda R: sharp.Witness(fixed_radii(R, problem(R))))
        return found[0](R)

    def conditions(R: Intervals) -> Conditions[Interval]:
        p = problem(R)
        return sharp.conditions(R, p, N, R(epsilon), R(delta), loss_of(claims, R, p), at(R))

    def bound(R: Intervals) -> Interval:
        p = problem(R)
        return sharp.certificate(R, p, N, loss_of(claims, R, p), at(R)).delta(R(epsilon))

    return Route("D8", "GD paper, Theorem C.13 with the sharp ingredients", "C.13 sharp", conditions, bound)


def _refutations(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Refutation]:
    """D7, for claims that state L1, L2, L3: the linear loss is in their class."""
    if claims.model.loss is not None:
        return
    problem = problem_of(claims)

    def conditions(R: Intervals) -> Conditions[Interval]:
        return benchmark.refutation(R, problem(R), R(claim.epsilon), R(claim.delta))

    yield Refutation(
        "D7",
        "GD paper, Appendix C.5; Balle and Wang 2018, Theorem 8",
        conditions,
        "the linear loss l(t, y) = -L1 t y has the stated constants, and two data sets that differ in the label of "
        "one record of norm feature_bound: the release is then exactly a Gaussian mechanism with ratio G/sigma",
    )


def _knobs(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Knob]:
    """The knobs of the route that reaches farthest: the sharp one, wherever the claim leaves it open."""
    farthest = claim
    if claim.theorem != "4.1" and claim.variant is None:
        farthest = replace(claim, theorem="C.13", variant="sharp")
    cost = _SHARP_COST if farthest.variant == "sharp" else 1

    def with_epsilon(value: Fraction) -> Changed:
        return claims, replace(farthest, epsilon=value)

    yield from noise_knobs(claims, farthest, cost)
    yield Knob("epsilon", claim.epsilon, 1, with_epsilon, cost=cost)


def noise_knobs(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction, cost: int = 1) -> Iterator[Knob]:
    """More steps, more noise, or more records."""

    def with_iterations(value: Fraction) -> Changed:
        return replace(claims, release=replace(claims.release, iterations=int(value))), claim

    def with_sigma(value: Fraction) -> Changed:
        return replace(claims, release=replace(claims.release, sigma=value)), claim

    def with_n(value: Fraction) -> Changed:
        return replace(claims, model=replace(claims.model, n=int(value))), claim

    def threshold() -> Fraction | None:
        if not isinstance(claim, DifferentialPrivacy) or claim.theorem != "4.1":
            return None
        u = claim.truncation if claim.truncation is not None else truncations(claim.delta)[0]
        return middle(problem_of(claims, u), theorem_41.threshold)

    yield Knob("iterations", Fraction(steps(claims)), 1, with_iterations, threshold, whole=True, cost=cost)
    yield Knob("sigma", claims.release.sigma, 1, with_sigma, cost=cost)
    yield Knob("n", Fraction(claims.model.n), 1, with_n, whole=True, cost=cost)


def _switches(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Switch]:
    if claim.theorem == "4.1":
        yield Switch("theorem", "C.13", lambda: (claims, replace(claim, theorem="C.13")))
    if claim.variant == "fixed-radii":
        yield Switch("variant", "sharp", lambda: (claims, replace(claim, variant="sharp")))
