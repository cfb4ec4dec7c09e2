"""The verdict in words: why, by how much, and where in the file."""

from __future__ import annotations

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Decided
from certify.statements.rules.claim import Claim, ClaimFile
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Missing
from certify.verdicts.judge import Judgement
from certify.verdicts.model import ClaimVerdict, Repair, Verdict
from certify.verdicts.plan import Plan


def answered(
    claims: ClaimFile, claim: Claim, plan: Plan, judgement: Judgement, repairs: tuple[Repair, ...]
) -> ClaimVerdict:
    """Everything a reader needs about one claim."""
    missing = _missing(plan, judgement)
    route = judgement.route
    rule = None if route is None else route.rule
    return ClaimVerdict(
        file=claims.source,
        sha256=claims.sha256,
        id=claims.id,
        index=claim.index,
        line=claims.lines.get(f"claim[{claim.index}]"),
        kind=claim.kind,
        sentence=plan.case.sentence,
        verdict=judgement.verdict,
        statement="none" if rule is None else rule.statement,
        source="no theorem applies" if rule is None else rule.source,
        quantity=plan.case.quantity,
        bound=judgement.bound,
        claimed=exact_text(plan.case.claimed),
        conditions=judgement.conditions,
        assumptions=plan.case.assumptions,
        missing=missing,
        repairs=repairs,
        notes=plan.notes,
        witness=rule.words if rule is not None and judgement.verdict is Verdict.REFUTED else None,
        reason=_reason(plan, judgement, missing),
        rule=rule,
        witnesses={} if route is None else dict(route.witnesses),
    )


def _missing(plan: Plan, judgement: Judgement) -> tuple[Missing, ...]:
    """What is needed; where nothing is and the claim still fails, what would help."""
    return plan.case.missing or (plan.unused if judgement.verdict is Verdict.NOT_CERTIFIED else ())


def _reason(plan: Plan, judgement: Judgement, missing: tuple[Missing, ...]) -> str:
    if judgement.verdict is Verdict.CERTIFIED:
        return f"every hypothesis holds and the proved {plan.case.quantity} is at most {exact_text(plan.case.claimed)}"
    if judgement.verdict is Verdict.REFUTED:
        return "the claim is false: " + ((judgement.route and judgement.route.rule.words) or "")
    if not plan.routes and not missing:
        return "no theorem here covers this kind of claim for this mechanism"
    failing = [item for item in judgement.conditions if item.decision is not Decision.PROVED]
    # Where a hypothesis fails, the theorem's formula bounds nothing, and how far it misses says nothing.
    failing = [item for item in failing if item.role == "hypothesis"] or failing
    parts = [item.text for item in missing] + [_shortfall(item) for item in failing]
    return "; ".join(parts)


def _shortfall(item: Decided) -> str:
    """One failing condition: its text, both sides, and whether it fails or is undecided."""
    sides = f"{_shown(item.left)} against {_shown(item.right)}"
    if item.decision is Decision.UNDECIDED:
        return f"undecided at {item.bits} bits: {item.text} ({sides})"
    what = "the hypothesis fails" if item.role == "hypothesis" else "the bound is not met"
    return f"{what}: {item.text} ({sides})"


def _shown(side: Enclosure) -> str:
    lower, upper = side.text(6)
    return lower if lower == upper else f"[{lower}, {upper}]"
