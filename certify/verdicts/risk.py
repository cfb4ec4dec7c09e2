"""Plans for excess-risk claims: on gradient descent the routes of U2-U5 and what a repair may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from certify.kernel.interval import Intervals
from certify.search.gaussian import midpoint
from certify.statements.rules.case import case_of
from certify.statements.rules.claim import DESCENT, ClaimFile, ExcessRisk
from certify.statements.rules.descent_problem import problem_of, steps
from certify.statements.rules.excess_risk import risk_bound
from certify.verdicts.memory import remembered
from certify.verdicts.plan import Changed, Knob, Plan, direct_routes

_GUESS_BITS = 96


def risk_plan(claims: ClaimFile, claim: ExcessRisk) -> Plan:
    """The excess risk of the claim's kind is at most its bound; no theorem here bounds it for output perturbation."""
    case = case_of(claims, claim, remembered)
    knobs = tuple(_knobs(claims, claim)) if claims.release.mechanism == DESCENT else ()
    return Plan(case, direct_routes(case), knobs=knobs)


def _knobs(claims: ClaimFile, claim: ExcessRisk) -> Iterator[Knob]:
    def with_bound(value: Fraction) -> Changed:
        return claims, replace(claim, bound=value)

    def with_iterations(value: Fraction) -> Changed:
        return replace(claims, release=replace(claims.release, iterations=int(value))), claim

    def with_n(value: Fraction) -> Changed:
        return replace(claims, model=replace(claims.model, n=int(value))), claim

    def proved_bound() -> Fraction | None:
        R = Intervals(_GUESS_BITS)
        return midpoint(risk_bound(R, problem_of(R, claims), R(steps(claims)), claim, None))

    yield Knob("bound", claim.bound, 1, with_bound, proved_bound)
    yield Knob("iterations", Fraction(steps(claims)), 1, with_iterations, whole=True)
    yield Knob("n", Fraction(claims.model.n), 1, with_n, whole=True)
