"""The three answers to one inequality."""

from __future__ import annotations

from enum import Enum


class Decision(Enum):
    """Proved, disproved, or undecided at the precision spent. A verdict is on a claim, a decision on an inequality."""

    PROVED = "proved"
    DISPROVED = "disproved"
    UNDECIDED = "undecided"
