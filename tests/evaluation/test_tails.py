"""`eval tails.*`."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.errors import UnusableInput
from certify.evaluation import answer
from certify.kernel.enclosure import Enclosure


def value(statement: str, name: str, **given: str) -> Enclosure:
    found = answer(statement, given)[1].values[name]
    assert isinstance(found, Enclosure)
    return found


def test_normal_tails() -> None:
    assert value("tails.q", "q", t="0").text(12) == ("0.5", "0.5")
    assert value("tails.q1", "q1", t="-5").text(12)[0].startswith("5.00000005346")
    lower, upper = value("tails.q1", "q1", t="40").text(12)
    assert lower.startswith("9.12834472291") and lower.endswith("e-352") and upper.endswith("e-352")


def test_the_chi_tail_is_the_lesser_bound() -> None:
    """At r = sigma (sqrt k + 6), k = 10,000: 2.08e-17, against e^{-18} of the paper."""
    given = {"dimension": "10000", "radius": "106", "sigma": "1"}
    bound, paper = value("tails.chi", "bound", **given), value("tails.chi", "paper", **given)
    assert bound.text(6)[1] == "2.079142e-17"
    assert abs(paper.upper / Fraction("1.52299797447e-8") - 1) < Fraction(1, 10**11)
    large = {"dimension": "1000000000000000000", "radius": "1000000006", "sigma": "1"}
    assert value("tails.chi", "bound", **large).text(6)[1] == "1.090543e-17"


def test_a_radius_of_zero_bounds_nothing() -> None:
    assert value("tails.chi", "bound", dimension="3", radius="0", sigma="2").text(12) == ("1", "1")


@pytest.mark.parametrize("given", [{"dimension": "0"}, {"dimension": "1.5"}, {"radius": "-1"}, {"sigma": "0"}])
def test_inputs_out_of_range(given: dict[str, str]) -> None:
    with pytest.raises(UnusableInput):
        answer("tails.chi", {"dimension": "1", "radius": "1", "sigma": "1", **given})
