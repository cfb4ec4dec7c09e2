"""Excess-risk claims on gradient descent on a perturbed objective (U2-U5): what the release costs in accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from certify.claims.model import (
    ClaimFile,
    EmpiricalExcessRisk,
    ExcessRisk,
    PopulationExcessRisk,
    SingleReleaseExcessRisk,
    UnregularizedExcessRisk,
)
from certify.kernel.enclosure import fraction_text
from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import midpoint
from certify.statements import assumptions, utility
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.descent.constants import Descent
from certify.statements.descent.sharp_trajectory import Loss
from certify.statements.language import Conditions
from certify.verdicts import declarations
from certify.verdicts.descent import steps
from certify.verdicts.descent_problem import loss_of, problem_of
from certify.verdicts.judge import Route
from certify.verdicts.plan import Changed, Knob, Plan

_GUESS_BITS = 96


def risk_plan(claims: ClaimFile, claim: ExcessRisk) -> Plan:
    """The excess risk of the claim's kind is at most its bound: with the class-level start, then the loss's own."""
    return Plan(
        _sentence(claims, claim),
        "excess risk",
        claim.bound,
        tuple(_route(claims, claim, sharp=sharp) for sharp in ((False, True) if claims.model.loss else (False,))),
        (),
        tuple(declarations.intercept(claims)),
        tuple(_assumptions(claims, claim)),
        (),
        tuple(_knobs(claims, claim)),
    )


def no_theorem(claims: ClaimFile, claim: ExcessRisk) -> Plan:
    """An excess-risk claim on output perturbation: no theorem here bounds it."""
    trusted = (*declarations.model_assumptions(claims), *STANDING)
    return Plan(_sentence(claims, claim), "excess risk", claim.bound, (), (), (), trusted, ())


def _sentence(claims: ClaimFile, claim: ExcessRisk) -> str:
    bound, count = fraction_text(claim.bound), claims.release.iterations
    after = "under output perturbation" if count is None else f"after {count} steps"
    if isinstance(claim, EmpiricalExcessRisk):
        return f"the mean empirical excess risk {after} is at most {bound}"
    if isinstance(claim, PopulationExcessRisk):
        return (
            f"the mean regularised population excess risk {after} is at most {bound}, {_but_for(claim.sample_failure)}"
        )
    if isinstance(claim, UnregularizedExcessRisk):
        return (
            f"the mean population excess risk {after} against every comparator of norm at most "
            f"{fraction_text(claim.comparator_norm)} is at most {bound}, {_but_for(claim.sample_failure)}"
        )
    if claim.sample_failure is None:
        return f"the empirical excess risk of the release {after} is at most {bound}, {_but_for(claim.release_failure)}"
    total = claim.release_failure + claim.sample_failure
    return f"the regularised population excess risk of the release {after} is at most {bound}, {_but_for(total)}"


def _but_for(failure: Fraction) -> str:
    return f"except with probability at most {fraction_text(failure)}"


def _route(claims: ClaimFile, claim: ExcessRisk, *, sharp: bool) -> Route:
    problem, N = problem_of(claims), steps(claims)

    def stated(R: Intervals) -> tuple[Descent[Interval], Loss[Interval] | None]:
        p = problem(R)
        return p, loss_of(claims, R, p) if sharp else None

    def conditions(R: Intervals) -> Conditions[Interval]:
        p, loss = stated(R)
        return _conditions(R, p, R(N), claim, loss)

    def bound(R: Intervals) -> Interval:
        p, loss = stated(R)
        return _bound(R, p, R(N), claim, loss)

    item, source = _THEOREMS[type(claim)]
    return Route(item + (" with D8a" if sharp else ""), f"GD paper, {source}", "utility", conditions, bound)


_THEOREMS: dict[type[ExcessRisk], tuple[str, str]] = {
    EmpiricalExcessRisk: ("U2", "Theorem 4.10"),
    PopulationExcessRisk: ("U3", "Theorem 4.9"),
    UnregularizedExcessRisk: ("U4", "Theorem 4.7"),
    SingleReleaseExcessRisk: ("U5", "Corollary 4.11"),
}


def _conditions(
    R: Intervals, p: Descent[Interval], N: Interval, claim: ExcessRisk, loss: Loss[Interval] | None
) -> Conditions[Interval]:
    claimed = R(claim.bound)
    if isinstance(claim, EmpiricalExcessRisk):
        return utility.empirical_conditions(R, p, N, claimed, loss)
    if isinstance(claim, PopulationExcessRisk):
        return utility.population_conditions(R, p, N, R(claim.sample_failure), claimed, loss)
    if isinstance(claim, UnregularizedExcessRisk):
        norm = R(claim.comparator_norm)
        return utility.unregularized_conditions(R, p, N, R(claim.sample_failure), norm, claimed, loss)
    sample = None if claim.sample_failure is None else R(claim.sample_failure)
    return utility.single_release_conditions(R, p, N, R(claim.release_failure), sample, claimed, loss)


def _bound(R: Intervals, p: Descent[Interval], N: Interval, claim: ExcessRisk, loss: Loss[Interval] | None) -> Interval:
    if isinstance(claim, EmpiricalExcessRisk):
        return utility.empirical(R, p, N, loss)
    if isinstance(claim, PopulationExcessRisk):
        return utility.population(R, p, N, R(claim.sample_failure), loss)
    if isinstance(claim, UnregularizedExcessRisk):
        return utility.unregularized(R, p, N, R(claim.sample_failure), R(claim.comparator_norm), loss)
    release = R(claim.release_failure)
    if claim.sample_failure is None:
        return utility.single_release(R, p, N, release, loss)
    return utility.single_release_population(R, p, N, release, R(claim.sample_failure), loss)


def _assumptions(claims: ClaimFile, claim: ExcessRisk) -> Iterator[Assumption]:
    yield from (item for item in declarations.model_assumptions(claims) if item is not assumptions.REPLACE_ONE)
    if not isinstance(claim, EmpiricalExcessRisk) and claim.sample_failure is not None:
        yield assumptions.INDEPENDENT_SAMPLE
    yield from STANDING


def _knobs(claims: ClaimFile, claim: ExcessRisk) -> Iterator[Knob]:
    def with_bound(value: Fraction) -> Changed:
        return claims, replace(claim, bound=value)

    def with_iterations(value: Fraction) -> Changed:
        return replace(claims, release=replace(claims.release, iterations=int(value))), claim

    def with_n(value: Fraction) -> Changed:
        return replace(claims, model=replace(claims.model, n=int(value))), claim

    def proved_bound() -> Fraction | None:
        R = Intervals(_GUESS_BITS)
        return midpoint(_bound(R, problem_of(claims)(R), R(steps(claims)), claim, None))

    yield Knob("bound", claim.bound, 1, with_bound, proved_bound)
    yield Knob("iterations", Fraction(steps(claims)), 1, with_iterations, whole=True)
    yield Knob("n", Fraction(claims.model.n), 1, with_n, whole=True)
