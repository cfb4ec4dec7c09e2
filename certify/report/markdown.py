"""Markdown for a step summary: a table, what is taken on trust, and details, cut to what GitHub accepts.

GitHub drops a summary of over 1 MiB whole, so each part has a share of a smaller limit, and a cut is announced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from certify.errors import UnusableInput
from certify.report.assumed import assumed
from certify.report.checked import CheckedFile, tally, worst_first
from certify.report.details import bound_sentence, details, headline, name, place
from certify.report.printable import visible
from certify.verdicts.model import ClaimVerdict, Verdict

LIMIT = 1_000_000
_POINTER = "\n*Cut here to stay below GitHub's limit of 1 MiB: `--format json` and `--format text` have the rest.*\n"
_TABLE = "\n| Verdict | Claim | Place | Sentence | Theorem |\n|---|---|---|---|---|\n"
_ENTITIES = {ord(c): f"&#{ord(c)};" for c in "&<>|$@"} | {ord(c): "\\" + c for c in "\\`*_[]#~"}
_BACKTICKS = re.compile("`+")


def render(files: Sequence[CheckedFile], digits: int, verbose: int, limit: int = LIMIT) -> str:
    """The summary in ``limit`` bytes of UTF-8: half for the table, a quarter for assumptions, the rest for details."""
    del verbose
    head = f"## certify: {tally(files)}\n"
    table = _within(map(_row, worst_first(files)), limit // 2, _TABLE)
    trusted = _within(_trusted(files), limit // 4)
    left = limit - sum(map(_size, (head, table, trusted)))
    return (head + table + trusted + _within(_explained(files, digits), left)).rstrip("\n")


def render_error(error: UnusableInput) -> str:
    """A heading and the one line."""
    return f"## certify: unusable input\n\n{escaped(visible(str(error)))}"


def escaped(text: str) -> str:
    """Visible text with nothing left that Markdown or HTML would act on."""
    return text.translate(_ENTITIES)


def _row(item: tuple[CheckedFile, ClaimVerdict]) -> str:
    checked, claim = item
    cells = (
        name(claim),
        place(claim, checked.file),
        visible(claim.sentence),
        f"{visible(claim.statement)}: {visible(claim.source)}" if claim.statement else "none",
    )
    return f"| **{claim.verdict.value}** | {' | '.join(map(escaped, cells))} |\n"


def _trusted(files: Sequence[CheckedFile]) -> Iterator[str]:
    for checked in files:
        yield f"\n### Taken on trust for {escaped(visible(checked.file))}\n"
        for heading, sentences in assumed(checked.verdicts):
            yield f"\n{heading}:\n\n"
            yield from (f"- {escaped(sentence)}\n" for sentence in sentences)


def _explained(files: Sequence[CheckedFile], digits: int) -> Iterator[str]:
    for checked, claim in worst_first(files):
        lines = [f"\n### {escaped(headline(claim))}\n\n{escaped(place(claim, checked.file))}\n\n"]
        if claim.verdict is Verdict.CERTIFIED:
            lines.append(f"- **Bound:** {escaped(bound_sentence(claim, digits))}\n")
        else:
            for detail in details(claim, digits):
                lines.append(f"- **{detail.label}:** {escaped(detail.text)}\n")
                lines.append(_code(detail.lines))
        lines += (f"- **Note:** {escaped(visible(note.text))}\n" for note in claim.notes)
        yield "".join(lines)


def _code(lines: Sequence[str]) -> str:
    """A fenced block whose fence is longer than any run of backticks inside."""
    if not lines:
        return ""
    longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "".join(f"  {line}\n" for line in ("", f"{fence}toml", *lines, fence, ""))


def _within(parts: Iterable[str], budget: int, start: str = "") -> str:
    """The start and as many whole parts as the budget takes, with a pointer where it does not take all."""
    taken, left = [start], budget - _size(start) - _size(_POINTER)
    for part in parts:
        left -= _size(part)
        if left < 0:
            taken.append(_POINTER)
            break
        taken.append(part)
    return "".join(taken)


def _size(text: str) -> int:
    return len(text.encode())
