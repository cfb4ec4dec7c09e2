"""`certify eval gaussian.*`: the measured traps, closed cases, refusals."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from certify.evaluation import answer
from certify.kernel.decision import Decision
from certify.kernel.loop import Limits
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


EXTREMES = [
    ("gaussian.epsilon", {"delta": "1e-9999", "ratio": "1e-9999"}, "epsilon", "0"),
    ("gaussian.epsilon", {"delta": "1e-9999", "ratio": "1e-9990"}, "epsilon", "5.699073358836e-9990"),
    ("gaussian.epsilon", {"delta": "0.3829249225480262072", "ratio": "1"}, "epsilon", "2.444085783794e-19"),
    ("gaussian.epsilon", {"delta": "0.382924922548026", "ratio": "1"}, "epsilon", "6.717996457647e-16"),
    ("gaussian.epsilon", {"delta": "1/2", "ratio": "1e30"}, "epsilon", "5.000000000001e59"),
    ("gaussian.sigma", {"epsilon": "1e18", "delta": "1e-5", "sensitivity": "1"}, "sigma", "7.07106783319e-10"),
    ("gaussian.sigma", {"epsilon": "1e9999", "delta": "1e-5", "sensitivity": "1"}, "sigma", "2.2360679775e-5000"),
    ("gaussian.sigma", {"epsilon": "0", "delta": "1e-310", "sensitivity": "1"}, "sigma", "3.989422804015e309"),
    ("gaussian.sigma", {"epsilon": "1e-400", "delta": "1e-400", "sensitivity": "1"}, "sigma", "2.760298047982e399"),
    ("gaussian.profile", {"epsilon": "1", "ratio": "1e9999"}, "delta", "1"),
    ("gaussian.profile", {"epsilon": "0", "ratio": "1e-1300"}, "delta", "3.989422804015e-1301"),
]


@pytest.mark.parametrize(("name", "inputs", "value", "upper"), EXTREMES)
def test_extreme_inputs_are_enclosed_to_all_digits(name: str, inputs: dict[str, str], value: str, upper: str) -> None:
    """Beyond the range of doubles, and where the tight epsilon is all but 0."""
    _, found = answer(name, inputs)
    enclosure = found.values[value]
    assert not isinstance(enclosure, int)
    assert enclosure.text()[1] == upper
    assert enclosure.lower >= 0
    assert enclosure.is_tight(12)
    assert not found.hypotheses


def test_what_the_limits_leave_wide_is_undecided() -> None:
    """No finite end, or a wide enclosure, never passes for an answer."""
    inputs = {"epsilon": "2", "delta": "1e-6", "sensitivity": "1"}
    for limits in (Limits(max_evaluations=0), Limits(max_evaluations=5)):
        _, found = answer("gaussian.sigma", inputs, 12, limits)
        assert [item.decision for item in found.hypotheses] == [Decision.UNDECIDED]
    _, found = answer("tails.q", {"t": "1e10"})
    assert [item.decision for item in found.hypotheses] == [Decision.UNDECIDED]


def test_a_wide_bracket_is_proved_where_a_narrow_one_is_not() -> None:
    """At 64 bits fifty digits are out of reach, a factor of two is not."""
    _, found = answer("gaussian.sigma", {"epsilon": "2", "delta": "1e-6", "sensitivity": "1"}, 50, Limits(max_bits=64))
    sigma = found.values["sigma"]
    assert not isinstance(sigma, int)
    assert 1 < sigma.lower < Fraction("2.2305") < sigma.upper < 5


@pytest.mark.slow
def test_every_scale_of_epsilon_delta_and_ratio_is_enclosed() -> None:
    """Random exponents far beyond doubles, and delta near 1: always a tight proved bracket."""
    drawn = random.Random(5)
    exponents = [-9999, -4000, -3000, -1000, -310, -300, -100, -20, -5, 0, 1, 3, 8, 18, 25, 100, 300, 1000, 9998]
    for _ in range(300):
        scale = f"{drawn.randint(1, 9)}e{drawn.choice(exponents)}"
        delta = Fraction(f"{drawn.randint(1, 9)}e{drawn.choice([-9999, -3000, -310, -100, -9, -3, -1])}")
        if drawn.random() < 0.2:
            delta = 1 - Fraction(1, 10 ** drawn.choice([3, 18, 300]))
        for name, inputs in (
            ("gaussian.sigma", {"epsilon": scale, "delta": delta, "sensitivity": 1}),
            ("gaussian.epsilon", {"ratio": scale, "delta": delta}),
        ):
            assert not answer(name, inputs)[1].hypotheses, (name, inputs)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("gaussian.sigma", {"epsilon": "2", "delta": "1e-6", "sensitivity": "1"}),
        ("gaussian.epsilon", {"delta": "1e-6", "ratio": "1"}),
        ("ball.transfer", {"epsilon": "2", "delta": "1e-6", "factor": "2"}),
        ("rero.support", {"distances": "1,2,3"}),
    ],
)
def test_digits_beyond_the_bits_are_not_searched_for(name: str, inputs: dict[str, str]) -> None:
    """A thousand digits at 64 bits: what the bits carry, marked as undecided."""
    _, found = answer(name, inputs, 1000, Limits(max_bits=64))
    assert found.hypotheses[-1].decision is Decision.UNDECIDED
    [value] = found.values.values()
    assert not isinstance(value, int)
    assert value.is_bounded
