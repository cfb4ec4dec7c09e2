"""Where a verdict is made: from decided conditions, and from nothing else.

A claim is certified only where no declaration is missing and every condition of one route is proved; it is refuted
only where no declaration is missing and every condition of a refutation is proved. A failed hypothesis or a missed
sufficient bound refutes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted
from certify.kernel.loop import Decided, Limits, Stated, decide, enclose, proved
from certify.verdicts.model import Missing, Verdict


@dataclass(frozen=True)
class Route:
    """One theorem applied to one claim: its conditions in order, and the quantity that it bounds."""

    statement: str
    source: str
    name: str
    conditions: Callable[[Intervals], Iterable[Stated]]
    bound: Callable[[Intervals], Interval]


@dataclass(frozen=True)
class Refutation:
    """Conditions that, all proved, show the claim false, and the witness in words."""

    statement: str
    source: str
    conditions: Callable[[Intervals], Iterable[Stated]]
    witness: str


@dataclass(frozen=True)
class Judgement:
    """The verdict, the route or refutation it rests on, and its decided conditions."""

    verdict: Verdict
    statement: str
    source: str
    conditions: tuple[Decided, ...]
    bound: Enclosure | None
    witness: str | None = None


def certifying(routes: Sequence[Route], limits: Limits) -> tuple[Decided, ...] | None:
    """The decided conditions of the first route that is proved whole, None where there is none."""
    allowance = limits.allowance()
    for route in routes:
        decided = decide(route.conditions, limits, allowance)
        if proved(decided):
            return decided
    return None


def judge(
    routes: Sequence[Route], refutations: Sequence[Refutation], missing: Sequence[Missing], limits: Limits
) -> Judgement:
    """The verdict on a claim from its routes, in their order, and its refutations.

    Where no route certifies, the one reported is the first whose hypotheses hold and whose bound is the least, else
    the first.
    """
    allowance = limits.allowance()
    attempts: list[Judgement] = []
    for route in routes:
        decided = decide(route.conditions, limits, allowance)
        verdict = Verdict.CERTIFIED if proved(decided) and not missing else Verdict.NOT_CERTIFIED
        bound = bound_of(route, limits, allowance)
        attempts.append(Judgement(verdict, route.statement, route.source, decided, bound))
        if verdict is Verdict.CERTIFIED:
            return attempts[-1]
    if not missing:
        for refutation in refutations:
            decided = decide(refutation.conditions, limits, allowance)
            if proved(decided):
                bound = attempts[0].bound if attempts else None
                return Judgement(
                    Verdict.REFUTED, refutation.statement, refutation.source, decided, bound, refutation.witness
                )
    if not attempts:
        return Judgement(Verdict.NOT_CERTIFIED, "none", "no theorem applies", (), None)
    return min(attempts, key=_distance)


def bound_of(route: Route, limits: Limits, allowance: Allowance) -> Enclosure | None:
    """The enclosure of what a route bounds, None where it has no finite one."""
    try:
        enclosure = enclose(lambda R: {"bound": route.bound(R)}, 12, limits, allowance).get("bound")
    except WorkExhausted:
        return None
    return enclosure if enclosure is not None and enclosure.is_bounded else None


def _distance(attempt: Judgement) -> tuple[bool, bool, object]:
    """Orders failed attempts: hypotheses that hold first, then a finite bound, then the least upper end."""
    hypotheses = [item for item in attempt.conditions if item.role == "hypothesis"]
    bound = attempt.bound
    return not proved(hypotheses) and bool(hypotheses), bound is None, 0 if bound is None else bound.upper
