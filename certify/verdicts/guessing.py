"""What every reconstruction claim shares: its sentence, and the attacker who ignores the release."""

from __future__ import annotations

from certify.claims.model import Reconstruction
from certify.kernel.enclosure import fraction_text
from certify.kernel.interval import Interval, Intervals
from certify.statements.language import Conditions, below
from certify.verdicts.judge import Refutation


def reconstruction_sentence(claim: Reconstruction) -> str:
    """The claim in words."""
    return (
        f"no informed attacker succeeds with probability above {fraction_text(claim.success)} "
        f"(baseline {fraction_text(claim.kappa)})"
    )


def guessing_refutation(claim: Reconstruction) -> Refutation:
    """A claimed success below the baseline is false: naming the most likely candidate already succeeds more often."""

    def conditions(R: Intervals) -> Conditions[Interval]:
        yield below("success < baseline", R(claim.success), R(claim.kappa), "conclusion")

    return Refutation(
        "R3",
        "Ball-DP Section 4 (baseline success)",
        conditions,
        "an attacker who ignores the release and names the most likely candidate succeeds with probability "
        f"{fraction_text(claim.kappa)}",
    )
