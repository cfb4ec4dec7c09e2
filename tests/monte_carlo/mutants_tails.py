"""Wrong tails, and the check of M7 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, instead, times

_TAILS = "certify.statements.tails"
_T1, _T2, _T3 = "the_integrated_tail_is_a_mean_excess", "the_folded_tail_is_a_bound", "the_chi_tail_is_a_bound"


def _density(R: Any, t: Any) -> Any:
    return R.exp(-(t**2) / 2) / R.sqrt(2 * R.pi)


MUTANTS = (
    Mutant("Q1 replaced by phi", _TAILS, "integrated_tail", instead(_density), _T1),
    Mutant("Q1 replaced by Q", _TAILS, "integrated_tail", instead(lambda R, t: R.upper_tail(t)), _T1),
    Mutant("T2 without its factor 2", _TAILS, "folded_tail", times(Fraction(1, 2)), _T2),
    Mutant("T2 with a tenth missing", _TAILS, "folded_tail", times(Fraction(9, 10)), _T2),
    Mutant("T3 one term short", _TAILS, "gamma_tail",
           lambda right: lambda R, dimension, radius, sigma: right(R, max(1, dimension - 2), radius, sigma), _T3),
    Mutant("T3 at half of sigma", _TAILS, "gamma_tail", halved(3), _T3),
    Mutant("Q1 off by a part in 10^20", _TAILS, "integrated_tail", times(1 + Fraction(1, 10**20)),
           "tails_agree_with_arb"),
    Mutant("T3 off by a part in 10^20", _TAILS, "gamma_tail", times(1 - Fraction(1, 10**20)), "tails_agree_with_arb"),
)  # fmt: skip
