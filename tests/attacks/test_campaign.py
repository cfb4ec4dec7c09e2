"""The campaign of random changes in the size of continuous integration, and that it sees a checker that is too kind."""

from __future__ import annotations

import pytest

from certify.checker import verify as checker
from certify.statements.rules.written import Refused
from tests.attacks.campaign import FULL, MOST_SECONDS, run


def test_no_random_change_is_accepted() -> None:
    outcome = run(200)
    assert (outcome.untrue, outcome.raised) == ([], [])
    assert outcome.refused > 170 and outcome.slowest < MOST_SECONDS


@pytest.mark.slow
def test_no_random_change_is_accepted_among_two_thousand() -> None:
    outcome = run(FULL // 10, seed=7, whole=True)
    assert (outcome.untrue, outcome.raised) == ([], [])
    assert outcome.slowest < MOST_SECONDS
    assert outcome.true < outcome.changes // 20


def test_a_checker_that_compares_no_text_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the differences not looked at, untrue certificates would pass, and the campaign would say so."""
    monkeypatch.setattr(checker, "_differences", lambda *_: iter(()))
    assert run(100).untrue


@pytest.mark.slow
def test_a_checker_that_believes_the_printed_numbers_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were enclosures not held against the value, a changed digit would pass."""
    right = checker._is_within

    def kind(place: str, given: dict[str, object], expected: object) -> bool:
        try:
            return right(place, given, expected)  # type: ignore[arg-type]
        except Refused:
            return True

    monkeypatch.setattr(checker, "_is_within", kind)
    assert run(400, seed=5).untrue
