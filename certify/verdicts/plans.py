"""Which plan decides a claim: by mechanism and kind. A mechanism's module is imported when a claim needs it."""

from __future__ import annotations

from certify.claims.model import DESCENT, Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.verdicts.plan import Plan


def plan_of(claims: ClaimFile, claim: Claim) -> Plan:
    """The plan of one claim. A kind of claim that no theorem here covers has a plan with no route."""
    return _descent_plan(claims, claim) if claims.release.mechanism == DESCENT else _ball_plan(claims, claim)


def _ball_plan(claims: ClaimFile, claim: Claim) -> Plan:
    if not isinstance(claim, DifferentialPrivacy | Reconstruction):
        from certify.verdicts import risk

        return risk.no_theorem(claims, claim)
    from certify.verdicts import ball

    if isinstance(claim, DifferentialPrivacy):
        return ball.privacy_plan(claims, claim)
    return ball.reconstruction_plan(claims, claim)


def _descent_plan(claims: ClaimFile, claim: Claim) -> Plan:
    from certify.verdicts import descent, descent_reconstruction, risk

    if isinstance(claim, DifferentialPrivacy):
        return descent.privacy_plan(claims, claim)
    if isinstance(claim, Reconstruction):
        return descent_reconstruction.reconstruction_plan(claims, claim)
    return risk.risk_plan(claims, claim)
