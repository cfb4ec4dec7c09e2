"""Plans for privacy claims on gradient descent: witnesses for Theorems 4.1 and C.13, and what a repair may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from certify.kernel.interval import Interval, Intervals
from certify.search.descent_sharp import Found, rounded_up, witness
from certify.search.gaussian import midpoint
from certify.statements.descent import theorem_41
from certify.statements.descent.constants import Descent
from certify.statements.descent.radii import fixed_radii
from certify.statements.descent.sharp_trajectory import Loss
from certify.statements.rules.case import case_of
from certify.statements.rules.claim import ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.descent_problem import loss_of, problem_of, steps
from certify.statements.rules.gradient_descent import SHARP, SPLITS
from certify.statements.rules.rule import Rule, Witnesses
from certify.verdicts.descent_guesses import middle, truncations
from certify.verdicts.judge import Route
from certify.verdicts.memory import remembered
from certify.verdicts.notes import delta_note
from certify.verdicts.plan import Changed, Knob, Plan, Switch

_SHARP_COST = 3
_BITS = 96


def privacy_plan(claims: ClaimFile, claim: DifferentialPrivacy) -> Plan:
    """(epsilon, delta)-DP, replace-one of any record, of the released iterate."""
    case = case_of(claims, claim, remembered)
    return Plan(
        case,
        tuple(route for rule in case.rules if rule.shows == "certified" for route in _routes(claims, claim, rule)),
        tuple(delta_note(claims, claim.delta)),
        tuple(_knobs(claims, claim)),
        tuple(_switches(claims, claim)),
    )


def _routes(claims: ClaimFile, claim: DifferentialPrivacy, rule: Rule) -> Iterator[Route]:
    """The rule at each truncation parameter worth trying, the sharp one at the witness of a search."""
    if rule.name == SHARP:
        yield Route(rule, lambda: _sharp_witness(claims, claim))
    elif rule.witnesses:
        yield from (Route(rule, partial(dict, u=u)) for u in truncations(claim.delta))
    else:
        yield Route(rule)


def _sharp_witness(claims: ClaimFile, claim: DifferentialPrivacy) -> Witnesses:
    """The radii and splits found by search, or about the fixed radii where none are found."""

    def problem(R: Intervals) -> tuple[Descent[Interval], Loss[Interval]]:
        p = problem_of(R, claims)
        return p, loss_of(R, claims, p, remembered)

    found = witness(problem, steps(claims), claim.epsilon) or _fixed(claims, claim)
    first, second = found.splits
    return {"r": found.radius, "r' - r": found.gap, **dict(zip(SPLITS, map(Fraction, (first, second)), strict=True))}


def _fixed(claims: ClaimFile, claim: DifferentialPrivacy) -> Found:
    """Just above the radii of Theorem 4.1; 1 and 1 where those are out of any range."""
    u = truncations(claim.delta)[0] if claim.truncation is None else claim.truncation
    R = Intervals(_BITS)
    radii = fixed_radii(R, problem_of(R, claims, u))
    inner, gap = (midpoint(value) for value in (radii.inner, radii.gap))
    if not inner or not gap or inner <= 0 or gap <= 0:
        return Found(Fraction(1), Fraction(1), (0, 0))
    return Found(rounded_up(inner), rounded_up(gap), (0, 0))


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
        return middle(claims, u, theorem_41.threshold)

    yield Knob("iterations", Fraction(steps(claims)), 1, with_iterations, threshold, whole=True, cost=cost)
    yield Knob("sigma", claims.release.sigma, 1, with_sigma, cost=cost)
    yield Knob("n", Fraction(claims.model.n), 1, with_n, whole=True, cost=cost)


def _switches(claims: ClaimFile, claim: DifferentialPrivacy) -> Iterator[Switch]:
    if claim.theorem == "4.1":
        yield Switch("theorem", "C.13", lambda: (claims, replace(claim, theorem="C.13")))
    if claim.variant == "fixed-radii":
        yield Switch("variant", "sharp", lambda: (claims, replace(claim, variant="sharp")))
