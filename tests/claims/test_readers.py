"""The three readers against the standard libraries, and against any bytes at all."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.claims import ClaimFile, from_mapping, loads
from certify.claims.document import Numeral
from certify.claims.read_json import read_json
from certify.claims.read_toml import read_toml
from certify.claims.read_yaml import read_yaml
from certify.claims.toml_lines import toml_lines
from certify.errors import UnusableInput

from .samples import BALL, EXAMPLES

SEEDS = {
    "toml": [path.read_bytes() for path in sorted(EXAMPLES.glob("*.toml"))],
    "json": [json.dumps(BALL, indent=1).encode()],
    "yaml": [
        b"release: {mechanism: gaussian-output-perturbation, sigma: 1e-5}\n"
        b"model:\n  head: softmax\n  classes: 3\n  n: 9\n  regularization: 0.1\n  feature_bound: 1\n"
        b"  public: [n, radius]\n"
        b"claim:\n- kind: reconstruction\n  prior: [1]\n  success: 1\n"
    ],
}
PIECES = [
    *(
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\n",
        b"\r",
        b"\t",
        b'"',
        b"'",
        b'"""',
        b"[",
        b"]",
        b"{",
        b"}",
        b"[[",
        b"=",
        b":",
    ),
    *(
        b",",
        b".",
        b"#",
        b"&a ",
        b"*a",
        b"!x ",
        b"---\n",
        b"%",
        b"|",
        b"? ",
        b"- ",
        b"nan",
        b"1e99999",
        b"-",
        b"0",
        b"\\u",
    ),
    *(b"9" * 4500, b"[" * 2000, b"a." * 2000, b"null", b"true", b"release", b"1979-05-27", b"0x1F", b"\xc2\x85", b"?"),
]

json_trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def plain(tree: object) -> object:
    """Numerals as the rationals they denote."""
    if isinstance(tree, dict):
        return {key: plain(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [plain(value) for value in tree]
    if isinstance(tree, Numeral):
        return Fraction(tree)
    return Fraction(str(tree)) if isinstance(tree, int | float) and not isinstance(tree, bool) else tree


@given(st.dictionaries(st.text(max_size=5), json_trees, max_size=4), st.sampled_from([None, 2]), st.booleans())
def test_json_agrees_with_the_standard_reader(tree: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=ascii_only)
    assert plain(dict(read_json(text, "tree").root)) == plain(tree)


@given(st.text(alphabet='{}[]:,"\\ \nabtrue019.-+eEu/', max_size=30))
def test_json_accepts_nothing_that_the_standard_reader_refuses(text: str) -> None:
    try:
        read_json("{" + text, "text")
    except UnusableInput:
        return
    json.loads("{" + text)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    """A claim file with a few cuts, copies and insertions."""
    form = draw(st.sampled_from(sorted(SEEDS)))
    data = draw(st.sampled_from(SEEDS[form]))
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
        end = draw(st.sampled_from([start, min(start + 1, end), end]))
        data = data[:start] + draw(st.sampled_from(PIECES) | st.binary(max_size=4) | st.just(data[:40])) + data[end:]
    return form, data


@settings(max_examples=400)
@given(mutated())
def test_a_mutated_file_is_read_or_refused_in_one_line(case: tuple[str, bytes]) -> None:
    form, data = case
    try:
        file = loads(data, "mutated", form)
    except UnusableInput as refused:
        assert str(refused).isprintable()
        assert refused.line is not None
        assert 1 <= refused.line <= data.count(b"\n") + data.count(b"\r") + data.count(b"\xc2\x85") + 1
    else:
        assert isinstance(file, ClaimFile)
        assert file.claims


@given(st.binary(max_size=60), st.sampled_from(["toml", "json", "yaml", None]))
def test_any_bytes(data: bytes, form: str | None) -> None:
    with pytest.raises(UnusableInput) as refused:
        loads(data, "any", form)
    assert str(refused.value).isprintable()


python_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.binary(max_size=2)
    | st.fractions(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=4,
)
PLACES = [(table, name) for table in ("release", "model", "policy") for name in BALL[table]] + [
    ("model", name) for name in ("public", "constant", "intercept", "C", "classes")
]


@given(st.sampled_from(PLACES), python_values)
def test_any_python_value(place: tuple[str, str], value: object) -> None:
    table, name = place
    try:
        from_mapping({**BALL, table: {**BALL[table], name: value}})
    except UnusableInput as refused:
        assert str(refused).isprintable()


TRICKY = '''\
"quoted.name" = 1
a.b . "c" = [ 1, # one ] }
  { x = "}", y = [
    2, 3 ] },
  """ ] "" " \\""" ,
text""""",
]
[t . u]
v = \'\'\'
[not.a.table]
w = 1\'\'\'\'
[[list]]
k = "=[" # [
[[list.inner]]
z = 1
[[list.inner]]
[[list]]
[[list.inner]]
z = { a.b = 1979-05-27 07:32:00, c = -0.5 }
'''


def test_toml_lines_of_tricky_text() -> None:
    read_toml(TRICKY, "tricky")
    by_line = {
        1: ["quoted.name"],
        2: ["a", "a.b", "a.b.c", "a.b.c[1]"],
        3: ["a.b.c[2]", "a.b.c[2].x", "a.b.c[2].y"],
        4: ["a.b.c[2].y[1]", "a.b.c[2].y[2]"],
        5: ["a.b.c[3]"],
        8: ["t", "t.u"],
        9: ["t.u.v"],
        12: ["list", "list[1]"],
        13: ["list[1].k"],
        14: ["list[1].inner", "list[1].inner[1]"],
        15: ["list[1].inner[1].z"],
        16: ["list[1].inner[2]"],
        17: ["list[2]"],
        18: ["list[2].inner", "list[2].inner[1]"],
        19: [f"list[2].inner[1].z{inner}" for inner in ("", ".a", ".a.b", ".c")],
    }
    assert toml_lines(TRICKY, "tricky")[0] == {path: line for line, group in by_line.items() for path in group}


def test_yaml_scalars_stay_text() -> None:
    text = 'a: 1e-5\nb: "1e-5"\nc: [010, no, 1:30, ~, 2001-01-01, 1_0]\nd:\n- e: |\n    x\n  f:\n"g": \'h\'\n'
    document = read_yaml(text, "scalars")
    assert document.root == {
        "a": "1e-5",
        "b": "1e-5",
        "c": ["010", "no", "1:30", "~", "2001-01-01", "1_0"],
        "d": [{"e": "x\n", "f": ""}],
        "g": "h",
    }
    assert document.lines is not None
    assert (document.lines["c[6]"], document.lines["d[1].f"], document.lines["g"]) == (3, 7, 8)


def test_faults_of_syntax_name_the_field() -> None:
    cases = {
        ("toml", "[model]\nn = 1\nn = 2\n"): "model.n",
        ("toml", "[model]\nn = 1:2\n"): "model.n",
        ("toml", "[model]\nn = [\n" + "1" * 4001 + "]\n"): "model.n[1]",
        ("json", '{"model": {"n": 1, "n": 2}}'): "model.n",
        ("yaml", "model:\n  n: 1\n  n: 2\n"): "model.n",
        ("yaml", "model:\n  n: *a\n"): "model.n",
        ("yaml", "claim:\n- &a\n"): "claim",
        ("json", '{"\\u001b' + "x" * 99 + '": NaN}'): "\\x1b" + "x" * 79 + "...",
    }
    for (form, text), field in cases.items():
        with pytest.raises(UnusableInput) as refused:
            loads(text, format=form)
        assert refused.value.field == field
