"""The answer on a terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from certify.errors import UnusableInput
from certify.report import CheckedFile, render, render_error
from certify.report.details import Detail, bound_sentence, details, toml_line
from certify.report.text import WIDTH, wants_bold
from certify.verdicts.model import Repair

from .samples import ALL, CERTIFIED, GOOD, REFUTED, SHA, UNCOVERED, UNPROVED

TEXT = render("text", [ALL])


def test_claims_come_first_and_counts_last() -> None:
    lines = TEXT.splitlines()
    assert lines[0].startswith("certified      claims/digits.toml:20  claim 1: ")
    assert [line.split()[0] for line in lines[:6:2]] == ["certified", "refuted", "not-certified"]
    assert lines[-1] == "1 certified, 1 refuted, 1 not certified"


def test_lines_are_short_and_plain() -> None:
    assert max(map(len, TEXT.splitlines())) <= WIDTH
    assert "\x1b" not in TEXT


def test_only_failures_are_explained() -> None:
    assert "claim 1: certified" not in TEXT
    for expected in (
        "digits-q80, claim 2: refuted",
        "Witness:    two records at distance 0.28",
        "digits-q80, claim 3: not-certified",
        'the inequality "delta(sigma) <= delta" does not hold',
        'the inequality "Delta <= 1" is undecided at 4096 bits',
        "Note:       delta is at least 1/n",
    ):
        assert expected in TEXT


def test_a_refutation_shows_the_inequality_that_proves_it() -> None:
    proofs = [detail.text for detail in details(REFUTED, 12) if detail.label == "Proof"]
    assert len(proofs) == 1
    assert proofs[0].startswith('the inequality "delta < delta(sigma)" holds: the left side is 1e-6')


def test_lines_to_copy_stand_alone() -> None:
    lines = {line.strip() for line in TEXT.splitlines()}
    assert 'sigma = "0.0036"   # under [release]' in lines
    assert "n = 3600   # under [model]" in lines
    assert 'theorem = "C.13"   # in claim 3' in lines
    assert 'adjacency = "replace-one"   # under [policy]' in lines


@pytest.mark.parametrize("files", [[GOOD], [ALL]])
def test_assumptions_are_always_listed_once(files: list[CheckedFile]) -> None:
    told = render("text", files)
    assert told.count("ideal-gaussian-sampling:") == 1
    assert told.count("replace-one: adjacent data sets") == 1
    assert "Declared by the claim:" in told
    assert "Standing:" in told


def test_an_assumption_of_some_claims_names_them() -> None:
    told = render("text", [ALL])
    assert "at most feature_bound (claims 1, 2)" in told
    assert "labels included (claim 3)" in told


def test_a_file_with_no_declared_assumption_has_no_such_heading() -> None:
    standing = tuple(item for item in CERTIFIED.assumptions if item.kind == "standing")
    told = render("text", [CheckedFile("a.toml", SHA, (replace(CERTIFIED, assumptions=standing),))])
    assert "Declared" not in told


def test_verbose_adds_conditions_then_enclosures() -> None:
    plain, more, most = (render("text", [GOOD], 12, level) for level in (0, 1, 2))
    assert "epsilon >= 0" not in plain
    assert "Proved:     epsilon >= 0\n" in more
    assert "Bound:" in more
    assert "bits" not in more
    assert "Proved:     epsilon >= 0 (the left side is 0; the right side is 2; at 64 bits)" in most


def test_bold_marks_verdict_words_only() -> None:
    told = render("text", [ALL], bold=True)
    assert told.count("\x1b[1m") == 3
    assert told.replace("\x1b[1m", "").replace("\x1b[0m", "") == TEXT
    assert render("json", [ALL], bold=True) == render("json", [ALL])


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_bold_is_for_terminals(stream: io.StringIO, environment: dict[str, str], expected: bool) -> None:
    assert wants_bold(stream, environment) is expected


def test_digits_widen_outward() -> None:
    claim = replace(REFUTED, bound=replace(CERTIFIED.conditions[1].left))
    assert "between 9.41e-7 and 9.42e-7" in bound_sentence(claim, 12)


def test_no_theorem_is_explained_by_the_reason() -> None:
    assert list(details(UNCOVERED, 12)) == [
        Detail("Claim", UNCOVERED.sentence),
        Detail("Why", "the bound is not met"),
    ]
    assert bound_sentence(UNCOVERED, 12) == "the claim says delta is at most 1e-6; no theorem gives a bound"


def test_a_claim_without_an_id_is_called_by_its_number() -> None:
    told = render("text", [CheckedFile("a.toml", SHA, (replace(UNPROVED, id=""),))])
    assert "a.toml  claim 3: not-certified" in told


def test_a_repair_outside_the_tables_has_no_comment() -> None:
    assert toml_line(Repair("", "colour", 'a "b" \\ c', ()), 1) == 'colour = "a \\"b\\" \\\\ c"'


def test_unusable_input_is_one_line() -> None:
    error = UnusableInput("accepted:\na number", field="model.n", file="a.toml", line=3)
    assert render_error("text", error) == "unusable input: a.toml:3: model.n: accepted:\\na number"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UnusableInput, match="accepted: text, json, sarif, junit, markdown, github"):
        render("yaml", [ALL])
