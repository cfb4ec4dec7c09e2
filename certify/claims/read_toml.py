"""TOML text to a Document: tomllib reads it, keeping the text of every decimal; a scan of our own finds the lines."""

from __future__ import annotations

import re

from certify.claims.document import Document, Numeral, one_line, refuse
from certify.claims.toml_lines import toml_lines

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TWICE = re.compile(r"Cannot overwrite a value|Cannot declare .* twice|Duplicate inline table key|Cannot mutate")


def read_toml(text: str, source: str) -> Document:
    """Return the tree of a TOML text, or raise UnusableInput with the line of the first fault."""
    import tomllib

    lines, starts = toml_lines(text, source)
    try:
        root = tomllib.loads(text, parse_float=Numeral)
    except (tomllib.TOMLDecodeError, ValueError) as fault:
        message, line = _reason(str(fault), text)
        refuse(message, source, line, starts.get(line))
    return Document(source, root, lines)


def _reason(message: str, text: str) -> tuple[str, int]:
    """tomllib's reason in one line, and the line that it names."""
    place = _PLACE.search(message)
    line = int(place[1]) if place and place[1] else text.rstrip("\n").count("\n") + 1
    told = one_line(message[: place.start()] if place else message)
    twice = "a field or table is written twice: " if _TWICE.match(message) else ""
    return f"not TOML: {twice}{told}", line
