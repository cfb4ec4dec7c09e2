"""Wrong bounds on the Jacobian of z -> w_N and its determinant, and the check of M4 that catches each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Changed, Mutant, halved, instead, times

_DESCENT, _USED = "certify.statements.descent.", "tests.statements.small_problem"
_CONSTANTS, _JACOBIAN, _C13 = f"{_DESCENT}constants", f"{_DESCENT}jacobian", f"{_DESCENT}theorem_c13"
_HALF, _TWICE, _TENTH = times(Fraction(1, 2)), times(Fraction(2)), times(Fraction(1, 10))
_NEARLY, _MORE = times(Fraction(99, 100)), times(Fraction(101, 100))


def _logistic(*shares: Fraction) -> Changed:
    """The constants L1, L2, L3 of the logistic loss, each times its share."""
    return lambda right: lambda R: tuple(x * share for x, share in zip(right(R), shares, strict=True))


def _terms_forgotten(right: Callable[..., Any]) -> Callable[..., Any]:
    """The sum of (1 - rho^(N-k))(1 - rho^k), as if a product of sums over N."""
    return lambda R, p, N: R.maximum(R(0), right(R, p, N) - N * R.power(p.rho, N))


_ONE = Fraction(1)
_ABOVE, _NEAR, _PAPER = "curvature_at_its_bounds", "jacobian_errors_near_corr", "theorem_c13_is_the_papers_formula"
_DETERMINANTS = "determinants_at_their_bounds"

MUTANTS = (
    Mutant("half of L2", _USED, "logistic_constants", _logistic(_ONE, Fraction(1, 2), _ONE), _ABOVE),
    Mutant("a tenth of L2", _USED, "logistic_constants", _logistic(_ONE, Fraction(1, 10), _ONE),
           "curvature_is_between_mu_and_L"),
    Mutant("0.9 of L3", _USED, "logistic_constants", _logistic(_ONE, _ONE, Fraction(9, 10)), _NEAR),
    Mutant("a tenth of L3", _USED, "logistic_constants", _logistic(_ONE, _ONE, Fraction(1, 10)),
           "hessians_are_lipschitz"),
    Mutant("1.01 of gamma_N", _JACOBIAN, "gamma", _MORE, _ABOVE),
    Mutant("gamma_N of twice the steps", _JACOBIAN, "gamma", lambda right: lambda R, p, N: right(R, p, 2 * N), _ABOVE),
    Mutant("twice gamma_N", _JACOBIAN, "gamma", _TWICE, "frozen_jacobians_are_between_gamma_and_B_N"),
    Mutant("M = 0", _JACOBIAN, "correction", times(Fraction(0)), "jacobian_errors_stay_within_corr"),
    Mutant("half of B", _JACOBIAN, "correction_per_scale", _HALF, _NEAR),
    Mutant("nu~_N without N rho^N", _JACOBIAN, "nu_tilde", _terms_forgotten, _NEAR),
    Mutant("rho^N for rho^(N-1)", _JACOBIAN, "correction_per_scale",
           lambda right: lambda R, p, N: right(R, p, N) * p.rho, _NEAR),
    Mutant("half of the radius in corr", _JACOBIAN, "trajectory_scale", halved(1), _NEAR),
    Mutant("M = 0, on built problems", _JACOBIAN, "correction", times(Fraction(0)),
           "jacobians_of_adversarial_problems"),
    Mutant("alpha_D without its correction", f"{_DESCENT}diffeomorphism", "correction",
           times(Fraction(0)), "definiteness_needs_the_correction"),
    Mutant("twice gamma_N in alpha_D", f"{_DESCENT}diffeomorphism", "gamma", _TWICE,
           "jacobians_are_definite_with_the_margin_alpha"),
    Mutant("twice gamma_N in alpha_D, between releases", f"{_DESCENT}diffeomorphism", "gamma", _TWICE,
           "releases_are_apart_by_the_margin_alpha"),
    Mutant("half of g-bar_N", _JACOBIAN, "g_bar", _HALF, "the_logarithm_of_the_frozen_symbol_falls_slowly"),
    Mutant("0.99 of g-bar_N", _JACOBIAN, "g_bar", _NEARLY, _DETERMINANTS),
    Mutant("Delta_H = 0", _CONSTANTS, "Objective.delta_H", times(Fraction(0)), "determinants_at_a_shared_output",
           is_property=True),
    Mutant("half of Delta_H", _CONSTANTS, "Objective.delta_H", _HALF, _DETERMINANTS, is_property=True),
    Mutant("tau without tau(0)", _C13, "determinant_floor", times(Fraction(0)), _DETERMINANTS),
    Mutant("tau without its correction", _C13, "correction", times(Fraction(0)), _PAPER),
    Mutant("half of the correction in tau", _C13, "correction", _HALF, _PAPER),
    Mutant("alpha a hundredth high", _C13, "alpha_bar", _MORE, _PAPER),
    Mutant("residual of one preimage only", _C13, "residual", _HALF, _PAPER),
    Mutant("residual dropped from s_N", _C13, "residual", times(Fraction(0)), _PAPER),
    Mutant("nu_N for nu~_N", _JACOBIAN, "nu_tilde",
           instead(lambda R, p, N: N - (1 - R.power(p.rho, N)) / (p.eta * p.mu)), _PAPER),
)  # fmt: skip
