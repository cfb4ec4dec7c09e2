"""How one claim is to be decided:

Routes, refutations, what is missing or assumed, and what could be changed to repair it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from certify.claims.model import Claim, ClaimFile
from certify.statements.assumptions import Assumption
from certify.verdicts.judge import Refutation, Route
from certify.verdicts.model import Missing, Note

Changed: TypeAlias = tuple[ClaimFile, Claim]


@dataclass(frozen=True)
class Knob:
    """One number of the claim file that a repair may change, upward or downward from ``current``.

    ``guess`` says where the claim may begin to hold (untrusted, None if unknown); ``change`` builds the changed
    claim, which is then decided like any other; ``cost`` is how many ordinary decisions that is worth.
    """

    field: str
    current: Fraction
    direction: Literal[1, -1]
    change: Callable[[Fraction], Changed]
    guess: Callable[[], Fraction | None] = lambda: None
    whole: bool = False
    limit: Fraction | None = None
    cost: int = 1


@dataclass(frozen=True)
class Switch:
    """One word of the claim file that a repair may change, such as another theorem."""

    field: str
    value: str
    change: Callable[[], Changed]


@dataclass(frozen=True)
class Plan:
    """Everything that decides one claim.

    ``missing`` is what no theorem can do without; ``unused`` would help, and is named where the claim is not certified.
    """

    sentence: str
    quantity: str
    claimed: Fraction
    routes: tuple[Route, ...]
    refutations: tuple[Refutation, ...]
    missing: tuple[Missing, ...]
    assumptions: tuple[Assumption, ...]
    notes: tuple[Note, ...]
    knobs: tuple[Knob, ...] = ()
    switches: tuple[Switch, ...] = ()
    unused: tuple[Missing, ...] = ()
