"""Wrong constants and sensitivities, and the check of M1 that catches each."""

from __future__ import annotations

from fractions import Fraction

from tests.properties.mutant import Changed, Mutant, halved, times

_STATEMENTS = "certify.statements."
_PAIRS, _WORST = "trained_heads_stay_within_every_bound", "worst_case_pairs_stay_within_every_bound"
_STRONG = "sensitivities_are_nearly_attained_under_strong_regularization"
_MOVES = "prototypes_move_by_exactly_the_sensitivity"
_HINGE, _LOGISTIC, _SOFTMAX = (
    "hinge_radius_is_attained",
    "logistic_radius_is_attained",
    "softmax_small_branch_is_attained",
)
_GAPS, _GRADIENT = "gradient_differences_come_near_their_bound", "a_gradient_comes_near_its_bound"
_EARLY, _ROOM = "training_stopped_early_stays_within_its_room", "inexact_minimisers_attain_their_room"


def _scaled(share: str, module: str, name: str, caught_by: str) -> Mutant:
    title = f"{share} of {module}.{name}, caught by {caught_by}"
    return Mutant(title, _STATEMENTS + module, name, times(Fraction(share)), caught_by)


def _wrong(title: str, module: str, name: str, changed: Changed, caught_by: str) -> Mutant:
    return Mutant(title, _STATEMENTS + module, name, changed, caught_by)


MUTANTS = (
    # Sensitivities.
    _scaled("1/4", "ball", "sensitivity", _WORST),
    _scaled("9/10", "ball", "sensitivity", _STRONG),
    _scaled("1/4", "ball", "any_record_sensitivity", _PAIRS),
    _scaled("9/10", "ball", "any_record_sensitivity", _STRONG),
    _wrong("one record more in the mean", "ball", "sensitivity",
           lambda right: lambda difference, lam, n, gamma: right(difference, lam, n + 1, gamma), _STRONG),
    _scaled("9/10", "prototype", "sensitivity", _MOVES),
    _wrong("prototypes: a class of one record more", "prototype", "sensitivity",
           lambda right: lambda radius, lam, n, count: right(radius, lam, n, count + 1), _MOVES),
    # Minimisers.
    _scaled("9/10", "hinge", "sharp_radius", _HINGE),
    _scaled("2/5", "hinge", "paper_radius", _HINGE),
    _scaled("9/10", "logistic", "sharp_radius", _LOGISTIC),
    _scaled("1/4", "logistic", "paper_radius", _LOGISTIC),
    _scaled("9/10", "softmax", "sharp_radius", _SOFTMAX),
    _scaled("1/4", "softmax", "paper_radius", _SOFTMAX),
    _wrong("softmax: the radius of two classes for all", "softmax", "sharp_radius",
           lambda right: lambda R, B, lam, _: right(R, B, lam, R(2)), _SOFTMAX),
    # Gradients.
    _scaled("9/10", "hinge", "lipschitz", _GAPS),
    _wrong("hinge: L_z without the product term", "hinge", "lipschitz", lambda _: lambda B, R: 2 + 0 * B * R, _GAPS),
    _scaled("4/5", "hinge", "midpoint_difference", _GAPS),
    _scaled("9/10", "hinge", "gradient_bound", _GRADIENT),
    _scaled("9/10", "logistic", "sharp_lipschitz", _GAPS),
    _wrong("logistic: L_z at half the radius", "logistic", "sharp_lipschitz", halved(2), _GAPS),
    _scaled("9/20", "logistic", "paper_lipschitz", _STRONG),
    _scaled("9/10", "logistic", "midpoint_difference", _GAPS),
    _scaled("9/10", "logistic", "gradient_bound", _GRADIENT),
    _scaled("9/10", "softmax", "lipschitz", _GAPS),
    _wrong("softmax: L_z at half the radius", "softmax", "lipschitz", halved(2), _GAPS),
    _scaled("3/5", "softmax", "paper_lipschitz", _STRONG),
    _scaled("3/5", "softmax", "midpoint_difference", _GAPS),
    _scaled("9/10", "softmax", "gradient_bound", _GRADIENT),
    _scaled("1/4", "heads", "difference", _WORST),
    _scaled("4/5", "heads", "difference", _GAPS),
    # Inexact solvers.
    _wrong("no room for the solver", "ball", "sensitivity",
           lambda right: lambda difference, lam, n, gamma: right(difference, lam, n, 0 * gamma), _ROOM),
    _wrong("room for one inexact solution only", "ball", "sensitivity", halved(3), _ROOM),
    _wrong("half the room for training stopped early", "ball", "sensitivity", halved(3), _EARLY),
)  # fmt: skip
