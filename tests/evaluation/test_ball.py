"""`certify eval ball.*`."""

from __future__ import annotations

import pytest

from tests.evaluation.asked import agrees, printed, refused, value


def test_a_tie_is_exact() -> None:
    assert printed("ball.sensitivity", lipschitz=1, radius=1, lambda_="0.1", n=10) == {"sensitivity": ("1", "1")}
    assert printed("ball.sensitivity", difference=1, lambda_="0.1", n=10) == {"sensitivity": ("1", "1")}
    inexact = printed("ball.sensitivity", difference=1, lambda_="0.1", n=10, gradient_tolerance="0.01")
    assert inexact == {"sensitivity": ("1.2", "1.2")}


def test_sensitivity_needs_one_description_of_the_difference() -> None:
    refused("ball.sensitivity", "difference", lipschitz=1, lambda_=1, n=1)
    refused("ball.sensitivity", "difference", difference=1, radius=1, lambda_=1, n=1)
    refused("ball.sensitivity", "lambda", difference=1, lambda_=0, n=1)
    refused("ball.sensitivity", "n", difference=1, lambda_=1, n="3/2")
    refused("ball.sensitivity", "gradient_tolerance", difference=1, lambda_=1, n=1, gradient_tolerance=-1)


TRANSFERS = [("2", {}, "5.0710e-6"), ("5", {}, "1.565e-4"), ("2", {"epsilon_t": "4"}, "5.0710e-6")]


@pytest.mark.parametrize(("factor", "more", "delta"), TRANSFERS)
@pytest.mark.parametrize("digits", [12, 50])
def test_transfer(factor: str, more: dict[str, str], delta: str, digits: int) -> None:
    found = value("ball.transfer", digits, epsilon=2, delta="1e-6", factor=factor, **more)
    assert found.is_tight(digits)
    assert agrees(found.text(digits), delta)


def test_transfer_closed_cases() -> None:
    at = lambda **inputs: printed("ball.transfer", **inputs)["delta_t"]  # noqa: E731
    assert at(epsilon=2, delta="1e-6", factor=1) == ("1e-6", "1e-6")
    assert at(epsilon=2, delta="1e-6", factor=0) == ("0", "0")
    assert at(epsilon=2, delta=0, factor=3) == ("0", "0")
    assert at(epsilon=2, delta=1, factor=3) == ("1", "1")


def test_transfer_grows_with_the_factor_and_falls_with_epsilon() -> None:
    at = lambda factor, epsilon: value("ball.transfer", epsilon=2, delta="1e-6", factor=factor, epsilon_t=epsilon)  # noqa: E731
    assert at(1, "2.1").upper < at(1, "1.9").lower
    assert at("1.5", 2).upper < at("1.6", 2).lower
    assert value("ball.transfer", epsilon=0, delta="0.1", factor=2).lower > 0.1


def test_transfer_far_down_and_far_out() -> None:
    assert value("ball.transfer", epsilon=1, delta="1e-300", factor="1/1000").is_tight(12)
    assert value("ball.transfer", epsilon=1, delta="1e-5", factor=1000).is_tight(12)
