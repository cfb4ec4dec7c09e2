"""Names and texts from outside made safe to print: an id or a file name may hold anything."""

from __future__ import annotations

import os
import re

# GitHub's runner obeys "##[command]" anywhere in a line of a log, and "::command::" where only blanks stand before it,
# which is where the wrapping of a line may put the beginning of any word.
_RUNNER_COMMAND = re.compile(r"##(?=\[)|(?<!\S)::")


def visible(text: str) -> str:
    r"""The text on one line, with escapes for what steers a terminal, a parser, the reading direction or a CI runner.

    >>> visible("a\x1b[31m\n")
    'a\\x1b[31m\\n'
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return _RUNNER_COMMAND.sub(_broken, text)


def visible_lines(text: str) -> tuple[str, ...]:
    """The lines of a text, each made visible."""
    return tuple(visible(line) for line in text.splitlines())


def relative(file: str) -> str:
    """The path from the working directory, with forward slashes, as code hosts want it; elsewhere the path as given."""
    here = os.path.join(os.getcwd(), "")
    return os.path.normpath(file.removeprefix(here)).replace(os.sep, "/")


def _broken(command: re.Match[str]) -> str:
    return rf"{command[0][0]}\{command[0][1]}"
