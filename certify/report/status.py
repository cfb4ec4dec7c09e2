"""The exit status of a check: the one place in the program where success is reached, and from `certified` only."""

from __future__ import annotations

from collections.abc import Sequence

from certify.report.checked import CheckedFile
from certify.verdicts.model import Verdict

ALL_CERTIFIED = 0
NOT_ALL_CERTIFIED = 1
UNUSABLE = 2


def status(files: Sequence[CheckedFile]) -> int:
    """0 where there is a file, every file has a claim and every claim is certified; else 1."""
    if files and all(
        checked.verdicts and all(claim.verdict is Verdict.CERTIFIED for claim in checked.verdicts) for checked in files
    ):
        return ALL_CERTIFIED
    return NOT_ALL_CERTIFIED
