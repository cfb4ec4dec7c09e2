"""Strict reading: one text for each document; everything else is refused in one line, soon."""

from __future__ import annotations

import json
import time

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
    "many keys, the last twice": (
        b"{" + b",".join(b'"%d":1' % k for k in range(40_000)) + b',"39999":1}',
        "'39999': the key stands twice",
    ),
    "a key twice, once escaped": (b'{"a":1,"\\u0061":2}\n', "'a': the key stands twice"),
    "a key with a line break twice": (b'{"\\n":1,"\\n":2}\n', "'\\n': the key stands twice"),
    "half a pair": (canonical(["\ud800"]), "file: half of a surrogate pair"),
    "half a pair in a key": (canonical({"a": [{"\udfff": 1}]}), "file: half of a surrogate pair"),
    "a pair the wrong way round": (canonical(["\udc00\ud800"]), "file: half of a surrogate pair"),
    "a raw line break in text": (b'[\n "a\nb"\n]\n', "line 2: it is not JSON: Invalid control character"),
    "a raw DEL": (b'[\n "\x7f"\n]\n', "file: it is not in canonical form"),
    "a Latin-1 letter": (b'[\n "\xe9"\n]\n', "byte 5: only ASCII"),
    "UTF-32": (GOOD.decode().encode("utf-32"), "byte 1: only ASCII"),
    "UTF-16 without a mark": (GOOD.decode().encode("utf-16-le"), "line 1: it is not JSON"),
    "no final line feed": (GOOD[:-1], "file: it is not in canonical form"),
    "two final line feeds": (GOOD + b"\n", "file: it is not in canonical form"),
    "a space at a line's end": (GOOD.replace(b"1,", b"1, "), "file: it is not in canonical form"),
    "keys out of order": (b'{\n "b": 1,\n "a": 2\n}\n', "file: it is not in canonical form"),
    "a long real": (b"[" + b"7" * 1_900_000 + b".5]", "reals are written as text"),
    "minus a long number": (b"[\n -1234567890\n]\n", "-1234567890: whole numbers"),
    "a plus sign": (b"[\n +1\n]\n", "line 2: it is not JSON"),
    "a comma too many": (b"[\n 1,\n]\n", "it is not JSON"),
    "single quotes": (b"{'a': 1}\n", "line 1: it is not JSON"),
    "an escape that is none": (b'[\n "\\x41"\n]\n', "line 2: it is not JSON"),
    "an escape cut off": (b'[\n "\\u12', "line 2: it is not JSON"),
    "many closing brackets first": (b"]" * 300_000 + b"[" * 300_000, "line 1: it is not JSON"),
    "many pairs of brackets": (b"[]" * 300_000, "line 1: it is not JSON: Extra data"),
    "many empty lists": (b"[" + b"[]," * 100_000 + b"[]]\n", "file: it is not in canonical form"),
    "white space alone": (b" " * 1_900_000, "line 1: it is not JSON"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_one_line_and_soon(name: str) -> None:
    """The work is in proportion to the size: two million bytes take a few seconds at the worst."""
    data, says = HOSTILE[name]
    start = time.process_time()
    with pytest.raises(Refused) as refusal:
        read(data)
    assert time.process_time() - start < 10
    assert says in str(refusal.value)
    assert str(refusal.value).isprintable() and len(str(refusal.value)) < 200


def test_the_order_of_keys_is_that_of_code_points() -> None:
    """Not that of UTF-16 units, by which the last two would change places."""
    value = dict.fromkeys(["\U0001f600", "\uffee", "b", "a", "B", "", "10", "9"])
    assert list(read(canonical(value))) == ["", "10", "9", "B", "a", "b", "\uffee", "\U0001f600"]


def test_the_canonical_form_is_as_it_always_was() -> None:
    """Spelled out, so that another version of Python that writes it differently is found."""
    value = {"b": [], "a": {}, "c": [1, -2, {"x": True, "w": [None, False]}], "é": '\U0001f600\x7f/"\\\t'}
    assert canonical(value) == (
        b'{\n "a": {},\n "b": [],\n "c": [\n  1,\n  -2,\n  {\n   "w": [\n    null,\n    false\n   ],\n   "x": true\n'
        b'  }\n ],\n "\\u00e9": "\\ud83d\\ude00\\u007f/\\"\\\\\\t"\n}\n'
    )


@given(DOCUMENTS, integers(min_value=0), integers(min_value=0, max_value=255))
def test_a_changed_byte_is_another_document_or_none(value: object, at: int, byte: int) -> None:
    """No two texts are one document."""
    data = canonical(value)
    at %= len(data)
    changed = data[:at] + bytes([byte]) + data[at + 1 :]
    try:
        found = read(changed)
    except Refused:
        return
    assert canonical(found) == changed and (changed == data or repr(found) != repr(value))


def test_brackets_in_text_are_not_nesting() -> None:
    assert read(canonical(["[" * 100, '"{' * 50, "\\" * 9 + '"']))


def test_twenty_levels_are_read() -> None:
    value: object = 0
    for _ in range(20):
        value = [value]
    assert read(canonical(value)) == value
    with pytest.raises(Refused, match="nested more than 20 deep"):
        read(canonical([value]))
