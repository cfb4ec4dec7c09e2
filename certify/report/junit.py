"""JUnit XML: a suite for each file, a case for each claim; what is not certified is a failure, so that a gate stops."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from certify.errors import UnusableInput
from certify.report.assumed import assumed
from certify.report.checked import CheckedFile
from certify.report.details import details, headline, name
from certify.report.printable import visible
from certify.verdicts.model import ClaimVerdict, Verdict


def render(files: Sequence[CheckedFile], digits: int, verbose: int) -> str:
    """The document; it holds every bound, so ``verbose`` adds nothing."""
    del verbose
    suites = Element("testsuites", _counts([claim for checked in files for claim in checked.verdicts]))
    for checked in files:
        suite = SubElement(suites, "testsuite", {"name": visible(checked.file), **_counts(checked.verdicts)})
        for claim in checked.verdicts:
            _case(suite, checked, claim, digits)
        trusted = ["Taken on trust"]
        for heading, sentences in assumed(checked.verdicts):
            trusted += (f"{heading}: {sentence}" for sentence in sentences)
        SubElement(suite, "system-out").text = "\n".join(trusted)
    return _written(suites)


def render_error(error: UnusableInput) -> str:
    """One test case in error: the file could not be read as a claim."""
    counts = {"tests": "1", "failures": "0", "errors": "1"}
    suites = Element("testsuites", {"name": "certify", **counts})
    file = visible(error.file or "input")
    suite = SubElement(suites, "testsuite", {"name": file, **counts})
    case = SubElement(suite, "testcase", {"classname": file, "name": "usable input"})
    message = visible(str(error))
    SubElement(case, "error", {"type": "unusable-input", "message": message}).text = message
    return _written(suites)


def _counts(claims: Sequence[ClaimVerdict]) -> dict[str, str]:
    failures = sum(claim.verdict is not Verdict.CERTIFIED for claim in claims)
    return {"tests": str(len(claims)), "failures": str(failures), "errors": "0"}


def _case(suite: Element, checked: CheckedFile, claim: ClaimVerdict, digits: int) -> None:
    file = visible(checked.file)
    named = f"{name(claim)}, {visible(claim.kind)}"
    case = SubElement(suite, "testcase", {"classname": file, "name": named, "file": file})
    if claim.line is not None:
        case.set("line", str(claim.line))
    properties = SubElement(case, "properties")
    for key, value in _properties(claim, digits).items():
        SubElement(properties, "property", {"name": key, "value": visible(value)})
    if claim.verdict is not Verdict.CERTIFIED:
        lines = [
            line for detail in details(claim, digits) for line in (f"{detail.label}: {detail.text}", *detail.lines)
        ]
        failure = SubElement(case, "failure", {"type": claim.verdict.value, "message": headline(claim)})
        failure.text = "\n".join(lines)
    if claim.notes:
        SubElement(case, "system-out").text = "\n".join(f"Note: {visible(note.text)}" for note in claim.notes)


def _properties(claim: ClaimVerdict, digits: int) -> dict[str, str]:
    shown = {
        "statement": claim.statement,
        "source": claim.source,
        "quantity": claim.quantity,
        "claimed": claim.claimed,
    }
    if claim.bound is not None:
        shown["bound.lower"], shown["bound.upper"] = claim.bound.text(digits)
    return shown


def _written(root: Element) -> str:
    """ASCII, so that the bytes are right in whatever encoding they are written."""
    indent(root)
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")
