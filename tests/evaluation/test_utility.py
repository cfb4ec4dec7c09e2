"""`eval utility.*`: the figures of Example 4.8, the least calibrated count, hypotheses that fail."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.errors import UnusableInput
from certify.evaluation import answer
from certify.evaluation.entries import Answer
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import proved
from certify.search.utility import least_count

EXAMPLE = {"n": "1000000", "d": "10000", "mu": "0.01", "loss": "logistic", "sigma_over_G": "5", "iterations": "1500"}
CALIBRATE = {
    "n": "1000000",
    "d": "100",
    "loss": "logistic",
    "epsilon": "1",
    "delta": "1e-7",
    "delta_S": "0.01",
    "comparator_norm": "1",
}


def asked(statement: str, given: dict[str, str], **more: str) -> Answer:
    return answer(statement, {**given, **more})[1]


def near(found: Answer, name: str, digits: str) -> bool:
    """Whether the value is the printed one, rounded to nearest."""
    value = found.values[name]
    assert isinstance(value, Enclosure)
    place = len(digits.split("e")[0].split(".")[1])
    exponent = int(digits.split("e")[1]) if "e" in digits else 0
    room = Fraction(10) ** (exponent - place) / 2
    return value.lower - room <= Fraction(digits) <= value.upper + room


def unproved(found: Answer) -> list[str]:
    return [item.text for item in found.hypotheses if not proved([item])]


@pytest.mark.parametrize(
    ("statement", "more", "figures"),
    [
        ("utility.empirical", {}, {"optimization": "2.821143187e-27", "perturbation": "0.00005"}),
        ("utility.population", {"delta_S": "0.01"}, {"sample": "0.0585682723", "bound": "0.0586682723"}),
        ("utility.population", {"delta_S": "0.01", "iterations": "519"}, {"bound": "0.0586682726"}),
        ("utility.unregularized", {"delta_S": "0.01", "comparator_norm": "1"}, {"bound": "0.0636682723"}),
    ],
)
def test_figures_of_the_example(statement: str, more: dict[str, str], figures: dict[str, str]) -> None:
    found = asked(statement, EXAMPLE, **more)
    assert unproved(found) == []
    assert all(near(found, name, digits) for name, digits in figures.items())


def test_a_single_release() -> None:
    found = asked("utility.single-release", EXAMPLE, beta="0.001")
    assert set(found.values) == {"empirical"}
    found = asked("utility.single-release", EXAMPLE, beta="0.001", delta_S="0.01")
    assert set(found.values) == {"empirical", "sample", "bound"}
    empirical, sample, bound = (found.values[name] for name in ("empirical", "sample", "bound"))
    assert isinstance(empirical, Enclosure) and isinstance(sample, Enclosure) and isinstance(bound, Enclosure)
    assert bound.lower <= 2 * empirical.upper + sample.upper and 2 * empirical.lower + sample.lower <= bound.upper


def test_hypotheses_that_fail_are_named() -> None:
    found = asked("utility.empirical", EXAMPLE, step_size="5")
    assert unproved(found) == ["eta <= 1/L (as eta L <= 1)"] and "bound" in found.values
    found = asked("utility.empirical", EXAMPLE, step_size="200")
    assert "eta mu < 1" in unproved(found) and not found.values


def test_calibration() -> None:
    found = asked("utility.calibrate", CALIBRATE)
    assert unproved(found) == []
    assert list(found.values) == ["u", "sigma", "mu", "L", "M", "step_size", "iterations", "bound"]
    assert found.values["iterations"] == 365
    assert near(found, "u", "5.79848994679") and near(found, "mu", "0.0342315032356")
    found = asked("utility.calibrate", CALIBRATE, L="1", step_size="1/2", M="1")
    assert unproved(found) == []
    assert all(near(found, name, digits) for name, digits in (("L", "1.0"), ("M", "1.0"), ("step_size", "0.5")))


def test_calibration_where_the_finite_correction_binds() -> None:
    """A coarse case in which (7) alone is not enough: the count is the least with c_N <= epsilon/4 as well."""
    given = {"n": "3", "d": "1", "L1": "1", "L2": "1000", "L3": "1000", "epsilon": "0.001", "delta": "0.5"}
    found = asked("utility.calibrate", {**given, "delta_S": "0.5", "comparator_norm": "1000000"})
    assert unproved(found) == []
    assert isinstance(found.values["iterations"], int)


def test_calibration_out_of_range() -> None:
    found = asked("utility.calibrate", CALIBRATE, epsilon="2")
    assert unproved(found) == ["epsilon <= 1"]
    found = asked("utility.calibrate", CALIBRATE, step_size="100")
    assert "eta <= 1/L (as eta L <= 1)" in unproved(found)
    assert "iterations" not in found.values and "bound" not in found.values
    for name, value in (("delta", "1"), ("delta_S", "0"), ("comparator_norm", "0"), ("epsilon", "0")):
        with pytest.raises(UnusableInput):
            asked("utility.calibrate", CALIBRATE, **{name: value})


@pytest.mark.parametrize(("first", "start", "most"), [(1, 1, 10), (7, 1, 10), (10, 1, 10), (1000, 3, 10**6), (3, 3, 3)])
def test_least_count(first: int, start: int, most: int) -> None:
    assert least_count(lambda N: first <= N, start, most) == first
    assert least_count(lambda N: most < N, start, most) is None
