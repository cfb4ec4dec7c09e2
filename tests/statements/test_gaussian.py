"""G1-G5 against mpmath at 60 digits, sampled normals, and the closed cases."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from certify.kernel.decision import Decision
from certify.kernel.interval import Intervals
from certify.kernel.loop import decide, proved
from certify.statements import gaussian
from tests.statements.bounds import enclosed, holds, near, upper

R = Intervals(64)
ratios = st.fractions(Fraction(1, 100), 20, max_denominator=1000)
epsilons = st.fractions(0, 30, max_denominator=1000)


def reference(epsilon: Fraction, ratio: Fraction) -> tuple[Fraction, Fraction]:
    """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) by Arb, with bits to spare."""
    before, flint.ctx.prec = flint.ctx.prec, 500
    try:
        e, mu = (flint.arb(x.numerator) / x.denominator for x in (epsilon, ratio))
        q = lambda t: (t / flint.arb(2).sqrt()).erfc() / 2  # noqa: E731
        true = q(e / mu - mu / 2) - e.exp() * q(e / mu + mu / 2)
        return fraction(true.lower()), fraction(true.upper())
    finally:
        flint.ctx.prec = before


def fraction(end: flint.arb) -> Fraction:
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@settings(max_examples=40, deadline=None)
@given(epsilons, ratios)
def test_profile_encloses_its_definition(epsilon: Fraction, ratio: Fraction) -> None:
    found = enclosed(lambda R: gaussian.profile(R, R(epsilon), R(ratio)), 15)
    low, high = reference(epsilon, ratio)
    assert found.lower <= high
    assert low <= found.upper


def test_profile_closed_case_and_straddling_ratio() -> None:
    assert gaussian.profile(R, R(1), R(0)).exact == 0
    wide = gaussian.profile(R, R(1), R.between(0, Fraction(1, 2)))
    assert wide.ends[0] == R(0).ends[0]
    assert near(lambda R: gaussian.profile(R, R(1), R(1) / 60), "5.664472825e-788")


@settings(max_examples=30, deadline=None)
@given(epsilons, ratios, st.fractions(Fraction(1, 100), 5, max_denominator=100))
def test_profile_rises_in_the_ratio_and_falls_in_epsilon(epsilon: Fraction, ratio: Fraction, step: Fraction) -> None:
    at = lambda e, mu: lambda R: gaussian.profile(R, R(e), R(mu))  # noqa: E731
    assert holds(at(epsilon, ratio), at(epsilon, ratio + step)) is Decision.PROVED
    assert holds(at(epsilon + step, ratio), at(epsilon, ratio)) is Decision.PROVED


@given(ratios)
@settings(max_examples=30, deadline=None)
def test_total_variation_is_the_profile_at_zero(ratio: Fraction) -> None:
    at_zero = enclosed(lambda R: gaussian.profile(R, R(0), R(ratio)))
    distance = enclosed(lambda R: 1 - 2 * R.upper_tail(R(ratio) / 2))
    assert at_zero.lower <= distance.upper
    assert distance.lower <= at_zero.upper


def test_brackets_hold_on_the_right_side_only() -> None:
    delta, low, high = Fraction(1, 10**5), Fraction("3.7306"), Fraction("3.7307")
    assert proved(decide(lambda R: gaussian.analytic_sigma(R, R(1), R(delta), R(1), R(low), R(high))))
    swapped = decide(lambda R: gaussian.analytic_sigma(R, R(1), R(delta), R(1), R(high), R(low)))
    assert [item.decision for item in swapped if item.role == "conclusion"] == [Decision.DISPROVED] * 2
    epsilon = (Fraction("9.9972"), Fraction("9.9973"))
    assert proved(decide(lambda R: gaussian.tight_epsilon(R, R(delta), R(2), *map(R, epsilon))))


def test_classic_formula_and_its_range() -> None:
    sigma = upper(lambda R: gaussian.classic_sigma(R, R(1) / 2, R(1) / 10**6, R(1)))
    assert sigma == pytest.approx(2 * float(mpmath.sqrt(2 * mpmath.log(1.25e6))), rel=1e-12)
    assert proved(decide(lambda R: [gaussian.classic_range(R, R(1) / 2)]))
    assert not proved(decide(lambda R: [gaussian.classic_range(R, R(1))]))


@pytest.mark.parametrize(
    ("epsilon", "delta", "meets"),
    [("8", "1e-6", True), ("8.9", "1e-6", False), ("8.5", "1e-5", False), ("8.4", "1e-5", True)],
)
def test_classic_scale_is_judged_by_the_profile(epsilon: str, delta: str, meets: bool) -> None:
    e, d = Fraction(epsilon), Fraction(delta)
    spent = lambda R: gaussian.profile(R, R(e), 1 / gaussian.classic_sigma(R, R(e), R(d), R(1)))  # noqa: E731
    assert holds(spent, lambda R: R(d)) is (Decision.PROVED if meets else Decision.DISPROVED)


def test_composition_is_exact_on_squares() -> None:
    assert gaussian.composed_ratio(R, [R(3), R(4)]).exact == 5
    assert gaussian.composed_ratio(R, []).exact == 0


def sampled_profile(epsilon: float, ratio: float) -> tuple[float, float]:
    """A 99.9 % interval for delta(epsilon; ratio) from the best test, {y - ratio/2 > epsilon/ratio}, fixed seed."""
    generator, n = numpy.random.default_rng(20240), 400_000
    cut = epsilon / ratio + ratio / 2
    under = int((generator.standard_normal(n) > cut).sum())
    over = int((generator.standard_normal(n) + ratio > cut).sum())
    low, high = 0.00025, 0.99975
    grow = numpy.exp(epsilon)
    return (
        beta.ppf(low, over, n - over + 1) - grow * beta.ppf(high, under + 1, n - under),
        beta.ppf(high, over + 1, n - over) - grow * beta.ppf(low, under, n - under + 1),
    )


@pytest.mark.parametrize(("epsilon", "ratio"), [(0.5, 0.5), (1.0, 1.0), (1.0, 2.0), (2.0, 1.5)])
def test_profile_against_samples(epsilon: float, ratio: float) -> None:
    """The sampled test brackets the profile, and would expose a noise scale taken a quarter too large."""
    low, high = sampled_profile(epsilon, ratio)
    claimed = upper(lambda R: gaussian.profile(R, R(Fraction(epsilon)), R(Fraction(ratio))))
    flattered = upper(lambda R: gaussian.profile(R, R(Fraction(epsilon)), R(Fraction(ratio) * 3 / 4)))
    assert low <= claimed <= high
    assert not low <= flattered <= high
