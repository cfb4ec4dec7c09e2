"""Which plan decides a claim: by mechanism and kind. A mechanism's module is imported when a claim needs it."""

from __future__ import annotations

from certify.statements.rules.claim import DESCENT, Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.verdicts.plan import Plan


def plan_of(claims: ClaimFile, claim: Claim) -> Plan:
    """The plan of one claim. A kind of claim that no theorem here covers has a plan with no route."""
    if not isinstance(claim, DifferentialPrivacy | Reconstruction):
        from certify.verdicts import risk

        return risk.risk_plan(claims, claim)
    if claims.release.mechanism != DESCENT:
        from certify.verdicts import ball

        return ball.ball_plan(claims, claim)
    from certify.verdicts import descent, descent_reconstruction

    if isinstance(claim, DifferentialPrivacy):
        return descent.privacy_plan(claims, claim)
    return descent_reconstruction.reconstruction_plan(claims, claim)
