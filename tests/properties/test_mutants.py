"""Each property is able to fail: a table of wrong statements, and the property that catches each of them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from certify import Enclosure
from certify.kernel.decision import Decision
from tests.properties import (  # noqa: F401 (each registers its properties)
    test_consistency,
    test_consistency_descent,
    test_inversion,
    test_monotone_descent,
    test_monotone_gaussian,
    test_monotone_heads,
    test_monotone_verdicts,
    test_witnesses,
)
from tests.properties.declared import PROPERTIES

Changed = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Mutant:
    """``module``.``name`` (which may be a method, with a point) replaced by ``changed`` of it, caught by ``property``."""

    title: str
    module: str
    name: str
    changed: Changed
    caught_by: str
    is_property: bool = False

    def apply(self, patch: pytest.MonkeyPatch) -> None:
        """Put the mutant in place."""
        importlib.import_module(self.module)
        owner: Any = sys.modules[self.module]
        *path, name = self.name.split(".")
        for part in path:
            owner = getattr(owner, part)
        found = getattr(owner, name)
        if self.is_property:
            patch.setattr(owner, name, property(self.changed(found.fget)))
        else:
            patch.setattr(owner, name, self.changed(found))


def times(share: Fraction) -> Changed:
    """The value times a share."""
    return lambda right: lambda *given, **named: right(*given, **named) * share


def _scaled_ends(share: Fraction) -> Changed:
    def changed(right: Callable[..., Enclosure]) -> Callable[..., Enclosure]:
        def wrong(*given: object) -> Enclosure:
            found = right(*given)
            return Enclosure(found.lower * share, found.upper * share) if found.is_bounded else found

        return wrong

    return changed


def without_arguments(*places: int) -> Changed:
    """The value with the arguments at some places halved."""

    def changed(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: right(*(x / 2 if i in places else x for i, x in enumerate(given)))

    return changed


def nothing(right: Callable[..., Any]) -> Callable[..., Any]:
    """0 in the arithmetic."""
    return lambda R, *given, **named: R(0)


_GAUSSIAN, _DESCENT = "certify.statements.gaussian", "certify.statements.descent"


def _first_tail_only(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, epsilon, ratio: R.upper_tail(epsilon / ratio - ratio / 2)


def _sum_of_ratios(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, ratios: sum(ratios, R(0))


def _density(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, t: self.exp(-(t**2) / 2) / self.sqrt(2 * self.pi)


def _short_form(right: Callable[..., Any]) -> Callable[..., Any]:
    """The profile at r for the one at t: epsilon scaled back, the ratio left alone."""
    return lambda R, epsilon, factor, ratio: right(R, epsilon / factor, R(1), ratio)


def _greatest(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, head, constant, B, found, radius: 2 * found.any_record + found.lipschitz * radius


def _first_alone(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, support, level: right(R, support[:1] if len(support) > 1 else support, level) * Fraction(9, 10)


def _undecided_is_proved(right: Callable[..., Decision]) -> Callable[..., Decision]:
    return lambda *given: Decision.PROVED if right(*given) is not Decision.DISPROVED else Decision.DISPROVED


def _without_radius(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, p, N, radii, alpha: right(R, p, N, radii, alpha) * Fraction(1, 2)


MUTANTS = (
    Mutant("0.9 of the prototype sensitivity", "certify.statements.prototype", "sensitivity", times(Fraction(9, 10)),
           "prototype_claims_turn_at_sigma"),
    Mutant("0.9 of the general sensitivity", "certify.statements.ball", "sensitivity", times(Fraction(9, 10)),
           "prototype_is_the_general_form_with_the_curvature_of_its_loss"),
    Mutant("sensitivity that forgets n", "certify.statements.ball", "sensitivity",
           lambda right: lambda gap, lam, n, gamma: right(gap, lam, n / n, gamma), "sensitivity_is_linear_in_the_radius"),
    Mutant("n upside down", "certify.statements.ball", "sensitivity",
           lambda right: lambda gap, lam, n, gamma: right(gap, lam, 1 / n, gamma),
           "ball.sensitivity sensitivity falls in n"),
    Mutant("sigma 20 % low", "certify.evaluation.gaussian", "sigma_enclosure", _scaled_ends(Fraction(4, 5)),
           "sigma_is_where_the_profile_meets_delta"),
    Mutant("epsilon a thousandth low", "certify.evaluation.gaussian", "epsilon_enclosure",
           _scaled_ends(Fraction(999, 1000)), "epsilon_is_where_the_profile_meets_delta"),
    Mutant("profile without its second tail", _GAUSSIAN, "profile", _first_tail_only,
           "privacy_bound_touches_the_gaussian_bound"),
    Mutant("profile that falls in the ratio", _GAUSSIAN, "profile",
           lambda right: lambda R, epsilon, ratio: right(R, epsilon, 1 / ratio),
           "gaussian.profile delta rises in ratio"),
    Mutant("ratios added, not their squares", _GAUSSIAN, "composed_ratio", _sum_of_ratios,
           "equal_releases_compose_to_the_root_of_their_number"),
    Mutant("Q1 replaced by phi", "certify.kernel.interval", "Intervals.q1", _density,
           "integrated_tail_is_an_integral_of_the_tail"),
    Mutant("half of the divergence", f"{_DESCENT}.theorem_41", "divergence", times(Fraction(1, 2)),
           "delta_is_the_truncation_and_the_divergence"),
    Mutant("truncation dropped from 4.1", "certify.evaluation.gd", "fixed_tail", nothing,
           "delta_is_the_truncation_and_the_divergence"),
    Mutant("tau* at half", f"{_DESCENT}.theorem_41", "tau_star", times(Fraction(1, 2)),
           "theorem_c13_is_never_worse_than_theorem_41_where_its_threshold_is_met"),
    Mutant("Delta_H = 0", f"{_DESCENT}.constants", "Objective.delta_H", times(Fraction(0)),
           "spent_budget_falls_to_its_limit", is_property=True),
    Mutant("half of G", f"{_DESCENT}.constants", "Objective.G", times(Fraction(1, 2)),
           "no_certificate_of_the_class_is_below_its_floor", is_property=True),
    Mutant("threshold 10 % low", f"{_DESCENT}.theorem_41", "least_iterations",
           lambda right: lambda R, p, N: right(R, p, N * Fraction(10, 9)),
           "least_count_meets_the_threshold_and_the_one_before_does_not"),
    Mutant("residual left out of s_N", f"{_DESCENT}.theorem_c13", "residual",
           lambda right: lambda R, p, N, radii: -right(R, p, N, radii) - p.G, "spent_budget_falls_to_its_limit"),
    Mutant("s_N at half", f"{_DESCENT}.theorem_c13", "spent", _without_radius, "spent_budget_falls_to_its_limit"),
    Mutant("fixed radii better than the sharp answer", "certify.evaluation.gd_sharp", "_delta_bound",
           lambda right: lambda found: -right(found), "sharp_certificate_is_never_above_the_fixed_radii"),
    Mutant("R3 at half the ratio", "certify.statements.reconstruction", "from_gaussian", without_arguments(1),
           "success_shifts_the_quantile"),
    Mutant("R3 at half the baseline", "certify.statements.reconstruction", "from_gaussian", without_arguments(2),
           "failure_is_undone_by_the_same_ratio"),
    Mutant("R3 with the ratio squared", "certify.statements.reconstruction", "from_gaussian",
           lambda right: lambda R, ratio, kappa: right(R, ratio**2, kappa),
           "success_after_two_shifts_is_that_of_their_sum"),
    Mutant("R2 without its first factor", "certify.statements.reconstruction", "from_best_renyi",
           lambda right: lambda R, ratio, kappa: right(R, ratio / 3, kappa),
           "gaussian_bound_is_at_most_those_of_privacy_and_of_renyi"),
    Mutant("R4 a tenth low", "certify.evaluation.rero", "support_bound", times(Fraction(9, 10)),
           "support_at_equal_distances_is_the_gaussian_bound"),
    Mutant("R4 that forgets candidates", "certify.statements.support", "support_bound", _first_alone,
           "no_level_gives_a_wrong_support_bound"),
    Mutant("transfer by the short form", "certify.statements.ball", "transferred_delta", _short_form,
           "transfer_is_the_profile_of_the_scaled_ratio"),
    Mutant("D(r) above the paper's", "certify.statements.heads", "difference", _greatest,
           "sharp_constants_are_at_most_the_papers"),
    Mutant("D(r) that falls", "certify.statements.heads", "difference",
           lambda right: lambda R, head, constant, B, found, r: right(R, head, constant, B, found, 2 * B - r),
           "gradient_difference_does_not_fall_in_the_radius"),
    Mutant("sample term without the sign of its logarithm", "certify.statements.utility", "sample",
           lambda right: lambda R, p, failure: right(R, p, 1 / failure),
           "utility.population sample falls in delta_S, strictly"),
    Mutant("sample term at half", "certify.statements.utility", "sample", times(Fraction(1, 2)),
           "risk_bounds_are_made_of_their_parts"),
    Mutant("undecided taken for proved", "certify.kernel.loop", "compare", _undecided_is_proved,
           "no_limits_turn_a_verdict_over"),
    Mutant("undecided taken for proved, beside a witness", "certify.kernel.loop", "compare", _undecided_is_proved,
           "no_precision_decides_a_success_bound_wrongly"),
    Mutant("class floor at double the noise", f"{_DESCENT}.benchmark", "class_floor",
           lambda right: lambda R, p, epsilon: right(R, p, 2 * epsilon),
           "class_claims_below_the_floor_are_refuted_and_stay_so"),
)  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.apply(monkeypatch)
    assert PROPERTIES[mutant.caught_by].is_falsified()
