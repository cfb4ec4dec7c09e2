"""Inverses through ``certify.evaluate``: sigma* and epsilon* against the profile, the quantile in R3, least counts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from certify import Decision
from tests.properties.declared import PROPERTIES, prop
from tests.properties.drawn import (
    BASELINE,
    DELTA,
    EPSILON,
    MILD_DELTA,
    MILD_EPSILON,
    MILD_RATIO,
    RATIO,
    SMALL,
    scaled,
)
from tests.properties.ends import agree, evaluated, in_order, value
from tests.properties.problems import ANY, LOGISTIC, problem, threshold_count

_FINE = 60


@prop(25, epsilon=EPSILON, delta=DELTA, sensitivity=scaled(-6, 6))
def test_sigma_is_where_the_profile_meets_delta(epsilon: Fraction, delta: Fraction, sensitivity: Fraction) -> None:
    sigma = value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity})
    assert 0 < sigma.lower < sigma.upper <= sigma.lower * (1 + Fraction(1, 10**11))
    enough, short = (
        value("gaussian.profile", "delta", {"epsilon": epsilon, "sensitivity": sensitivity, "sigma": end}, _FINE)
        for end in (sigma.upper, sigma.lower)
    )
    assert enough.upper <= delta < short.lower


@prop(25, delta=DELTA, ratio=RATIO)
def test_epsilon_is_where_the_profile_meets_delta(delta: Fraction, ratio: Fraction) -> None:
    epsilon = value("gaussian.epsilon", "epsilon", {"delta": delta, "ratio": ratio})
    assert epsilon.is_bounded
    enough = value("gaussian.profile", "delta", {"epsilon": epsilon.upper, "ratio": ratio}, _FINE)
    assert enough.upper <= delta
    if epsilon.upper > 0:
        assert epsilon.upper <= epsilon.lower * (1 + Fraction(1, 10**11))
        assert delta < value("gaussian.profile", "delta", {"epsilon": epsilon.lower, "ratio": ratio}, _FINE).lower


@prop(20, epsilon=MILD_EPSILON, ratio=MILD_RATIO)
def test_sigma_and_epsilon_undo_the_profile(epsilon: Fraction, ratio: Fraction) -> None:
    delta = value("gaussian.profile", "delta", {"epsilon": epsilon, "ratio": ratio}, 30)
    sigmas = [
        value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": end, "sensitivity": 1})
        for end in (delta.upper, delta.lower)
    ]
    budgets = [
        value("gaussian.epsilon", "epsilon", {"delta": end, "ratio": ratio}) for end in (delta.upper, delta.lower)
    ]
    for (least, most), number in ((sigmas, 1 / ratio), (budgets, epsilon)):
        assert least.lower <= number <= most.upper
        assert most.upper - least.lower <= number / 10**9


@prop(25, t=scaled(-2, 2), mirrored=st.booleans(), ratio=RATIO)
def test_success_shifts_the_quantile(t: Fraction, mirrored: bool, ratio: Fraction) -> None:
    """At the baseline Q(t), R3 is Q(t - ratio)."""
    at = -min(t, Fraction(9)) if mirrored else t
    baseline, shifted = (value("tails.q", "q", {"t": point}, 50) for point in (at, at - ratio))
    least, most = (
        value("rero.gaussian", "success", {"ratio": ratio, "baseline": end}, 20)
        for end in (baseline.lower, baseline.upper)
    )
    assert in_order(least, shifted)
    assert in_order(shifted, most)
    assert most.upper - least.lower <= shifted.upper / 10**9


@prop(25, baseline=BASELINE, first=RATIO, second=RATIO)
def test_success_after_two_shifts_is_that_of_their_sum(baseline: Fraction, first: Fraction, second: Fraction) -> None:
    once = value("rero.gaussian", "success", {"ratio": first, "baseline": baseline}, 40)
    whole = value("rero.gaussian", "success", {"ratio": first + second, "baseline": baseline})
    assume(once.lower < 1 and once.upper <= 1)
    least, most = (
        value("rero.gaussian", "success", {"ratio": second, "baseline": end}) for end in (once.lower, once.upper)
    )
    assert in_order(least, whole)
    assert in_order(whole, most)


@prop(20, baseline=BASELINE, ratio=RATIO)
def test_failure_is_undone_by_the_same_ratio(baseline: Fraction, ratio: Fraction) -> None:
    """From the baseline 1 - R3(kappa), the same ratio leads to 1 - kappa: the two errors of one test."""
    success = value("rero.gaussian", "success", {"ratio": ratio, "baseline": baseline}, 40)
    assume(success.upper < 1)
    least, most = (
        value("rero.gaussian", "success", {"ratio": ratio, "baseline": 1 - end}, 40)
        for end in (success.upper, success.lower)
    )
    assert least.lower <= 1 - baseline <= most.upper


@prop(10, given=ANY, epsilon=scaled(0, 2))
def test_least_count_meets_the_threshold_and_the_one_before_does_not(
    given: dict[str, object], epsilon: Fraction
) -> None:
    least = threshold_count(given)

    def meets(count: int) -> Decision:
        found = evaluated("gd.theorem-4.1", {**given, "iterations": count, "epsilon": epsilon}).hypotheses
        return next(item.decision for item in found if item.text.startswith("threshold (7)"))

    assert meets(least) is Decision.PROVED
    assert least == 1 or meets(least - 1) is Decision.DISPROVED


@prop(3, given=problem(LOGISTIC), epsilon=SMALL, delta=MILD_DELTA)
def test_first_count_passes_and_those_before_do_not(
    given: dict[str, object], epsilon: Fraction, delta: Fraction
) -> None:
    found = evaluated("gd.first-count", {**given, "epsilon": epsilon, "delta": delta})
    assume("iterations" in found)
    first = int(found["iterations"].lower)

    def passes(count: int) -> bool:
        at = evaluated("gd.theorem-c13", {**given, "iterations": count, "epsilon": epsilon})
        return at.hold and "delta" in at and at["delta"].lower <= delta

    assert passes(first)
    assert not any(passes(count) for count in {1, first // 2, first - 2, first - 1} if 1 <= count < first)


@prop(15, epsilon=MILD_EPSILON, delta=MILD_DELTA, factor=scaled(-1, 1))
def test_transfer_is_the_profile_of_the_scaled_ratio(epsilon: Fraction, delta: Fraction, factor: Fraction) -> None:
    """At another epsilon and radius, from the two ends of sigma*; at r itself beside the release's own delta."""
    sigma = value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": delta, "sensitivity": 1}, 25)
    moved = value("ball.transfer", "delta_t", {"epsilon": epsilon, "delta": delta, "factor": factor})
    least, most = (
        value("gaussian.profile", "delta", {"epsilon": factor * epsilon, "ratio": factor / end}, 20)
        for end in (sigma.upper, sigma.lower)
    )
    assert in_order(least, moved)
    assert in_order(moved, most)
    same = value("ball.transfer", "delta_t", {"epsilon": epsilon, "delta": delta, "factor": 1})
    assert same.lower == same.upper == delta
    beside = (1 - Fraction(1, 10**14), 1 + Fraction(1, 10**14))
    below, above = (
        value("ball.transfer", "delta_t", {"epsilon": epsilon, "delta": delta, "factor": f, "epsilon_t": epsilon}, 20)
        for f in beside
    )
    assert below.upper < delta < above.lower
    assert agree(below, above, 10) or above.upper - below.lower <= delta / 10**10


@pytest.mark.parametrize(("ratio", "place"), [(100, 15), (30, 20), (10, 5)])
def test_epsilon_for_a_delta_near_one(ratio: int, place: int) -> None:
    """Found by the longer run: a bracket where delta is next to 1 and epsilon is not 0."""
    near_one = 1 - Fraction(1, 10**place)
    PROPERTIES["epsilon_is_where_the_profile_meets_delta"].body(delta=near_one, ratio=Fraction(ratio))
