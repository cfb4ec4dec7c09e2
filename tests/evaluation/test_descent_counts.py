"""The first passing count: against a scan of all counts, with wrong guesses, and where no count passes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.evaluation import answer, descent_counts
from certify.evaluation.descent_counts import FirstCount, first_passing, least_admissible
from certify.evaluation.entries import Task
from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import Limits
from certify.search.descent import LARGEST, first_not_failing
from certify.statements.descent.constants import Descent, logistic_constants, objective, released
from tests.statements.descent_reference import Problem, passes

ONE, TARGET = Fraction(1), Fraction("1e-7")


def example(mu: str) -> Callable[[Intervals], Descent[Interval]]:
    """Example 4.8 at another regularization."""

    def problem(R: Intervals) -> Descent[Interval]:
        constants = objective(R, 10**6, R(Fraction(mu)), R(1), logistic_constants(R))
        return released(constants, 10**4, 5 * constants.G, R(6))

    return problem


def task(limits: Limits = Limits()) -> Task:
    return Task(12, limits, limits.allowance())


def adjoin(found: FirstCount) -> bool:
    """Whether the ranges adjoin, start at 1 and end just below the count."""
    expected = 1
    for part in found.excluded:
        if part.lower != expected or part.upper < part.lower:
            return False
        expected = part.upper + 1
    return found.count is None or expected == found.count


@pytest.mark.parametrize(
    ("mu", "count", "ranges"),
    [("0.01", 519, 8), ("0.001", 6079, 20), ("1e-4", 78796, 30), ("1e-5", 1002191, 40)],
)
def test_the_work_grows_with_the_logarithm_of_the_count(mu: str, count: int, ranges: int) -> None:
    """The counts of C.4, and two beyond, are first, on a few ranges and some thousands of evaluations."""
    limits = task()
    found = first_passing(limits, example(mu), ONE, TARGET)
    assert found.count == count
    assert adjoin(found)
    assert len(found.excluded) <= ranges
    assert limits.limits.max_evaluations - limits.allowance.left < 6000


small = st.builds(
    Problem,
    n=st.integers(1, 8),
    d=st.integers(1, 6),
    mu=st.fractions(Fraction(1, 4), 2, max_denominator=8),
    L1=st.just(Fraction(1)),
    L2=st.fractions(Fraction(1, 8), 1, max_denominator=8),
    L3=st.one_of(st.just(Fraction(0)), st.fractions(Fraction(1, 20), 1, max_denominator=20)),
    sigma_over_G=st.fractions(2, 12, max_denominator=4),
    u=st.fractions(1, 4, max_denominator=4),
    eta_L=st.one_of(st.none(), st.fractions(Fraction(1, 3), 1, max_denominator=6)),
)


@given(small, st.fractions(Fraction(1, 20), 3, max_denominator=20), st.sampled_from(["0.3", "0.1", "0.02", "0.001"]))
@settings(max_examples=25, deadline=None)
def test_the_first_count_is_the_first_of_a_scan(problem: Problem, epsilon: Fraction, delta: str) -> None:
    """The count found is what a scan of all counts by an independent evaluation finds, and none is none."""
    found = first_passing(task(), problem.read, epsilon, Fraction(delta))
    assert adjoin(found)
    assert bool(found.endless) is (found.count is None)
    scanned = range(1, (found.count or 60) + 1)
    first = next((N for N in scanned if passes(problem, N, epsilon, Fraction(delta))), None)
    assert first == found.count


@pytest.mark.parametrize("guess", [1, 2, 300, 518, 520, 5000])
def test_a_wrong_guess_costs_time_only(monkeypatch: pytest.MonkeyPatch, guess: int) -> None:
    """Too large, the cover stops at the first count that does not fail; too small, the search goes on from there."""
    tried: list[int] = []

    def guessed(fails: Callable[[int], bool], hopeless: Callable[[int], bool], lower: int) -> tuple[int, bool]:
        tried.append(lower)
        return (guess, False) if len(tried) == 1 else first_not_failing(fails, hopeless, lower)

    monkeypatch.setattr(descent_counts, "first_not_failing", guessed)
    found = first_passing(task(), example("0.01"), ONE, TARGET)
    assert found.count == 519
    assert adjoin(found)


def test_a_wrong_hope_lost_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guess that calls a problem hopeless does not make it so."""
    monkeypatch.setattr(descent_counts, "first_not_failing", lambda *_: (1, True))
    found = first_passing(task(), example("0.01"), ONE, TARGET)
    assert found == FirstCount(None, ())


