"""JSON, SARIF and JUnit: the structure that other programs rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import jsonschema
import pytest

from certify.errors import UnusableInput
from certify.report import CheckedFile, render, render_error, sarif
from certify.report.printable import relative

from .samples import ALL, CERTIFIED, GOOD, REFUTED, SHA, UNPROVED, hostile

ERROR = UnusableInput("not a number", field="model.n", file="claims/a b.toml", line=3)
BARE = UnusableInput("nothing to read")

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%-]+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine"],
                    "properties": {"startLine": {"type": "integer", "minimum": 1}},
                },
            },
        }
    },
}
SARIF = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "maxItems": 20,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription"],
                                            "properties": {"shortDescription": TEXT, "help": TEXT},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "properties": {"type": "object"},
                    "invocations": {
                        "type": "array",
                        "items": {"type": "object", "required": ["executionSuccessful"]},
                    },
                    "results": {
                        "type": "array",
                        "maxItems": 25_000,
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "level", "message", "locations", "partialFingerprints"],
                            "properties": {
                                "kind": {"enum": ["pass", "fail"]},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "locations": {"type": "array", "minItems": 1, "items": LOCATION},
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                            # SARIF 2.1.0, 3.27.10: a level other than none goes with kind "fail" only.
                            "if": {"required": ["kind"], "properties": {"kind": {"const": "pass"}}},
                            "then": {"properties": {"level": {"const": "none"}}},
                        },
                    },
                },
            },
        },
    },
}


def sarif_run(files: list[CheckedFile], verbose: int = 0) -> dict[str, Any]:
    """The one run of the log, checked against the parts of the standard that are used."""
    log = json.loads(render("sarif", files, 12, verbose))
    jsonschema.validate(log, SARIF)
    run: dict[str, Any] = log["runs"][0]
    assert {result["ruleId"] for result in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    return run


def keys(value: object) -> list[str]:
    """Every key of a JSON document, at any depth."""
    if isinstance(value, dict):
        return [*value, *(key for item in value.values() for key in keys(item))]
    return [key for item in value for key in keys(item)] if isinstance(value, list) else []


def test_json_has_the_keys_of_the_interface() -> None:
    document = json.loads(render("json", [ALL]))
    assert list(document) == ["schema", "files", "status"]
    assert document["schema"] == "certify/result/v1"
    assert document["status"] == 1
    assert document["files"][0]["file"] == "claims/digits.toml"
    assert document["files"][0]["sha256"] == SHA
    for claim, sample in zip(document["files"][0]["claims"], ALL.verdicts, strict=True):
        assert claim["verdict"] == sample.verdict.value
        assert {"index", "id", "kind", "statement", "bound", "conditions", "assumptions", "repairs", "witness"} <= set(
            claim
        )
        assert {"source", "sentence", "quantity", "claimed", "missing", "notes", "reason", "line"} <= set(claim)
    condition = document["files"][0]["claims"][2]["conditions"][1]
    assert condition["decision"] == "disproved"
    assert condition["left"] == {"lower": "0.0000321", "upper": "0.0000322"}
    assert condition["bits"] == 64


def test_json_verdict_stands_once_in_a_claim_and_nowhere_else() -> None:
    assert keys(json.loads(render("json", [ALL, GOOD]))).count("verdict") == 4
    assert "verdict" not in keys(json.loads(render_error("json", ERROR)))


def test_json_repairs_are_lines_with_their_proof() -> None:
    repair = json.loads(render("json", [ALL]))["files"][0]["claims"][1]["repairs"][0]
    assert repair["toml"] == 'sigma = "0.0036"   # under [release]'
    assert (repair["field"], repair["value"]) == ("sigma", "0.0036")
    assert all(condition["decision"] == "proved" for condition in repair["conditions"])


def test_json_bound_is_null_or_carries_its_reason() -> None:
    bare = replace(CERTIFIED, bound=None)
    claims = json.loads(render("json", [replace(ALL, verdicts=(bare,)), hostile("why")]))["files"]
    assert claims[0]["claims"][0]["bound"] is None
    assert claims[1]["claims"][0]["bound"]["reason"] == "why"


def test_json_is_ascii_and_gives_every_character_back() -> None:
    text = "δ \ud800 ##[error] \x1b[31m\u202e"
    document = render("json", [hostile(text)])
    assert document.isascii()
    assert "##[" not in document
    assert json.loads(document)["files"][0]["claims"][0]["id"] == text


def test_json_error() -> None:
    document = json.loads(render_error("json", ERROR))
    error = {"file": "claims/a b.toml", "line": 3, "field": "model.n", "message": "not a number"}
    assert document == {"schema": "certify/result/v1", "error": error}
    assert json.loads(render_error("json", BARE))["error"]["file"] is None


def test_sarif_levels_lines_and_rules() -> None:
    results = sarif_run([ALL])["results"]
    assert [(result["level"], result["kind"]) for result in results] == [("error", "fail"), ("warning", "fail")]
    assert results[0]["ruleId"] == "CERT-differential-privacy"
    assert results[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 25}
    assert results[1]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert 'sigma = "0.0036"' in results[0]["message"]["text"]


def test_sarif_shows_certified_claims_as_passed_where_asked() -> None:
    run = sarif_run([ALL], verbose=1)
    assert [(result["level"], result["kind"]) for result in run["results"]][-1] == ("none", "pass")
    assert sarif_run([GOOD])["results"] == []
    assert sarif_run([GOOD])["properties"]["certified"][0]["claim"] == "digits-q80, claim 1: certified"


def test_sarif_fingerprints_follow_the_claim_not_its_line_verdict_or_theorem() -> None:
    moved = replace(UNPROVED, index=REFUTED.index, line=99, statement="B6")
    one, other = (
        sarif_run([CheckedFile("a.toml", SHA, claims)])["results"] for claims in ((REFUTED, UNPROVED), (moved,))
    )
    assert one[0]["partialFingerprints"] == other[0]["partialFingerprints"]
    assert one[0]["partialFingerprints"] != one[1]["partialFingerprints"]


def test_sarif_lists_what_is_taken_on_trust() -> None:
    trusted = sarif_run([GOOD])["properties"]["takenOnTrust"]["claims/digits.toml"]
    assert any("ideal-gaussian-sampling" in sentence for sentence in trusted["Standing"])


def test_sarif_keeps_to_the_limit_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 1)
    run = sarif_run([ALL])
    assert [result["level"] for result in run["results"]] == ["error"]
    assert "1 results are left out" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_message_holds_no_link_and_no_placeholder() -> None:
    text = sarif_run([hostile("[x](https://example.org) {0}")])["results"][0]["message"]["text"]
    assert "](" not in text
    assert "{0}" not in text.replace("{{0}}", "")


def test_sarif_error_is_a_result_and_a_notification() -> None:
    for error in (ERROR, BARE):
        log = json.loads(render_error("sarif", error))
        jsonschema.validate(log, SARIF)
        run = log["runs"][0]
        assert run["results"][0]["level"] == "error"
        assert run["invocations"][0]["exitCode"] == 2
        assert run["invocations"][0]["executionSuccessful"] is False
    location = json.loads(render_error("sarif", ERROR))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "claims/a%20b.toml"
    assert location["region"]["startLine"] == 3


def test_paths_are_relative(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert relative(str(tmp_path / "claims" / "a.toml")) == "claims/a.toml"
    assert relative("./claims/../a.toml") == "a.toml"
    elsewhere = sarif_run([CheckedFile("/elsewhere/a.toml", SHA, (REFUTED,))])["results"][0]["locations"][0]
    assert elsewhere["physicalLocation"]["artifactLocation"] == {"uri": "/elsewhere/a.toml"}


def suites(files: list[CheckedFile]) -> Element:
    """The JUnit document, parsed."""
    return fromstring(render("junit", files))


def test_junit_counts_and_fails_what_is_not_certified() -> None:
    root = suites([ALL, GOOD])
    assert root.attrib == {"tests": "4", "failures": "2", "errors": "0"}
    assert [suite.get("name") for suite in root] == ["claims/digits.toml"] * 2
    cases = root[0].findall("testcase")
    assert [case.find("failure") is not None for case in cases] == [False, True, True]
    assert [failure.get("type") for failure in root.iter("failure")] == ["refuted", "not-certified"]
    assert 'theorem = "C.13"' in str(cases[2].findtext("failure"))
    assert cases[0].get("line") == "20"
    assert cases[2].get("line") is None


def test_junit_properties_hold_the_bounds() -> None:
    uncovered = replace(UNPROVED, bound=None)
    cases = list(suites([replace(ALL, verdicts=(CERTIFIED, uncovered))]).iter("testcase"))
    first, second = ({item.get("name"): item.get("value") for item in case.iter("property")} for case in cases)
    assert (first["bound.lower"], first["bound.upper"], first["claimed"]) == ("9.41e-7", "9.42e-7", "1e-6")
    assert "bound.lower" not in second


def test_junit_lists_assumptions_and_notes() -> None:
    texts = [str(item.text) for item in suites([ALL]).iter("system-out")]
    assert any("Standing: ideal-gaussian-sampling" in text for text in texts)
    assert "Note: delta is at least 1/n" in texts


def test_junit_error() -> None:
    root = fromstring(render_error("junit", ERROR))
    assert root.get("errors") == "1"
    assert root.findtext(".//error") == "claims/a b.toml:3: model.n: not a number"
    assert fromstring(render_error("junit", BARE))[0].get("name") == "input"
