"""`eval gd.theorem-c13 variant=sharp`: figures, never above the fixed radii, given radii, counts that pass."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.errors import UnusableInput
from certify.evaluation import answer
from certify.evaluation.entries import Answer, Task
from certify.evaluation.gd_sharp import passing, passing_at
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import Limits, proved
from certify.search.sharp_scales import Problem
from certify.statements.descent.constants import Descent, logistic_constants, objective, released
from certify.statements.descent.sharp_trajectory import Loss, logistic_loss

EXAMPLE = {"n": "1000000", "d": "10000", "mu": "0.01", "loss": "logistic", "sigma_over_G": "5", "epsilon": "1"}


def asked(limits: Limits = Limits(), **given: str) -> Answer:
    return answer("gd.theorem-c13", {**EXAMPLE, "variant": "sharp", **given}, limits=limits)[1]


def enclosure(found: Answer, name: str) -> Enclosure:
    value = found.values[name]
    assert isinstance(value, Enclosure)
    return value


def unproved(found: Answer) -> list[str]:
    return [item.text for item in found.hypotheses if not proved([item])]


def test_the_sharp_certificate_of_the_example() -> None:
    found = asked(u="6", iterations="434")
    assert unproved(found) == []
    assert enclosure(found, "delta").upper < Fraction("9.9628e-8")
    assert set(found.values) == {
        *("alpha_bar", "tau", "s", "radius_gap", "radius_need", "delta"),
        *("radius", "domain_radius"),
    }
    reason = enclosure(found, "delta").reason
    assert reason is not None and reason.startswith("with origin slope, minimiser norm,") and "splits 19 and" in reason
    assert enclosure(found, "radius_need").upper <= enclosure(found, "radius_gap").lower


def test_a_general_loss_has_no_use_of_the_logistic_facts() -> None:
    given = {name: value for name, value in EXAMPLE.items() if name != "loss"}
    given |= {"L1": "1", "L2": "1/4", "L3": "1/10", "variant": "sharp", "iterations": "519"}
    found = answer("gd.theorem-c13", given)[1]
    reason = enclosure(found, "delta").reason
    assert reason is not None and reason.startswith("with nuclear displacement, chi tail;")
    assert enclosure(found, "delta").lower > Fraction("3.6e-8")  # twice the one-signed divergence stays


@given(
    st.booleans(),
    st.sampled_from(["0.5", "0.05", "0.01"]),
    st.integers(8, 60),
    st.integers(2, 6),
    st.integers(1, 30_000),
    st.sampled_from(["2", "4", "6", "40"]),
    st.sampled_from(["3", "5", "20"]),
    st.sampled_from(["0.3", "1", "3"]),
)
@settings(max_examples=25)
def test_never_above_the_fixed_radii(
    named: bool, mu: str, rounds: int, size: int, d: int, u: str, ratio: str, epsilon: str
) -> None:
    """Where the fixed radii certify, the sharp answer certifies too, with no larger upper end."""
    N = int(rounds * (1 + Fraction(1, 4) / Fraction(mu)))
    given = {"n": str(10**size), "d": str(d), "mu": mu, "sigma_over_G": ratio, "u": u, "epsilon": epsilon}
    given |= {"iterations": str(N)}
    given |= {"loss": "logistic"} if named else {"L1": "1", "L2": "1/4", "L3": "1/5"}
    fixed = answer("gd.theorem-c13", given)[1]
    if "delta" in fixed.values and proved(fixed.hypotheses):
        sharp = answer("gd.theorem-c13", {**given, "variant": "sharp"})[1]
        assert unproved(sharp) == []
        assert enclosure(sharp, "delta").upper <= enclosure(fixed, "delta").upper


def test_delta_falls_with_the_count_and_the_noise() -> None:
    deltas = [enclosure(asked(iterations=N), "delta").upper for N in ("434", "450", "519", "700", "1500")]
    assert deltas == sorted(deltas, reverse=True)
    deltas = [enclosure(asked(iterations="519", sigma_over_G=k), "delta").upper for k in ("4", "5", "6", "8")]
    assert deltas == sorted(deltas, reverse=True)


def test_radii_that_are_given_are_used() -> None:
    found = asked(iterations="519", radius="0.00105", domain_radius="0.0012")
    assert enclosure(found, "radius").text(12) == ("0.00105", "0.00105")
    assert enclosure(found, "domain_radius").text(12) == ("0.0012", "0.0012")
    assert enclosure(found, "radius_gap").text(12) == ("0.00015", "0.00015")
    least = asked(iterations="519", radius="0.00105")
    assert enclosure(least, "delta").upper < enclosure(found, "delta").lower
    assert enclosure(least, "radius_gap").upper < Fraction("0.0000521")


def test_a_value_without_meaning_is_left_out() -> None:
    found = asked(iterations="519", radius="0.00105", domain_radius="0.0011")
    assert unproved(found) == ["(47) G(1 - rho^N)/(mu alpha) <= r' - r"]
    assert "delta" not in found.values and "s" in found.values
    found = asked(iterations="5", u="6")
    assert "0 < alpha" in unproved(found)
    assert set(found.values) == {"alpha_bar", "radius_gap", "radius", "domain_radius"}
    found = asked(iterations="5", radius="0.001")
    assert "0 < alpha" in unproved(found)
    assert unproved(asked(iterations="519", epsilon="0.01")) == ["s_N <= epsilon"]


def test_a_domain_radius_needs_a_radius() -> None:
    with pytest.raises(UnusableInput, match="domain_radius is r' and needs radius"):
        asked(iterations="519", domain_radius="0.0012")


@pytest.mark.parametrize(
    "given",
    [
        {"sigma_over_G": "1e-400", "iterations": "519"},
        {"sigma_over_G": "1e400", "iterations": "519"},
        {"mu": "1e-300", "iterations": "2"},
        {"mu": "1e300", "iterations": "1"},
        {"iterations": "1000000000000000000"},
        {"d": "1000000000000000000", "n": "1000000000000000000", "iterations": "519"},
        {"epsilon": "0", "iterations": "519"},
        {"iterations": "519", "radius": "1e-300"},
        {"iterations": "519", "radius": "1e300", "domain_radius": "1e-300"},
    ],
)
def test_extreme_inputs_end_in_an_answer(given: dict[str, str]) -> None:
    found = asked(Limits(max_bits=512), **given)
    assert found.hypotheses
    assert ("delta" in found.values) is proved(found.hypotheses)


def problem(mu: str) -> Problem:
    def at(R: Intervals) -> tuple[Descent[Interval], Loss[Interval]]:
        p = objective(R, 10**6, R(Fraction(mu)), R(1), logistic_constants(R))
        return released(p, 10**4, 5 * p.G), logistic_loss(R)

    return at


def task() -> Task:
    limits = Limits()
    return Task(12, limits, limits.allowance())


@pytest.mark.parametrize(("mu", "count"), [("0.01", 434), ("0.001", 4850)])
def test_counts_that_pass(mu: str, count: int) -> None:
    """Against 519 and 6079 at fixed radii."""
    epsilon, delta = Fraction(1), Fraction("1e-7")
    found = passing(task(), problem(mu), epsilon, delta)
    assert found is not None and found.iterations == count and proved(found.conditions)
    assert passing_at(task(), problem(mu), count - 1, epsilon, delta) is None


def test_no_count_passes_below_the_limit() -> None:
    assert passing(task(), problem("0.01"), Fraction(1), Fraction("1e-8")) is None
    assert passing(task(), problem("0.01"), Fraction("0.02"), Fraction("1e-7")) is None
    assert passing_at(task(), problem("0.01"), 5, Fraction(1), Fraction("1e-7")) is None
