"""Ranges of counts excluded at once: every N in a range fails, by one evaluation on the interval of all of them.

A statement gives obstructions: inequalities of which any single one, proved on an interval of counts, shows that every
count in it fails. A range that no obstruction excludes is halved, so the work grows with the logarithm of the counts.
Nothing here depends on a guess: a bad one costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from certify.kernel.decision import Decision
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted, compare
from certify.kernel.loop import Limits, Stated, precisions

Obstructions = Callable[[Intervals, Interval], Iterable[Stated]]


@dataclass(frozen=True)
class Range:
    """The counts from ``lower`` to ``upper``, both included."""

    lower: int
    upper: int


def excluded(obstructions: Obstructions, counts: Range, limits: Limits, allowance: Allowance) -> bool:
    """Whether every count in the range is proved to fail, at 64, 128, ... bits up to the cap.

    On a range of several counts the precision is raised only while its last count alone is not excluded either: where
    it is, halving the range is of more use than more bits. A last count at which every obstruction is disproved is not
    excluded at any precision, and neither is a range that holds it.
    """
    for bits in precisions(limits):
        R = Intervals(bits, allowance)
        found = _decisions(obstructions(R, R.between(counts.lower, counts.upper)))
        if Decision.PROVED in found:
            return True
        if counts.lower < counts.upper:
            found = _decisions(obstructions(R, R(counts.upper)))
            if Decision.PROVED in found:
                return False
        if found == {Decision.DISPROVED}:
            return False
    return False


def _decisions(obstructions: Iterable[Stated]) -> set[Decision]:
    return {compare(item.left, item.relation, item.right) for item in obstructions}


def cover(fails: Callable[[Range], bool], counts: Range) -> tuple[Range, ...]:
    """Adjoining ranges from ``counts.lower`` on, each proved to fail; all of ``counts`` if they end at its upper end.

    Otherwise they end just below the first count that ``fails`` does not prove to fail alone, or where the work allowed
    ran out. ``fails`` must mean: every count of the range fails, proved. The halving ends, since each half is shorter.
    """
    proved: list[Range] = []
    waiting = [counts] if counts.lower <= counts.upper else []
    try:
        while waiting:
            part = waiting.pop()
            if fails(part):
                proved.append(part)
            elif part.lower == part.upper:
                break
            else:
                middle = (part.lower + part.upper) // 2
                waiting += [Range(middle + 1, part.upper), Range(part.lower, middle)]
    except WorkExhausted:
        pass
    return tuple(proved)
