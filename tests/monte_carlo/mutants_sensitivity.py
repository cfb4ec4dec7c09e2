"""Wrong constants and sensitivities, and the check of M1 that catches each."""

from __future__ import annotations

from fractions import Fraction

from tests.properties.mutant import Mutant, halved, times

_HEADS = "certify.statements."
_PAIRS, _WORST = "trained_heads_stay_within_every_bound", "worst_case_pairs_stay_within_every_bound"

MUTANTS = (
    Mutant("a quarter of the sensitivity", f"{_HEADS}ball", "sensitivity", times(Fraction(1, 4)), _WORST),
    Mutant("a quarter of the any-record sensitivity", f"{_HEADS}ball", "any_record_sensitivity", times(Fraction(1, 4)),
           _PAIRS),
    Mutant("0.9 of the prototypes' sensitivity", f"{_HEADS}prototype", "sensitivity", times(Fraction(9, 10)),
           "prototypes_move_by_exactly_the_sensitivity"),
    Mutant("prototypes: the count of the class forgotten", f"{_HEADS}prototype", "sensitivity",
           lambda right: lambda radius, lam, n, count: right(radius, lam, n, count + 1),
           "prototypes_move_by_exactly_the_sensitivity"),
    Mutant("0.9 of the hinge's radius", f"{_HEADS}hinge", "sharp_radius", times(Fraction(9, 10)),
           "hinge_radius_is_attained"),
    Mutant("0.9 of the logistic radius", f"{_HEADS}logistic", "sharp_radius", times(Fraction(9, 10)),
           "logistic_radius_is_attained"),
    Mutant("0.9 of the softmax radius", f"{_HEADS}softmax", "sharp_radius", times(Fraction(9, 10)),
           "softmax_small_branch_is_attained"),
    Mutant("0.9 of the hinge's L_z", f"{_HEADS}hinge", "lipschitz", times(Fraction(9, 10)),
           "gradients_differ_by_nearly_the_lipschitz_constant"),
    Mutant("hinge: L_z without the product term", f"{_HEADS}hinge", "lipschitz", lambda _: lambda B, R: 2 + 0 * B * R,
           "gradients_differ_by_nearly_the_lipschitz_constant"),
    Mutant("0.9 of the logistic L_z", f"{_HEADS}logistic", "sharp_lipschitz", times(Fraction(9, 10)),
           "gradients_differ_by_nearly_the_lipschitz_constant"),
    Mutant("logistic: L_z at half the radius", f"{_HEADS}logistic", "sharp_lipschitz", halved(2),
           "gradients_differ_by_nearly_the_lipschitz_constant"),
    Mutant("a quarter of the difference", f"{_HEADS}heads", "difference", times(Fraction(1, 4)), _WORST),
    Mutant("no room for the solver", f"{_HEADS}ball", "sensitivity",
           lambda right: lambda difference, lam, n, gamma: right(difference, lam, n, 0 * gamma),
           "an_inexact_minimiser_is_within_gamma_over_lambda"),
    Mutant("room for one inexact solution only", f"{_HEADS}ball", "sensitivity", halved(3),
           "an_inexact_minimiser_is_within_gamma_over_lambda"),
)  # fmt: skip
