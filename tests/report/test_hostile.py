"""Ids, sentences and file names may hold anything; no format lets them act."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis.strategies import characters, lists, sampled_from, text

from certify.errors import UnusableInput
from certify.report import FORMATS, render, render_error
from certify.report.markdown import escaped
from certify.report.printable import visible, visible_lines

from .samples import REFUTED, UNPROVED, hostile

SHARP = (
    "\x1b[2J", "\r", "\n", "\0", "\x85", "\u2028", "\u202e", "\ufeff", "\ud800", "\uffff",
    "::error::", " ::stop-commands::x", "##[add-mask]", "###[x]", "%0A", ",", "://",
    "]]>", "<script>", "&amp;", "|", "`", "```", "](", "*", "\\", '"', "'", "@all", "{0}", "$x$", "é", "verdict",
)  # fmt: skip
TEXTS = lists(sampled_from(SHARP) | text(characters(codec=None), max_size=4), max_size=6).map("".join)


@given(TEXTS)
@example("".join(SHARP))
def test_visible_text_is_one_printable_line(given_text: str) -> None:
    shown = visible(given_text)
    assert shown.isprintable()
    assert "##[" not in shown
    assert not re.search(r"(^|\s)::", shown)
    assert visible(shown) == shown
    for line in visible_lines(given_text):
        assert line.isprintable()


@pytest.mark.parametrize("form", FORMATS)
@given(given_text=TEXTS)
@example(given_text="".join(SHARP))
@example(given_text="")
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_format_lets_a_text_act(form: str, given_text: str) -> None:
    error = UnusableInput(given_text, field=given_text, file=given_text, line=1)
    for answer in (
        *(render(form, [hostile(given_text, claim)], 12, 2) for claim in (REFUTED, UNPROVED)),
        render_error(form, error),
    ):
        answer.encode("utf-8")
        assert all(character.isprintable() or character == "\n" for character in answer)
        assert "##[" not in answer
        if form in ("json", "sarif"):
            json.loads(answer)
        elif form == "junit":
            fromstring(answer)
        elif form == "github":
            commands = [line for line in answer.splitlines() if line.lstrip().startswith("::")]
            assert all(re.match(r"::(error|notice) [a-z]+=[^:]*::", line) for line in commands)
            assert len(commands) == (1 if "unusable input" in answer else 3)
        else:
            assert not re.search(r"^\s*::", answer, re.MULTILINE)


@given(TEXTS)
def test_escaped_markdown_has_no_bare_sign(given_text: str) -> None:
    shown = escaped(visible(given_text))
    assert not re.search(r"[|<>$@]", shown)
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]~]", re.sub(r"\\[\\`*_\[\]#~]", "", shown))


@pytest.mark.parametrize("signs", ["a|b", "<img>", "`x`", "[a](b)"])
def test_a_row_keeps_its_cells(signs: str) -> None:
    rows = [line for line in render("markdown", [hostile(signs)]).splitlines() if line.startswith("| **")]
    assert len(rows) == 2
    assert all(row.count("|") == 6 for row in rows)
