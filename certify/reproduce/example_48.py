"""Example 4.8 of the GD paper: its text and its table.

The floor epsilon0 is printed as a sum, G^2/2 sigma^2 + tau* = 0.0200 + 2.5e-5; it is judged as the number 0.020025,
with the unit 1e-6 of its second term. rho^(N/2) is judged as the bound on the finite-N correction that it stands for.
"""

from __future__ import annotations

from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.reproduce.figure import PLAIN, UPPER, Figure, Source, figures
from certify.reproduce.setting import constant, first_passing, least_admissible, setting, theorem_41, theorem_c13
from certify.reproduce.sources import computed, evaluated
from certify.statements.descent.constants import logistic_constants, objective


def _decay(R: Intervals) -> Interval:
    """rho^(N/2) at N = 1500."""
    p = objective(R, 10**6, R(Fraction(1, 100)), R(1), logistic_constants(R))
    return R.power(p.rho, R(1500) / 2)


def _population(value: str, count: int, multiple: int = 1) -> Source:
    """A value of the population bound U3 at delta_S = 0.01."""
    inputs = {**setting(), "delta_S": "0.01", "iterations": str(count)}
    return evaluated("utility.population", value, inputs, multiple)


def _unregularized() -> Source:
    """The bound U4 at N = 1500 against every comparator of norm at most 1."""
    inputs = {**setting(), "delta_S": "0.01", "iterations": "1500", "comparator_norm": "1"}
    return evaluated("utility.unregularized", "bound", inputs)


_TEXT = figures(
    "GD paper, Example 4.8, text",
    ("0.26", "L", PLAIN, "exact", "n/a", constant("L")),
    ("26", "kappa", PLAIN, "exact", "n/a", constant("kappa")),
    ("2e-6", "G", PLAIN, "exact", "n/a", constant("G")),
    ("1/2", "Delta_H", PLAIN, "exact", "n/a", constant("delta_H")),
    ("1e-5", "sigma = 5G", PLAIN, "exact", "n/a", constant("G", multiple=5)),
    ("1319", "least N meeting (7)", PLAIN, "exact", "n/a", least_admissible()),
    ("1.5e9", "nN, gradient evaluations", PLAIN, "exact", "n/a", computed(lambda R: R(10**6) * R(1500))),
    ("1.7e-13", "rho^(N/2), N = 1500", UPPER, "nearest up", "safe", computed(_decay)),
    ("0.0200 + 2.5e-5", "epsilon0 (9), N = 1500", UPPER, "nearest up", "safe", theorem_41("epsilon0", 1500)),
    ("5.16e-8", "delta(1) (10), N = 1500", UPPER, "nearest down", "unsafe", theorem_41("delta", 1500)),
    ("1.52e-8", "truncation mass e^-18", UPPER, "nearest down", "unsafe", theorem_41("truncation", 1500)),
    ("3.64e-8", "divergence term, N = 1500", UPPER, "nearest down", "unsafe", theorem_41("divergence", 1500)),
    ("3e-27", "E_opt(1500)", UPPER, "nearest up", "safe", _population("optimization", 1500)),
    ("1e-4", "d sigma^2/mu", UPPER, "exact", "safe", _population("perturbation", 1500, 2)),
    ("0.0586", "sample term", UPPER, "nearest up", "safe", _population("sample", 1500)),
    ("0.059", "regularized bound, N = 1500", UPPER, "nearest up", "safe", _population("bound", 1500)),
    ("0.69", "log 2, the risk of w = 0", PLAIN, "nearest down", "n/a", computed(lambda R: R.log(R(2)))),
    ("0.064", "unregularized bound, N = 1500", UPPER, "nearest up", "safe", _unregularized()),
    ("519", "first N, Theorem C.13", PLAIN, "exact", "n/a", first_passing()),
    ("0.0586", "regularized bound, N = 519", UPPER, "down", "unsafe", _population("bound", 519)),
)

_TABLE = figures(
    "GD paper, Example 4.8, table",
    ("1319", "least N, Theorem 4.1", PLAIN, "exact", "n/a", least_admissible()),
    ("5.16e-8", "delta(1) (10), N = 1319", UPPER, "nearest down", "unsafe", theorem_41("delta", 1319)),
    ("5.16e-8", "delta(1) (10), N = 1500", UPPER, "nearest down", "unsafe", theorem_41("delta", 1500)),
    ("519", "first N, Theorem C.13", PLAIN, "exact", "n/a", first_passing()),
    ("9.90e-8", "delta(1) (50), N = 519", UPPER, "nearest up", "safe", theorem_c13("delta", 519)),
)

FIGURES: tuple[Figure, ...] = (*_TEXT, *_TABLE)
