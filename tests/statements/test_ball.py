"""B1-B7: radii, sensitivity, the privacy conclusion, transfer."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import decide, proved
from certify.statements import ball, gaussian
from tests.statements.bounds import enclosed, holds, near

R = Intervals(64)
positive = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)
TENTH = Fraction(1, 10)


def decision(condition) -> Decision:
    return decide(lambda _: [condition])[0].decision


@pytest.mark.parametrize(("radius", "bound", "expected"), [(1, 1, 1), (3, 1, 2), (2, 1, 2), (0, 1, 0)])
def test_radius_is_cut_to_the_diameter(radius: int, bound: int, expected: int) -> None:
    assert ball.effective_radius(R, R(radius), R(bound)).exact == expected


def test_the_whole_ball_covers_same_label_replacement() -> None:
    assert decision(ball.covers_same_label(R(2), R(1))) is Decision.PROVED
    assert decision(ball.covers_same_label(R(Fraction(199, 100)), R(1))) is Decision.DISPROVED


def test_the_regularity_assumption_is_decided_at_a_tie() -> None:
    assert decision(ball.record_lipschitz(R(2), R(1), R(2))) is Decision.PROVED
    assert decision(ball.record_lipschitz(R(3), R(1), R(2))) is Decision.DISPROVED


def test_sensitivity_is_exact_where_it_is_rational() -> None:
    assert ball.sensitivity(R(1), R(TENTH), R(10), R(0)).exact == 1
    assert ball.sensitivity(R(1), R(TENTH), R(10), R(TENTH)).exact == 3
    assert ball.any_record_sensitivity(R(2), R(TENTH), R(10), R(0)).exact == 4


@given(positive, positive, st.integers(1, 10**9), positive, positive)
def test_sensitivity_rises_as_lambda_and_n_fall(
    a: Fraction, lam: Fraction, n: int, tolerance: Fraction, more: Fraction
) -> None:
    here = ball.sensitivity(R(a), R(lam), R(n), R(tolerance)).exact
    assert here is not None
    for other in (
        ball.sensitivity(R(a + more), R(lam), R(n), R(tolerance)),
        ball.sensitivity(R(a), R(lam / (1 + more)), R(n), R(tolerance)),
        ball.sensitivity(R(a), R(lam), R(n) / (1 + more), R(tolerance)),
        ball.sensitivity(R(a), R(lam), R(n), R(tolerance + more)),
    ):
        assert other.exact is not None
        assert other.exact > here


def conclusion(sigma: Fraction, delta: Fraction, failure: Fraction = Fraction(0)) -> list[Decision]:
    found = decide(lambda R: ball.output_perturbation(R, R(2), R(delta), R(1), R(sigma), R(failure)))
    return [item.decision for item in found]


def test_output_perturbation_is_decided_by_the_profile() -> None:
    """sigma*(2, 1e-6) = 2.2304...: just above it is proved, just below disproved."""
    delta = Fraction(1, 10**6)
    assert conclusion(Fraction("2.23048"), delta) == [Decision.PROVED] * 3
    assert conclusion(Fraction("2.2304"), delta)[2] is Decision.DISPROVED
    assert conclusion(Fraction("2.23048"), delta, Fraction(1, 10**7))[2] is Decision.DISPROVED
    assert conclusion(Fraction(-1), delta)[1] is Decision.DISPROVED


def largest_ratio(R: Intervals) -> Interval:
    """1/sigma*(2, 1e-6) to 20 digits, proved on both sides."""
    low, high = Fraction("0.44833474039"), Fraction("0.44833474040")
    delta = Fraction(1, 10**6)
    assert proved(decide(lambda R: gaussian.analytic_sigma(R, R(2), R(delta), R(1), R(1 / high), R(1 / low))))
    return R.between(low, high)


@pytest.mark.parametrize(("factor", "expected"), [(2, "5.0710e-6"), (5, "1.565e-4")])
def test_the_short_form_of_the_transfer_is_false(factor: int, expected: str) -> None:
    value = lambda R: ball.transferred_delta(R, R(2 * factor), R(factor), largest_ratio(R))  # noqa: E731
    found = enclosed(value, 5)
    assert near(value, expected)
    assert found.lower > Fraction(1, 10**6)
    short = ball.short_form(R, R(2), R(Fraction(1, 10**6)), R(factor), largest_ratio(R))
    assert decision(short) is Decision.DISPROVED
    assert decision(ball.short_form(R, R(2), R(Fraction(1, 10**6)), R(1) / 2, largest_ratio(R))) is Decision.PROVED


def test_linear_transfer_and_its_range() -> None:
    assert ball.linear_transfer(R(3), R(2), R(5)).exact == Fraction(15, 2)
    assert decision(ball.linear_transfer_range(R(2), R(2))) is Decision.PROVED
    assert decision(ball.linear_transfer_range(R(2), R(1))) is Decision.DISPROVED


@given(positive, positive, positive, positive)
def test_an_inexact_solver_scales_up_but_not_down(
    lipschitz: Fraction, gamma: Fraction, r: Fraction, t: Fraction
) -> None:
    """(t/r) Delta_r covers L_z t/(lambda n) + 2 gamma/lambda exactly where the range says so (t >= r)."""
    at = lambda radius: ball.sensitivity(R(lipschitz) * radius, R(1), R(1), R(gamma))  # noqa: E731
    scaled, needed = ball.linear_transfer(at(R(r)), R(r), R(t)).exact, at(R(t)).exact
    assert scaled is not None
    assert needed is not None
    assert (scaled >= needed) == (decision(ball.linear_transfer_range(R(r), R(t))) is Decision.PROVED)


def test_a_bare_sensitivity_goes_in_whole_steps() -> None:
    assert ball.chained_transfer(R(3), R(2)).exact == 6
    assert decision(ball.chain_covers(R(1), R(Fraction(3, 2)), R(2))) is Decision.PROVED
    assert decision(ball.chain_covers(R(1), R(Fraction(3, 2)), R(1))) is Decision.DISPROVED


@settings(max_examples=30, deadline=None)
@given(positive, st.fractions(0, 10, max_denominator=50), st.fractions(1, 4, max_denominator=50))
def test_transferred_delta_rises_with_the_factor(ratio: Fraction, epsilon: Fraction, factor: Fraction) -> None:
    less = lambda R: ball.transferred_delta(R, R(epsilon), R(1), R(ratio))  # noqa: E731
    more = lambda R: ball.transferred_delta(R, R(epsilon), R(factor), R(ratio))  # noqa: E731
    assert holds(less, more) is not Decision.DISPROVED
