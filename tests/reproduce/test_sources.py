"""Sources of true values: multiples, quotients, compositions, and the lack of a bound passed on with its reason."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.errors import CertifyError
from certify.evaluation.entries import exactly, unbounded
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.reproduce.ball_dp import classic_failure
from certify.reproduce.figure import PLAIN, figures, printed_value
from certify.reproduce.sources import computed, evaluated, quotient, through
from certify.statements.gaussian import classic_sigma, profile

BENCHMARK = {"ratio": "1/5", "epsilon": "1"}


def around(digits: int) -> Enclosure:
    return Enclosure(Fraction(3) - Fraction(1, 10**digits), Fraction(3) + Fraction(1, 10**digits))


def test_a_multiple_of_a_value() -> None:
    once = evaluated("gd.benchmark", "profile", BENCHMARK)(12)
    twice = evaluated("gd.benchmark", "profile", BENCHMARK, 2)(12)
    assert (twice.lower, twice.upper) == (2 * once.lower, 2 * once.upper)


def test_a_missing_value_has_no_bound_and_says_so() -> None:
    found = evaluated("gd.benchmark", "delta", BENCHMARK)(12)
    assert not found.is_bounded
    assert found.reason == "gd.benchmark gives no delta here"


def test_a_quotient_encloses() -> None:
    found = quotient(around, around)(6)
    assert found.lower < 1 < found.upper
    assert found.upper - found.lower < Fraction(1, 10**5)
    assert not quotient(around, lambda digits: exactly(Fraction(0 * digits)))(6).is_bounded
    assert not quotient(lambda digits: unbounded(f"none at {digits}"), around)(6).is_bounded


def test_a_composition_encloses() -> None:
    found = through(around, lambda R, x: R(1) / x)(12)
    assert found.lower < Fraction(1, 3) < found.upper
    assert found.is_tight(12)
    assert through(lambda digits: unbounded(f"none at {digits}"), lambda R, x: x + R(1))(12).reason == "none at 18"


def test_the_classic_formula_fails_from_the_root_on_and_not_before() -> None:
    delta = Fraction(1, 10**6)
    root = computed(lambda R: classic_failure(R, R(delta)))(9)

    def spent(R: Intervals, epsilon: Fraction) -> Enclosure:
        sigma = classic_sigma(R, R(epsilon), R(delta), R(1))
        return Enclosure.of(profile(R, R(epsilon), R(1) / sigma))

    R = Intervals(128)
    step = Fraction(1, 10**6)
    assert spent(R, root.lower - step).upper < delta < spent(R, root.upper + step).lower
    assert spent(R, Fraction(8)).upper < delta


@pytest.mark.parametrize("cut", ["up nearest", "nearest  up", "", "about"])
def test_a_record_in_other_words_is_refused(cut: str) -> None:
    with pytest.raises(CertifyError, match="is not a cut"):
        figures("nowhere", ("1", "one", PLAIN, cut, "n/a", lambda digits: exactly(digits)))


@pytest.mark.parametrize("text", ["-1", "+1", "1.", ".5", "1e+3"])
def test_other_spellings_are_not_printed_figures(text: str) -> None:
    with pytest.raises(CertifyError, match="not a printed decimal"):
        printed_value(text)
