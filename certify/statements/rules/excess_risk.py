"""Excess-risk claims on gradient descent on a perturbed objective (U2-U5): what the release costs in accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.statements import assumptions, utility
from certify.statements.assumptions import STANDING, Assumption
from certify.statements.descent.constants import Descent
from certify.statements.descent.sharp_trajectory import Loss
from certify.statements.language import Conditions, Reals, X
from certify.statements.rules import declared
from certify.statements.rules.claim import (
    DESCENT,
    ClaimFile,
    EmpiricalExcessRisk,
    ExcessRisk,
    PopulationExcessRisk,
    SingleReleaseExcessRisk,
    UnregularizedExcessRisk,
)
from certify.statements.rules.descent_problem import constants, loss_of, problem_of, steps
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Case, Memory, Rule, Witnesses


def risk_case(claims: ClaimFile, claim: ExcessRisk, memory: Memory) -> Case:
    """The excess risk of the claim's kind is at most its bound: with the class-level start, then the loss's own.

    On output perturbation no theorem here bounds it: such a claim has no rule.
    """
    descent = claims.release.mechanism == DESCENT
    starts = (False, True) if claims.model.loss else (False,)
    return Case(
        _sentence(claims, claim),
        "excess risk",
        claim.bound,
        tuple(_rule(claims, claim, memory, sharp=sharp) for sharp in starts) if descent else (),
        tuple(declared.intercept(claims)) if descent else (),
        tuple(_assumptions(claims, claim)),
    )


def _rule(claims: ClaimFile, claim: ExcessRisk, memory: Memory, *, sharp: bool) -> Rule:
    N = steps(claims)

    def start(R: Reals[X], p: Descent[X]) -> Loss[X] | None:
        return loss_of(R, claims, p, memory) if sharp else None

    def conditions(R: Reals[X], _: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims)
        return _conditions(R, p, R(N), claim, start(R, p))

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        p = problem_of(R, claims)
        return risk_bound(R, p, R(N), claim, start(R, p))

    def quantities(R: Reals[X], _: Witnesses, /) -> Iterator[tuple[str, X]]:
        p = problem_of(R, claims)
        yield from constants(p)
        yield "perturbation d sigma^2/(2 mu)", utility.perturbation(p)
        yield "optimization (12)", utility.optimization(R, p, R(N), start(R, p))
        if claim_sample(claim) is not None:
            yield "sample term", utility.sample(R, p, R(claim_sample(claim) or 0))

    item, source = _THEOREMS[type(claim)]
    name = "own start" if sharp else "class-level start"
    statement = item + (" with D8a" if sharp else "")
    return Rule(name, statement, f"GD paper, {source}", "certified", conditions, bound, quantities)


_THEOREMS: dict[type[ExcessRisk], tuple[str, str]] = {
    EmpiricalExcessRisk: ("U2", "Theorem 4.10"),
    PopulationExcessRisk: ("U3", "Theorem 4.9"),
    UnregularizedExcessRisk: ("U4", "Theorem 4.7"),
    SingleReleaseExcessRisk: ("U5", "Corollary 4.11"),
}


def claim_sample(claim: ExcessRisk) -> Fraction | None:
    """delta_S, where the claim is about the population."""
    return None if isinstance(claim, EmpiricalExcessRisk) else claim.sample_failure


def _conditions(R: Reals[X], p: Descent[X], N: X, claim: ExcessRisk, loss: Loss[X] | None) -> Conditions[X]:
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


def risk_bound(R: Reals[X], p: Descent[X], N: X, claim: ExcessRisk, loss: Loss[X] | None) -> X:
    """The theorem's bound on the claim's excess risk, from the class-level start where no loss is given."""
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
    if claims.release.mechanism != DESCENT:
        yield from (*declared.model_assumptions(claims), *STANDING)
        return
    yield from (item for item in declared.model_assumptions(claims) if item is not assumptions.REPLACE_ONE)
    if claim_sample(claim) is not None:
        yield assumptions.INDEPENDENT_SAMPLE
    yield from STANDING


def _sentence(claims: ClaimFile, claim: ExcessRisk) -> str:
    bound, count = exact_text(claim.bound), claims.release.iterations
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
            f"{exact_text(claim.comparator_norm)} is at most {bound}, {_but_for(claim.sample_failure)}"
        )
    if claim.sample_failure is None:
        return f"the empirical excess risk of the release {after} is at most {bound}, {_but_for(claim.release_failure)}"
    total = claim.release_failure + claim.sample_failure
    return f"the regularised population excess risk of the release {after} is at most {bound}, {_but_for(total)}"


def _but_for(failure: Fraction) -> str:
    return f"except with probability at most {exact_text(failure)}"
