"""Where a verdict is made: from decided conditions, and from nothing else.

A claim is certified only where no declaration is missing and every condition of one route is proved; it is refuted
only where no declaration is missing and every condition of a refutation is proved. A failed hypothesis or a missed
sufficient bound refutes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted, compare
from certify.kernel.loop import FIRST_BITS, Decided, Limits, Stated, decide, enclose, proved
from certify.statements.rules.rule import Missing, Rule, Witnesses
from certify.verdicts.model import Verdict

_SCREENING_BITS = 256


@dataclass(frozen=True)
class Route:
    """A rule with the search for its witnesses, which runs when first asked."""

    rule: Rule
    find: Callable[[], Witnesses] = dict

    @cached_property
    def witnesses(self) -> Witnesses:
        """The witnesses found."""
        return self.find()

    def conditions(self, R: Intervals) -> Iterable[Stated]:
        """The rule's conditions at them."""
        return self.rule.conditions(R, self.witnesses)

    def bound(self, R: Intervals) -> Interval:
        """What the rule bounds, at them."""
        return self.rule.bound(R, self.witnesses)


@dataclass(frozen=True)
class Judgement:
    """The verdict, the route it rests on, and its decided conditions; no route where no theorem applies."""

    verdict: Verdict
    route: Route | None
    conditions: tuple[Decided, ...]
    bound: Enclosure | None


def certifying(routes: Sequence[Route], limits: Limits) -> tuple[Decided, ...]:
    """The decided conditions of the first route that is proved whole, else those of the last one."""
    allowance = limits.allowance()
    decided: tuple[Decided, ...] = ()
    for route in routes:
        decided = _decided(route.conditions, limits, allowance)
        if proved(decided):
            break
    return decided


def judge(
    routes: Sequence[Route], refutations: Sequence[Route], missing: Sequence[Missing], limits: Limits
) -> Judgement:
    """The verdict on a claim from its routes, in their order, and its refutations.

    Where no route certifies, the one reported is the first whose hypotheses hold and whose bound is the least, else
    the first with the fewest conditions that fail. A theorem bounds nothing where its hypotheses fail: no bound then.
    """
    allowance = limits.allowance()
    attempts: list[Judgement] = []
    for route in routes:
        decided = _decided(route.conditions, limits, allowance)
        verdict = Verdict.CERTIFIED if proved(decided) and not missing else Verdict.NOT_CERTIFIED
        bound = bound_of(route, limits, allowance) if _applies(decided) else None
        attempts.append(Judgement(verdict, route, decided, bound))
        if verdict is Verdict.CERTIFIED:
            return attempts[-1]
    if not missing:
        for refutation in refutations:
            decided = _decided(refutation.conditions, limits, allowance)
            if proved(decided):
                bound = _nearest(attempts).bound if attempts else None
                return Judgement(Verdict.REFUTED, refutation, decided, bound)
    if not attempts:
        return Judgement(Verdict.NOT_CERTIFIED, None, (), None)
    return _nearest(attempts)


def _decided(
    conditions: Callable[[Intervals], Iterable[Stated]], limits: Limits, allowance: Allowance
) -> tuple[Decided, ...]:
    """The decided conditions; one that is disproved at a low precision settles the route, and no more is spent."""
    low = replace(limits, max_bits=min(limits.max_bits, _SCREENING_BITS))
    decided = decide(conditions, low, allowance)
    settled = proved(decided) or any(item.decision is Decision.DISPROVED for item in decided)
    return decided if settled or low == limits else decide(conditions, limits, allowance)


def _applies(decided: Sequence[Decided]) -> bool:
    """Whether every hypothesis is proved."""
    return all(item.decision is Decision.PROVED for item in decided if item.role == "hypothesis")


def bound_of(route: Route, limits: Limits, allowance: Allowance) -> Enclosure | None:
    """The enclosure of what a route bounds, None where it has no finite one."""
    try:
        enclosure = enclose(lambda R: {"bound": route.bound(R)}, 12, limits, allowance).get("bound")
    except WorkExhausted:
        return None
    return enclosure if enclosure is not None and enclosure.is_bounded else None


def _nearest(attempts: Sequence[Judgement]) -> Judgement:
    """The failed attempt to report, the first of equals."""
    best, *others = attempts
    for other in others:
        if _is_nearer(other, best):
            best = other
    return best


def _is_nearer(one: Judgement, other: Judgement) -> bool:
    """Hypotheses that hold come first, then a finite bound, then the lesser bound, or fewer conditions that fail."""
    if one.bound is not None and other.bound is not None:
        return compare(_upper_end(one.bound), "<", _upper_end(other.bound)) is Decision.PROVED
    return _rank(one) < _rank(other)


def _rank(attempt: Judgement) -> tuple[bool, bool, int]:
    failing = sum(item.decision is not Decision.PROVED for item in attempt.conditions)
    return not _applies(attempt.conditions), attempt.bound is None, failing


def _upper_end(bound: Enclosure) -> Interval:
    R, end = Intervals(FIRST_BITS), bound.high
    return R(end) if isinstance(end, Fraction) else Interval(FIRST_BITS, (end, end))
