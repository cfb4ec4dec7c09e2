"""Wrong excess-risk bounds, and the check of M6 that catches each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, times

_UTILITY, _CALIBRATION = "certify.statements.utility", "certify.statements.utility_calibration"
_PERTURBATION, _OPTIMIZATION = "the_perturbation_term_is_attained", "the_optimization_term_is_attained"
_RISKS, _ONCE = "risks_stay_within_their_bounds", "one_release_exceeds_less_than_its_bound"
_SAMPLE, _PARTS = "the_sample_has_its_price", "each_part_of_the_population_bounds_is_needed"
_CERTIFIES = "the_calibration_certifies_what_it_states"


def _certain(right: Any) -> Any:
    """U5 as if beta were 1."""
    return lambda R, p, N, beta, loss=None: right(R, p, N, R(1) + 0 * beta, loss)


def _unregularized(right: Any) -> Any:
    """U4 with |v| = 0."""
    return lambda R, p, N, failure, norm, loss=None: right(R, p, N, failure, 0 * norm, loss)


def _released(**shares: Fraction) -> Any:
    """U6 with numbers of its release times a share."""

    def changed(right: Any) -> Any:
        def wrong(*given: Any) -> Any:
            found = right(*given)
            less = {name: getattr(found.release, name) * share for name, share in shares.items()}
            return replace(found, release=replace(found.release, **less))

        return wrong

    return changed


MUTANTS = (
    Mutant("U2 without d sigma^2/(2 mu)", _UTILITY, "perturbation", times(Fraction(0)), _RISKS),
    Mutant("0.9 of d sigma^2/(2 mu)", _UTILITY, "perturbation", times(Fraction(9, 10)), _PERTURBATION),
    Mutant("d sigma^2/mu", _UTILITY, "perturbation", times(Fraction(2)), _PERTURBATION),
    Mutant("U5 without sqrt(2 log 1/beta)", _UTILITY, "single_release", _certain, _ONCE),
    Mutant("half of U5", _UTILITY, "single_release", times(Fraction(1, 2)), _ONCE),
    Mutant("0.9 of E_opt", _UTILITY, "optimization", times(Fraction(9, 10)), _OPTIMIZATION),
    Mutant("E_opt for twice the steps", _UTILITY, "optimization",
           lambda right: lambda R, p, N, loss=None: right(R, p, 2 * N, loss), _OPTIMIZATION),
    Mutant("no sample term", _UTILITY, "sample", times(Fraction(0)), _SAMPLE),
    Mutant("a thousandth of the sample term", _UTILITY, "sample", times(Fraction(1, 1000)), _SAMPLE),
    Mutant("a third of U3", _UTILITY, "population", times(Fraction(1, 3)), _PARTS),
    Mutant("U4 without (mu/2)|v|^2", _UTILITY, "unregularized", _unregularized, _PARTS),
    Mutant("a quarter of U5 for the population", _UTILITY, "single_release_population", times(Fraction(1, 4)), _PARTS),
    Mutant("a thousandth of U3", _UTILITY, "population", times(Fraction(1, 1000)),
           "population_risks_stay_within_their_bounds"),
    Mutant("calibration at half the truncation", _CALIBRATION, "calibration", _released(u=Fraction(1, 2)), _CERTIFIES),
    Mutant("calibration at a tenth of sigma", _CALIBRATION, "calibration", _released(sigma=Fraction(1, 10)),
           _CERTIFIES),
    Mutant("calibration at a tenth of mu", _CALIBRATION, "calibration", _released(mu=Fraction(1, 10)), _CERTIFIES),
    Mutant("a fifth of U6", _CALIBRATION, "excess_risk", times(Fraction(1, 5)),
           "calibrated_releases_stay_within_their_risk"),
)  # fmt: skip
