"""What every reconstruction claim shares: its sentence, and the attacker who ignores the release."""

from __future__ import annotations

from certify.statements.language import Conditions, Reals, X, below
from certify.statements.rules.claim import Reconstruction
from certify.statements.rules.numbers import exact_text
from certify.statements.rules.rule import Rule, Witnesses


def reconstruction_sentence(claim: Reconstruction) -> str:
    """The claim in words."""
    return (
        f"no informed attacker succeeds with probability above {exact_text(claim.success)} "
        f"(baseline {exact_text(claim.kappa)})"
    )


def guessing(claim: Reconstruction) -> Rule:
    """A claimed success below the baseline is false: naming the most likely candidate already succeeds more often."""

    def conditions(R: Reals[X], _: Witnesses, /) -> Conditions[X]:
        yield below("success < baseline", R(claim.success), R(claim.kappa), "conclusion")

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return R(claim.kappa)

    return Rule(
        "guessing",
        "R3",
        "Ball-DP Section 4 (baseline success)",
        "refuted",
        conditions,
        bound,
        words="an attacker who ignores the release and names the most likely candidate succeeds with probability "
        f"{exact_text(claim.kappa)}",
    )
