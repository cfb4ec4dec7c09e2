"""Privacy claims on gradient descent on a perturbed objective: Theorems 4.1 (D1) and C.13 (D2), fixed radii or sharp (D8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from certify.claims.model import ClaimFile, DifferentialPrivacy, Reconstruction
from certify.kernel.enclosure import fraction_text
from certify.kernel.interval import Interval, Intervals
from certify.search.descent_sharp import witness
from certify.statements import assumptions, reconstruction
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.descent import benchmark, sharp, theorem_41, theorem_c13
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions, at_most, below
from certify.verdicts import declarations
from certify.verdicts.descent_problem import Problem, loss_of, middle, problem_of, truncations
from certify.verdicts.judge import Refutation, Route
from certify.verdicts.model import Missing
from certify.verdicts.plan import Changed, Knob, Plan, Switch

PUBLIC = ("n", "d", "feature_bound", "regularization")
_RECONSTRUCTION_TRUNCATION = Fraction(8)


def privacy_plan(claims: ClaimFile, claim: DifferentialPrivacy) -> Plan:
    """(epsilon, delta)-DP, replace-one of any record, of the released iterate."""
    shown = f"({fraction_text(claim.epsilon)}, {fraction_text(claim.delta)})"
    return Plan(
        f"the iterate released after {_steps(claims)} steps is {shown}-private for replacing any one record",
        f"delta at epsilon = {fraction_text(claim.epsilon)}",
        claim.delta,
        tuple(_routes(claims, claim)),
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


def descent_assumptions(claims: ClaimFile) -> Iterator[Assumption]:
    """What every theorem on this mechanism takes on trust."""
    yield from declarations.model_assumptions(claims)
    yield assumptions.ANY_RECORD
    yield from STANDING


def _steps(claims: ClaimFile) -> int:
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
    N, epsilon, delta = _steps(claims), claim.epsilon, claim.delta

    def conditions(R: Intervals) -> Conditions[Interval]:
        return theorem_41.conditions(R, problem(R), R(N), R(epsilon), R(delta))

    def bound(R: Intervals) -> Interval:
        return theorem_41.delta(R, problem(R), R(N), R(epsilon))

    return Route("D1", "GD paper, Theorem 4.1", "4.1", conditions, bound)


def _theorem_c13(claims: ClaimFile, claim: DifferentialPrivacy, problem: Problem) -> Route:
    N, epsilon, delta = _steps(claims), claim.epsilon, claim.delta

    def conditions(R: Intervals) -> Conditions[Interval]:
        return theorem_c13.conditions(R, problem(R), R(N), R(epsilon), R(delta))

    def bound(R: Intervals) -> Interval:
        p = problem(R)
        return theorem_c13.delta(R, p, R(N), R(epsilon), fixed_radii(R, p), fixed_tail(R, p))

    return Route("D2", "GD paper, Theorem C.13 at the radii of Theorem 4.1", "C.13", conditions, bound)


def _sharp(claims: ClaimFile, claim: DifferentialPrivacy, problem: Problem) -> Route:
    """D8 at a witness found by search, or at the fixed radii where none is found. The search runs when first asked."""
    N, epsilon, delta = _steps(claims), claim.epsilon, claim.delta
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
        "the linear loss l(t, y) = -L1 t y has the stated constants, and two data sets that differ in the label of one record of norm "
        "feature_bound: the release is then exactly a Gaussian mechanism with ratio G/sigma",
    )


def reconstruction_plan(claims: ClaimFile, claim: Reconstruction) -> Plan:
    """Success at most e^epsilon kappa + delta(epsilon) (R1) with the delta of Theorem C.13, at an epsilon found by search."""
    problem = problem_of(claims, _RECONSTRUCTION_TRUNCATION)
    N, kappa, success = _steps(claims), claim.kappa, claim.success
    found: list[Fraction] = []

    def epsilon() -> Fraction:
        if not found:
            found.append(_best_epsilon(problem, N, kappa))
        return found[0]

    def bound(R: Intervals) -> Interval:
        p = problem(R)
        delta = theorem_c13.delta(R, p, R(N), R(epsilon()), fixed_radii(R, p), fixed_tail(R, p))
        return reconstruction.from_privacy(R, R(epsilon()), delta, R(kappa))

    def conditions(R: Intervals) -> Conditions[Interval]:
        p = problem(R)
        yield from theorem_c13.hypotheses(R, p, R(N), R(epsilon()), fixed_radii(R, p))
        yield at_most("e^epsilon baseline + delta(epsilon) <= success", bound(R), R(success), "conclusion")

    def guessing(R: Intervals) -> Conditions[Interval]:
        yield below("success < baseline", R(success), R(kappa), "conclusion")

    def with_success(value: Fraction) -> Changed:
        return claims, replace(claim, success=value)

    witness_text = (
        f"an attacker who ignores the release and names the most likely candidate succeeds with probability {fraction_text(kappa)}"
    )
    return Plan(
        f"no informed attacker succeeds with probability above {fraction_text(success)} (baseline {fraction_text(kappa)})",
        "success probability",
        success,
        (Route("R1 with D2", "Ball-DP Theorem 6; GD paper, Theorem C.13", "C.13", conditions, bound),),
        (Refutation("R1", "Ball-DP Section 4 (baseline success)", guessing, witness_text),),
        tuple(missing(claims)),
        (*descent_assumptions(claims), assumptions.KNOWN_REST),
        (),
        (Knob("success", success, 1, with_success, limit=Fraction(1)), *_noise_knobs(claims, claim)),
    )


def _best_epsilon(problem: Problem, N: int, kappa: Fraction) -> Fraction:
    """A budget at which e^epsilon kappa + delta(epsilon) is about least: a grid above s_N."""
    R = Intervals(96)
    p = problem(R)
    radii = fixed_radii(R, p)
    start = middle(problem, lambda R, p: theorem_c13.spent(R, p, R(N), radii, theorem_c13.alpha_bar(R, p, R(N), radii)))
    unit = middle(problem, lambda R, p: p.G / p.sigma)
    if start is None or unit is None or start > 10**6:
        return Fraction(1)
    best: tuple[Fraction, Fraction] | None = None
    for step in range(1, 61):
        budget = Fraction(math.ceil((start + unit * step / 6) * 10**9), 10**9)
        delta = theorem_c13.delta(R, p, R(N), R(budget), radii, fixed_tail(R, p))
        value = middle(problem, lambda R, p, b=budget, d=delta: reconstruction.from_privacy(R, R(b), d, R(kappa)))  # type: ignore[misc]
        if value is not None and (best is None or value < best[0]):
            best = (value, budget)
    return Fraction(1) if best is None else best[1]


def _knobs(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Knob]:
    cheap = claim
    if claim.theorem is None:
        cheap = replace(claim, theorem="C.13", variant="fixed-radii")

    def with_epsilon(value: Fraction) -> Changed:
        return claims, replace(cheap, epsilon=value)

    yield from _noise_knobs(claims, cheap)
    yield Knob("epsilon", claim.epsilon, 1, with_epsilon)


def _noise_knobs(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction) -> Iterator[Knob]:
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

    yield Knob("iterations", Fraction(_steps(claims)), 1, with_iterations, threshold, whole=True)
    yield Knob("sigma", claims.release.sigma, 1, with_sigma)
    yield Knob("n", Fraction(claims.model.n), 1, with_n, whole=True)


def _switches(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Switch]:
    if claim.theorem == "4.1":
        yield Switch("theorem", "C.13", lambda: (claims, replace(claim, theorem="C.13", variant="fixed-radii")))
    if claim.theorem is not None and claim.variant != "sharp":
        sharper = replace(claim, theorem="C.13", variant="sharp")
        yield Switch("variant", "sharp", lambda: (claims, sharper))
