"""The JSON document ``certify/result/v1``: stable names and order, decimals as text rounded outward, ASCII only.

The key ``verdict`` stands once in each claim and nowhere else; an inequality has a ``decision``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from certify.errors import UnusableInput
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Decided
from certify.report.checked import CheckedFile
from certify.report.details import toml_line
from certify.report.status import status
from certify.verdicts.model import ClaimVerdict

SCHEMA = "certify/result/v1"


def render(files: Sequence[CheckedFile], digits: int, verbose: int) -> str:
    """The document; it holds everything, so ``verbose`` adds nothing."""
    del verbose
    return written({"schema": SCHEMA, "files": [_file(checked, digits) for checked in files], "status": status(files)})


def render_error(error: UnusableInput) -> str:
    """The document for input that is not a question."""
    fault = {"file": error.file, "line": error.line, "field": error.field, "message": error.message}
    return written({"schema": SCHEMA, "error": fault})


def written(document: object) -> str:
    """A JSON document as ASCII text, with nothing that GitHub's runner would read as a command in a log."""
    shown = json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False)
    return shown.replace("##[", r"#\u0023[")


def enclosure_object(enclosure: Enclosure | None, digits: int) -> dict[str, str] | None:
    """The two ends in decimal, and why one is infinite."""
    if enclosure is None:
        return None
    lower, upper = enclosure.text(digits)
    shown = {"lower": lower, "upper": upper}
    return shown if enclosure.reason is None else {**shown, "reason": enclosure.reason}


def _file(checked: CheckedFile, digits: int) -> dict[str, object]:
    claims = [_claim(claim, digits) for claim in checked.verdicts]
    return {"file": checked.file, "sha256": checked.sha256, "claims": claims}


def _claim(claim: ClaimVerdict, digits: int) -> dict[str, object]:
    return {
        "index": claim.index,
        "id": claim.id,
        "line": claim.line,
        "kind": claim.kind,
        "sentence": claim.sentence,
        "verdict": claim.verdict.value,
        "reason": claim.reason,
        "statement": claim.statement,
        "source": claim.source,
        "quantity": claim.quantity,
        "claimed": claim.claimed,
        "bound": enclosure_object(claim.bound, digits),
        "conditions": _conditions(claim.conditions, digits),
        "assumptions": [{"name": a.name, "text": a.text, "kind": a.kind} for a in claim.assumptions],
        "missing": [{"text": missing.text, "line_to_add": missing.line_to_add} for missing in claim.missing],
        "repairs": [
            {
                "text": repair.text,
                "field": repair.field,
                "value": repair.value,
                "toml": toml_line(repair, claim.index),
                "conditions": _conditions(repair.conditions, digits),
            }
            for repair in claim.repairs
        ],
        "notes": [{"name": note.name, "text": note.text} for note in claim.notes],
        "witness": claim.witness,
    }


def _conditions(conditions: Iterable[Decided], digits: int) -> list[dict[str, object]]:
    return [
        {
            "text": condition.text,
            "role": condition.role,
            "relation": condition.relation,
            "decision": condition.decision.value,
            "left": enclosure_object(condition.left, digits),
            "right": enclosure_object(condition.right, digits),
            "bits": condition.bits,
        }
        for condition in conditions
    ]
