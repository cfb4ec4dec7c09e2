"""Wrong ingredients of D8, a to d, and the check of M4 that catches each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, times

_DESCENT = "certify.statements.descent."
_TRAJECTORY, _DISPLACEMENT = f"{_DESCENT}sharp_trajectory", f"{_DESCENT}sharp_displacement"
_RESIDUAL = f"{_DESCENT}sharp_residual"
_NEARLY, _TENTH, _NOTHING = times(Fraction(99, 100)), times(Fraction(1, 10)), times(Fraction(0))
_SCALES, _BUILT = "iterates_stay_within_the_sharp_scales", "sharp_bounds_of_adversarial_problems"
_CORR = "jacobian_errors_stay_within_the_sharp_corr"


def _from_zero(right: Callable[..., Any]) -> Callable[..., Any]:
    """A scale without |w_0|."""
    return lambda R, p, *given: right(R, p, *given) - (R(0) if p.start is None else p.start)


MUTANTS = (
    Mutant("0.99 of the sharp R-bar", _TRAJECTORY, "trajectory_scale", _NEARLY, "a_trajectory_at_its_sharp_scale"),
    Mutant("0.98 of the sharp R-bar, over a whole run", _TRAJECTORY, "trajectory_scale", times(Fraction(98, 100)),
           "a_trajectory_near_its_length"),
    Mutant("half of the radius in the sharp R-bar", _TRAJECTORY, "trajectory_scale", halved(2), _SCALES),
    Mutant("0.999 of R*", _TRAJECTORY, "minimiser_scale", times(Fraction(999, 1000)), "the_minimiser_at_its_scale"),
    Mutant("R* without omega", _TRAJECTORY, "minimiser_scale",
           lambda right: lambda R, p, radius, turn: right(R, p, radius, 0 * turn), "the_minimiser_at_its_scale"),
    Mutant("R* without the start", _TRAJECTORY, "minimiser_scale", _from_zero, _BUILT),
    Mutant("the sharp R-bar without the start", _TRAJECTORY, "trajectory_scale", _from_zero, _BUILT),
    Mutant("0.9 of the sharp corr", _DISPLACEMENT, "jacobian_error", times(Fraction(9, 10)),
           "jacobian_errors_near_the_sharp_corr"),
    Mutant("no weights where the Hessian's change is capped", _DISPLACEMENT, "capped_weights", _NOTHING, _CORR),
    Mutant("no weights where the Hessian settles", _DISPLACEMENT, "settling_weights", _NOTHING, _CORR),
    Mutant("0.98 of the sharp residual", _RESIDUAL, "residual", times(Fraction(98, 100)),
           "residuals_near_their_bounds"),
    Mutant("a twentieth of the second form of the residual", _RESIDUAL, "residual",
           lambda right: lambda R, p, N, bar, star: right(R, p, N, bar, None if star is None else star / 20),
           "residuals_near_their_bounds"),
    Mutant("a tenth of the sharp residual", _RESIDUAL, "residual", _TENTH,
           "residuals_stay_within_the_sharp_residual"),
)  # fmt: skip
