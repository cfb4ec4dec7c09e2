"""Wrong reconstruction bounds, and the check of M3 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from certify import Enclosure
from tests.properties.mutant import Mutant, halved, times

_BOUNDS, _INVERSION = "certify.statements.reconstruction", "certify.statements.prototype"
_ORDER = "the_attack_on_trained_heads_stays_below_every_bound"


def _nearer(right: Any) -> Any:
    """R4 with distances a tenth smaller."""
    return lambda task, distances, prior: right(task, [a * Fraction(9, 10) for a in distances], prior)


def _three_quarters(right: Any) -> Any:
    def wrong(*given: Any) -> Enclosure:
        found = right(*given)
        return Enclosure(found.lower * Fraction(3, 4), found.upper * Fraction(3, 4))

    return wrong


MUTANTS = (
    Mutant("R4 with distances a tenth smaller", "certify.evaluation.rero", "support_enclosure", _nearer,
           "two_candidates_attain_the_support_bound"),
    Mutant("three quarters of R4", "certify.evaluation.rero", "support_enclosure", _three_quarters,
           "the_attack_stays_below_the_support_bound"),
    Mutant("R3 at half the ratio", _BOUNDS, "from_gaussian", halved(1), "a_threshold_test_attains_the_gaussian_bound"),
    Mutant("R3 at half the ratio, seen by the canary", _BOUNDS, "from_gaussian", halved(1),
           "the_canary_nearly_attains_the_gaussian_bound"),
    Mutant("R1 without delta", _BOUNDS, "from_privacy",
           lambda right: lambda R, epsilon, delta, baseline: right(R, epsilon, 0 * delta, baseline),
           "a_set_at_the_odds_allowed_attains_the_privacy_bound"),
    Mutant("R1 at half of epsilon", _BOUNDS, "from_privacy", halved(1),
           "a_set_at_the_odds_allowed_attains_the_privacy_bound"),
    Mutant("R2 at half the ratio, below R3", _BOUNDS, "from_best_renyi", halved(1), _ORDER),
    Mutant("a quarter of R3", _BOUNDS, "from_gaussian", times(Fraction(1, 4)), _ORDER),
    Mutant("inversion without the factor 2 of the remainder", _INVERSION, "inverted_record",
           lambda right: lambda mu, count, lam, n, rest: right(mu, count, lam, n, rest / 2),
           "noiseless_inversion_is_exact"),
    Mutant("inversion that counts one record less", _INVERSION, "inverted_record",
           lambda right: lambda mu, count, lam, n, rest: right(mu, count - 1, lam, n, rest),
           "noiseless_inversion_is_exact"),
)  # fmt: skip
