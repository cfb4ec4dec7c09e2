"""Excess-risk claims on gradient descent on a perturbed objective (U2-U5)."""

from __future__ import annotations

from certify.claims.model import Claim, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.assumptions import STANDING
from certify.verdicts import declarations
from certify.verdicts.plan import Plan


def no_theorem(claims: ClaimFile, claim: Claim) -> Plan:
    """An excess-risk claim on output perturbation: no theorem here bounds it."""

    claimed = (
        claim.delta
        if isinstance(claim, DifferentialPrivacy)
        else claim.success
        if isinstance(claim, Reconstruction)
        else claim.bound
    )
    return Plan(
        f"{claim.kind} of a Gaussian output perturbation",
        "excess risk",
        claimed,
        (),
        (),
        tuple(declarations.adjacency(claims)),
        (*declarations.model_assumptions(claims), *STANDING),
        (),
    )


def plan(claims: ClaimFile, claim: Claim) -> Plan:
    return no_theorem(claims, claim)
