"""Wrong certificates of gradient descent, and the check of M5 that catches each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Changed, Mutant, halved, instead, times

_DESCENT = "certify.statements.descent"
_EVALUATED = "certify.evaluation.descent_inputs"
_NEAR = "the_certificates_are_nearly_attained_by_linear_losses"
_PROFILE = "linear_losses_have_the_profile_of_the_benchmark"
_ANY, _HALF = "no_test_beats_the_certificates", "a_turned_label_is_half_of_the_ratio_for_the_logistic_loss"
_41, _C13 = "theorem_41_is_the_papers_formula", "theorem_c13_is_the_papers_formula"


def _times(share: Fraction) -> Changed:
    """A constant of the objective times a share."""
    return lambda right: lambda objective: right(objective) * share


def _louder(right: Any) -> Any:
    """The sharp certificate of a quarter more noise than there is."""
    return lambda R, p, *given: right(R, replace(p, sigma=p.sigma * Fraction(5, 4)), *given)


def _without_mean(right: Any) -> Any:
    """epsilon0 without G^2/(2 sigma^2)."""
    return lambda R, p, N: right(R, p, N) - (p.G / p.sigma) ** 2 / 2


def _uncorrected(right: Any) -> Any:
    """tau without the error of the frozen Hessian."""
    return lambda R, p, N, radii, alpha: right(R, replace(p, M=0 * p.M), N, radii, alpha)


def _larger_ratio(right: Any) -> Any:
    return lambda R, epsilon, ratio: right(R, epsilon, ratio * Fraction(6, 5))


def _nothing(R: Any, *_: Any) -> Any:
    return R(0)


MUTANTS = (
    Mutant("half of G", f"{_DESCENT}.constants", "Objective.G", _times(Fraction(1, 2)), _NEAR, is_property=True),
    Mutant("sigma 20 % low for the theorems as printed", _EVALUATED, "read_sigma", times(Fraction(5, 4)), _NEAR),
    Mutant("sigma 20 % low for the sharp theorem", f"{_DESCENT}.sharp", "certificate", _louder, _NEAR),
    Mutant("half of the one-signed divergence", f"{_DESCENT}.sharp", "divergence", times(Fraction(1, 2)), _NEAR),
    Mutant("a quarter of the divergence (50)", f"{_DESCENT}.theorem_c13", "divergence", times(Fraction(1, 4)), _NEAR),
    Mutant("epsilon0 without G^2/(2 sigma^2)", f"{_DESCENT}.theorem_41", "epsilon0", _without_mean, _NEAR),
    Mutant("C.5's profile at half the ratio", "certify.evaluation.gd", "profile", halved(2), _PROFILE),
    Mutant("C.5's profile at 1.2 of the ratio", "certify.evaluation.gd", "profile", _larger_ratio, _PROFILE),
    Mutant("the class floor at 1.2 of the ratio", f"{_DESCENT}.benchmark", "profile", _larger_ratio, _PROFILE),
    Mutant("a quarter of G", f"{_DESCENT}.constants", "Objective.G", _times(Fraction(1, 4)), _ANY, is_property=True),
    Mutant("a quarter of G, by a turned label", f"{_DESCENT}.constants", "Objective.G", _times(Fraction(1, 4)), _HALF,
           is_property=True),
    Mutant("no truncation term in (10)", "certify.evaluation.gd", "fixed_tail", instead(_nothing), _41),
    Mutant("half of the divergence (10)", f"{_DESCENT}.theorem_41", "divergence", times(Fraction(1, 2)), _41),
    Mutant("Delta_H = 0", f"{_DESCENT}.constants", "Objective.delta_H", _times(Fraction(0)), _41, is_property=True),
    Mutant("tau* without its second term", f"{_DESCENT}.theorem_41", "tau_star",
           lambda right: lambda R, p, N: right(R, replace(p, M=0 * p.M), N), _41),
    Mutant("threshold (7) without its second entry", f"{_DESCENT}.theorem_41", "threshold",
           lambda right: lambda R, p: right(R, replace(p, M=0 * p.M, L=p.mu)), _41),
    Mutant("tau without the correction", f"{_DESCENT}.theorem_c13", "tau", _uncorrected, _C13),
    Mutant("half of the divergence (50)", f"{_DESCENT}.theorem_c13", "divergence", times(Fraction(1, 2)), _C13),
    Mutant("no residual", f"{_DESCENT}.theorem_c13", "residual", instead(_nothing), _C13),
)  # fmt: skip
