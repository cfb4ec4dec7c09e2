"""`certify eval gd.theorem-c13 variant=sharp` (D8): the best of several witnesses, never above the fixed radii.

Candidates: the radii that the search finds; the fixed radii of Theorem 4.1 with the sharp ingredients; and with u
Theorem C.13 as the paper has it. Radii that are given are taken as they are. The least proved delta is the answer; its
reason names the ingredients and the witness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.errors import UnusableInput
from certify.evaluation.descent_inputs import read_descent
from certify.evaluation.entries import Answer, Inputs, Task
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure, rounded_up
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import Decided, proved
from certify.search.descent_sharp import Found, passing_count, splits_at, witness, witness_at
from certify.search.sharp_scales import Problem
from certify.statements.descent.constants import Descent
from certify.statements.descent.radii import fixed_radii
from certify.statements.descent.sharp import ALL, Witness, certificate, conditions, hypotheses
from certify.statements.descent.sharp_trajectory import Loss, any_loss, logistic_loss
from certify.statements.language import Conditions

Candidate = Callable[[Intervals, Descent[Interval]], Witness[Interval]]

_NEEDS = {
    "eta mu < 1": ("alpha_bar", "tau", "s", "radius_need", "delta"),
    "0 < alpha": ("tau", "s", "radius_need", "delta"),
    "(47)": ("delta",),
    "s_N <= epsilon": ("delta",),
}
_TRIES = 8
_SHOWN = 64


def loss_of(R: Intervals, p: Descent[Interval], name: str) -> Loss[Interval]:
    """What is known of the loss of that name; of the whole class of L1, L2, L3 where it has none."""
    return logistic_loss(R) if name == "logistic" else any_loss(p)


def answer(task: Task, given: Inputs) -> Answer:
    """The values and hypotheses of the best candidate; of the first one where none has all hypotheses proved."""
    answers = list(_answers(task, given))
    whole = [found for found in answers if "delta" in found.values and proved(found.hypotheses)]
    return min(whole, key=_delta_bound) if whole else answers[0]


def _delta_bound(found: Answer) -> Fraction:
    delta = found.values["delta"]
    return delta.upper if isinstance(delta, Enclosure) else Fraction(delta)


def _answers(task: Task, given: Inputs) -> Iterator[Answer]:
    name, N, epsilon = given.word("loss"), given.count("iterations"), given.number("epsilon")

    def problem(R: Intervals) -> tuple[Descent[Interval], Loss[Interval]]:
        p = read_descent(R, given)
        return p, loss_of(R, p, name)

    question = _Question(task, problem, N, epsilon, name != "")
    if "radius" in given:
        yield question.at(_given_radii(problem, N, given))
        return
    if "domain_radius" in given:
        raise UnusableInput("domain_radius is r' and needs radius, which is r", field="domain_radius")
    found = witness(problem, N, epsilon)
    if found is not None:
        yield question.at(_exactly(found))
    yield question.at(_fixed(problem, N))
    if "u" in given:
        from certify.evaluation import entry_named

        plain = {key: value for key, value in given.given.items() if key != "variant"}
        yield entry_named("gd.theorem-c13").answer(task, Inputs(plain))


def _given_radii(problem: Problem, iterations: int, given: Inputs) -> Candidate:
    radius, outer = given.number("radius"), given.optional("domain_radius")
    found = witness_at(problem, iterations, radius, outer)
    if found is None:  # no r' is in sight: show what fails at r' = r, or at the one given
        found = Found(radius, Fraction(0) if outer is None else outer - radius, (0, 0))
    return _exactly(found)


def _exactly(found: Found) -> Candidate:
    return lambda R, _: found.at(R)


def _fixed(problem: Problem, iterations: int) -> Candidate:
    """The radii of Theorem 4.1 (u = 0 where it is not given), with the best splits there."""
    R = Intervals(_SHOWN)
    splits = splits_at(problem, iterations, fixed_radii(R, problem(R)[0]))
    return lambda R, p: Witness(fixed_radii(R, p), splits)


@dataclass(frozen=True)
class _Question:
    task: Task
    problem: Problem
    iterations: int
    epsilon: Fraction
    named: bool

    def at(self, candidate: Candidate) -> Answer:
        """The answer at one witness; values that a hypothesis leaves without meaning are left out."""
        decided = self.task.decide(lambda R: self._hypotheses(R, candidate))
        values = self.task.enclose(lambda R: self._values(R, candidate, _lost(decided)))
        found = {name: value for name, value in values.items() if value.is_bounded}
        if "delta" in found:
            found["delta"] = replace(found["delta"], reason=self._described(candidate))
        return Answer(found, decided)

    def _hypotheses(self, R: Intervals, candidate: Candidate) -> Conditions[Interval]:
        p, loss = self.problem(R)
        return hypotheses(R, p, self.iterations, R(self.epsilon), loss, candidate(R, p))

    def _values(self, R: Intervals, candidate: Candidate, lost: frozenset[str]) -> dict[str, Interval]:
        p, loss = self.problem(R)
        at = candidate(R, p)
        found, radii = certificate(R, p, self.iterations, loss, at), at.radii
        values = {
            "alpha_bar": found.alpha_bar,
            "tau": found.tau,
            "s": found.s,
            "radius_gap": found.radius_gap,
            "radius_need": found.radius_need,
            "radius": radii.inner,
            "domain_radius": radii.outer,
        }
        if "delta" not in lost:
            values["delta"] = found.delta(R(self.epsilon))
        return {name: value for name, value in values.items() if name not in lost}

    def _described(self, candidate: Candidate) -> str:
        R = Intervals(_SHOWN)
        p, loss = self.problem(R)
        at = candidate(R, p)
        r, outer = (rounded_up(Enclosure.of(x).upper, 6) for x in (at.radii.inner, at.radii.outer))
        used = ", ".join(ALL.used(loss, named=self.named)).replace("_", " ")
        return f"with {used}; r = {r}, r' = {outer}, splits {at.splits[0]} and {at.splits[1]}"


def _lost(decided: tuple[Decided, ...]) -> frozenset[str]:
    return frozenset(
        name
        for item in decided
        if item.decision is not Decision.PROVED
        for opening, names in _NEEDS.items()
        if item.text.startswith(opening)
        for name in names
    )


@dataclass(frozen=True)
class Passing:
    """A count at which the sharp certificate meets a claim, its witness, and the decided conditions."""

    iterations: int
    witness: Found
    conditions: tuple[Decided, ...]


def passing(task: Task, problem: Problem, epsilon: Fraction, delta: Fraction) -> Passing | None:
    """A count that is proved to pass, as small as the search finds. No smaller count is claimed to fail."""
    count = passing_count(problem, epsilon, delta)
    if count is None:
        return None
    for iterations in range(count, count + _TRIES):
        found = passing_at(task, problem, iterations, epsilon, delta)
        if found is not None:
            return found
    return None


def passing_at(task: Task, problem: Problem, iterations: int, epsilon: Fraction, delta: Fraction) -> Passing | None:
    """The sharp certificate of (epsilon, delta) at a count, where the search finds a witness that is proved to pass."""
    found = witness(problem, iterations, epsilon)
    if found is None:
        return None

    def stated(R: Intervals) -> Conditions[Interval]:
        p, loss = problem(R)
        return conditions(R, p, iterations, R(epsilon), R(delta), loss, found.at(R))

    decided = task.decide(stated)
    return Passing(iterations, found, decided) if proved(decided) else None
