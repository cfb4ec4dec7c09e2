"""What decides a claim, by mechanism and kind. A mechanism's module is imported when a claim needs it."""

from __future__ import annotations

from certify.statements.rules.claim import DESCENT, Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.rule import Case, Memory, no_memory


def case_of(claims: ClaimFile, claim: Claim, memory: Memory = no_memory) -> Case:
    """The case of one claim; a kind of claim that no theorem here covers has no rule."""
    if not isinstance(claim, DifferentialPrivacy | Reconstruction):
        from certify.statements.rules import excess_risk

        return excess_risk.risk_case(claims, claim, memory)
    if claims.release.mechanism != DESCENT:
        from certify.statements.rules import output_perturbation

        if isinstance(claim, DifferentialPrivacy):
            return output_perturbation.privacy_case(claims, claim, memory)
        return output_perturbation.reconstruction_case(claims, claim, memory)
    from certify.statements.rules import descent_reconstruction, gradient_descent

    if isinstance(claim, DifferentialPrivacy):
        return gradient_descent.privacy_case(claims, claim, memory)
    return descent_reconstruction.reconstruction_case(claims, claim)
