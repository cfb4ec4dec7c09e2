"""`certify eval rero.*`."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.search.reconstruction import levels_for
from tests.evaluation.asked import agrees, printed, refused, value

RATIOS = [("0.448334740395", "0.2023612276"), ("0.837858757090", "0.3286323478"), ("1.53154511757", "0.5987038325")]


@pytest.mark.parametrize(("ratio", "success"), RATIOS)
def test_facts(ratio: str, success: str) -> None:
    assert agrees(printed("rero.gaussian", 10, ratio=ratio, baseline="1/10")["success"], success)
    assert agrees(printed("rero.support", 10, distances=",".join([ratio] * 10))["success"], success)
    assert agrees(printed("rero.dp", 8, epsilon=2, delta="1e-6", baseline="1/10")["success"], "0.73890661")


TAILS = [
    ("0.1", "0.38914369164536096904"),
    ("1e-20", "7.1422015073072601653e-17"),
    ("1e-300", "7.6571720647830868094e-285"),
]


@pytest.mark.parametrize(("baseline", "success"), TAILS)
def test_small_baselines(baseline: str, success: str) -> None:
    assert agrees(printed("rero.gaussian", 22, ratio=1, baseline=baseline)["success"], success)


def test_a_baseline_near_one_is_not_one() -> None:
    found = value("rero.gaussian", 40, ratio=1, baseline="0." + "9" * 18)
    assert found.upper < 1
    assert abs((1 - found.upper) / Fraction("8.58404477924207e-23") - 1) < Fraction(1, 10**14)


def test_closed_cases() -> None:
    for name in ("rero.gaussian", "rero.rdp"):
        for ratio, baseline, success in ((2, 0, "0"), (2, 1, "1"), (0, "1/4", "0.25")):
            assert printed(name, ratio=ratio, baseline=baseline)["success"] == (success, success)
    assert printed("rero.dp", epsilon=0, delta="0.25", baseline="0.5")["success"] == ("0.75", "0.75")
    assert printed("rero.dp", epsilon=1000, delta=0, baseline="0.5")["success"] == ("1", "1")


def test_orders() -> None:
    best = value("rero.rdp", ratio="1/2", baseline="1/10")
    near = value("rero.rdp", ratio="1/2", baseline="1/10", order="4.29193")
    assert best.lower <= near.upper < best.upper * Fraction(1000001, 1000000)
    assert value("rero.rdp", ratio="1/2", baseline="1/10", order=2).lower > best.upper
    assert printed("rero.rdp", ratio=5, baseline="1/10")["success"] == ("1", "1")
    refused("rero.rdp", "order", ratio=1, baseline="1/2", order=1)
    refused("rero.rdp", "order", ratio=1, baseline="1/2", order="worst")


def test_refusals() -> None:
    refused("rero.dp", "baseline", epsilon=1, delta=0, baseline=2)
    refused("rero.support", "prior", distances="1,2", prior="1/2,1/4,1/4")
    refused("rero.support", "prior", distances="1,2", prior="1/2,1/3")
    refused("rero.support", "prior", distances="1,2", prior="3/2,-1/2")
    refused("rero.support", "distances", distances="1,-2")


def float_bound(distances: list[Fraction], prior: list[Fraction]) -> float:
    """R4 at its best level in doubles, by golden sections of the convex bound, for distances that are not tiny."""
    terms = [(float(a), float(p)) for a, p in zip(distances, prior, strict=True)]

    def at(level: float) -> float:
        total = level
        for a, p in terms:
            if a == 0:
                total += max(p - level, 0.0)
            else:
                x = (math.log(p / level) - a * a / 2) / a
                total += p * below(x + a) - level * below(x)
        return total

    low, high = 1e-12, 1.0
    for _ in range(90):
        left, right = low + 0.382 * (high - low), high - 0.382 * (high - low)
        low, high = (low, right) if at(left) <= at(right) else (left, high)
    return at((low + high) / 2)


def below(t: float) -> float:
    return math.erfc(-t / math.sqrt(2)) / 2


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.fractions(0, 4, max_denominator=10), st.integers(1, 6)), min_size=2, max_size=5))
def test_support_is_the_least_over_all_levels(groups: list[tuple[Fraction, int]]) -> None:
    total = sum(share for _, share in groups)
    distances, prior = [d for d, _ in groups], [Fraction(share, total) for _, share in groups]
    found = value("rero.support", distances=distances, prior=prior)
    assert found.is_tight(12)
    assert float(found.lower) <= float_bound(distances, prior) + 1e-12
    assert float(found.upper) >= float_bound(distances, prior) - 1e-9
    assert found.lower >= max(prior) * (1 - Fraction(1, 10**12))
    test = value("rero.gaussian", ratio=max(distances), baseline=max(prior))
    assert found.lower <= test.upper


HARD = ["0,200,1000", "0,1e-3,1e-40", "1e-30,1e-20,1", "1e9,1e-9,3", "0,0,1", "1/100,1e6,1e6", "50,60,70"]


@pytest.mark.parametrize("distances", HARD)
@pytest.mark.parametrize("digits", [12, 30])
def test_distances_of_any_size(distances: str, digits: int) -> None:
    found = value("rero.support", digits, distances=distances, prior="1/2,1/4,1/4")
    assert found.is_tight(digits - 1)
    assert Fraction(1, 2) * (1 - Fraction(1, 10**digits)) <= found.lower <= found.upper <= 1


def test_support_closed_cases_and_dropped_weights() -> None:
    assert printed("rero.support", distances="0,0,0", prior="1/2,1/4,1/4")["success"] == ("0.5", "0.5")
    assert printed("rero.support", distances="3,5", prior="1,0")["success"] == ("1", "1")
    assert printed("rero.support", distances="1,2,7", prior="1/2,1/2,0") == printed("rero.support", distances="1,2")


def test_order_and_repetition_do_not_matter() -> None:
    distances = [Fraction(k, 7) for k in (1, 1, 2, 5, 5, 5)]
    shuffled = distances[:]
    random.Random(3).shuffle(shuffled)
    assert printed("rero.support", distances=distances) == printed("rero.support", distances=shuffled)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.fractions(0, 5, max_denominator=9), st.integers(1, 9)), min_size=2, max_size=4
    )
)
def test_levels_are_ordered_and_positive(groups: list[tuple[int, Fraction, int]]) -> None:
    total = sum(count * share for count, _, share in groups)
    for lower, upper in levels_for(
        [(count, distance, Fraction(share, total)) for count, distance, share in groups], 12
    ):
        assert 0 < lower < upper
