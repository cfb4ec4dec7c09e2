"""The audit for machines: one JSON document with seeds, digests and versions."""

from __future__ import annotations

import platform

import numpy
import scipy

from certify.audit.measured import Audit, AuditedClaim, Control, Measurement
from certify.audit.run import Settings
from certify.errors import CertifyError
from certify.report.json_report import enclosure_object, written
from certify.statements.rules.numbers import exact_text
from certify.version import VERSION

SCHEMA = "certify/audit/v1"
_DIGITS = 12


def document(audit: Audit, settings: Settings) -> str:
    """The whole answer; the key "verdict" is certify's own on a claim, never the audit's."""
    body = {
        "schema": SCHEMA,
        "file": audit.file,
        "sha256": audit.file_sha256,
        "data": {
            "source": audit.data,
            "sha256": audit.data_sha256,
            "preprocessing": audit.preprocessing,
            "labels": list(audit.labels),
        },
        "records": {
            "faults": list(audit.checked.faults),
            "remarks": list(audit.checked.remarks),
            "check_is_private": False,
        },
        "settings": {
            "seed": settings.seed,
            "setups": settings.setups,
            "supports": settings.supports,
            "releases": settings.releases,
            "pairs": settings.pairs,
            "level": settings.level,
        },
        "gradient_norm": audit.gradient_norm,
        "claims": [_claim(claim) for claim in audit.claims],
        "versions": {
            "certify": VERSION,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
        },
        "status": audit.status,
    }
    return written(body)


def error_document(error: CertifyError) -> str:
    """Unusable input, as `certify check` shows it."""
    where = {name: getattr(error, name, None) for name in ("file", "line", "field")}
    return written({"schema": SCHEMA, "error": {**where, "message": getattr(error, "message", str(error))}})


def _claim(audited: AuditedClaim) -> dict[str, object]:
    claim = audited.claim
    return {
        "index": claim.index,
        "id": claim.id,
        "kind": claim.kind,
        "sentence": claim.sentence,
        "verdict": claim.verdict.value,
        "statement": claim.statement,
        "measurements": [_measurement(found) for found in audited.measurements],
        "controls": [_control(control) for control in audited.controls],
        "not_measured": audited.not_measured or None,
        "exceeded": audited.exceeded,
        "contradicted": audited.contradicted,
        "audit_at_fault": audited.broken,
    }


def _measurement(found: Measurement) -> dict[str, object]:
    return {
        "name": found.name,
        "estimate": found.estimate,
        "lower_limit": found.low,
        "upper_limit": found.high,
        "trials": found.trials,
        "level": found.level,
        "certified_bound": enclosure_object(found.bound, _DIGITS),
        "baseline": None if found.baseline is None else exact_text(found.baseline),
        "exact_value": found.expected,
        "claimed": exact_text(found.claimed),
        "exceeds": found.exceeds,
        "contradicts_claim": found.contradicts,
        "remark": found.remark or None,
    }


def _control(control: Control) -> dict[str, object]:
    return {
        "name": control.name,
        "lower_limit": control.low,
        "baseline": exact_text(control.baseline),
        "trials": control.trials,
        "level": control.level,
        "above_baseline": control.broken,
    }
