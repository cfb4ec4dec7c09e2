"""Plans for reconstruction claims on gradient descent: the budget at which Theorem C.13 is used, and repairs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from certify.kernel.interval import Intervals
from certify.search.descent_sharp import rounded_up
from certify.search.gaussian import midpoint
from certify.statements.descent import theorem_c13
from certify.statements.descent.radii import fixed_radii
from certify.statements.rules.case import case_of
from certify.statements.rules.claim import ClaimFile, Reconstruction
from certify.statements.rules.descent_problem import problem_of, steps
from certify.statements.rules.rule import Witnesses
from certify.verdicts.descent import noise_knobs
from certify.verdicts.judge import Route
from certify.verdicts.memory import remembered
from certify.verdicts.plan import Changed, Knob, Plan, direct_routes

_TRUNCATION = Fraction(8)
_BITS = 96


def reconstruction_plan(claims: ClaimFile, claim: Reconstruction) -> Plan:
    """Success at most e^epsilon kappa + delta(epsilon) (R1), with the delta of Theorem C.13 at a searched epsilon."""
    case = case_of(claims, claim, remembered)

    def found() -> Witnesses:
        return {"u": _TRUNCATION, "epsilon": _best_epsilon(claims, steps(claims), claim.kappa)}

    searched = tuple(Route(rule, found) for rule in case.rules if rule.witnesses)

    def with_success(value: Fraction) -> Changed:
        return claims, replace(claim, success=value)

    def proved_success() -> Fraction | None:
        return midpoint(searched[0].bound(Intervals(_BITS)))

    return Plan(
        case,
        (*searched, *direct_routes(case)),
        knobs=(
            Knob("success", claim.success, 1, with_success, proved_success, limit=Fraction(1)),
            *noise_knobs(claims, claim),
        ),
    )


def _best_epsilon(claims: ClaimFile, N: int, kappa: Fraction) -> Fraction:
    """A budget at which e^epsilon kappa + delta(epsilon) is about least, guessed in floats.

    With epsilon = s_N + ratio t, the derivative in t has the sign of kappa e^epsilon - 2 Q(t), which increases.
    """
    R = Intervals(_BITS)
    p = problem_of(R, claims, _TRUNCATION)
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
    return rounded_up(Fraction(start + unit * high))
