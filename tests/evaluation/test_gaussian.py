"""`certify eval gaussian.*`: the measured traps, closed cases, refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.evaluation import answer
from certify.kernel.decision import Decision
from tests.evaluation.asked import agrees, printed, refused, value

SIGMAS = [
    ("1", "1e-5", "3.730631634815941832250"),
    ("1", "1e-15", "7.487009467986595463506"),
    ("0.1", "1e-20", "85.33328230163481410226"),
    ("1", "1e-300", "36.86549789411109965354"),
    ("50", "1e-5", "0.1497606075608360193517"),
    ("1000", "1e-5", "0.02458178335165427946671"),
    ("10000", "1e-5", "0.007287157452781051919927"),
    ("0", "1e-6", "398942.2804013282350952"),
    ("1/10", "1/100000", "30.7495661319774502389420"),
]


@pytest.mark.parametrize(("epsilon", "delta", "sigma"), SIGMAS)
@pytest.mark.parametrize("digits", [12, 30])
def test_calibration(epsilon: str, delta: str, sigma: str, digits: int) -> None:
    found = value("gaussian.sigma", digits, epsilon=epsilon, delta=delta, sensitivity="1")
    assert found.is_tight(digits - 1)
    assert agrees(found.text(digits), sigma)


def test_calibration_is_proportional_to_the_sensitivity_and_closed_where_it_degenerates() -> None:
    assert agrees(
        printed("gaussian.sigma", epsilon=1, delta="1e-5", sensitivity="10")["sigma"], "37.30631634815941832250"
    )
    assert printed("gaussian.sigma", epsilon=1, delta="1e-5", sensitivity=0)["sigma"] == ("0", "0")
    assert printed("gaussian.sigma", epsilon=1, delta=1, sensitivity=1)["sigma"] == ("0", "0")
    none = value("gaussian.sigma", epsilon=1, delta=0, sensitivity=1)
    assert none.text(12)[1] == "inf"
    assert "no finite sigma" in (none.reason or "")


PROFILES = [("1", "1/60", "5.664472825e-788"), ("1e-30", "1e-30", "8.33155e-32")]


@pytest.mark.parametrize(("epsilon", "ratio", "delta"), PROFILES)
def test_profile(epsilon: str, ratio: str, delta: str) -> None:
    assert agrees(printed("gaussian.profile", epsilon=epsilon, ratio=ratio)["delta"], delta)
    sigma = 1 / Fraction(ratio)
    assert agrees(printed("gaussian.profile", epsilon=epsilon, sensitivity=1, sigma=sigma)["delta"], delta)


def test_profile_needs_one_description_of_the_ratio() -> None:
    assert printed("gaussian.profile", epsilon=1, ratio=0)["delta"] == ("0", "0")
    refused("gaussian.profile", "ratio", epsilon=1)
    refused("gaussian.profile", "ratio", epsilon=1, ratio=1, sigma=1)
    refused("gaussian.profile", "epsilon", epsilon=-1, ratio=1)
    refused("gaussian.profile", "sigma", epsilon=1, sensitivity=1, sigma=0)


EPSILONS = [("1e-5", "1000", "504263.8929206541"), ("1e-5", "2", "9.997256146434300")]


@pytest.mark.parametrize(("delta", "ratio", "epsilon"), EPSILONS)
def test_tight_epsilon(delta: str, ratio: str, epsilon: str) -> None:
    assert agrees(printed("gaussian.epsilon", delta=delta, ratio=ratio)["epsilon"], epsilon)


def test_tight_epsilon_closed_cases() -> None:
    for delta, ratio in (("1e-5", 0), (1, 3), ("1/2", 1)):
        assert printed("gaussian.epsilon", delta=delta, ratio=ratio)["epsilon"] == ("0", "0")
    assert value("gaussian.epsilon", delta=0, ratio=1).text(12)[1] == "inf"


@pytest.mark.parametrize(
    ("epsilon", "delta", "meets"),
    [("8", "1e-6", True), ("8.9", "1e-6", False), ("8.4", "1e-5", True), ("8.43", "1e-5", False)],
)
def test_classic_formula_says_both_things(epsilon: str, delta: str, meets: bool) -> None:
    """The hypothesis epsilon < 1 fails, and the profile at the formula's sigma says whether it serves all the same."""
    _, found = answer("gaussian.classic", {"epsilon": epsilon, "delta": delta, "sensitivity": 1})
    assert [item.decision for item in found.hypotheses] == [Decision.DISPROVED]
    spent = found.values["delta"]
    assert not isinstance(spent, int)
    assert (spent.upper <= Fraction(delta)) is meets
    assert (spent.lower > Fraction(delta)) is not meets


def test_classic_formula_in_its_range() -> None:
    _, found = answer("gaussian.classic", {"epsilon": "1/2", "delta": "1e-6", "sensitivity": 1})
    assert [item.decision for item in found.hypotheses] == [Decision.PROVED]


def test_composition() -> None:
    found = printed("gaussian.compose", ratios="3/10,4/10", epsilon=1)
    assert found["ratio"] == ("0.5", "0.5")
    assert found["delta"] == printed("gaussian.profile", epsilon=1, ratio="1/2")["delta"]
    assert printed("gaussian.compose", ratios=["0", 0], epsilon=1)["delta"] == ("0", "0")
    refused("gaussian.compose", "ratios", ratios="1,-1", epsilon=1)


def test_group_privacy_by_scaling_is_false() -> None:
    """sigma*(1, 1e-5) at distance 2 has delta(2) = 3.21842964127e-5, not 2e-5."""
    sigma = "3.730631634815941832250"
    assert agrees(printed("gaussian.profile", epsilon=2, sensitivity=2, sigma=sigma)["delta"], "3.21842964127e-5")


def test_a_variance_read_as_a_deviation() -> None:
    assert agrees(printed("gaussian.profile", 3, epsilon=1, ratio=1 / Fraction("1.93148"))["delta"], "8.47e-3")
