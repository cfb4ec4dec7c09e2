"""SARIF 2.1.0 for code scanning: a result for each claim that is not certified, at its line.

A rule is the kind of the claim (CERT-differential-privacy), not the theorem used: the rule and the fingerprint (rule,
claim id, index) stay the same while a claim is repaired, so one claim is one alert. A refuted claim is an error, one
that is not certified a warning. GitHub opens an alert for every result, ``"kind": "pass"`` included (microsoft/PSRule
issue 955); so certified claims become results only at -v, for other viewers, and are always among the run's properties.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from urllib.parse import quote

from certify.errors import UnusableInput
from certify.report.assumed import assumed
from certify.report.checked import CheckedFile, tally, worst_first
from certify.report.details import bound_sentence, details, headline
from certify.report.json_report import enclosure_object, written
from certify.report.printable import relative, visible
from certify.report.status import UNUSABLE, status
from certify.verdicts.model import ClaimVerdict, Verdict
from certify.version import VERSION

MOST_RESULTS = 25_000
UNUSABLE_RULE = "CERT-unusable-input"
_LEVEL = {Verdict.REFUTED: "error", Verdict.NOT_CERTIFIED: "warning", Verdict.CERTIFIED: "none"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(files: Sequence[CheckedFile], digits: int, verbose: int) -> str:
    """The log; ``verbose`` adds the certified claims as results of kind ``pass``."""
    shown = [
        (checked, claim) for checked, claim in worst_first(files) if verbose or claim.verdict is not Verdict.CERTIFIED
    ]
    results = [_result(checked, claim, digits) for checked, claim in shown[:MOST_RESULTS]]
    invocation: dict[str, object] = {"executionSuccessful": True, "exitCode": status(files)}
    if len(shown) > MOST_RESULTS:
        cut = f"{len(shown) - MOST_RESULTS} results are left out: GitHub takes {MOST_RESULTS} in one run"
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": cut}}]
    properties = {
        "summary": tally(files),
        "takenOnTrust": {
            visible(checked.file): {heading: list(sentences) for heading, sentences in assumed(checked.verdicts)}
            for checked in files
        },
        "certified": [
            {"file": visible(checked.file), "claim": headline(claim), "bound": enclosure_object(claim.bound, digits)}
            for checked, claim in worst_first(files)
            if claim.verdict is Verdict.CERTIFIED
        ],
    }
    kinds = dict.fromkeys(claim.kind for checked in files for claim in checked.verdicts)
    return _log([_rule(kind) for kind in kinds], results, invocation, properties)


def render_error(error: UnusableInput) -> str:
    """A log whose one result is the error, so that the upload of a broken file does not look like a clean one."""
    message = f"{error.field}: {error.message}" if error.field else error.message
    location = _location(error.file or "input", error.line)
    result = {
        "ruleId": UNUSABLE_RULE,
        "level": "error",
        "message": _message(visible(message)),
        "locations": [location],
        "partialFingerprints": {"certifyClaim/v1": _digest(UNUSABLE_RULE, error.file or "")},
    }
    notification = {"level": "error", "message": _message(visible(message)), "locations": [location]}
    invocation = {
        "executionSuccessful": False,
        "exitCode": UNUSABLE,
        "toolExecutionNotifications": [notification],
    }
    rule = {"id": UNUSABLE_RULE, "shortDescription": {"text": "The file is not a claim that certify can read"}}
    return _log([rule], [result], invocation, {})


def rule_id(kind: str) -> str:
    """The stable identifier of the rule for a kind of claim."""
    return f"CERT-{visible(kind)}"


def _rule(kind: str) -> dict[str, object]:
    words = visible(kind).replace("-", " ")
    help_text = (
        "certify proves, refutes or leaves open each claim by exact and interval arithmetic. An error is a claim "
        "proved false; a warning is a claim that is not proved: the message names the hypothesis or inequality at "
        "fault and the nearest repair."
    )
    return {
        "id": rule_id(kind),
        "shortDescription": {"text": f"A {words} claim must be certified"},
        "fullDescription": {"text": f"Every {words} claim must follow from a theorem by proved inequalities."},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["privacy", "differential-privacy"]},
    }


def _result(checked: CheckedFile, claim: ClaimVerdict, digits: int) -> dict[str, object]:
    certified = claim.verdict is Verdict.CERTIFIED
    lines = [headline(claim) + "."]
    if certified:
        lines.append(bound_sentence(claim, digits))
    else:
        lines += (line for item in details(claim, digits) for line in (f"{item.label}: {item.text}", *item.lines))
    lines += (f"Note: {visible(note.text)}" for note in claim.notes)
    rule = rule_id(claim.kind)
    return {
        "ruleId": rule,
        "kind": "pass" if certified else "fail",
        "level": _LEVEL[claim.verdict],
        "message": _message("\n".join(lines)),
        "locations": [_location(checked.file, claim.line)],
        "partialFingerprints": {"certifyClaim/v1": _digest(rule, claim.id, str(claim.index))},
        "properties": {"statement": visible(claim.statement), "bound": enclosure_object(claim.bound, digits)},
    }


def _message(text: str) -> dict[str, str]:
    """A plain message: braces are doubled as SARIF asks, and nothing in it reads as a link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def _location(file: str, line: int | None) -> dict[str, object]:
    uri = quote(relative(file), safe="/", errors="surrogatepass")
    artifact = {"uri": uri} if uri.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": 1 if line is None else line}}}


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _log(rules: Sequence[object], results: Sequence[object], invocation: object, properties: object) -> str:
    driver = {"name": "certify", "semanticVersion": VERSION, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
        "properties": properties,
    }
    return written({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})
