"""T1-T3 against known values, quadrature, python-flint, and the facts that the docstrings prove."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.statements import tails

R = Intervals(160)
dimensions = st.integers(min_value=1, max_value=400)
radii = st.fractions(min_value=0, max_value=40, max_denominator=1000)


def ends(value: Interval) -> tuple[Fraction, Fraction]:
    enclosure = Enclosure.of(value)
    return enclosure.lower, enclosure.upper


def upper(value: Interval) -> Fraction:
    return Enclosure.of(value).upper


def exact_chi_tail(dimension: int, radius: Fraction, sigma: Fraction) -> arb:
    """Pr(|Z| > r) by python-flint at 400 bits."""
    ctx.prec = 400
    y = (radius / sigma) ** 2 / 2
    return as_arb(y).gamma_upper(arb(dimension) / 2, 1)


def as_arb(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


@pytest.mark.parametrize(
    ("t", "digits"),
    [
        ("20", "1.37001249472958e-90"),
        ("39", "1.37079569040739e-334"),
        ("100", "1.34391037524738e-2176"),
        ("-5", "5.0000000534616553383"),
    ],
)
def test_integrated_tail_has_the_known_digits(t: str, digits: str) -> None:
    value = tails.integrated_tail(R, R(Fraction(t)))
    lower, high = Enclosure.of(value).text(len(digits.split("e")[0]) - 2)
    with mp.workdps(40):
        assert abs(mpf(lower) / mpf(digits) - 1) < mpf(10) ** -13
        assert abs(mpf(high) / mpf(digits) - 1) < mpf(10) ** -13


@given(st.fractions(min_value=0, max_value=30, max_denominator=100))
@settings(max_examples=30)
def test_integrated_tail_reflects(t: Fraction) -> None:
    """Q1(-t) = t + Q1(t)."""
    left, right = ends(tails.integrated_tail(R, R(-t))), ends(R(t) + tails.integrated_tail(R, R(t)))
    assert left[0] <= right[1] and right[0] <= left[1]


@given(
    st.fractions(min_value=0, max_value=10, max_denominator=50),
    st.fractions(min_value=Fraction(1, 50), max_value=2, max_denominator=50),
)
@settings(max_examples=30)
def test_integrated_tail_falls(t: Fraction, step: Fraction) -> None:
    assert upper(tails.integrated_tail(R, R(t + step))) < ends(tails.integrated_tail(R, R(t)))[0]


def folded_mean(rate: float, t: float) -> float:
    """E(1 - e^{-rate(|W| - t)})_+, the case a = a' = 1, W = W' of T2, by quadrature."""
    with mp.workdps(20):
        density = mp.quad(lambda x: (1 - mp.exp(-rate * (x - t))) * mp.exp(-x * x / 2), [t, t + 2, t + 12])
        return float(2 * density / mp.sqrt(2 * mp.pi))


@pytest.mark.parametrize("rate", [0.001, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("t", [0.0, 0.5, 3.0])
def test_folded_tail_bounds_the_comonotone_case(rate: float, t: float) -> None:
    bound = float(upper(tails.folded_tail(R, R(Fraction(rate)), R(Fraction(t)))))
    assert folded_mean(rate, t) <= bound


def test_a_smaller_folded_tail_would_be_caught() -> None:
    """The constant is attained as the rate falls: 0.99 of the bound is too small."""
    bound = float(upper(tails.folded_tail(R, R(Fraction(1, 1000)), R(1))))
    assert folded_mean(0.001, 1.0) > 0.99 * bound


@given(dimensions, radii, st.fractions(min_value=Fraction(1, 10), max_value=3, max_denominator=20))
@settings(max_examples=80)
def test_chi_tail_bounds_the_incomplete_gamma(dimension: int, radius: Fraction, sigma: Fraction) -> None:
    bound = upper(tails.chi_tail(R, dimension, R(radius), R(sigma)))
    exact = exact_chi_tail(dimension, radius, sigma)
    assert not as_arb(bound) < exact
    assert bound <= 1


@pytest.mark.parametrize(("dimension", "radius"), [(2, 3), (10, 6), (400, 24), (20_000, 150)])
def test_gamma_tail_is_exact_at_even_dimensions(dimension: int, radius: int) -> None:
    lower, high = ends(tails.gamma_tail(R, dimension, R(radius), R(1)))
    exact = exact_chi_tail(dimension, Fraction(radius), Fraction(1))
    assert not as_arb(lower) > exact
    assert not as_arb(high) < exact
    assert (high - lower) * 10**20 < high


def test_rounding_an_odd_dimension_down_would_be_caught() -> None:
    rounded_down = upper(tails.gamma_tail(R, 2, R(3), R(1)))
    assert as_arb(rounded_down) < exact_chi_tail(3, Fraction(3), Fraction(1))


@pytest.mark.parametrize(("dimension", "radius"), [(20_001, 145), (20_002, 150), (1_000_000, 1003), (1_000_001, 1006)])
def test_chi_tail_above_the_summed_dimensions(dimension: int, radius: int) -> None:
    bound = upper(tails.chi_tail(R, dimension, R(radius), R(1)))
    exact = exact_chi_tail(dimension, Fraction(radius), Fraction(1))
    assert float(exact) <= float(bound) <= 10 * float(exact)
    assert bound < upper(tails.concentration_tail(R, dimension, R(radius), R(1)))


@given(
    st.integers(min_value=2, max_value=200),
    st.fractions(min_value=Fraction(1, 100), max_value=300, max_denominator=100),
)
@settings(max_examples=60)
def test_geometric_tail_bounds_the_sum(half: int, beyond: Fraction) -> None:
    y = half - 1 + beyond
    assert ends(R.poisson_below(half, R(y)))[0] <= upper(tails.geometric_tail(R, half, R(y)))


def test_geometric_tail_falls_over_a_wide_interval() -> None:
    wide = tails.geometric_tail(R, 12, R.between(20, 30))
    lower, high = ends(wide)
    assert lower <= ends(tails.geometric_tail(R, 12, R(30)))[1]
    assert high >= ends(tails.geometric_tail(R, 12, R(20)))[0]


@pytest.mark.parametrize("m", [1, 2, 3, 10, 60])
def test_robbins_bounds_the_factorial(m: int) -> None:
    """m! > sqrt(2 pi m) (m/e)^m e^{1/(12m + 1)}; with 1/(12m) it would fail."""
    with mp.workdps(40):
        stirling = mp.sqrt(2 * mp.pi * m) * (mpf(m) / mp.e) ** m
        assert stirling * mp.exp(mpf(1) / (12 * m + 1)) < math.factorial(m) < stirling * mp.exp(mpf(1) / (12 * m))


@given(dimensions, radii, st.integers(min_value=1, max_value=20))
@settings(max_examples=40)
def test_chi_tail_is_monotone(dimension: int, radius: Fraction, more: int) -> None:
    """It rises in the dimension and falls in the radius."""
    at = tails.chi_tail(R, dimension, R(radius), R(1))
    assert ends(at)[0] <= upper(tails.chi_tail(R, dimension + more, R(radius), R(1)))
    assert ends(tails.chi_tail(R, dimension, R(radius + Fraction(more, 10)), R(1)))[0] <= upper(at)


def test_closed_cases() -> None:
    """Radius 0, and every radius up to sigma sqrt(2a - 2), give 1."""
    for dimension, radius in ((1, 0), (5, 0), (5, 2), (30_000, 100)):
        assert ends(tails.chi_tail(R, dimension, R(radius), R(1))) == (1, 1)


def test_concentration_tail_is_the_papers() -> None:
    value = ends(tails.concentration_tail(R, 10_000, R(106), R(1)))
    assert abs(float(value[1]) / 1.52299797447e-8 - 1) < 1e-11
