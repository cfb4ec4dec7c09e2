"""`certify check`: statuses, formats, files, standard input, limits."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from certify.report import FORMATS

from .runs import CORPUS, EXAMPLES, ROOT, refused, run

CERTIFIED = str(CORPUS / "certified" / "theorem-4.1.toml")
REFUTED = str(CORPUS / "refuted" / "ridge-sigma-0.0016.toml")
OPEN = str(CORPUS / "not-certified" / "logistic-1.4.toml")
MALFORMED = str(CORPUS / "malformed" / "sigma-nan.toml")


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        ([CERTIFIED], 0),
        ([CERTIFIED, CERTIFIED], 0),
        ([REFUTED], 1),
        ([OPEN], 1),
        ([CERTIFIED, OPEN], 1),
        ([CERTIFIED, REFUTED, CERTIFIED], 1),
    ],
)
def test_status(paths: list[str], status: int) -> None:
    """0 only where every claim of every file is certified; the document states the status too."""
    ran = run("check", "--format", "json", *paths)
    assert ran.status == status
    assert ran.err == ""
    document = json.loads(ran.out)
    assert document["status"] == status
    assert [Path(item["file"]).name for item in document["files"]] == [Path(path).name for path in paths]


def test_the_document_has_the_fields_of_the_interface() -> None:
    """One key "verdict" for each claim and nowhere else; conditions have decisions."""
    ran = run("check", "--format", "json", str(EXAMPLES / "ridge-prototype.toml"))
    document = json.loads(ran.out)
    assert document["schema"] == "certify/result/v1"
    [checked] = document["files"]
    assert len(checked["sha256"]) == 64
    assert ran.out.count('"verdict"') == len(checked["claims"]) == 2
    for claim in checked["claims"]:
        needed = {"index", "id", "kind", "verdict", "statement", "bound", "conditions", "assumptions", "repairs"}
        assert needed <= set(claim) and "witness" in claim
        for condition in claim["conditions"]:
            assert {"text", "decision", "left", "right", "bits"} <= set(condition)
            assert condition["decision"] in ("proved", "disproved", "undecided")
    assert checked["claims"][0]["witness"] is None and checked["claims"][1]["witness"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_to_standard_output(form: str) -> None:
    """The status does not depend on it."""
    ran = run("check", "--format", form, CERTIFIED, REFUTED)
    assert ran.status == 1 and ran.out.strip() and ran.err == ""
    if form in ("json", "sarif"):
        json.loads(ran.out)
    if form == "junit":
        ElementTree.fromstring(ran.out)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_for_unusable_input(form: str) -> None:
    """Status 2, a line on standard error, and the error in the format asked for."""
    ran = run("check", "--format", form, CERTIFIED, MALFORMED)
    assert ran.status == 2
    assert ran.err.startswith("certify: ") and "sigma" in ran.err and ran.err.count("\n") == 1
    if form == "json":
        document = json.loads(ran.out)
        assert set(document) == {"schema", "error"}
        assert set(document["error"]) == {"file", "line", "field", "message"}
        assert document["error"]["field"] == "release.sigma" and document["error"]["line"] > 1
    assert "certified" not in ran.out.replace("not certified", "")


def test_several_outputs_in_one_run(tmp_path: Path) -> None:
    """Each file holds what its format prints, and standard output keeps its own."""
    asked = [word for form in FORMATS for word in ("--output", f"{form}={tmp_path / form}")]
    ran = run("check", *asked, REFUTED)
    assert ran.status == 1
    for form in FORMATS:
        assert (tmp_path / form).read_text() == run("check", "--format", form, REFUTED).out
    assert ran.out == (tmp_path / "text").read_text()


def test_outputs_are_written_for_unusable_input_too(tmp_path: Path) -> None:
    """So that an old, good report is not mistaken for this run's."""
    report = tmp_path / "report.json"
    report.write_text("old")
    assert run("check", "--output", f"json={report}", MALFORMED).status == 2
    assert "error" in json.loads(report.read_text())


