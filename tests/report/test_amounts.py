"""Amounts in words are proved: what is printed as "at least" lies below, what is printed as a bound lies outside."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import fractions
from mpmath.libmp import finf, fninf, from_man_exp

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.report.amounts import condition_sentence, in_words

from .samples import HOLDS, MISSED, OPEN, RADICAL, condition, number, span

INFINITE = Enclosure(RADICAL.low, finf, "the tail has no bound")


@pytest.mark.parametrize(
    ("enclosure", "words"),
    [
        (number("0.001"), "0.001"),
        (span("1", "2"), "between 1 and 2"),
        (INFINITE, "at least 1.414, with no bound above (the tail has no bound)"),
        (Enclosure(fninf, RADICAL.high), "at most 1.415"),
        (Enclosure(fninf, finf), "without a known bound"),
    ],
)
def test_in_words(enclosure: Enclosure, words: str) -> None:
    assert in_words(enclosure, 3) == words


def test_a_condition_that_holds() -> None:
    told = condition_sentence(HOLDS, 12)
    assert told == 'the hypothesis "epsilon >= 0" holds: the left side is 0; the right side is 2'


def test_a_miss_says_by_how_much_and_how_many_times() -> None:
    told = condition_sentence(MISSED, 12)
    assert "does not hold" in told
    assert "too large by at least 0.00003109;" in told
    assert "at least 32.09 times the right side" in told


def test_a_narrow_miss_is_a_percentage() -> None:
    told = condition_sentence(condition("x <= y", Decision.DISPROVED, number("1.001"), number(1)), 12)
    assert "too large by 0.001, which is at least 0.1 % of the right side" in told


def test_a_miss_of_zero_or_less_has_no_ratio() -> None:
    told = condition_sentence(condition("x <= 0", Decision.DISPROVED, number(1), number(0)), 12)
    assert told.endswith("the left side is too large by 1")


def test_a_tie_under_a_strict_relation() -> None:
    tie = condition("x < 1", Decision.DISPROVED, number(1), number(1), relation="<")
    assert condition_sentence(tie, 12).endswith("the left side must be strictly smaller")


def test_undecided_names_the_bits() -> None:
    assert 'the inequality "Delta <= 1" is undecided at 4096 bits: the left side' in condition_sentence(OPEN, 12)
    cut_off = replace(OPEN, left=number(0), right=number(0))
    assert condition_sentence(cut_off, 12).endswith("is undecided at 4096 bits")


def test_far_exponents_are_told_at_once() -> None:
    huge = from_man_exp(3, 10**12)
    told = condition_sentence(condition("x <= 1", Decision.DISPROVED, Enclosure(huge, huge), number(1)), 12)
    assert "times the right side" in told


@given(left=fractions(min_value="1/1000", max_value=1000), right=fractions(min_value="1/1000", max_value=1000))
def test_the_excess_told_is_never_more_than_the_truth(left: Fraction, right: Fraction) -> None:
    if left <= right:
        return
    told = condition_sentence(condition("x <= y", Decision.DISPROVED, number(left), number(right)), 12)
    excess = told.split("too large by ")[1].removeprefix("at least ")
    assert 0 < Fraction(excess.replace(";", ",").split(",")[0]) <= left - right
    share = told.rsplit("at least ", 1)[1]
    if "times" in share:
        assert 2 <= Fraction(share.split()[0]) <= left / right
    else:
        assert Fraction(share.split()[0]) <= (left - right) / right * 100
