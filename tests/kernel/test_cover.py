"""Ranges of counts excluded at once: what is proved, where it stops, and that nothing false is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.kernel.cover import Range, cover, excluded
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted
from certify.kernel.loop import Limits
from certify.statements.language import Condition, below


def _failing(bad: frozenset[int]) -> Callable[[Range], bool]:
    return lambda counts: all(n in bad for n in range(counts.lower, counts.upper + 1))


@given(st.frozensets(st.integers(1, 40)), st.integers(1, 20), st.integers(0, 40))
def test_a_cover_is_the_longest_failing_start(bad: frozenset[int], lower: int, upper: int) -> None:
    """The ranges adjoin from the lower end and stop just below the first count that does not fail."""
    ranges = cover(_failing(bad), Range(lower, upper))
    covered = [n for part in ranges for n in range(part.lower, part.upper + 1)]
    expected = []
    for n in range(lower, upper + 1):
        if n not in bad:
            break
        expected.append(n)
    assert covered == expected


def test_a_cover_keeps_what_was_proved_when_the_work_runs_out() -> None:
    """The ranges proved before the limit stand; nothing is added."""

    def fails(counts: Range) -> bool:
        if counts.upper > 8:
            if counts.lower > 8:
                raise WorkExhausted
            return False
        return True

    assert cover(fails, Range(1, 16)) == (Range(1, 8),)


def _below_root(R: Intervals, N: Interval) -> Iterator[Condition[Interval]]:
    """Every N with N sqrt 2 < 2 10^20 fails."""
    yield below("N sqrt 2 < 2 10^20", N * R.sqrt(R(2)), R(2 * 10**20))


def test_exclusion_raises_the_precision_where_halving_does_not_help() -> None:
    """A count next to the border needs more than 64 bits; one beyond it is never excluded."""
    border = 141421356237309504880  # floor of sqrt(2) 10^20
    allowance = Allowance(1000)
    assert excluded(_below_root, Range(border - 1, border), Limits(), allowance)
    assert not excluded(_below_root, Range(border, border + 1), Limits(), allowance)
    assert not excluded(_below_root, Range(border + 1, border + 1), Limits(), allowance)


def test_a_wide_range_is_left_to_halving_where_its_last_count_fails_alone() -> None:
    """N (10 - N) > 0 over [1, 9] is lost to the width of the interval, not to the precision: 64 bits are tried only."""
    seen: list[int] = []

    def obstructions(R: Intervals, N: Interval) -> Iterator[Condition[Interval]]:
        seen.append(R.bits)
        yield below("1 < N (10 - N) - N", R(1), N * (10 - N) - N + R(1))

    assert not excluded(obstructions, Range(1, 8), Limits(), Allowance(1000))
    assert seen == [64, 64]
    parts = cover(lambda part: excluded(obstructions, part, Limits(), Allowance(1000)), Range(1, 8))
    assert parts[0].lower == 1
    assert parts[-1].upper == 8


def test_a_count_that_no_obstruction_excludes_costs_every_precision_and_ends() -> None:
    """An undecidable tie stays open at the cap."""

    def tie(R: Intervals, N: Interval) -> Iterator[Condition[Interval]]:
        root = R.sqrt(R(2))
        yield below("sqrt 2 sqrt 2 < 2", root * root, R(2) + 0 * N)

    assert not excluded(tie, Range(1, 1), Limits(max_bits=256), Allowance(1000))
    with pytest.raises(WorkExhausted):
        excluded(tie, Range(1, 1), Limits(), Allowance(1))
