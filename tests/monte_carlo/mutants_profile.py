"""Wrong profiles, calibrations and compositions, and the check of M2 that catches each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, instead, times, times_ends

_GAUSSIAN, _BALL = "certify.statements.gaussian", "certify.statements.ball"
_PROFILE, _SIGMA = "the_profile_is_that_of_the_optimal_test", "a_twentieth_less_noise_than_calibrated_is_seen"
_SMALL, _COUNTED = "the_profile_is_a_mean_however_small", "half_the_noise_is_seen_by_counting"
_COMPOSED = "composed_releases_are_one_gaussian"
_TRANSFER = "prototypes_at_a_larger_radius_have_the_transferred_profile"


def _cut(share: Fraction) -> Callable[..., Any]:
    """The profile with its second term times a share."""

    def wrong(R: Any, epsilon: Any, ratio: Any) -> Any:
        near, far = epsilon / ratio - ratio / 2, epsilon / ratio + ratio / 2
        return R.upper_tail(near) - share * R.exp(epsilon) * R.upper_tail(far)

    return wrong


def _largest(R: Any, ratios: Any) -> Any:
    return R.maximum(*ratios)


def _summed(R: Any, ratios: Any) -> Any:
    return sum(ratios, R(0))


def _squared(R: Any, ratios: Any) -> Any:
    return sum((ratio**2 for ratio in ratios), R(0))


MUTANTS = (
    Mutant("profile at half the ratio", _GAUSSIAN, "profile", halved(2), _PROFILE),
    Mutant("profile at nine tenths of the ratio", _GAUSSIAN, "profile",
           lambda right: lambda R, epsilon, ratio: right(R, epsilon, ratio * Fraction(9, 10)), _PROFILE),
    Mutant("profile without its second term", _GAUSSIAN, "profile", instead(_cut(Fraction(0))), _PROFILE),
    Mutant("profile with half its second term", _GAUSSIAN, "profile", instead(_cut(Fraction(1, 2))), _PROFILE),
    Mutant("0.95 of the profile", _GAUSSIAN, "profile", times(Fraction(19, 20)), _SMALL),
    Mutant("profile at 0.99 of the ratio", _GAUSSIAN, "profile",
           lambda right: lambda R, epsilon, ratio: right(R, epsilon, ratio * Fraction(99, 100)), _SMALL),
    Mutant("sigma 20 % low, by counting", "certify.evaluation.gaussian", "sigma_enclosure",
           times_ends(Fraction(4, 5)), _COUNTED),
    Mutant("sigma 20 % low", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(4, 5)), _SIGMA),
    Mutant("sigma 5 % low", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(19, 20)), _SIGMA),
    Mutant("sigma 20 % high", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(6, 5)), _SIGMA),
    Mutant("composition by the largest ratio", _GAUSSIAN, "composed_ratio", instead(_largest), _COMPOSED),
    Mutant("composition by the sum", _GAUSSIAN, "composed_ratio", instead(_summed), _COMPOSED),
    Mutant("composition without the root", _GAUSSIAN, "composed_ratio", instead(_squared), _COMPOSED),
    Mutant("the short form of the transfer", _BALL, "transferred_delta",
           lambda right: lambda R, epsilon, factor, ratio: right(R, epsilon / factor, R(1), ratio), _TRANSFER),
    Mutant("the prototypes' sensitivity at half", "certify.statements.prototype", "sensitivity", halved(0), _TRANSFER),
)  # fmt: skip
