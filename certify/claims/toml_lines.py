"""Where each field of a TOML text stands, found before tomllib reads it; also the limits that keep tomllib fast.

tomllib gives no lines, recurses on nested arrays, and is quadratic on long dotted names; the scan walks over tokens
only. It is lenient: what is not TOML is left for tomllib to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from certify.claims.document import MAX_DEPTH, MAX_DIGITS, MAX_VALUES, refuse, too_deep, too_many

_TOKEN = re.compile(
    r'''(?P<space>[ \t\r]++|\#[^\n]*+)
    |(?P<newline>\n)
    |(?P<text>"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}
        |\'\'\'(?:[^']++|'(?!\'\'))*+'{3,5}
        |"(?:[^"\\\n]++|\\[^\n])*+"
        |'[^'\n]*+')
    |(?P<mark>[\[\]{}=,])
    |(?P<bare>[^\s"'\#\[\]{}=,]++)
    |(?P<other>.)''',
    re.VERBOSE | re.DOTALL,
)
_MAX_PARTS = 8
_NUMBER = re.compile(r"[+-]?[0-9.]")

Token = tuple[str, str, int]


def toml_lines(text: str, source: str) -> tuple[dict[str, int], dict[int, str]]:
    """Return the line of every field path, and the path of the statement that starts on a line.

    Raises UnusableInput for nesting, names or numbers beyond the limits.
    """
    scan = _Scan(text, source)
    scan.statements()
    return scan.lines, scan.starts


def _tokens(text: str, source: str) -> Iterator[Token]:
    """(kind, text, line) of every token but spaces; the last has the kind "end"."""
    line, depth, values = 1, 0, 0
    for match in _TOKEN.finditer(text):
        kind, token = str(match.lastgroup), match[0]
        if kind == "mark":
            values += token in "=,["
            depth = depth + 1 if token in "[{" else max(depth - (token in "]}"), 0)
        if depth > MAX_DEPTH:
            too_deep(source, line)
        if values > MAX_VALUES:
            too_many(source, line)
        if kind != "space":
            yield kind, token, line
        line += token.count("\n")
    yield "end", "", line


class _Scan:
    """One pass over the statements of a TOML text."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines: dict[str, int] = {}
        self.starts: dict[int, str] = {}
        self.sizes: dict[str, int] = {}
        self.tokens = _tokens(text, source)
        self.kind, self.text, self.line = next(self.tokens)

    def advance(self) -> None:
        self.kind, self.text, self.line = next(self.tokens)

    def statements(self) -> None:
        table = ""
        while self.kind != "end":
            if self.text == "[":
                table = self.header()
            elif self.kind != "newline":
                self.pair(table)
            while self.kind not in ("newline", "end"):
                self.advance()
            if self.kind == "newline":
                self.advance()

    def header(self) -> str:
        """The path that a [table] or [[list of tables]] header opens."""
        line = self.line
        self.advance()
        repeated = self.text == "["
        if repeated:
            self.advance()
        path = ""
        parts = self.names()
        for position, part in enumerate(parts, 1):
            path = _join(path, part)
            self.lines.setdefault(path, line)
            if repeated and position == len(parts):
                self.sizes[path] = self.sizes.get(path, 0) + 1
            if path in self.sizes:
                path = f"{path}[{self.sizes[path]}]"
                self.lines.setdefault(path, line)
        self.starts[line] = path
        return path

    def names(self) -> list[str]:
        """The parts of a dotted name, which ends at the first token that is no part of one."""
        parts: list[str] = []
        while self.kind in ("bare", "text"):
            parts += [self.text[1:-1]] if self.kind == "text" else [part for part in self.text.split(".") if part]
            if len(parts) > _MAX_PARTS:
                refuse(f"a dotted name of more than {_MAX_PARTS} parts", self.source, self.line)
            self.advance()
        return parts

    def pair(self, table: str) -> None:
        """One name = value, with the lines of everything inside the value."""
        line, path = self.line, table
        for part in self.names():
            path = _join(path, part)
            self.lines.setdefault(path, line)
        self.starts.setdefault(line, path)
        if self.text == "=":
            self.advance()
            self.value(path)

    def value(self, path: str) -> None:
        if self.text == "[":
            self.items(path)
        elif self.text == "{":
            self.inline(path)
        else:
            while self.kind not in ("end", "newline") and self.text not in (",", "]", "}"):
                if self.kind == "bare" and len(self.text) > MAX_DIGITS and _NUMBER.match(self.text):
                    message = f"a number of {len(self.text)} characters; at most {MAX_DIGITS} are read"
                    refuse(message, self.source, self.line, path)
                self.advance()

    def items(self, path: str) -> None:
        position = 0
        self.advance()
        while self.kind != "end" and self.text != "]":
            if self.kind == "newline" or self.text in (",", "}"):
                self.advance()
                continue
            position += 1
            place = f"{path}[{position}]"
            self.lines.setdefault(place, self.line)
            self.value(place)
        self.advance_if_open()

    def inline(self, path: str) -> None:
        self.advance()
        while self.kind not in ("end", "newline") and self.text != "}":
            if self.kind in ("bare", "text"):
                self.pair(path)
            else:
                self.advance()
        self.advance_if_open()

    def advance_if_open(self) -> None:
        if self.text in ("]", "}"):
            self.advance()


def _join(path: str, part: str) -> str:
    return f"{path}.{part}" if path else part