@pytest.mark.parametrize(
    ("epsilon", "delta", "opening"),
    [
        ("0.02", "1e-7", "epsilon <= G^2/(2 sigma^2)"),
        ("0.02002499968750520585", "1", "epsilon <= G^2/(2 sigma^2)"),
        ("1", "1.5e-8", "delta <= "),
        ("1", "5.16e-8", "delta <= "),
    ],
)
def test_where_no_count_passes_there_is_a_proof(epsilon: str, delta: str, opening: str) -> None:
    """Below the limit of epsilon, or the limiting delta, every count fails: a disproved hypothesis, no values."""
    found = first_passing(task(), example("0.01"), Fraction(epsilon), Fraction(delta))
    assert found.count is None
    assert found.endless[0].text.startswith(opening)
    text = "n=1000000 d=10000 mu=0.01 loss=logistic sigma_over_G=5 u=6"
    inputs = dict(part.split("=") for part in text.split())
    shown = answer("gd.first-count", {**inputs, "epsilon": epsilon, "delta": delta})[1]
    assert not shown.values
    assert shown.hypotheses[-1].decision is Decision.DISPROVED
    assert opening in shown.hypotheses[-1].text


def test_the_first_count_may_be_one() -> None:
    """With little to spend on, N = 1 passes, and there is no count below it."""
    inputs = {"n": 3, "d": 2, "mu": 1, "L1": 1, "L2": 0, "L3": 0, "L": "1.0001", "sigma_over_G": 9, "u": 4}
    shown = answer("gd.first-count", {**inputs, "epsilon": 5, "delta": "0.1"})[1]
    assert shown.values["iterations"] == 1
    assert set(shown.values) == {"iterations", "delta"}
    assert shown.hypotheses[-1].decision is Decision.PROVED


def test_delta_before_is_left_out_where_the_count_below_fails_otherwise() -> None:
    """At delta = 1 the count below 609 fails by s_N > epsilon: it has no delta."""
    inputs = {"n": 10**6, "d": 10**4, "mu": "0.01", "loss": "logistic", "sigma_over_G": 5, "u": 6}
    shown = answer("gd.first-count", {**inputs, "epsilon": "0.021", "delta": 1})[1]
    assert shown.values["iterations"] == 609
    assert set(shown.values) == {"iterations", "delta"}


@pytest.mark.parametrize("allowed", [1, 30, 200, 400])
def test_limits_leave_it_open(allowed: int) -> None:
    """With too little work allowed the answer is undecided, never a count that is not proved."""
    limits = Limits(max_evaluations=allowed)
    found = first_passing(task(limits), example("0.001"), ONE, TARGET)
    assert found.count is None
    assert not found.endless
    inputs = {"n": 10**6, "d": 10**4, "mu": "0.001", "loss": "logistic", "sigma_over_G": 5, "u": 6}
    shown = answer("gd.first-count", {**inputs, "epsilon": 1, "delta": "1e-7"}, 12, limits)[1]
    assert not shown.values
    assert any(item.decision is Decision.UNDECIDED for item in shown.hypotheses)


def test_no_count_up_to_the_largest() -> None:
    """Where every count tried fails and none is hopeless, the search ends above the largest count."""
    assert first_not_failing(lambda _: True, lambda _: False, 1) == (LARGEST + 1, False)
    inputs = {"n": 10**6, "d": 10**4, "mu": "1e-18", "loss": "logistic", "sigma_over_G": 5, "u": 6}
    slow = {**inputs, "step_size": "1e-3", "epsilon": 10**9, "delta": "0.5"}
    shown = answer("gd.first-count", slow)[1]
    assert not shown.values
    assert shown.hypotheses[-1].decision is Decision.UNDECIDED


@given(st.integers(1, 10**6), st.integers(1, 2000))
def test_the_guess_is_right_where_failing_is_monotone(first: int, lower: int) -> None:
    """Doubling and bisection find the border from any start."""
    assert first_not_failing(lambda N: first > N, lambda _: False, lower) == (max(first, lower), False)
    assert first_not_failing(lambda _: True, lambda N: first <= N, lower)[1]


def test_the_least_count_of_the_threshold() -> None:
    """1319 and 16148, also for a threshold whose integer part needs more digits than are asked for, else open."""
    assert least_admissible(Task(1, Limits(), Limits().allowance()), example("0.01")) == 1319
    assert least_admissible(Task(1, Limits(), Limits().allowance()), example("0.001")) == 16148
    assert least_admissible(task(), example("1e-40")) is not None
    assert least_admissible(task(Limits(max_evaluations=1)), example("0.01")) is None
    assert least_admissible(task(Limits(max_bits=64)), example("1e-40")) is None
