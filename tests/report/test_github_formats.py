"""Workflow commands and the step summary."""

from __future__ import annotations

from dataclasses import replace

from certify.errors import UnusableInput
from certify.report import CheckedFile, markdown, render, render_error
from certify.report.github import MOST_ANNOTATIONS

from .samples import ALL, GOOD, REFUTED, SHA, UNPROVED, hostile

MANY = CheckedFile("many.toml", SHA, tuple(replace(REFUTED, index=i) for i in range(1, 40)))


def test_each_failure_is_an_error_at_its_line() -> None:
    lines = render("github", [ALL]).splitlines()
    assert lines[0].startswith("::error file=claims/digits.toml,line=25,title=digits-q80%2C claim 2%3A refuted::Claim")
    assert '%0Asigma = "0.0036"   # under [release]%0A' in lines[0]
    assert lines[1].startswith("::error file=claims/digits.toml,title=")
    assert lines[-1] == "::notice title=certify::1 certified, 1 refuted, 1 not certified"


def test_assumptions_and_notes_are_plain_lines() -> None:
    told = render("github", [GOOD, ALL])
    assert told.count("Standing: ideal-gaussian-sampling") == 2
    assert "Note on claim 3: delta is at least 1/n" in told


def test_at_most_ten_annotations_the_worst_first() -> None:
    lines = render("github", [replace(ALL, verdicts=(UNPROVED,)), MANY]).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == MOST_ANNOTATIONS
    assert all("refuted" in line for line in errors)
    assert "30 more without an annotation" in lines[-1]


def test_github_error() -> None:
    error = UnusableInput("100 % wrong", field="model.n", file="a,b:c.toml", line=3)
    told = render_error("github", error)
    assert told == "::error file=a%2Cb%3Ac.toml,line=3,title=certify%3A unusable input::model.n: 100 %25 wrong"
    bare = render_error("github", UnusableInput("nothing"))
    assert bare == "::error title=certify%3A unusable input::nothing"


def test_summary_has_a_row_for_each_claim_and_the_details_of_failures() -> None:
    told = render("markdown", [ALL])
    rows = [line for line in told.splitlines() if line.startswith("| **")]
    assert [row.split("**")[1] for row in rows] == ["refuted", "not-certified", "certified"]
    assert told.startswith("## certify: 1 certified, 1 refuted, 1 not certified\n")
    assert '```toml\n  sigma = "0.0036"   # under [release]\n' in told
    assert "- ideal-gaussian-sampling: " in told
    assert "- **Note:** delta is at least 1/n" in told


def test_a_claim_without_a_theorem_has_a_row_too() -> None:
    assert "| none |" in render("markdown", [replace(ALL, verdicts=(replace(UNPROVED, statement=""),))])


def test_summary_is_cut_below_the_limit_with_a_pointer() -> None:
    files = [replace(MANY, file=f"{i}.toml") for i in range(40)]
    whole = markdown.render(files[:4], 12, 0)
    cut = markdown.render(files, 12, 0, 20_000)
    assert "Cut here" not in whole
    assert len(cut.encode()) <= 20_000
    assert cut.count("Cut here") == 3
    assert "ideal-gaussian-sampling" in cut
    real = markdown.render([hostile("é|" * 20_000)] * 20, 12, 0)
    assert len(real.encode()) <= markdown.LIMIT < 1 << 20


def test_a_fence_is_longer_than_what_it_holds() -> None:
    told = render("markdown", [hostile("a ```` b")])
    assert "\n  `````toml\n" in told


def test_markdown_error() -> None:
    error = UnusableInput("<b> is not a number", file="a|b.toml")
    assert render_error("markdown", error) == "## certify: unusable input\n\na&#124;b.toml: &#60;b&#62; is not a number"
