"""Which plan decides a claim: by mechanism and kind."""

from __future__ import annotations

from certify.claims.model import DESCENT, Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.verdicts import ball, descent, descent_reconstruction, risk
from certify.verdicts.plan import Plan


def plan_of(claims: ClaimFile, claim: Claim) -> Plan:
    """The plan of one claim. A kind of claim that no theorem here covers has a plan with no route."""
    iterated = claims.release.mechanism == DESCENT
    if isinstance(claim, DifferentialPrivacy):
        return descent.privacy_plan(claims, claim) if iterated else ball.privacy_plan(claims, claim)
    if isinstance(claim, Reconstruction):
        if iterated:
            return descent_reconstruction.reconstruction_plan(claims, claim)
        return ball.reconstruction_plan(claims, claim)
    return risk.risk_plan(claims, claim) if iterated else risk.no_theorem(claims, claim)
