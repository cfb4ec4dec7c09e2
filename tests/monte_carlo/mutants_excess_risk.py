"""Wrong excess-risk bounds, and the check of M6 that catches each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, times

_UTILITY = "certify.statements.utility"
_PERTURBATION, _SAMPLE = "the_perturbation_term_is_attained", "the_sample_term_is_that_of_the_paper"


def _nothing(right: Any) -> Any:
    return lambda *given: right(*given) * 0


def _certain(right: Any) -> Any:
    """U5 as if beta were 1."""
    return lambda R, p, N, beta, loss=None: right(R, p, N, R(1) + 0 * beta, loss)


def _half_radius(right: Any) -> Any:
    """U6 with u/2 for u: exp(-u^2/8) is no longer below delta/2."""

    def wrong(*given: Any) -> Any:
        found = right(*given)
        return replace(found, release=replace(found.release, u=found.release.u / 2))

    return wrong


MUTANTS = (
    Mutant("U2 without d sigma^2/(2 mu)", _UTILITY, "perturbation", _nothing, "risks_stay_within_their_bounds"),
    Mutant("0.9 of d sigma^2/(2 mu)", _UTILITY, "perturbation", times(Fraction(9, 10)), _PERTURBATION),
    Mutant("d sigma^2/mu", _UTILITY, "perturbation", times(Fraction(2)), _PERTURBATION),
    Mutant("U5 without sqrt(2 log 1/beta)", _UTILITY, "single_release", _certain,
           "the_radius_of_a_single_release_needs_its_quantile"),
    Mutant("0.9 of E_opt", _UTILITY, "optimization", times(Fraction(9, 10)), "the_optimization_term_is_attained"),
    Mutant("E_opt for twice the steps", _UTILITY, "optimization",
           lambda right: lambda R, p, N, loss=None: right(R, p, 2 * N, loss), "the_optimization_term_is_attained"),
    Mutant("no sample term", _UTILITY, "sample", _nothing, _SAMPLE),
    Mutant("sample term at half of delta_S", _UTILITY, "sample", halved(2), _SAMPLE),
    Mutant("U3 with its terms negative", _UTILITY, "population", times(Fraction(-1, 100)),
           "population_risks_stay_within_their_bounds"),
    Mutant("calibration at half the truncation", "certify.statements.utility_calibration", "calibration", _half_radius,
           "the_calibration_certifies_and_meets_its_risk"),
)  # fmt: skip