def test_output_paths() -> None:
    """What cannot be written, or is not FORMAT=FILE, is refused with nothing printed."""
    for path in (CERTIFIED, MALFORMED):
        for form in ("text", "json"):
            words = ("check", "--output", "json=/nonexistent/x.json", "--format", form, path)
            assert "cannot be written" in refused(*words)
    assert "FORMAT=FILE" in refused("check", "--output", "report.json", CERTIFIED)
    assert "FORMAT=FILE" in refused("check", "--output", "json=", CERTIFIED)
    assert "unknown format xml; accepted: text, json" in refused("check", "--output", "xml=a.xml", CERTIFIED)
    assert "unknown format xml; accepted: text, json" in refused("check", "--format", "xml", CERTIFIED)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` takes TOML, or JSON where it starts with a brace."""
    toml = Path(CERTIFIED).read_bytes()
    document = (CORPUS / "certified" / "theorem-left-out.json").read_bytes()
    for text in (toml, document):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        ran = run("check", "-")
        assert ran.status == 0, ran
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert run("check", "-").status == 2


def test_digits() -> None:
    """More digits, narrower enclosures, each inside the one before."""
    ends = []
    for digits in ("3", "12", "60"):
        bound = json.loads(run("check", "--format", "json", "--digits", digits, REFUTED).out)["files"][0]["claims"][0]
        ends.append((bound["bound"]["lower"], bound["bound"]["upper"]))
    assert [float(low) for low, _ in ends] == sorted(float(low) for low, _ in ends)
    for digits in ("0", "-1", "1001", "many", "1e3"):
        assert "--digits" in refused("check", "--digits", digits, CERTIFIED)


def test_limits() -> None:
    """Each has its range; a limit that cuts a proof off leaves the claim undecided."""
    for bits in ("0", "1", "63", "1048577", "-5", "x"):
        assert "--max-bits" in refused("check", "--max-bits", bits, CERTIFIED)
    assert "--max-evaluations" in refused("check", "--max-evaluations", "-1", CERTIFIED)
    assert "--timeout" in refused("check", "--timeout", "-1", CERTIFIED)
    ran = run("check", "--max-evaluations", "0", CERTIFIED)
    assert ran.status == 1 and "ndecided" in ran.out
    ran = run("check", "--timeout", "0", CERTIFIED)
    assert ran.status == 1 and "ndecided" in ran.out
    assert run("check", "--max-bits", "64", CERTIFIED).status == 0


def test_verbosity() -> None:
    """Each step adds lines."""
    lengths = [len(run("check", *flags, CERTIFIED).out) for flags in ((), ("-v",), ("-vv",))]
    assert lengths == sorted(set(lengths))


def test_no_repairs() -> None:
    """--no-repairs leaves them out and changes nothing else."""
    with_them, without = (
        json.loads(run("check", "--format", "json", *flags, OPEN).out) for flags in ((), ("--no-repairs",))
    )
    assert with_them["files"][0]["claims"][0]["repairs"]
    with_them["files"][0]["claims"][0]["repairs"] = []
    assert with_them == without


def test_usage() -> None:
    """No file, no such file, a folder."""
    assert "CLAIM" in refused("check")
    assert "cannot be read" in refused("check", "no-such-file.toml")
    assert refused("check", str(CORPUS))
    assert "unrecognized" in refused("check", "--no-such-option", CERTIFIED)


def test_names_cannot_drive_the_terminal(tmp_path: Path) -> None:
    """Control characters of a file name are shown as escapes, in answers and in errors."""
    hostile = tmp_path / "a\x1b[31m\n.toml"
    assert "\x1b" not in run("check", str(hostile)).err
    hostile.write_bytes(Path(CERTIFIED).read_bytes())
    assert "\x1b" not in run("check", str(hostile)).out


@pytest.mark.parametrize("path", sorted((CORPUS / "malformed").glob("*.*")), ids=lambda path: path.name)
def test_malformed_files_end_in_status_2(path: Path) -> None:
    """One line each, on standard error."""
    if path.name == "messages.tsv":
        return
    refused("check", str(path))


def test_yaml_and_json_corpus() -> None:
    """The command reads all three notations."""
    for path in sorted((CORPUS / "certified").iterdir()):
        if path.suffix != ".toml":
            assert run("check", "--no-repairs", str(path)).status == 0, path


def test_the_example_in_the_help_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the checkout."""
    monkeypatch.chdir(ROOT)
    assert run("check", "examples/claims/ridge-prototype.toml").status == 1
