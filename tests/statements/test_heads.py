"""H1-H4: the constants against the printed facts, an independent library, their ties, and their monotonicity."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import decide
from certify.statements import augmented, ball, heads, hinge, logistic, prototype
from certify.statements.heads import Constant, Head
from tests.statements.bounds import Value, enclosed, holds, near, upper

R = Intervals(64)
HEADS: tuple[Head, ...] = ("squared-hinge", "binary-logistic", "softmax")
bounds = st.fractions(Fraction(1, 10), 10, max_denominator=60)
strengths = st.builds(lambda k, x: x * Fraction(10) ** k, st.integers(-5, 1), st.fractions(1, 10, max_denominator=20))
head_names = st.sampled_from(HEADS)
quick = settings(max_examples=25, deadline=None)


def value(
    head: Head, constant: Constant, name: str, B: Fraction, lam: Fraction, K: int = 10, r: Fraction | None = None
) -> Value:
    """One of a head's values as a function of the arithmetic."""

    def at(R: Intervals) -> Interval:
        found = heads.constants(R, head, constant, R(B), R(lam), R(K))
        if r is None:
            return getattr(found, name)
        return heads.difference(R, head, constant, R(B), found, ball.effective_radius(R, R(r), R(B)))

    return at


FACTS = [
    ("squared-hinge", "0.01", "58.569", "30.284", "58.57", "26.50", "32.28"),
    ("binary-logistic", "0.01", "51", "2.3992", "51", "2.146", "2.827"),
    ("softmax", "0.01", "142.836", "8.8338", "142.8", "3.285", "4.000"),
    ("squared-hinge", "0.001", "180.885", "91.443", "180.9", "79.46", "93.44"),
    ("binary-logistic", "0.001", "501", "6.4104", "501", "2.322", "2.828"),
    ("softmax", "0.001", "1415.63", "24.877", "1415.6", "3.285", "4.000"),
]


@pytest.mark.parametrize(("head", "lam", "paper", "sharp", "paper_one", "sharp_one", "sharp_two"), FACTS)
def test_printed_facts(
    head: Head, lam: str, paper: str, sharp: str, paper_one: str, sharp_one: str, sharp_two: str
) -> None:
    one, strength = Fraction(1), Fraction(lam)
    assert near(value(head, "paper", "lipschitz", one, strength), paper)
    assert near(value(head, "sharp", "lipschitz", one, strength), sharp)
    assert near(value(head, "paper", "", one, strength, r=one), paper_one)
    assert near(value(head, "sharp", "", one, strength, r=one), sharp_one)
    assert near(value(head, "sharp", "", one, strength, r=2 * one), sharp_two)


def test_small_branch_facts() -> None:
    assert near(value("binary-logistic", "sharp", "lipschitz", Fraction(1), Fraction(4)), "0.6103")
    assert near(value("binary-logistic", "paper", "lipschitz", Fraction(1), Fraction(4)), "1.125")
    assert hinge.sharp_radius(R, R(1), R(4)).exact == Fraction(1, 3)


def test_rational_cases_are_exact() -> None:
    assert heads.constants(R, "softmax", "sharp", R(1), R(1) / 100, R(10)).any_record.exact == 4
    assert heads.constants(R, "binary-logistic", "paper", R(1), R(1) / 100, R(2)).lipschitz.exact == 51
    assert heads.constants(R, "softmax", "paper", R(1), R(1) / 100, R(10)).radius.exact == 200
    assert heads.constants(R, "squared-hinge", "sharp", R(1), R(1) / 50, R(2)).lipschitz.exact == 22


