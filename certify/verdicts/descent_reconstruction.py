"""Reconstruction claims on gradient descent on a perturbed objective: Theorem 6 (R1) from Theorem C.13 (D2)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from certify.claims.model import ClaimFile, Reconstruction
from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import midpoint
from certify.statements import assumptions, reconstruction
from certify.statements.descent import theorem_c13
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions, at_most
from certify.verdicts.descent import descent_assumptions, missing, noise_knobs, steps
from certify.verdicts.descent_problem import Problem, problem_of
from certify.verdicts.guessing import guessing_refutation, reconstruction_sentence
from certify.verdicts.judge import Route, trivial
from certify.verdicts.plan import Changed, Knob, Plan

_TRUNCATION = Fraction(8)
_BITS = 96


def reconstruction_plan(claims: ClaimFile, claim: Reconstruction) -> Plan:
    """Success at most e^epsilon kappa + delta(epsilon) (R1), with the delta of Theorem C.13 at a searched epsilon."""
    problem = problem_of(claims, _TRUNCATION)
    N, kappa, success = steps(claims), claim.kappa, claim.success
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

    def with_success(value: Fraction) -> Changed:
        return claims, replace(claim, success=value)

    def proved_success() -> Fraction | None:
        return midpoint(bound(Intervals(_BITS)))

    return Plan(
        reconstruction_sentence(claim),
        "success probability",
        success,
        (
            Route("R1 with D2", "Ball-DP Theorem 6; GD paper, Theorem C.13", "C.13", conditions, bound),
            *trivial("R1", "success", success),
        ),
        (guessing_refutation(claim),),
        tuple(missing(claims)),
        (*descent_assumptions(claims), assumptions.KNOWN_REST, assumptions.PRIOR),
        (),
        (Knob("success", success, 1, with_success, proved_success, limit=Fraction(1)), *noise_knobs(claims, claim)),
    )


def _best_epsilon(problem: Problem, N: int, kappa: Fraction) -> Fraction:
    """A budget at which e^epsilon kappa + delta(epsilon) is about least, guessed in floats.

    With epsilon = s_N + ratio t, the derivative in t has the sign of kappa e^epsilon - 2 Q(t), which increases.
    """
    R = Intervals(_BITS)
    p = problem(R)
    radii = fixed_radii(R, p)
    spent = midpoint(theorem_c13.spent(R, p, R(N), radii, theorem_c13.alpha_bar(R, p, R(N), radii)))
    ratio = midpoint(p.G / p.sigma)
    if spent is None or ratio is None or not 0 <= spent < 500 or not ratio < 10:
        return Fraction(1)
    start, unit, low, high = float(spent), float(ratio), 0.0, 20.0
    for _ in range(40):
        t = (low + high) / 2
        if float(kappa) * math.exp(start + unit * t) < math.erfc(t / math.sqrt(2)):
            low = t
        else:
            high = t
    return Fraction(math.ceil((start + unit * high) * 10**9), 10**9)
