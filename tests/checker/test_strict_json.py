"""Strict reading: one text for each document; everything else is refused in one line, soon."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, dictionaries, integers, lists, none, recursive, text

from certify.checker.strict_json import MAX_BYTES, canonical, read
from certify.statements.rules.written import Refused

DOCUMENTS = recursive(
    none() | booleans() | integers(-(10**9) + 1, 10**9 - 1) | text(max_size=20),
    lambda inner: lists(inner, max_size=4) | dictionaries(text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_the_canonical_form_is_read_back(value: object) -> None:
    data = canonical(value)
    assert read(data) == value
    assert data.isascii() and data.endswith(b"\n") and b"\r" not in data
    assert json.loads(data) == value


@given(DOCUMENTS)
def test_any_other_form_is_refused(value: object) -> None:
    forms = {json.dumps(value).encode(), json.dumps(value, indent=2).encode() + b"\n", canonical(value) + b"\n"}
    for other in forms - {canonical(value)}:
        with pytest.raises(Refused):
            read(other)


GOOD = canonical({"a": [1, "x"], "b": None})
HOSTILE = {
    "empty": (b"", "line 1"),
    "a byte-order mark": (b"\xef\xbb\xbf" + GOOD, "byte 1: only ASCII"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "byte 1: only ASCII"),
    "UTF-8": ('["é"]\n'.encode(), "byte 3: only ASCII"),
    "NUL": (GOOD.replace(b"x", b"\x00"), "line"),
    "NUL between": (GOOD + b"\x00", "line"),
    "truncated": (GOOD[:-5], "line"),
    "concatenated": (GOOD + GOOD, "Extra data"),
    "twice in one": (b"[" + GOOD + b"," + GOOD + b"]", "canonical form"),
    "carriage returns": (GOOD.replace(b"\n", b"\r\n"), "canonical form"),
    "a key twice": (b'{"a":1,"a":2}\n', "'a': the key stands twice"),
    "a real": (b"[\n 1.5\n]\n", "1.5: reals are written as text"),
    "an exponent": (b"[\n 1e5\n]\n", "1e5: reals"),
    "NaN": (b"[\n NaN\n]\n", "NaN: reals"),
    "infinity": (b"[\n -Infinity\n]\n", "-Infinity: reals"),
    "minus zero": (b"[\n -0\n]\n", "-0: whole numbers"),
    "a long number": (b"[\n 1234567890\n]\n", "1234567890: whole numbers"),
    "a very long number": (b"[" + b"7" * 1_000_000 + b"]", "whole numbers"),
    "a leading zero": (b"[\n 01\n]\n", "line"),
    "an escape that is not needed": (b'[\n "\\u0041"\n]\n', "canonical form"),
    "an upper-case escape": (b'[\n "\\u00E9"\n]\n', "canonical form"),
    "a comment": (b"[1] // no\n", "line"),
    "deep arrays": (b"[" * 1_000_000, "byte 21: nested more than 20 deep"),
    "deep objects": (b'{"a":' * 300_000, "nested more than 20 deep"),
    "deep and closed": (b"[" * 100_000 + b"]" * 100_000, "nested more than 20 deep"),
    "many quotes": (b'"' * 1_900_000, "line"),
    "many escapes": (b'"' + b'\\"' * 900_000, "line"),
    "too large": (b" " * (MAX_BYTES + 1), "file: it is larger"),
    "many keys": (b"{" + b",".join(b'"%d":1' % k for k in range(150_000)) + b',"7":1}', "the key stands twice"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_one_line(name: str) -> None:
    data, says = HOSTILE[name]
    with pytest.raises(Refused) as refusal:
        read(data)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 200


def test_brackets_in_text_are_not_nesting() -> None:
    assert read(canonical(["[" * 100, '"{' * 50, "\\" * 9 + '"']))


def test_twenty_levels_are_read() -> None:
    value: object = 0
    for _ in range(20):
        value = [value]
    assert read(canonical(value)) == value
    with pytest.raises(Refused, match="nested more than 20 deep"):
        read(canonical([value]))