def test_a_paper_ball_beyond_a_small_radius_needs_more_noise_than_full_privacy() -> None:
    """B7: with the paper's constants at lambda = 0.01, B = 1 that radius is about 0.055 (logistic), 0.028 (softmax)."""
    for head, radius in (("binary-logistic", "0.0556"), ("softmax", "0.0281")):
        cap = value(head, "paper", "any_record", Fraction(1), Fraction(1, 100))
        ballwise = value(head, "paper", "", Fraction(1), Fraction(1, 100), r=Fraction(radius))
        smaller = value(head, "paper", "", Fraction(1), Fraction(1, 100), r=Fraction(radius) * 99 / 100)
        assert holds(cap, ballwise) is Decision.PROVED
        assert holds(smaller, cap) is Decision.PROVED


@quick
@given(bounds, strengths, st.integers(2, 10**6))
def test_radii_against_an_independent_library(B: Fraction, lam: Fraction, K: int) -> None:
    """Lambert's function and bisection of the fixed-point equations at 40 digits."""
    with mpmath.workdps(40):
        b, strength = mpmath.mpf(B.numerator) / B.denominator, mpmath.mpf(lam.numerator) / lam.denominator
        for head, rivals in (("binary-logistic", mpmath.mpf(1)), ("softmax", mpmath.mpf(K - 1))):
            slope = mpmath.sqrt(b**2 + 1) * (mpmath.sqrt(K / rivals) if head == "softmax" else 1)
            omega = mpmath.lambertw(rivals / mpmath.e).real
            true = mpmath.sqrt(omega / strength)
            if slope * true < 1 + omega:
                true = mpmath.findroot(
                    lambda r, s=slope, v=rivals: strength * r - s / (1 + mpmath.exp(s * r) / v),
                    (0, true),
                    solver="anderson",
                    tol=1e-60,
                )
            found = enclosed(value(head, "sharp", "radius", B, lam, K), 14)
            assert float(found.lower) * (1 - 1e-13) <= true <= float(found.upper) * (1 + 1e-13)


@quick
@given(st.integers(1, 10**18))
def test_margin_maximum_is_reached_and_not_passed(rivals: int) -> None:
    """omega is x/(1 + e^x/rivals) at x = 1 + omega, and no other x gives more."""
    omega = augmented.margin_maximum(R, R(rivals))
    gain = lambda x: x / (1 + R.exp(x) / rivals)  # noqa: E731
    reached = gain(1 + omega)
    assert decide(lambda _: [heads_condition(reached, omega)])[0].decision is not Decision.DISPROVED
    for step in (Fraction(-1), Fraction(-1, 10), Fraction(1, 10), Fraction(1)):
        assert decide(lambda _, s=step: [heads_condition(gain(1 + omega + s), omega)])[0].decision is Decision.PROVED


def heads_condition(left: Interval, right: Interval):
    return ball.record_lipschitz(left, right, R(1))


def test_omega_is_the_printed_constant() -> None:
    assert near(lambda R: augmented.margin_maximum(R, R(1)), "0.27846454")


@quick
@given(head_names, bounds, strengths, st.integers(2, 1000))
def test_sharp_is_below_paper(head: Head, B: Fraction, lam: Fraction, K: int) -> None:
    for name in ("radius", "lipschitz"):
        assert (
            holds(value(head, "sharp", name, B, lam, K), value(head, "paper", name, B, lam, K))
            is not Decision.DISPROVED
        )
    strict = "radius" if head == "softmax" else "lipschitz"
    assert holds(value(head, "sharp", strict, B, lam, K), value(head, "paper", strict, B, lam, K)) is Decision.PROVED
    assert (
        holds(value(head, "sharp", "any_record", B, lam, K), value(head, "paper", "any_record", B, lam, K))
        is not Decision.DISPROVED
    )


@quick
@given(head_names, bounds, strengths, st.fractions(Fraction(1, 50), 2, max_denominator=50), st.integers(2, 50))
def test_constants_rise_with_the_bound_and_fall_with_lambda(
    head: Head, B: Fraction, lam: Fraction, step: Fraction, K: int
) -> None:
    for constant, name in itertools.product(("sharp", "paper"), ("radius", "lipschitz", "any_record")):
        here = value(head, constant, name, B, lam, K)
        assert holds(here, value(head, constant, name, B + step, lam, K)) is not Decision.DISPROVED
        assert holds(value(head, constant, name, B, lam + step, K), here) is not Decision.DISPROVED


