"""Wrong tails, and the check of M7 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, instead, times

_TAILS = "certify.statements.tails"
_T1, _T2, _T3 = "the_integrated_tail_is_a_mean_excess", "the_folded_tail_is_a_bound", "the_chi_tail_is_a_bound"
_FAR1, _FAR2, _FAR3 = "the_integrated_tail_far_out", "the_folded_tail_far_out", "the_chi_tail_far_out"
_ARB = "tails_agree_with_arb"


def _density(R: Any, t: Any) -> Any:
    return R.exp(-(t**2) / 2) / R.sqrt(2 * R.pi)


def _fewer_dimensions(right: Any) -> Any:
    """The Poisson sum without its last term."""
    return lambda R, dimension, radius, sigma: right(R, max(1, dimension - 2), radius, sigma)


def _rounded_down(right: Any) -> Any:
    """The next even dimension below an odd one, instead of above."""
    return lambda R, dimension, radius, sigma: right(R, max(1, dimension // 2 * 2), radius, sigma)


def _without_growth(right: Any) -> Any:
    """The last term of the sum alone, without 1/(1 - m/y)."""
    return lambda R, half, y: right(R, half, y) * (1 - (half - 1) / y)


def _without_root(R: Any, dimension: int, radius: Any, sigma: Any) -> Any:
    """e^{-r^2/(2 sigma^2)}: the mean length forgotten."""
    del dimension
    return R.exp(-((radius / sigma) ** 2) / 2)


MUTANTS = (
    Mutant("Q1 replaced by phi", _TAILS, "integrated_tail", instead(_density), _T1),
    Mutant("Q1 replaced by Q", _TAILS, "integrated_tail", instead(lambda R, t: R.upper_tail(t)), _T1),
    Mutant("Q1 replaced by phi/t^2", _TAILS, "integrated_tail",
           instead(lambda R, t: _density(R, t) / t**2), _FAR1),
    Mutant("Q1 with a fiftieth missing", _TAILS, "integrated_tail", times(Fraction(49, 50)), _FAR1),
    Mutant("T2 without its factor 2", _TAILS, "folded_tail", times(Fraction(1, 2)), _T2),
    Mutant("T2 with a tenth missing", _TAILS, "folded_tail", times(Fraction(9, 10)), _T2),
    Mutant("T2 without its factor 2, far out", _TAILS, "folded_tail", times(Fraction(1, 2)), _FAR2),
    Mutant("T2 with a twentieth missing, far out", _TAILS, "folded_tail", times(Fraction(19, 20)), _FAR2),
    Mutant("T3 one term short", _TAILS, "gamma_tail", _fewer_dimensions, _T3),
    Mutant("T3 at half of sigma", _TAILS, "gamma_tail", halved(3), _T3),
    Mutant("T3 one term short, far out", _TAILS, "gamma_tail", _fewer_dimensions, _FAR3),
    Mutant("T3 at the even dimension below", _TAILS, "gamma_tail", _rounded_down, _FAR3),
    Mutant("T3 by its last term alone", _TAILS, "geometric_tail", _without_growth, _FAR3),
    Mutant("Corollary E.4 without the mean length", _TAILS, "concentration_tail", instead(_without_root), _FAR3),
    Mutant("Q1 off by a part in 10^20", _TAILS, "integrated_tail", times(1 + Fraction(1, 10**20)), _ARB),
    Mutant("T3 off by a part in 10^20", _TAILS, "gamma_tail", times(1 - Fraction(1, 10**20)), _ARB),
)  # fmt: skip
