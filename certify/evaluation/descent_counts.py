"""The first count that passes Theorem C.13 at fixed radii (D3), and the proof that no smaller one does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from certify.evaluation.entries import Task
from certify.kernel.cover import Range, cover, excluded
from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals, WorkExhausted
from certify.kernel.loop import Decided, Limits, proved
from certify.search.descent import LARGEST, first_not_failing
from certify.statements.descent import first_count, theorem_c13
from certify.statements.descent.constants import Descent
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions

Problem = Callable[[Intervals], Descent[Interval]]
_GUESS = Limits(max_bits=128)


@dataclass(frozen=True)
class FirstCount:
    """The outcome. ``excluded`` are adjoining ranges from 1 on, all proved to fail.

    ``count`` is the one after them, proved to pass, with its decided conditions in ``passing``. It is None where none
    passes (``endless`` then holds the proof that every count after the ranges fails too) or where the limits left it
    open (``endless`` is empty).
    """

    count: int | None
    excluded: tuple[Range, ...]
    passing: tuple[Decided, ...] = ()
    endless: tuple[Decided, ...] = ()


def first_passing(task: Task, problem: Problem, epsilon: Fraction, delta: Fraction) -> FirstCount:
    """The smallest N whose Theorem C.13 certificate at fixed radii meets (epsilon, delta), every smaller N excluded.

    The hypotheses on the constants must hold: the caller decides them.
    """
    question = _Question(task, problem, epsilon, delta)
    ranges: tuple[Range, ...] = ()
    while True:
        try:
            candidate, hopeless = first_not_failing(question.seems_failing, question.seems_hopeless, _after(ranges))
        except WorkExhausted:
            return FirstCount(None, ranges)
        ranges += cover(question.fails, Range(_after(ranges), candidate - 1))
        count = _after(ranges)
        if hopeless and count == candidate:
            return FirstCount(None, ranges, endless=question.reasons(count))
        if count > LARGEST:
            return FirstCount(None, ranges)
        passing = question.passing(count)
        if proved(passing):
            return FirstCount(count, ranges, passing)
        alone = cover(question.fails, Range(count, count))
        if not alone:
            return FirstCount(None, ranges)
        ranges += alone


def _after(ranges: tuple[Range, ...]) -> int:
    return ranges[-1].upper + 1 if ranges else 1


@dataclass(frozen=True)
class _Question:
    """One (epsilon, delta) asked of all counts."""

    task: Task
    problem: Problem
    epsilon: Fraction
    delta: Fraction

    def obstructions(self, R: Intervals, N: Interval) -> Conditions[Interval]:
        p = self.problem(R)
        radii, tail = fixed_radii(R, p), fixed_tail(R, p)
        return first_count.obstructions(R, p, N, R(self.epsilon), R(self.delta), radii, tail)

    def endless(self, R: Intervals, N: Interval) -> Conditions[Interval]:
        p = self.problem(R)
        return first_count.endless_obstructions(R, p, N, R(self.epsilon), R(self.delta), fixed_tail(R, p))

    def fails(self, counts: Range) -> bool:
        return excluded(self.obstructions, counts, self.task.limits, self.task.allowance)

    def seems_failing(self, count: int) -> bool:
        return excluded(self.obstructions, Range(count, count), _GUESS, self.task.allowance)

    def seems_hopeless(self, count: int) -> bool:
        return excluded(self.endless, Range(count, count), _GUESS, self.task.allowance)

    def reasons(self, count: int) -> tuple[Decided, ...]:
        decided = self.task.decide(lambda R: self.endless(R, R(count)))
        return tuple(item for item in decided if item.decision is Decision.PROVED)

    def passing(self, count: int) -> tuple[Decided, ...]:
        epsilon, delta = self.epsilon, self.delta
        return self.task.decide(lambda R: theorem_c13.conditions(R, self.problem(R), R(count), R(epsilon), R(delta)))
