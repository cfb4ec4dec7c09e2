"""What a verdict holds: the answer to one claim, and everything a reader needs to follow or contest it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Decided
from certify.statements.assumptions import Assumption
from certify.statements.rules.rule import Missing, Rule, Witnesses


class Verdict(Enum):
    """certified: proved to hold. refuted: proved to be false. not-certified: neither."""

    CERTIFIED = "certified"
    REFUTED = "refuted"
    NOT_CERTIFIED = "not-certified"


@dataclass(frozen=True)
class Repair:
    """One change to the claim file after which the same claim, or the claim it names, is proved;

    ``conditions`` is that proof.
    """

    text: str
    field: str
    value: str
    conditions: tuple[Decided, ...]


@dataclass(frozen=True)
class Note:
    """A named remark that changes no verdict."""

    name: str
    text: str


@dataclass(frozen=True)
class ClaimVerdict:
    """The verdict on one claim.

    ``statement`` is the spec number of the theorem used (such as "B5"), ``source`` its paper and number, ``sentence``
    the claim in words, ``bound`` the enclosure of what the theorem proves (delta, success, or excess risk; None where
    no theorem applies), ``conditions`` the decided inequalities, ``assumptions`` all that is taken on trust,
    ``witness`` what shows a claim false, ``rule`` and ``witnesses`` the theorem applied and the numbers it was given.
    """

    file: str
    sha256: str
    id: str
    index: int
    line: int | None
    kind: str
    sentence: str
    verdict: Verdict
    statement: str
    source: str
    quantity: str
    bound: Enclosure | None
    claimed: str
    conditions: tuple[Decided, ...]
    assumptions: tuple[Assumption, ...]
    missing: tuple[Missing, ...]
    repairs: tuple[Repair, ...]
    notes: tuple[Note, ...]
    witness: str | None
    reason: str
    rule: Rule | None = field(default=None, compare=False, repr=False)
    witnesses: Witnesses = field(default_factory=dict)
