"""The first count that passes Theorem C.13 at fixed radii (D3), and the proof that no smaller one does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil

from certify.evaluation.entries import Task
from certify.kernel.cover import Range, cover, excluded
from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import Decided, proved
from certify.search.descent import LARGEST, first_not_failing
from certify.statements.descent import first_count, theorem_41, theorem_c13
from certify.statements.descent.constants import Descent
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.language import Conditions

Problem = Callable[[Intervals], Descent[Interval]]


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
        candidate, hopeless = first_not_failing(question.fails_alone, question.is_endless, _after(ranges))
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

    def fails_alone(self, count: int) -> bool:
        return any(item.decision is Decision.DISPROVED for item in self.passing(count))

    def is_endless(self, count: int) -> bool:
        return bool(self.reasons(count))

    def reasons(self, count: int) -> tuple[Decided, ...]:
        """Proofs that this and every larger count fails."""
        decided = self.task.decide(lambda R: self.endless(R, R(count)))
        return tuple(item for item in decided if item.decision is Decision.PROVED)

    def passing(self, count: int) -> tuple[Decided, ...]:
        epsilon, delta = self.epsilon, self.delta
        return self.task.decide(lambda R: theorem_c13.conditions(R, self.problem(R), R(count), R(epsilon), R(delta)))


def least_admissible(task: Task, problem: Problem) -> int | None:
    """The least integer that meets threshold (7) of Theorem 4.1, proved; None where the limits leave it open."""
    for extra in (0, 16, 64, 256):
        finer = Task(task.digits + extra, task.limits, task.allowance)
        needed = finer.enclose(lambda R: {"threshold": theorem_41.threshold(R, problem(R))}).get("threshold")
        if needed is None or not needed.is_bounded:
            return None
        for count in sorted({max(1, ceil(end)) for end in (needed.lower, needed.upper)}):
            if proved(task.decide(partial(_is_least, problem, count))):
                return count
    return None


def _is_least(problem: Problem, count: int, R: Intervals) -> Conditions[Interval]:
    return theorem_41.least_iterations(R, problem(R), R(count))
