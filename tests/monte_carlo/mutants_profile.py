"""Wrong profiles, calibrations and compositions, and the check of M2 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from certify import Enclosure
from tests.properties.mutant import Changed, Mutant, halved, instead

_GAUSSIAN = "certify.statements.gaussian"
_PROFILE, _SIGMA = "the_profile_is_that_of_the_optimal_test", "a_fifth_less_noise_than_calibrated_is_seen"


def _first_term(R: Any, epsilon: Any, ratio: Any) -> Any:
    """Phi(mu/2 - epsilon/mu) alone."""
    return R.upper_tail(epsilon / ratio - ratio / 2)


def _largest(*given: Any) -> Any:
    return given[1][-1]


def _summed(*given: Any) -> Any:
    return sum(given[1][1:], given[1][0])


def _scaled(share: Fraction) -> Changed:
    def changed(right: Any) -> Any:
        def wrong(*given: Any) -> Enclosure:
            found = right(*given)
            return Enclosure(found.lower * share, found.upper * share)

        return wrong

    return changed


MUTANTS = (
    Mutant("profile at half the ratio", _GAUSSIAN, "profile", halved(2), _PROFILE),
    Mutant("profile at nine tenths of the ratio", _GAUSSIAN, "profile",
           lambda right: lambda R, epsilon, ratio: right(R, epsilon, ratio * Fraction(9, 10)), _PROFILE),
    Mutant("profile without its second term", _GAUSSIAN, "profile", instead(_first_term), _PROFILE),
    Mutant("sigma 20 % low", "certify.evaluation.gaussian", "sigma_enclosure", _scaled(Fraction(4, 5)), _SIGMA),
    Mutant("sigma 20 % high", "certify.evaluation.gaussian", "sigma_enclosure", _scaled(Fraction(6, 5)), _SIGMA),
    Mutant("composition by the largest ratio", _GAUSSIAN, "composed_ratio",
           instead(_largest), "composed_releases_are_one_gaussian"),
    Mutant("composition by the sum", _GAUSSIAN, "composed_ratio",
           instead(_summed), "composed_releases_are_one_gaussian"),
    Mutant("the short form of the transfer", "certify.statements.ball", "transferred_delta",
           lambda right: lambda R, epsilon, factor, ratio: right(R, epsilon / factor, R(1), ratio),
           "transfer_to_a_larger_radius_is_seen"),
)  # fmt: skip
