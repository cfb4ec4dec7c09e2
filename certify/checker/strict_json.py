"""Strict JSON for certificates: one text for each document, and nothing but that text is read.

The canonical form is json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True) and a line feed, in ASCII: keys in
the order of their code points, one item a line. It holds objects, arrays, text of whole characters (no half of a
surrogate pair), true, false, null and whole numbers of at most 9 digits; reals are text.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from certify.statements.rules.written import Refused

MAX_BYTES = 2_000_000
MAX_DEPTH = 20
_MOST_DIGITS = 9
# A text (to its end, or to the end of the file where it has none), or a bracket.
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


def read(data: bytes) -> Any:
    """The document that the bytes hold. Raises Refused unless they are its canonical form, byte for byte."""
    if len(data) > MAX_BYTES:
        raise Refused("file", f"it is larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        raise Refused(f"byte {error.start + 1}", "only ASCII is used (no byte-order mark, UTF-16 or UTF-8)") from None
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise Refused(f"byte {token.start() + 1}", f"nested more than {MAX_DEPTH} deep")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_float=_real, parse_constant=_real, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise Refused(f"line {error.lineno}", f"it is not JSON: {error.msg}") from None
    if canonical(value) != data:
        raise Refused("file", "it is not in canonical form (order of keys, spaces, line ends, escapes)")
    if re.search(r"[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        raise Refused("file", "half of a surrogate pair is no character")
    return value


def canonical(value: object) -> bytes:
    """The canonical form of a document."""
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = sorted(name for name, _ in pairs)
    if twice := [name for at, name in enumerate(names[1:]) if name == names[at]]:
        raise Refused(ascii(twice[0])[:60], "the key stands twice")
    return dict(pairs)


def _real(text: str) -> NoReturn:
    raise Refused(text[:40], "reals are written as text; a certificate's numbers are whole")


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > _MOST_DIGITS or text == "-0":
        raise Refused(text[:40], "whole numbers have at most 9 digits; larger ones are text")
    return int(text)
