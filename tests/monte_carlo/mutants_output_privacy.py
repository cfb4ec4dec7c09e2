"""Wrong sensitivities and calibrations, and the check on noisy releases that catches each."""

from __future__ import annotations

from fractions import Fraction

from tests.properties.mutant import Mutant, times, times_ends

_STATEMENTS = "certify.statements."
_ATTAINED = "prototypes_attain_the_calibrated_delta"
_RANDOM, _WORST = "releases_of_trained_heads_stay_private", "releases_of_worst_case_pairs_stay_private"

MUTANTS = (
    Mutant("noise 20 % low", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(4, 5)), _ATTAINED),
    Mutant("noise 20 % high", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(6, 5)), _ATTAINED),
    Mutant("0.8 of the prototypes' sensitivity", f"{_STATEMENTS}prototype", "sensitivity", times(Fraction(4, 5)),
           _ATTAINED),
    Mutant("a quarter of the noise", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(1, 4)),
           _RANDOM),
    Mutant("a third of the sensitivity, released", f"{_STATEMENTS}ball", "sensitivity", times(Fraction(1, 3)), _WORST),
    Mutant("a third of D(r), released", f"{_STATEMENTS}heads", "difference", times(Fraction(1, 3)), _WORST),
    Mutant("class counts one too high", f"{_STATEMENTS}prototype", "sensitivity",
           lambda right: lambda radius, lam, n, count: right(radius, lam, n, count + 1),
           "public_counts_are_what_they_say"),
    Mutant("half of the any-record sensitivity", f"{_STATEMENTS}ball", "any_record_sensitivity",
           times(Fraction(1, 2)), "a_changed_label_needs_the_noise_for_it"),
)  # fmt: skip
