"""A claim file after its syntax is read: plain tables, lists and scalars, and the line of every field path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from certify.errors import UnusableInput

MAX_BYTES = 1_000_000
MAX_DEPTH = 16
MAX_VALUES = 25_000
MAX_DIGITS = 4000

_SHOWN = 40


class Numeral(str):
    """A number as the file wrote it; its text is what ``exact`` reads."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The tree of one file, its name for messages, and the lines of its fields (None for a Python mapping)."""

    source: str
    root: Mapping[str, object]
    lines: Mapping[str, int] | None = None

    def error(self, message: str, path: str | None = None, at: str | None = None) -> UnusableInput:
        """The error about the field ``path``; its line is that of ``at`` or of the nearest table around it."""
        return UnusableInput(message, field=_field(path), file=self.source, line=self.line(at or path or ""))

    def line(self, path: str) -> int | None:
        """The line of a field, or of the nearest table around it when it is missing; None for a Python mapping."""
        if self.lines is None:
            return None
        while path and path not in self.lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.lines.get(path, 1)


def refuse(message: str, source: str, line: int | None = None, path: str | None = None) -> NoReturn:
    """Raise UnusableInput for a file whose syntax is not readable."""
    raise UnusableInput(message, field=_field(path), file=source, line=line)


def too_deep(source: str, line: int) -> NoReturn:
    """Refuse deep nesting before any parser recurses on it."""
    refuse(f"nested more than {MAX_DEPTH} deep; a claim file needs 3", source, line)


def too_many(source: str, line: int) -> NoReturn:
    """Refuse a file with more values than any claim file needs."""
    refuse(f"more than {MAX_VALUES} values; split the claims over several files", source, line)


def _field(path: str | None) -> str | None:
    """A field path for a message: a file may use any characters in a name, and any number of them."""
    if not path or (len(path) <= 80 and path.isascii() and path.isprintable()):
        return path or None
    return one_line(path[:80]) + ("..." if len(path) > 80 else "")


def one_line(text: str) -> str:
    """A library's message on one line of ASCII, shortened when it is long."""
    told = text.encode("unicode_escape").decode("ascii")
    return told if len(told) <= 160 else told[:160] + "..."


def shown(value: object) -> str:
    """A value for a message: one line, ASCII, at most about 40 characters."""
    if isinstance(value, Numeral):
        return value if len(value) <= _SHOWN else value[:_SHOWN] + "..."
    if isinstance(value, str):
        return ascii(value if len(value) <= _SHOWN else value[:_SHOWN] + "...")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | Fraction):
        return number_text(Fraction(value))
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, list | tuple) else f"a value of type {type(value).__name__}"


def number_text(value: Fraction) -> str:
    """A number exactly: a short decimal when it is one, else a fraction; a very long one is described by its size."""
    if max(abs(value.numerator).bit_length(), value.denominator.bit_length()) > 400:
        return "a number of over 120 digits"
    places = next((k for k in range(31) if (value * 10**k).denominator == 1), None)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    scaled = value * 10**places
    digits = f"{abs(scaled.numerator):0{places + 1}d}"
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :].rstrip("0")
    return ("-" if value < 0 else "") + whole + (f".{part}" if part else "")
