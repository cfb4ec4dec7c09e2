"""From a path, standard input or text to a Document: size, encoding and format come first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from certify.claims.document import MAX_BYTES, Document, refuse
from certify.errors import UnusableInput

STANDARD_INPUT = "-"
_SHOWN_INPUT = "<stdin>"


def _toml(text: str, source: str) -> Document:
    from certify.claims.read_toml import read_toml

    return read_toml(text, source)


def _json(text: str, source: str) -> Document:
    from certify.claims.read_json import read_json

    return read_json(text, source)


def _yaml(text: str, source: str) -> Document:
    from certify.claims.read_yaml import read_yaml

    return read_yaml(text, source)


FORMATS: Mapping[str, Callable[[str, str], Document]] = MappingProxyType({"toml": _toml, "json": _json, "yaml": _yaml})
"""Each reader is imported when it is first needed: a gate that checks one TOML file starts faster."""

_SUFFIXES = MappingProxyType({".toml": "toml", ".json": "json", ".yaml": "yaml", ".yml": "yaml"})


def raw_bytes(path: str | Path) -> tuple[bytes, str, str]:
    """Return the bytes of a claim file, its name for messages, and its format; ``-`` is standard input."""
    if str(path) == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        return data, _SHOWN_INPUT, guessed_format(data)
    name = str(path)
    form = _SUFFIXES.get(Path(path).suffix.lower())
    if form is None:
        refuse(f"the format is read from the ending of the file name; accepted: {', '.join(_SUFFIXES)}", name)
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1), name, form
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise UnusableInput(f"cannot be read: {reason}", file=name) from None


def guessed_format(data: bytes) -> str:
    """JSON when the first character is a brace, else TOML."""
    return "json" if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" else "toml"


def document(data: bytes, source: str, form: str) -> Document:
    """Return the tree of the bytes, or raise UnusableInput (MissingExtra for YAML without its library)."""
    if form not in FORMATS:
        refuse(f"unknown format {form!r}; accepted: {', '.join(FORMATS)}", source)
    if len(data) > MAX_BYTES:
        refuse(f"a claim file of over {MAX_BYTES} bytes is not read", source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        refuse("not UTF-8 text; save the file with the encoding UTF-8", source, line)
    zero = text.find("\0")
    if zero >= 0:
        refuse("a NUL byte; a claim file is plain text", source, text.count("\n", 0, zero) + 1)
    return FORMATS[form](text, source)
