"""What a file's verdicts take on trust, merged: each assumption once, with the claims that use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certify.report.printable import visible
from certify.statements.assumptions import Assumption
from certify.verdicts.model import ClaimVerdict

HEADINGS = (("declared", "Declared by the claim"), ("standing", "Standing"))


def assumed(verdicts: Sequence[ClaimVerdict]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each heading that has assumptions, with one sentence for each; the claims are named where not all use it."""
    users: dict[Assumption, list[int]] = {}
    for claim in verdicts:
        for assumption in claim.assumptions:
            users.setdefault(assumption, []).append(claim.index)
    for kind, heading in HEADINGS:
        sentences = tuple(
            f"{visible(assumption.name)}: {visible(assumption.text)}{_used_by(indices, len(verdicts))}"
            for assumption, indices in users.items()
            if assumption.kind == kind
        )
        if sentences:
            yield heading, sentences


def _used_by(indices: Sequence[int], claims: int) -> str:
    if len(indices) == claims:
        return ""
    return f" ({'claim' if len(indices) == 1 else 'claims'} {', '.join(map(str, indices))})"
