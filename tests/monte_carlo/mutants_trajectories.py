"""Wrong bounds on the iterates, and the check of M4 that catches each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, instead, times

_DESCENT = "certify.statements.descent."
_CONSTANTS, _RADII, _C13 = f"{_DESCENT}constants", f"{_DESCENT}radii", f"{_DESCENT}theorem_c13"
_TENTH, _NEARLY = times(Fraction(1, 10)), times(Fraction(99, 100))


def _squared(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda p: right(p) ** 2


def _from_zero(p: Any, radius: Any) -> Any:
    return (radius + p.gradient_bound) / p.mu


MUTANTS = (
    Mutant("half of G, between neighbouring runs", _CONSTANTS, "Objective.G", times(Fraction(1, 2)),
           "neighbours_at_the_bound", is_property=True),
    Mutant("0.99 of the displacement", _C13, "displacement", _NEARLY, "neighbours_at_the_bound"),
    Mutant("0.99 of the displacement, for any error", _C13, "displacement", _NEARLY, "runs_at_the_bound"),
    Mutant("a tenth of the displacement", _C13, "displacement", _TENTH, "neighbours_stay_close"),
    Mutant("a tenth of the displacement, for any error", _C13, "displacement", _TENTH,
           "runs_with_an_error_stay_close"),
    Mutant("displacement without rho^N, across the features", _C13, "displacement",
           instead(lambda _, p, __: p.G / p.mu), "what_is_across_the_features_is_known"),
    Mutant("d* = n", _CONSTANTS, "Descent.d_star", instead(lambda p: min(p.d, p.n)),
           "what_is_across_the_features_is_known", is_property=True),
    Mutant("a tenth of G", _CONSTANTS, "Objective.G", _TENTH, "gradients_of_neighbours_differ_in_two_directions",
           is_property=True),
    Mutant("rho squared", _CONSTANTS, "Objective.rho", _squared, "iterates_converge_to_the_minimiser",
           is_property=True),
    Mutant("half of the radius in R-bar", _RADII, "trajectory_scale", halved(1),
           "iterates_stay_within_the_trajectory_scale"),
    Mutant("R-bar without L1 zeta", _CONSTANTS, "Objective.gradient_bound", times(Fraction(0)),
           "a_trajectory_at_its_scale", is_property=True),
    Mutant("0.99 of R-bar", _RADII, "trajectory_scale", _NEARLY, "a_trajectory_at_its_scale"),
    Mutant("R-bar without the start", _RADII, "trajectory_scale", instead(_from_zero),
           "iterates_of_adversarial_problems"),
    Mutant("0.99 of the residual", _C13, "residual", _NEARLY, "a_trajectory_at_its_scale"),
    Mutant("residual with rho^(2N)", _C13, "residual",
           lambda right: lambda R, p, N, radii: right(R, p, 2 * N, radii),
           "the_perturbation_is_the_gradient_up_to_a_residual"),
)  # fmt: skip
