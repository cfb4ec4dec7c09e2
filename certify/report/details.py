"""What a reader needs to follow one verdict, as labelled sentences; every format for people prints these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from certify.kernel.decision import Decision
from certify.report.amounts import condition_sentence, in_words
from certify.report.printable import visible, visible_lines
from certify.statements.rules.fields import TABLES
from certify.verdicts.model import ClaimVerdict, Repair, Verdict

_WHOLE = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Detail:
    """A label, a sentence, and lines to copy into the claim file."""

    label: str
    text: str
    lines: tuple[str, ...] = ()


def place(claim: ClaimVerdict, file: str) -> str:
    """The file and the line of a claim."""
    return visible(file) if claim.line is None else f"{visible(file)}:{claim.line}"


def name(claim: ClaimVerdict) -> str:
    """The id of the file's release, where it has one, and the number of the claim."""
    return f"{visible(claim.id)}, claim {claim.index}" if claim.id else f"claim {claim.index}"


def headline(claim: ClaimVerdict) -> str:
    """The claim by name, and its verdict."""
    return f"{name(claim)}: {claim.verdict.value}"


def details(claim: ClaimVerdict, digits: int) -> Iterator[Detail]:
    """The claim, the theorem and its bound, what fails or refutes it, what is missing, and the repairs."""
    yield Detail("Claim", visible(claim.sentence))
    if claim.reason and not _is_explained(claim):
        yield Detail("Why", visible(claim.reason))
    if claim.statement:
        yield Detail("Theorem", f"{visible(claim.statement)}: {visible(claim.source)}")
    if claim.bound is not None:
        yield Detail("Bound", bound_sentence(claim, digits))
    if claim.witness is not None:
        yield Detail("Witness", visible(claim.witness))
    for condition in claim.conditions:
        if condition.decision is not Decision.PROVED:
            label = "Fails" if condition.decision is Decision.DISPROVED else "Undecided"
            yield Detail(label, condition_sentence(condition, digits))
        elif claim.verdict is Verdict.REFUTED and condition.role == "conclusion":
            yield Detail("Proof", condition_sentence(condition, digits))
    for missing in claim.missing:
        text = f"{visible(missing.text)}; once that is so, write:"
        yield Detail("Missing", text, visible_lines(missing.line_to_add))
    if claim.repairs:
        lines = tuple(toml_line(repair, claim.index) for repair in claim.repairs)
        each = "this change" if len(claim.repairs) == 1 else "any one of these changes"
        yield Detail("Repair", f"{each} is proved to certify the claim:", lines)


def bound_sentence(claim: ClaimVerdict, digits: int) -> str:
    """What the theorem gives beside what the claim says."""
    quantity, claimed = visible(claim.quantity), visible(claim.claimed)
    if claim.bound is None:
        return f"the claim says {quantity} is at most {claimed}; no theorem gives a bound"
    amount = in_words(claim.bound, digits)
    return f"the theorem's bound on {quantity} is {amount}; the claim says at most {claimed}"


def _is_explained(claim: ClaimVerdict) -> bool:
    """Whether a witness, a missing declaration or a failing condition already says why."""
    failing = any(condition.decision is not Decision.PROVED for condition in claim.conditions)
    return failing or bool(claim.missing) or claim.witness is not None


def toml_line(repair: Repair, index: int) -> str:
    """The line of the claim file that makes the repair of claim ``index``, with its place as a comment.

    >>> toml_line(Repair("", "sigma", "0.0021", ()), 1)
    'sigma = "0.0021"   # under [release]'
    """
    value = repair.value if _WHOLE.fullmatch(repair.value) else f'"{_toml_text(repair.value)}"'
    return visible(f"{repair.field} = {value}{_place_comment(repair.field, index)}")


def _place_comment(name: str, index: int) -> str:
    """Where a field stands; one that a claim may set for itself is changed there."""
    for table in ("claim", *TABLES):
        if any(field.name == name for field in TABLES[table]):
            return f"   # in claim {index}" if table == "claim" else f"   # under [{table}]"
    return ""


def _toml_text(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
