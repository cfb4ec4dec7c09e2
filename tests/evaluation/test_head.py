"""`certify eval head.*`."""

from __future__ import annotations

import pytest

from tests.evaluation.asked import agrees, printed, refused, value

FACTS = [
    ("squared-hinge", {}, "30.284", "26.495"),
    ("binary-logistic", {}, "2.3992", "2.146"),
    ("softmax", {"classes": 10}, "8.8338", "3.285"),
    ("squared-hinge", {"constant": "paper"}, "58.569", "58.57"),
    ("binary-logistic", {"constant": "paper"}, "51", "51"),
    ("softmax", {"classes": 10, "constant": "paper"}, "142.836", "142.8"),
]


@pytest.mark.parametrize(("head", "more", "lipschitz", "difference"), FACTS)
def test_facts_and_names(head: str, more: dict[str, object], lipschitz: str, difference: str) -> None:
    found = printed(f"head.{head}", feature_bound=1, lambda_="0.01", ball_radius=1, **more)
    assert list(found) == ["radius", "lipschitz", "any_record", "difference"]
    assert agrees(found["lipschitz"], lipschitz)
    assert agrees(found["difference"], difference)
    assert "difference" not in printed(f"head.{head}", feature_bound=1, lambda_="0.01", **more)


def test_a_rational_cap_is_printed_exactly_and_the_radius_is_cut() -> None:
    whole = printed("head.softmax", feature_bound=1, lambda_="0.01", classes=10, ball_radius=7)
    assert whole["any_record"] == whole["difference"] == ("4", "4")
    assert printed("head.squared-hinge", feature_bound=1, lambda_="0.02", ball_radius=0)["difference"] == ("0", "0")
    assert printed("head.squared-hinge", feature_bound=1, lambda_="0.02")["radius"] == ("5", "5")


@pytest.mark.parametrize("head", ["squared-hinge", "binary-logistic", "softmax"])
def test_extreme_inputs_are_enclosed(head: str) -> None:
    more = {"classes": 10**18} if head == "softmax" else {}
    for lam, bound in (("1e-30", "1"), ("1e30", "1"), ("1", "1e-30"), ("1", "1e30"), ("1", "0"), ("1e-100", "1e50")):
        found = value(f"head.{head}", feature_bound=bound, lambda_=lam, **more)
        assert found.is_tight(10) or found.upper == 0


def test_fifty_digits() -> None:
    assert value("head.binary-logistic", 50, feature_bound=1, lambda_=4).is_tight(50)


def test_refusals() -> None:
    refused("head.softmax", "classes", feature_bound=1, lambda_=1, classes=1)
    refused("head.softmax", "classes", feature_bound=1, lambda_=1)
    refused("head.squared-hinge", "constant", feature_bound=1, lambda_=1, constant="best")
    refused("head.squared-hinge", "feature_bound", feature_bound=-1, lambda_=1)
    refused("head.squared-hinge", "classes", feature_bound=1, lambda_=1, classes=2)
    refused("head.ridge-prototype", "min_class_count", radius=1, lambda_=1, n=5, min_class_count=6)
    refused("head.ridge-prototype", "radius", radius=-1, lambda_=1, n=5)


def test_prototypes_are_rational() -> None:
    assert printed("head.ridge-prototype", radius=1, lambda_="0.01", n=200)["sensitivity"] == ("0.5", "0.5")
    found = printed("head.ridge-prototype", radius="0.14", lambda_="0.01", n=1797, min_class_count=174)["sensitivity"]
    assert agrees(found, "7.6509e-4")
