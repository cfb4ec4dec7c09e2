"""Reconstruction claims on gradient descent on a perturbed objective: Theorem 6 (R1) from Theorem C.13 (D2)."""

from __future__ import annotations

from collections.abc import Iterator

from certify.statements import assumptions, reconstruction
from certify.statements.descent import theorem_c13
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions, Reals, X, at_most
from certify.statements.rules.claim import ClaimFile, Reconstruction
from certify.statements.rules.descent_problem import problem_of, steps
from certify.statements.rules.gradient_descent import c13_quantities, descent_assumptions, descent_missing
from certify.statements.rules.guessing import guessing, reconstruction_sentence
from certify.statements.rules.rule import Case, Rule, Witnesses, trivial


def reconstruction_case(claims: ClaimFile, claim: Reconstruction) -> Case:
    """Success at most e^epsilon kappa + delta(epsilon) (R1), with the delta of Theorem C.13 at any epsilon."""
    return Case(
        reconstruction_sentence(claim),
        "success probability",
        claim.success,
        (_reconstruction_rule(claims, claim), *trivial("R1", "success", claim.success), guessing(claim)),
        tuple(descent_missing(claims)),
        (*descent_assumptions(claims), assumptions.KNOWN_REST, assumptions.PRIOR),
    )


def _reconstruction_rule(claims: ClaimFile, claim: Reconstruction) -> Rule:
    """Witnesses: the budget epsilon at which Theorem C.13 is used, and the truncation parameter u."""
    N, kappa, success = steps(claims), claim.kappa, claim.success

    def bound(R: Reals[X], found: Witnesses, /) -> X:
        p, epsilon = problem_of(R, claims, found["u"]), R(found["epsilon"])
        delta = theorem_c13.delta(R, p, R(N), epsilon, fixed_radii(R, p), fixed_tail(R, p))
        return reconstruction.from_privacy(R, epsilon, delta, R(kappa))

    def conditions(R: Reals[X], found: Witnesses, /) -> Conditions[X]:
        p = problem_of(R, claims, found["u"])
        yield from theorem_c13.hypotheses(R, p, R(N), R(found["epsilon"]), fixed_radii(R, p))
        yield at_most("e^epsilon baseline + delta(epsilon) <= success", bound(R, found), R(success), "conclusion")

    def quantities(R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]:
        yield from c13_quantities(R, claims, found["u"])
        yield "baseline kappa", R(kappa)

    source = "Ball-DP Theorem 6; GD paper, Theorem C.13"
    return Rule(
        "Theorem 6", "R1 with D2", source, "certified", conditions, bound, quantities, witnesses=("u", "epsilon")
    )
