"""How one claim is to be decided:

Routes, refutations, what is missing or assumed, and what could be changed to repair it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from certify.statements.rules.claim import Claim, ClaimFile
from certify.statements.rules.rule import Case, Missing
from certify.verdicts.judge import Route
from certify.verdicts.model import Note

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
    """A case, the routes that try its rules, and what could be said or changed.

    ``case.missing`` is what no theorem can do without; ``unused`` would help, and is named where the claim is not
    certified.
    """

    case: Case
    routes: tuple[Route, ...]
    notes: tuple[Note, ...] = ()
    knobs: tuple[Knob, ...] = ()
    switches: tuple[Switch, ...] = ()
    unused: tuple[Missing, ...] = ()

    @property
    def refutations(self) -> tuple[Route, ...]:
        """The rules that would show the claim false; none needs a witness."""
        return tuple(Route(rule) for rule in self.case.rules if rule.shows == "refuted")


def direct_routes(case: Case) -> tuple[Route, ...]:
    """A route for each rule that would certify and needs no witness, in the case's order."""
    return tuple(Route(rule) for rule in case.rules if rule.shows == "certified" and not rule.witnesses)
