"""JSON text to a Document: numbers keep their text, every key its line, and no key stands twice.

The standard decoder gives no lines, converts integers (with a limit of its own) and recurses; so the structure is
read here from tokens, to a capped depth, and the standard decoder only unescapes single strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from certify.claims.document import MAX_DEPTH, MAX_VALUES, Document, Numeral, refuse, shown, too_deep, too_many

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]++)
    |(?P<string>"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")
    |(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![0-9A-Za-z_.]))
    |(?P<word>[A-Za-z]++)
    |(?P<mark>[\[\]{},:])""",
    re.VERBOSE,
)
_PIECE = re.compile(r"[^\s,\]}]{1,20}|.", re.DOTALL)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

Token = tuple[str, str, int]


def read_json(text: str, source: str) -> Document:
    """Return the tree of a JSON text, or raise UnusableInput with the line of the first fault."""
    return _Reader(text, source).document()


def _tokens(text: str, source: str) -> Iterator[Token]:
    """(kind, text, line) of every token but spaces; the last has the kind "end"."""
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            reason = (
                " (a text that is not closed, or has a raw line break or a wrong escape)"
                if text[position] == '"'
                else ""
            )
            found = _PIECE.match(text, position)
            refuse(f"not JSON: unexpected {shown(found[0] if found else '')}{reason}", source, line)
        kind = str(match.lastgroup)
        if kind == "space":
            line += match[0].count("\n")
        else:
            yield kind, match[0], line
        position = match.end()
    yield "end", "", line


class _Reader:
    """Recursive descent over the tokens; the depth is capped well below the interpreter's."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.tokens = _tokens(text, source)
        self.lines: dict[str, int] = {}
        self.values = 0
        self.kind, self.text, self.line = next(self.tokens)

    def document(self) -> Document:
        if self.text != "{":
            refuse("a claim file is one JSON object: { ... }", self.source, self.line)
        root = self.table("", 1)
        if self.kind != "end":
            self.unexpected("the end of the file")
        return Document(self.source, root, self.lines)

    def advance(self) -> str:
        taken = self.text
        self.kind, self.text, self.line = next(self.tokens)
        return taken

    def unexpected(self, wanted: str) -> NoReturn:
        found = shown(self.text) if self.text else "the end of the file"
        refuse(f"not JSON: {wanted} is expected, not {found}", self.source, self.line)

    def expect(self, mark: str) -> None:
        if self.text != mark:
            self.unexpected(f'"{mark}"')
        self.advance()

    def string(self) -> str:
        import json

        return str(json.loads(self.advance()))

    def table(self, path: str, depth: int) -> dict[str, object]:
        self.expect("{")
        found: dict[str, object] = {}
        while self.text != "}":
            if found:
                self.expect(",")
            if self.kind != "string":
                self.unexpected("a field name in double quotes")
            line, name = self.line, self.string()
            place = f"{path}.{name}" if path else name
            if name in found:
                refuse("is written twice", self.source, line, place)
            self.lines[place] = line
            self.expect(":")
            found[name] = self.value(place, depth)
        self.advance()
        return found

    def list(self, path: str, depth: int) -> list[object]:
        self.expect("[")
        found: list[object] = []
        while self.text != "]":
            if found:
                self.expect(",")
            place = f"{path}[{len(found) + 1}]"
            self.lines[place] = self.line
            found.append(self.value(place, depth))
        self.advance()
        return found

    def value(self, path: str, depth: int) -> object:
        self.values += 1
        if self.values > MAX_VALUES:
            too_many(self.source, self.line)
        if depth >= MAX_DEPTH and self.text in ("{", "["):
            too_deep(self.source, self.line)
        if self.text == "{":
            return self.table(path, depth + 1)
        if self.text == "[":
            return self.list(path, depth + 1)
        if self.kind == "string":
            return self.string()
        if self.kind == "number":
            return Numeral(self.advance())
        if self.kind == "word":
            return self.word(path)
        return self.unexpected("a value")

    def word(self, path: str) -> bool | None:
        if self.text not in _WORDS:
            message = f"{shown(Numeral(self.text))} is not JSON; numbers are finite and texts stand in double quotes"
            refuse(message, self.source, self.line, path)
        return _WORDS[self.advance()]
