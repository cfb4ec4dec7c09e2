"""GitHub workflow commands: at most ten ``::error`` annotations, all that GitHub shows of one step, then a summary.

Plain lines begin with a fixed word, so that no text from a claim file can stand where a command would be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certify.errors import UnusableInput
from certify.report.assumed import assumed
from certify.report.checked import CheckedFile, tally, worst_first
from certify.report.details import details, headline
from certify.report.printable import relative, visible
from certify.verdicts.model import ClaimVerdict, Verdict

MOST_ANNOTATIONS = 10


def render(files: Sequence[CheckedFile], digits: int, verbose: int) -> str:
    """The commands for the failures, the assumptions as plain lines, and one notice with the counts."""
    del verbose
    failures = [(checked, claim) for checked, claim in worst_first(files) if claim.verdict is not Verdict.CERTIFIED]
    lines = [_failure(checked, claim, digits) for checked, claim in failures[:MOST_ANNOTATIONS]]
    for checked in files:
        lines += _plain(checked)
    summary = tally(files)
    hidden = len(failures) - MOST_ANNOTATIONS
    if hidden > 0:
        summary += f"; {hidden} more without an annotation, see --format text or markdown"
    return "\n".join([*lines, command("notice", summary, title="certify")])


def render_error(error: UnusableInput) -> str:
    """One annotation at the file and line, where these are known."""
    message = f"{error.field}: {error.message}" if error.field else error.message
    return command("error", visible(message), file=error.file, line=error.line, title="certify: unusable input")


def command(name: str, message: str, *, title: str, file: str | None = None, line: int | None = None) -> str:
    """One workflow command, escaped as the runner unescapes it."""
    places = {"file": None if file is None else visible(relative(file)), "line": line, "title": title}
    given = ",".join(f"{key}={_property(str(value))}" for key, value in places.items() if value is not None)
    return f"::{name} {given}::{_message(message)}"


def _failure(checked: CheckedFile, claim: ClaimVerdict, digits: int) -> str:
    lines = [line for detail in details(claim, digits) for line in (f"{detail.label}: {detail.text}", *detail.lines)]
    return command("error", "\n".join(lines), title=headline(claim), file=checked.file, line=claim.line)


def _plain(checked: CheckedFile) -> Iterator[str]:
    yield f"Taken on trust for {visible(checked.file)}"
    for heading, sentences in assumed(checked.verdicts):
        yield from (f"{heading}: {sentence}" for sentence in sentences)
    for claim in checked.verdicts:
        yield from (f"Note on claim {claim.index}: {visible(note.text)}" for note in claim.notes)


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
