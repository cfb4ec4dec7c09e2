"""R1-R4: closed cases, printed values, monotonicity, and the order of the bounds."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import decide
from certify.statements import reconstruction, support
from certify.statements.support import Candidates
from tests.statements.bounds import Value, enclosed, holds, near

R = Intervals(64)
quick = settings(max_examples=30, deadline=None)
baselines = st.fractions(Fraction(1, 10**6), Fraction(999, 1000), max_denominator=10**6)
ratios = st.fractions(Fraction(1, 100), 6, max_denominator=100)
BOUNDS = ("from_renyi", "from_best_renyi", "from_gaussian")


def bound(name: str, ratio: Fraction, baseline: Fraction, order: Fraction = Fraction(2)) -> Value:
    """One bound from a ratio and a baseline."""
    if name == "from_renyi":
        return lambda R: reconstruction.from_renyi(R, R(order), R(ratio), R(baseline))
    return lambda R: getattr(reconstruction, name)(R, R(ratio), R(baseline))


FACTS = [("0.448334740395", "0.2023612276"), ("0.837858757090", "0.3286323478"), ("1.53154511757", "0.5987038325")]


@pytest.mark.parametrize(("ratio", "success"), FACTS)
def test_printed_facts(ratio: str, success: str) -> None:
    assert near(bound("from_gaussian", Fraction(ratio), Fraction(1, 10)), success)


def test_printed_bound_from_privacy() -> None:
    assert near(lambda R: reconstruction.from_privacy(R, R(2), R(1) / 10**6, R(1) / 10), "0.73890661")


TAILS = [
    ("0.1", "0.38914369164536096904"),
    ("1e-20", "7.1422015073072601653e-17"),
    ("1e-300", "7.6571720647830868094e-285"),
]


@pytest.mark.parametrize(("baseline", "success"), TAILS)
def test_small_baselines_keep_their_digits(baseline: str, success: str) -> None:
    assert near(bound("from_gaussian", Fraction(1), Fraction(baseline)), success)


def test_a_baseline_near_one_keeps_its_complement() -> None:
    baseline = 1 - Fraction(1, 10**18)
    assert near(lambda R: 1 - bound("from_gaussian", Fraction(1), baseline)(R), "8.58404477924207e-23")


@pytest.mark.parametrize("name", BOUNDS)
def test_closed_cases(name: str) -> None:
    third = Fraction(1, 3)
    assert bound(name, Fraction(2), Fraction(0))(R).exact == 0
    assert bound(name, Fraction(2), Fraction(1))(R).exact == 1
    assert bound(name, Fraction(0), third)(R).exact == third
    assert bound(name, Fraction(0), Fraction(0))(R).exact == 0


def test_closed_cases_from_privacy() -> None:
    assert reconstruction.from_privacy(R, R(0), R(0), R(1) / 3).exact == Fraction(1, 3)
    assert reconstruction.from_privacy(R, R(5), R(1) / 7, R(0)).exact == Fraction(1, 7)
    assert reconstruction.from_privacy(R, R(1000), R(0), R(1) / 2).exact == 1


def test_divergence() -> None:
    assert reconstruction.renyi_divergence(R(3), R(2)).exact == 6


@quick
@given(st.sampled_from(BOUNDS), ratios, baselines, st.fractions(Fraction(1, 10), 2, max_denominator=50))
def test_bounds_rise_with_the_ratio_and_the_baseline(
    name: str, ratio: Fraction, baseline: Fraction, step: Fraction
) -> None:
    here = bound(name, ratio, baseline)
    assert holds(here, bound(name, ratio + step, baseline)) is not Decision.DISPROVED
    assert holds(here, bound(name, ratio, (baseline + step) / (1 + step))) is not Decision.DISPROVED
    assert holds(lambda R: R(baseline), here) is Decision.PROVED
    assert holds(here, lambda R: R(1)) is not Decision.DISPROVED


@quick
@given(ratios, baselines, st.fractions(Fraction(101, 100), 50, max_denominator=100))
def test_the_test_bound_is_least_and_the_best_order_is_best(
    ratio: Fraction, baseline: Fraction, order: Fraction
) -> None:
    assert holds(bound("from_gaussian", ratio, baseline), bound("from_best_renyi", ratio, baseline)) is Decision.PROVED
    assert (
        holds(bound("from_best_renyi", ratio, baseline), bound("from_renyi", ratio, baseline, order))
        is not Decision.DISPROVED
    )


def test_the_best_order_is_reached() -> None:
    """At alpha* = sqrt(2 log(1/kappa))/mu, to the square of the error in alpha*; no order helps where alpha* <= 1."""
    ratio, baseline = Fraction(1, 2), Fraction(1, 10)
    star = Fraction(4.2919320526)
    at_star, best = (
        enclosed(bound("from_renyi", ratio, baseline, star)),
        enclosed(bound("from_best_renyi", ratio, baseline)),
    )
    assert 0 <= at_star.upper - best.lower < Fraction(1, 10**12)
    assert bound("from_best_renyi", Fraction(3), Fraction(1, 10))(R).exact == 1


@quick
@given(ratios, baselines)
def test_gaussian_bound_against_scipy(ratio: Fraction, baseline: Fraction) -> None:
    found = enclosed(bound("from_gaussian", ratio, baseline))
    assert float(found.upper) == pytest.approx(norm.cdf(norm.ppf(float(baseline)) + float(ratio)), rel=1e-9)


def test_branches_of_the_gaussian_bound_meet_at_one_half() -> None:
    both = reconstruction.from_gaussian(R, R(1), R.between(Fraction(49, 100), Fraction(51, 100)))
    inside = reconstruction.from_gaussian(R, R(1), R(Fraction(1, 2)))
    assert R.hull(both, inside).ends == both.ends


# Known candidates (R4)

groups_of = st.lists(
    st.tuples(st.integers(1, 3), st.fractions(0, 4, max_denominator=8), st.integers(1, 5)), min_size=1, max_size=4
)


def held(R: Intervals, groups: list[tuple[int, Fraction, int]]) -> list[Candidates[Interval]]:
    """Candidates with weights made to sum to 1."""
    total = sum(count * share for count, _, share in groups)
    return [Candidates(count, R(distance), R(Fraction(share, total))) for count, distance, share in groups]


@quick
@given(groups_of, st.fractions(Fraction(1, 1000), 2, max_denominator=1000))
def test_every_level_gives_a_bound_between_the_baseline_and_its_affine_pieces(
    groups: list[tuple[int, Fraction, int]], level: Fraction
) -> None:
    """It is at least max pi (guess without the release) and at least 0 + nu (all events empty)."""
    value = lambda R: support.support_bound(R, held(R, groups), R(level))  # noqa: E731
    total = sum(count * share for count, _, share in groups)
    assert holds(lambda R: R(Fraction(max(share for *_, share in groups), total)), value) is not Decision.DISPROVED
    assert holds(lambda R: R(level), value) is not Decision.DISPROVED


@quick
@given(
    groups_of,
    st.fractions(Fraction(1, 100), 2, max_denominator=100),
    st.fractions(Fraction(1, 100), 2, max_denominator=100),
)
def test_the_bound_is_convex_with_the_slope_given(
    groups: list[tuple[int, Fraction, int]], a: Fraction, b: Fraction
) -> None:
    at = lambda R, level: support.support_bound(R, held(R, groups), R(level))  # noqa: E731
    tangent = lambda R: support.support_floor(at(R, a), support.support_slope(R, held(R, groups), R(a)), R(a), R(b))  # noqa: E731
    assert holds(tangent, lambda R: at(R, b)) is not Decision.DISPROVED


@quick
@given(
    groups_of,
    st.fractions(Fraction(1, 100), 1, max_denominator=100),
    st.fractions(Fraction(1, 8), 3, max_denominator=8),
)
def test_the_bound_rises_with_every_distance(
    groups: list[tuple[int, Fraction, int]], level: Fraction, step: Fraction
) -> None:
    farther = [(count, distance + step * (place == 0), share) for place, (count, distance, share) in enumerate(groups)]
    at = lambda g: lambda R: support.support_bound(R, held(R, g), R(level))  # noqa: E731
    assert holds(at(groups), at(farther)) is not Decision.DISPROVED


@pytest.mark.parametrize(("m", "ratio"), list(itertools.product((2, 3, 10), ("1/2", "1", "3"))))
def test_equal_distances_and_weights_give_the_test_bound(m: int, ratio: str) -> None:
    """At the level where Phi(x) = 1/m; every other level gives more."""
    mu = Fraction(ratio)
    x = Fraction(norm.ppf(1 / m))
    level = lambda R: R.exp(-(R(mu) * R(x)) - R(mu) ** 2 / 2) / m  # noqa: E731
    group = lambda R: [Candidates(m, R(mu), R(Fraction(1, m)))]  # noqa: E731
    best = enclosed(lambda R: support.support_bound(R, group(R), level(R)), 14)
    test = enclosed(bound("from_gaussian", mu, Fraction(1, m)), 14)
    assert abs(best.upper - test.upper) < Fraction(1, 10**12)
    other = lambda R: support.support_bound(R, group(R), level(R) * Fraction(11, 10))  # noqa: E731
    assert holds(bound("from_gaussian", mu, Fraction(1, m)), other) is Decision.PROVED


def test_terms_at_the_centre() -> None:
    half = [Candidates(2, R(0), R(Fraction(1, 2)))]
    assert support.support_bound(R, half, R(Fraction(1, 4))).exact == Fraction(3, 4)
    assert support.support_bound(R, half, R(Fraction(3, 4))).exact == Fraction(3, 4)
    assert support.support_slope(R, half, R(Fraction(1, 4))).exact == -1
    assert support.support_slope(R, half, R(Fraction(1, 2))).exact == 1
    turns = decide(lambda R: support.slope_turns(R, half, R(Fraction(1, 4)), R(Fraction(1, 2))))
    assert [item.decision for item in turns] == [Decision.PROVED] * 2


def test_slope_keeps_a_dominant_candidate_accurate() -> None:
    """Q(x) of the first less the rest: 1 - Phi(60) is not lost."""
    apart = [Candidates(1, R(1), R(Fraction(1, 2))), Candidates(1, R(150), R(Fraction(1, 2)))]
    assert enclosed(lambda R: support.support_slope(R, apart, R.exp(R(-60))), 5).is_tight(5)


def test_map_score_prefers_the_nearer_and_the_likelier() -> None:
    score = lambda weight, distance: lambda R: support.map_score(R, R(weight), R(distance), R(2))  # noqa: E731
    assert score(1, Fraction(8))(R).exact == -1
    assert holds(score(Fraction(1, 2), Fraction(2)), score(Fraction(1, 2), Fraction(1))) is Decision.PROVED
    assert holds(score(Fraction(1, 3), Fraction(1)), score(Fraction(1, 2), Fraction(1))) is Decision.PROVED
