"""The loop: precision grows until decided, limits leave the rest undecided, and nothing else changes an answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import pytest

from certify.errors import CertifyError
from certify.kernel.decision import Decision
from certify.kernel.interval import Allowance, Interval, Intervals
from certify.kernel.loop import Decided, Limits, decide, enclose, precisions, proved


@dataclass(frozen=True)
class Stated:
    """A condition, as the statements' language has it."""

    text: str
    left: Interval
    relation: Literal["<=", "<"]
    right: Interval
    role: Literal["hypothesis", "conclusion"] = "hypothesis"


def near_pi(R: Intervals) -> Iterator[Stated]:
    """Settled at 64 bits, only at 256 bits, and at once."""
    digits = Fraction(31415926535897932384626433832795028841971693993751, 10**49)
    yield Stated("3 < pi", R(3), "<", R.pi)
    yield Stated("fifty digits < pi", R(digits), "<", R.pi)
    yield Stated("pi <= 3", R.pi, "<=", R(3), "conclusion")


def identity(R: Intervals) -> Iterator[Stated]:
    """A tie that intervals never decide."""
    yield Stated("exp(log 2) <= 2", R.exp(R.log(R(2))), "<=", R(2))


def test_each_condition_keeps_its_first_decision() -> None:
    """With the bits that it took."""
    found = decide(near_pi)
    assert [(d.decision, d.bits) for d in found] == [
        (Decision.PROVED, 64),
        (Decision.PROVED, 256),
        (Decision.DISPROVED, 64),
    ]
    assert (found[2].text, found[2].role, found[2].relation) == ("pi <= 3", "conclusion", "<=")
    assert found[1].left.text(12) == ("3.141592653589", "3.14159265359")
    assert not proved(found)
    assert proved(found[:2])
    assert not proved(())


def test_a_tie_stays_undecided_at_the_cap() -> None:
    """And a tie of rationals is decided at once."""
    (found,) = decide(identity, Limits(max_bits=500))
    assert (found.decision, found.bits) == (Decision.UNDECIDED, 500)
    (found,) = decide(lambda R: [Stated("1 <= 10/10", R(1), "<=", R(Fraction(1, 10)) * 10)])
    assert (found.decision, found.bits) == (Decision.PROVED, 64)


def test_precisions_end_at_the_cap() -> None:
    """64, 128, ... and the cap itself, also where it is no doubling or below 64."""
    assert list(precisions(Limits(max_bits=300))) == [64, 128, 256, 300]
    assert list(precisions(Limits(max_bits=64))) == [64]
    assert list(precisions(Limits(max_bits=20))) == [20]


@pytest.mark.parametrize("evaluations", range(8))
def test_a_limit_on_evaluations_leaves_undecided(evaluations: int) -> None:
    """The same limit gives the same answer; what it cuts off is marked, and nothing is proved."""
    limits = Limits(max_bits=128, max_evaluations=evaluations)
    found = decide(identity, limits)
    assert found == decide(identity, limits)
    assert all(d.decision is Decision.UNDECIDED for d in found)
    assert (found[-1].text == "the evaluation ended within its limits") == (evaluations < 6)
    assert not proved(found)


def test_a_limit_of_seconds_leaves_undecided() -> None:
    """Time changes no decision; it only ends the search for one."""
    found = decide(identity, Limits(seconds=0))
    assert [d.decision for d in found] == [Decision.UNDECIDED]
    assert not found[0].left.is_bounded
    assert proved(decide(near_pi, Limits(seconds=60))[:2])


def test_an_allowance_is_shared() -> None:
    """Two decisions may draw on one count, and an allowance of none is not taken for no limit."""
    allowance = Allowance(0)
    assert not proved(decide(identity, allowance=allowance))
    assert enclose(lambda R: {"e": R.exp(R(1))}, allowance=allowance) == {}


def test_a_statement_that_changes_is_refused() -> None:
    """A decision is kept for a condition, not for a place in the list."""

    def changing(R: Intervals) -> Iterator[Stated]:
        yield Stated(f"at {R.bits}", R(1), "<", R(2))
        yield from identity(R)

    with pytest.raises(CertifyError, match="at 64"):
        decide(changing)


def test_values_are_enclosed_to_the_digits_asked() -> None:
    """Each value keeps the first enclosure that is tight."""
    asked = enclose(lambda R: {"e": R.exp(R(1)), "third": R(Fraction(1, 3)), "pi": R.pi}, digits=30)
    assert asked["e"].text(30)[0] == "2.718281828459045235360287471352"
    assert asked["third"].lower == asked["third"].upper == Fraction(1, 3)
    assert all(enclosure.is_tight(30) for enclosure in asked.values())
    assert not enclose(lambda R: {"zero": R.pi - R.pi}, limits=Limits(max_bits=128))["zero"].is_tight(1)


def _texts(found: tuple[Decided, ...]) -> list[tuple[str, str, int, tuple[str, str]]]:
    return [(d.text, d.decision.value, d.bits, d.right.text(40)) for d in found]


def test_threads_give_the_same_answer() -> None:
    """Precision is no global state."""
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: _texts(decide(near_pi, Limits(max_bits=256 + n % 3))), range(12)))
    assert all(answer == answers[0] for answer in answers)


PROGRAM = """
from certify.kernel.interval import Intervals
from certify.kernel.enclosure import Enclosure
from fractions import Fraction
R = Intervals(90)
x = R(Fraction(-7, 3))
values = [R.exp(x), R.log(-x), R.upper_tail(x), R.mills(x), R.q1(-x), R.upper_quantile(R(Fraction(1, 10**9))),
          R.poisson_below(30, R(40)), R.power(-x, R(Fraction(1, 3))), R(1) / (R.pi - R.pi), R.sqrt(R(2))]
print([Enclosure.of(v).text(30) for v in values])
try:
    bool(x)
except TypeError:
    print("refused")
"""


def test_an_optimised_interpreter_gives_the_same_answer() -> None:
    """``python -O`` drops assertions, and the kernel has none."""
    answers = {
        subprocess.run([sys.executable, *flags, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
        for flags in ([], ["-O"], ["-OO"])
    }
    assert len(answers) == 1
    assert "refused" in answers.pop()
