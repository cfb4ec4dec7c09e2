"""Remarks that every mechanism's privacy claims share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.statements.rules.claim import ClaimFile
from certify.verdicts.model import Note


def delta_note(claims: ClaimFile, delta: Fraction) -> Iterator[Note]:
    """delta >= 1/n deserves a note."""
    if delta * claims.model.n >= 1:
        yield Note(
            "delta-at-least-1/n",
            f"delta is at least 1/n = 1/{claims.model.n}: publishing one whole record at random would meet such a "
            "delta; take delta well below 1/n",
        )
