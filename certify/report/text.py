"""The answer for a terminal: each claim, details of what is not certified, what is taken on trust, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TextIO

from certify.errors import UnusableInput
from certify.report.amounts import sides
from certify.report.assumed import assumed
from certify.report.checked import CheckedFile, tally
from certify.report.details import Detail, bound_sentence, details, headline, place
from certify.report.printable import visible
from certify.verdicts.model import ClaimVerdict, Verdict

WIDTH = 96
_VERDICT_COLUMN = 15
_LABEL_COLUMN = 12
_INDENT = 4


def render(files: Sequence[CheckedFile], digits: int, verbose: int, *, bold: bool = False) -> str:
    """The whole answer; ``verbose`` 1 adds every condition, 2 their enclosures and bits."""
    lines = [line for checked in files for claim in checked.verdicts for line in _claim_line(checked, claim, bold)]
    for checked in files:
        for claim in checked.verdicts:
            lines += _explained(checked, claim, digits, verbose)
    for checked in files:
        lines += ["", f"Taken on trust for {visible(checked.file)}"]
        for heading, sentences in assumed(checked.verdicts):
            lines.append(f"  {heading}:")
            for sentence in sentences:
                lines += wrapped(f"{'':{_INDENT}}- ", sentence)
    return "\n".join([*lines, "", tally(files)])


def render_error(error: UnusableInput) -> str:
    """One line: file, line, field, and what is accepted."""
    return f"unusable input: {visible(str(error))}"


def wants_bold(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether verdict words may be bold: on a terminal that takes escapes, unless NO_COLOR is set."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def _claim_line(checked: CheckedFile, claim: ClaimVerdict, bold: bool) -> Iterator[str]:
    word = claim.verdict.value
    start = f"{word:{_VERDICT_COLUMN}}{place(claim, checked.file)}  claim {claim.index}: "
    first, *rest = wrapped(start, visible(claim.sentence), hanging=_VERDICT_COLUMN)
    yield first.replace(word, f"\x1b[1m{word}\x1b[0m", 1) if bold else first
    yield from rest


def _explained(checked: CheckedFile, claim: ClaimVerdict, digits: int, verbose: int) -> Iterator[str]:
    """Details of a claim that is not certified, the notes of any, and at -v everything."""
    shown: list[Detail] = []
    if claim.verdict is not Verdict.CERTIFIED:
        shown += details(claim, digits)
    elif verbose > 0:
        shown.append(Detail("Theorem", f"{visible(claim.statement)}: {visible(claim.source)}"))
        shown.append(Detail("Bound", bound_sentence(claim, digits)))
    if verbose > 0:
        shown += _conditions(claim, digits, verbose)
    shown += (Detail("Note", visible(note.text)) for note in claim.notes)
    if shown:
        yield ""
        yield f"{place(claim, checked.file)}  {headline(claim)}"
    for detail in shown:
        yield from wrapped(f"  {detail.label + ':':{_LABEL_COLUMN}}", detail.text)
        yield from (f"  {'':{_LABEL_COLUMN}}    {line}" for line in detail.lines)


def _conditions(claim: ClaimVerdict, digits: int, verbose: int) -> Iterator[Detail]:
    for condition in claim.conditions:
        more = f" ({sides(condition, digits)}; at {condition.bits} bits)" if verbose > 1 else ""
        yield Detail(condition.decision.value.capitalize(), visible(condition.text) + more)


def wrapped(start: str, text: str, hanging: int | None = None) -> list[str]:
    """The text after its start, broken between words only, so that a number or a path stays whole."""
    return wrap(
        start + text,
        WIDTH,
        subsequent_indent=" " * (len(start) if hanging is None else hanging),
        break_long_words=False,
        break_on_hyphens=False,
    )
