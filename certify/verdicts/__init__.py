"""Claims to verdicts: routes, refutations, assumptions, repairs. ``check_file`` answers every claim of a file."""

from __future__ import annotations

from dataclasses import replace

from certify.kernel.loop import Limits
from certify.statements.rules.claim import Claim, ClaimFile
from certify.verdicts.answer import answered
from certify.verdicts.judge import certifying, judge
from certify.verdicts.model import ClaimVerdict, Repair, Verdict
from certify.verdicts.plan import Changed
from certify.verdicts.plans import plan_of
from certify.verdicts.repairs import Proof, Tries, found_repairs

_TRIES_PER_FILE = 400
_EVALUATIONS_PER_FILE = 100_000
_LEAST_EVALUATIONS = 1_000
_FEW, _BITS_OF_MANY = 10, 256
_REPAIR_BITS = 256


def check_file(claims: ClaimFile, limits: Limits = Limits(), *, repairs: bool = True) -> tuple[ClaimVerdict, ...]:
    """The verdicts on all claims of a file, in its order; with ``repairs``, failing claims carry proved repairs.

    The claims of a file share its evaluations evenly, and more than ten go to 256 bits at most, so that any file is
    answered soon.
    """
    tries = Tries(_TRIES_PER_FILE if repairs else 0)
    count = len(claims.claims)
    within = replace(
        limits,
        max_evaluations=min(limits.max_evaluations, max(_LEAST_EVALUATIONS, _EVALUATIONS_PER_FILE // count)),
        max_bits=min(limits.max_bits, limits.max_bits if count <= _FEW else _BITS_OF_MANY),
    )
    return tuple(_checked(claims, claim, within, tries) for claim in claims.claims)


def _checked(claims: ClaimFile, claim: Claim, limits: Limits, tries: Tries) -> ClaimVerdict:
    plan = plan_of(claims, claim)
    judgement = judge(plan.routes, plan.refutations, plan.case.missing, limits)
    within = replace(limits, max_bits=min(limits.max_bits, _REPAIR_BITS))

    def prove(changed: Changed) -> Proof:
        other = plan_of(*changed)
        return () if other.case.missing else certifying(other.routes, within)

    mended: tuple[Repair, ...] = ()
    if judgement.verdict is not Verdict.CERTIFIED and not plan.case.missing and tries.left > 0:
        mended = tuple(found_repairs(plan, prove, tries))
    return answered(claims, claim, plan, judgement, mended)
