"""Wrong reconstruction bounds, and the check of M3 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, instead, times, times_ends

_BOUNDS, _INVERSION = "certify.statements.reconstruction", "certify.statements.prototype"
_SUPPORT, _HEADS = "the_attack_stays_below_the_support_bound", "the_attack_on_trained_heads_stays_below_every_bound"
_TWO = "two_candidates_attain_the_support_bound"
_THRESHOLD, _CANARY = "a_threshold_attains_the_gaussian_bound", "the_canary_nearly_attains_the_gaussian_bound"
_LEAK = "randomised_response_with_a_leak_attains_the_privacy_bound"
_RENYI = "the_renyi_divergence_is_that_of_two_gaussians"


def _nearer(right: Any) -> Any:
    """R4 with distances a tenth smaller."""
    return lambda task, distances, prior: right(task, [a * Fraction(9, 10) for a in distances], prior)


def _unweighted(right: Any) -> Any:
    """R4 as if every weight were the same."""
    return lambda task, distances, prior: right(task, distances, [Fraction(1, len(prior))] * len(prior))


def _exponent(R: Any, order: Any, ratio: Any, baseline: Any) -> Any:
    """1/alpha for (alpha - 1)/alpha."""
    return (R.log(baseline) + order * ratio**2 / 2) / order


def _without_root(R: Any, ratio: Any, baseline: Any) -> Any:
    """mu/2 for mu/sqrt 2."""
    return R.exp(-(R.maximum(R(0), R.sqrt(-R.log(baseline)) - ratio / 2) ** 2))


MUTANTS = (
    Mutant("R4 with distances a tenth smaller", "certify.evaluation.rero", "support_enclosure", _nearer, _TWO),
    Mutant("R4 without the prior", "certify.evaluation.rero", "support_enclosure", _unweighted, _SUPPORT),
    Mutant("0.9 of R4", "certify.evaluation.rero", "support_enclosure", times_ends(Fraction(9, 10)), _SUPPORT),
    Mutant("R3 at half the ratio", _BOUNDS, "from_gaussian", halved(1), _THRESHOLD),
    Mutant("R3 at 0.95 of the ratio", _BOUNDS, "from_gaussian",
           lambda right: lambda R, ratio, baseline: right(R, ratio * Fraction(19, 20), baseline), _THRESHOLD),
    Mutant("R3 at half the ratio, seen by the canary", _BOUNDS, "from_gaussian", halved(1), _CANARY),
    Mutant("R2 at half the ratio, below R3", _BOUNDS, "from_best_renyi", halved(1), _HEADS),
    Mutant("R2 with mu/2 for mu/sqrt 2", _BOUNDS, "from_best_renyi", instead(_without_root), _THRESHOLD),
    Mutant("R2 with the exponent 1/alpha", _BOUNDS, "_renyi_exponent", instead(_exponent), _THRESHOLD),
    Mutant("the divergence mu^2/2 at every order", _BOUNDS, "renyi_divergence",
           lambda right: lambda order, ratio: right(order, ratio) / order, _RENYI),
    Mutant("the divergence without its half", _BOUNDS, "renyi_divergence", times(Fraction(2)), _RENYI),
    Mutant("R1 without delta", _BOUNDS, "from_privacy",
           lambda right: lambda R, epsilon, delta, baseline: right(R, epsilon, 0 * delta, baseline), _LEAK),
    Mutant("R1 at half of epsilon", _BOUNDS, "from_privacy", halved(1), _LEAK),
    Mutant("0.97 of R1", _BOUNDS, "from_privacy", times(Fraction(97, 100)), _LEAK),
    Mutant("inversion without the factor 2 of the remainder", _INVERSION, "inverted_record", halved(4),
           "noiseless_inversion_is_exact"),
    Mutant("inversion that counts one record less", _INVERSION, "inverted_record",
           lambda right: lambda mu, count, lam, n, rest: right(mu, count - 1, lam, n, rest),
           "noiseless_inversion_is_exact"),
)  # fmt: skip