@quick
@given(bounds, strengths, st.integers(2, 100))
def test_softmax_radius_rises_with_the_classes(B: Fraction, lam: Fraction, K: int) -> None:
    assert (
        holds(value("softmax", "sharp", "radius", B, lam, K), value("softmax", "sharp", "radius", B, lam, 2 * K))
        is not Decision.DISPROVED
    )


@quick
@given(
    head_names,
    bounds,
    strengths,
    st.lists(st.fractions(0, Fraction(21, 10), max_denominator=40), min_size=2, max_size=4),
)
def test_difference_is_nondecreasing_and_below_the_paper(
    head: Head, B: Fraction, lam: Fraction, shares: list[Fraction]
) -> None:
    """D(r) at r = share B; beyond 2B it stays where it is."""
    values = [value(head, "sharp", "", B, lam, 3, B * share) for share in sorted(shares)]
    for less, more in itertools.pairwise(values):
        assert holds(less, more) is not Decision.DISPROVED
    for share, sharp in zip(sorted(shares), values, strict=True):
        assert holds(sharp, value(head, "paper", "", B, lam, 3, B * share)) is Decision.PROVED
        assert holds(sharp, value(head, "sharp", "any_record", B, lam, 3)) is not Decision.DISPROVED


@pytest.mark.parametrize("head", HEADS)
def test_difference_is_nothing_at_radius_nothing(head: Head) -> None:
    assert (
        heads.difference(R, head, "sharp", R(1), heads.constants(R, head, "sharp", R(1), R(1), R(3)), R(0)).exact == 0
    )


def contains(wide: Interval, *parts: Interval) -> bool:
    """Whether an interval holds all of others."""
    hull = R.hull(*parts)
    return wide.ends == R.hull(wide, hull).ends


def test_hinge_branches_meet_at_the_tie_and_are_hulled_around_it() -> None:
    assert hinge.sharp_radius(R, R(1), R(2)).exact == Fraction(1, 2)
    around = R.between(Fraction(19, 10), Fraction(21, 10))
    parts = (1 / R.sqrt(2 * around), R(2) / (around + 2))
    assert contains(hinge.sharp_radius(R, R(1), around), *parts)
    wide = R.between(Fraction(14, 10), Fraction(15, 10))
    product = hinge.midpoint_difference(R, R(1), R(1), wide)
    assert contains(product, 2 * wide + 4)
    assert near(lambda R: hinge.midpoint_difference(R, R(1), R(1), R.sqrt(R(2))), "6.828427")


def test_logistic_branches_meet_at_the_tie() -> None:
    """lambda around omega (B^2 + 1)/(1 + omega)^2: both branches are there, and they agree."""
    omega = augmented.margin_maximum(R, R(1))
    tie = omega * 2 / (1 + omega) ** 2
    radius = logistic.sharp_radius(R, R(1), tie)
    assert contains(radius, R.sqrt(omega / tie))
    assert enclosed(lambda _: radius).is_tight(10)
    c = Fraction(154, 100)
    for b in (Fraction(1, 10), Fraction(10)):
        beside = logistic.sharp_lipschitz(R, R(1), R(c * b) / R.sqrt(R(2)))
        assert enclosed(lambda _, x=beside: x).is_tight(10)


def test_logistic_lipschitz_changes_branch_where_the_parabola_peaks() -> None:
    """The peak (1 + c)/(2c) meets a_max near c = 1.5436; across it a grid of a agrees with both sides."""
    for c in (0.2, 1.0, 1.5, 1.54, 1.55, 1.6, 3.0, 40.0):
        most = 1 / (1 + mpmath.exp(-c))
        grid = max(a + c * a * (1 - a) for a in (most * k / 4000 for k in range(4001)))
        found = upper(lambda R, c=c: logistic.sharp_lipschitz(R, R(0), R(Fraction(c))))
        assert -1e-12 <= found - grid <= 1e-5
    undecided = logistic.sharp_lipschitz(R, R(0), R.between(Fraction(1543, 1000), Fraction(1544, 1000)))
    assert contains(undecided, logistic.sharp_lipschitz(R, R(0), R(Fraction(15435, 10000))))


