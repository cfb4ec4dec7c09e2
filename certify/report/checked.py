"""What a report is made from: a claim file, its digest, and the verdicts on its claims in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from certify.verdicts.model import ClaimVerdict, Verdict

SEVERITY = (Verdict.REFUTED, Verdict.NOT_CERTIFIED, Verdict.CERTIFIED)


@dataclass(frozen=True)
class CheckedFile:
    """One claim file as named on the command line, the SHA-256 of its bytes, and one verdict for each claim."""

    file: str
    sha256: str
    verdicts: tuple[ClaimVerdict, ...]


def tally(files: Iterable[CheckedFile]) -> str:
    """The counts of the verdicts, in words."""
    counts = Counter(claim.verdict for checked in files for claim in checked.verdicts)
    return (
        f"{counts[Verdict.CERTIFIED]} certified, {counts[Verdict.REFUTED]} refuted, "
        f"{counts[Verdict.NOT_CERTIFIED]} not certified"
    )


def worst_first(files: Sequence[CheckedFile]) -> Iterator[tuple[CheckedFile, ClaimVerdict]]:
    """Every claim with its file: refuted, then not certified, then certified, each in the order of the files."""
    for verdict in SEVERITY:
        for checked in files:
            for claim in checked.verdicts:
                if claim.verdict is verdict:
                    yield checked, claim
