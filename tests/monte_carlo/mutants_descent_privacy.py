"""Wrong certificates of gradient descent, and the check of M5 that catches each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.properties.mutant import Mutant, halved, times

_DESCENT = "certify.statements.descent"
_BENCHMARK, _NEAR = (
    "the_certificate_of_the_benchmark_is_within_a_factor",
    "the_certificates_are_nearly_attained_by_linear_losses",
)


def _quarter_G(right: Any) -> Any:
    return lambda objective: right(objective) / 4


MUTANTS = (
    Mutant("half of C.5's certificate", f"{_DESCENT}.benchmark", "certificate", times(Fraction(1, 2)), _BENCHMARK),
    Mutant("C.5's profile at half the ratio", "certify.evaluation.gd", "profile", halved(2),
           "linear_losses_have_the_profile_of_the_benchmark"),
    Mutant("a quarter of the sharp divergence", f"{_DESCENT}.sharp", "divergence", times(Fraction(1, 4)), _NEAR),
    Mutant("a quarter of the divergence (10)", f"{_DESCENT}.theorem_c13", "divergence", times(Fraction(1, 4)), _NEAR),
    Mutant("a quarter of G", f"{_DESCENT}.constants", "Objective.G", _quarter_G, "no_test_beats_the_certificate",
           is_property=True),
)  # fmt: skip