def test_midpoint_form_is_used_up_to_its_range() -> None:
    """At B = 2 the range ends at r = 4 = 2B; at B = 3 it ends before 2B, and the linear form and the cap are left."""
    one, two = R(1), R(2)
    assert augmented.where_midpoint_grows(R, R(2), R(4), one, two).exact == 1
    assert augmented.where_midpoint_grows(R, R(3), R(Fraction("5.6")), one, two).exact == 1
    assert augmented.where_midpoint_grows(R, R(3), R(Fraction("5.7")), one, two).exact == 2
    both = augmented.where_midpoint_grows(R, R(3), R.sqrt(R(32)), one, two)
    assert contains(both, one, two)


@quick
@given(st.fractions(0, 50, max_denominator=100))
def test_logistic_midpoint_form(x: Fraction) -> None:
    """With B = 0 and r -> 4x, R = 1 only tanh is left: compared with mpmath."""
    found = enclosed(lambda R: logistic._tanh(R, R(x)), 14)
    with mpmath.workdps(60):
        true = mpmath.tanh(mpmath.mpf(x.numerator) / x.denominator)
        assert float(found.lower) * (1 - 1e-14) <= true <= float(found.upper) * (1 + 1e-14)


def test_tiny_arguments_keep_the_upper_end() -> None:
    tiny = Fraction(1, 10**400)
    assert logistic._tanh(R, R(tiny)).ends[1] == R(tiny).ends[1]


@given(st.integers(1, 10**6), st.fractions(0, 2, max_denominator=100), strengths, st.integers(1, 100))
def test_prototype_sensitivity_and_inversion_are_exact(n: int, r: Fraction, lam: Fraction, smallest: int) -> None:
    found = prototype.sensitivity(R(r), R(lam), R(n), R(smallest)).exact
    assert found == 2 * r / (2 * smallest + lam * n)
    rest, record = Fraction(7, 3), Fraction(-2, 7)
    released = 2 * (rest + record) / (2 * smallest + lam * n)
    assert prototype.inverted_record(R(released), R(smallest), R(lam), R(n), R(rest)).exact == record
    moved = prototype.sensitivity(R(r), R(lam), R(n), R(smallest + 1)).exact
    assert moved is not None
    assert moved <= found


ATTAINED = [
    (10, 2, 5, True),
    (10, 2, 6, False),
    (10, 3, 3, True),
    (10, 1, 10, True),
    (10, 1, 9, False),
    (1, 1, 1, True),
    (9, 9, 1, True),
    (3, 2, 0, False),
]


@pytest.mark.parametrize(("n", "classes", "smallest", "expected"), ATTAINED)
def test_attained_exactly_where_some_counts_have_the_smallest(
    n: int, classes: int, smallest: int, expected: bool
) -> None:
    """Compared with all ways of writing n as ``classes`` counts of at least ``smallest``."""
    decided = decide(lambda R: prototype.attained(R, R(n), R(classes), R(smallest)))
    assert all(item.decision is Decision.PROVED for item in decided) is expected
    if smallest:
        counts = (c for c in itertools.combinations_with_replacement(range(1, n + 1), classes) if sum(c) == n)
        assert any(min(c) == smallest for c in counts) is expected


def test_witness_names_the_pair() -> None:
    assert "a class of one record" in prototype.witness_pair("0.14", "1")
    assert "174 records" in prototype.witness_pair("0.14", "174")
    assert "r = 0.14" in prototype.witness_pair("0.14", "174")
