"""Each property is able to fail: a table of wrong statements, and the property that catches each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from certify import Enclosure
from certify.evaluation.descent_counts import FirstCount
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
from tests.properties.declared import PROPERTIES, names_in
from tests.properties.monotone import ROWS, Moves
from tests.properties.mutant import Changed, Mutant, halved, instead, times, times_ends

_GAUSSIAN, _DESCENT = "certify.statements.gaussian", "certify.statements.descent"


def _density(R: Any, t: Any) -> Any:
    return R.exp(-(t**2) / 2) / R.sqrt(2 * R.pi)


def _any_difference(*given: Any) -> Any:
    found, radius = given[-2:]
    return 2 * found.any_record + found.lipschitz * radius


def _without_the_last(right: Callable[..., Any]) -> Callable[..., Any]:
    """Conditions of which the last is the one before it once more."""

    def conditions(*given: object) -> list[Any]:
        *kept, _ = right(*given)
        return [*kept, kept[-1]]

    return conditions


def _later(found: FirstCount, steps: int) -> FirstCount:
    """A first count with so many steps more, where it can be."""
    return found if found.count is None else replace(found, count=max(1, found.count + steps))


def _misread(name: str, read: Callable[[Fraction], Fraction]) -> Changed:
    """The plan of a claim of which one number is misread."""
    return lambda right: lambda claims, claim: right(claims, replace(claim, **{name: read(getattr(claim, name))}))


def _delta_is(found: Any, delta: Fraction) -> list[Any]:
    return [replace(found, values={**found.values, "delta": Enclosure(delta, delta)})]


def _larger_delta(found: Any) -> list[Any]:
    delta = found.values["delta"]
    return [replace(found, values={**found.values, "delta": Enclosure(100 * delta.lower, 100 * delta.upper)})]


def _short_form(right: Callable[..., Any]) -> Callable[..., Any]:
    """The profile at r for the one at t: epsilon scaled back, the ratio left alone."""
    return lambda R, epsilon, factor, ratio: right(R, epsilon / factor, R(1), ratio)


def _first_alone(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda R, support, level: right(R, support[:1] if len(support) > 1 else support, level) * Fraction(9, 10)


def _undecided_is_proved(right: Callable[..., Decision]) -> Callable[..., Decision]:
    return lambda *given: Decision.PROVED if right(*given) is not Decision.DISPROVED else Decision.DISPROVED


MUTANTS = (
    Mutant("0.9 of the prototype sensitivity", "certify.statements.prototype", "sensitivity", times(Fraction(9, 10)),
           "prototype_claims_turn_at_sigma"),
    Mutant("0.9 of the general sensitivity", "certify.statements.ball", "sensitivity", times(Fraction(9, 10)),
           "prototype_is_the_general_form_with_the_curvature_of_its_loss"),
    Mutant("sensitivity that forgets n", "certify.statements.ball", "sensitivity",
           lambda right: lambda gap, lam, n, gamma: right(gap, lam, n / n, gamma),
           "sensitivity_is_linear_in_the_radius"),
    Mutant("n upside down", "certify.statements.ball", "sensitivity",
           lambda right: lambda gap, lam, n, gamma: right(gap, lam, 1 / n, gamma),
           "ball.sensitivity sensitivity falls in n"),
    Mutant("sigma 20 % low", "certify.evaluation.gaussian", "sigma_enclosure", times_ends(Fraction(4, 5)),
           "sigma_is_where_the_profile_meets_delta"),
    Mutant("epsilon a thousandth low", "certify.evaluation.gaussian", "epsilon_enclosure",
           times_ends(Fraction(999, 1000)), "epsilon_is_where_the_profile_meets_delta"),
    Mutant("profile without its second tail", _GAUSSIAN, "profile",
           instead(lambda R, epsilon, ratio: R.upper_tail(epsilon / ratio - ratio / 2)),
           "privacy_bound_touches_the_gaussian_bound"),
    Mutant("profile that falls in the ratio", _GAUSSIAN, "profile",
           lambda right: lambda R, epsilon, ratio: right(R, epsilon, 1 / ratio),
           "gaussian.profile delta rises in ratio"),
    Mutant("ratios added, not their squares", _GAUSSIAN, "composed_ratio", instead(lambda R, ratios: sum(ratios, R(0))),
           "equal_releases_compose_to_the_root_of_their_number"),
    Mutant("Q1 replaced by phi", "certify.kernel.interval", "Intervals.q1", instead(_density),
           "integrated_tail_is_an_integral_of_the_tail"),
    Mutant("half of the divergence", f"{_DESCENT}.theorem_41", "divergence", times(Fraction(1, 2)),
           "delta_is_the_truncation_and_the_divergence"),
    Mutant("truncation dropped from 4.1", "certify.evaluation.gd", "fixed_tail", instead(lambda R, _: R(0)),
           "delta_is_the_truncation_and_the_divergence"),
    Mutant("tau* at half", f"{_DESCENT}.theorem_41", "tau_star", times(Fraction(1, 2)),
           "theorem_c13_is_never_worse_than_theorem_41_where_its_threshold_is_met"),
    Mutant("Delta_H = 0", f"{_DESCENT}.constants", "Objective.delta_H", times(Fraction(0)),
           "spent_budget_falls_to_its_limit", is_property=True),
    Mutant("half of G", f"{_DESCENT}.constants", "Objective.G", times(Fraction(1, 2)),
           "no_certificate_of_the_class_is_below_its_floor", is_property=True),
    Mutant("least count one low", "certify.evaluation.gd", "least_admissible",
           lambda right: lambda task, problem: right(task, problem) - 1,
           "least_count_meets_the_threshold_and_the_one_before_does_not"),
    Mutant("residual left out of s_N", f"{_DESCENT}.theorem_c13", "residual",
           lambda right: lambda R, p, N, radii: -right(R, p, N, radii) - p.G, "spent_budget_falls_to_its_limit"),
    Mutant("s_N at half", f"{_DESCENT}.theorem_c13", "spent", times(Fraction(1, 2)), "spent_budget_falls_to_its_limit"),
    Mutant("sharp delta a hundred times as large, fixed radii not tried", "certify.evaluation.gd_sharp", "_answers",
           lambda right: lambda task, given: _larger_delta(next(iter(right(task, given)))),
           "sharp_certificate_is_never_above_the_fixed_radii"),
    Mutant("R3 at half the ratio", "certify.statements.reconstruction", "from_gaussian", halved(1),
           "success_shifts_the_quantile"),
    Mutant("R3 at half the baseline", "certify.statements.reconstruction", "from_gaussian", halved(2),
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
    Mutant("D(r) above the paper's", "certify.statements.heads", "difference", instead(_any_difference),
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
    Mutant("certificate of the benchmark a tenth", f"{_DESCENT}.benchmark", "certificate", times(Fraction(1, 10)),
           "benchmark_certificate_is_above_the_exact_profile"),
    Mutant("best order at twice the ratio", "certify.statements.reconstruction", "from_best_renyi",
           lambda right: lambda R, ratio, kappa: right(R, 2 * ratio, kappa),
           "best_order_is_no_worse_than_its_neighbours"),
    Mutant("only the first release counted", _GAUSSIAN, "composed_ratio",
           lambda right: lambda R, ratios: right(R, ratios[:1]), "composition_rises_with_every_release"),
    Mutant("first count that rises with the budget", "certify.evaluation.gd", "first_passing",
           lambda right: lambda task, problem, epsilon, delta: _later(
               right(task, problem, epsilon, delta), int(10**15 * epsilon * delta)),
           "first_count_falls_with_the_budget"),
    Mutant("first count one low", "certify.evaluation.gd", "first_passing",
           lambda right: lambda *given: _later(right(*given), -1),
           "first_count_passes_and_those_before_do_not"),
    Mutant("epsilon with half of its proof", _GAUSSIAN, "tight_epsilon",
           _without_the_last, "no_bracket_proves_a_wrong_epsilon"),
    Mutant("sigma with half of its proof", _GAUSSIAN, "analytic_sigma",
           _without_the_last, "no_bracket_proves_a_wrong_sigma"),
    Mutant("undecided taken for proved, at a count", "certify.kernel.loop", "compare", _undecided_is_proved,
           "no_count_and_radius_decide_wrongly"),
    Mutant("undecided taken for proved, in the calibration", "certify.kernel.loop", "compare", _undecided_is_proved,
           "no_count_decides_the_calibration_wrongly"),
    Mutant("a limit reached taken for an answer", "certify.evaluation.gaussian", "unbounded",
           instead(lambda *_: Enclosure(Fraction(1), Fraction(1))), "no_limits_make_a_wrong_enclosure"),
    Mutant("a quarter of the class's divergence", f"{_DESCENT}.sharp", "divergence", times(Fraction(1, 4)),
           "no_radii_and_splits_prove_a_claim_below_the_floor"),
    Mutant("twice the ratio where it is given by its parts", "certify.evaluation.gaussian", "ratio_of",
           lambda right: lambda R, given: right(R, given) * (2 if "sigma" in given else 1),
           "profile_depends_on_the_ratio_alone"),
    Mutant("sharp delta that is epsilon", "certify.evaluation.gd_sharp", "_answers",
           lambda right: lambda task, given: _delta_is(next(iter(right(task, given))), given.number("epsilon")),
           "sharp_delta_falls_in_epsilon"),
    Mutant("sigma 20 % low, seen from the profile", "certify.evaluation.gaussian", "sigma_enclosure",
           times_ends(Fraction(4, 5)), "sigma_and_epsilon_undo_the_profile"),
    Mutant("a tenth of the softmax constant", "certify.statements.softmax", "lipschitz", times(Fraction(1, 10)),
           "softmax_of_two_classes_is_no_smaller_than_logistic"),
    Mutant("R4 half as much again", "certify.evaluation.rero", "support_enclosure", times_ends(Fraction(3, 2)),
           "support_is_at_most_the_gaussian_bound"),
    Mutant("R4 at the inverse distances", "certify.evaluation.rero", "support_enclosure",
           lambda right: lambda task, distances, prior: right(task, [1 / a for a in distances], prior),
           "support_rises_in_every_distance"),
    Mutant("epsilon read upside down", "certify.verdicts", "plan_of", _misread("epsilon", lambda x: 1 / x),
           "verdicts_on_privacy_move_one_way"),
    Mutant("epsilon read upside down, gradient descent", "certify.verdicts", "plan_of",
           _misread("epsilon", lambda x: 1 / x), "verdicts_on_descent_move_with_the_budget"),
    Mutant("failure read for success", "certify.verdicts", "plan_of", _misread("success", lambda x: 1 - x),
           "verdicts_on_reconstruction_move_one_way"),
    Mutant("class floor at double the noise", f"{_DESCENT}.benchmark", "class_floor",
           lambda right: lambda R, p, epsilon: right(R, p, 2 * epsilon),
           "class_claims_below_the_floor_are_refuted_and_stay_so"),
)  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.apply(monkeypatch)
    assert PROPERTIES[mutant.caught_by].is_falsified()


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_row_turned_round_is_false(row: Moves) -> None:
    """Each row of monotonicity fails where it says the contrary."""
    assert replace(row, rises=not row.rises, strict=False).as_property().is_falsified(3)


def test_every_property_has_its_mutant() -> None:
    assert names_in("tests.properties") - set(ROWS) == {mutant.caught_by for mutant in MUTANTS} - set(ROWS)
