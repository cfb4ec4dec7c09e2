"""A reproduction as JSON: one document with every figure, the first counts, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Sequence

from certify.kernel.enclosure import Enclosure
from certify.reproduce import Reproduction
from certify.reproduce.counts import FirstCounts
from certify.reproduce.cut import Judged
from certify.reproduce.figure import Classification

_DIGITS = 12


def json_document(found: Sequence[Reproduction], status: int) -> str:
    """All the parts in one document."""
    document = {
        "schema": "certify/reproduce/v1",
        "figures": [_figure(part.part, item) for part in found for item in part.figures],
        "first_counts": [_counts(part.part, item) for part in found for item in part.counts],
        "status": status,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _figure(part: str, item: Judged) -> dict[str, object]:
    figure = item.figure
    return {
        "part": part,
        "where": figure.where,
        "printed": figure.printed,
        "quantity": figure.quantity,
        "role": figure.role,
        "enclosure": _enclosure(item.enclosure),
        **_classification(item.found),
        "recorded": _classification(figure.recorded),
        "agrees": item.agrees,
    }


def _classification(found: Classification) -> dict[str, object]:
    return {"cut": list(found.cut), "bound": found.bound}


def _enclosure(value: Enclosure) -> dict[str, str]:
    lower, upper = value.text(_DIGITS)
    return {"lower": lower, "upper": upper, **({} if value.reason is None else {"reason": value.reason})}


def _counts(part: str, item: FirstCounts) -> dict[str, object]:
    return {
        "part": part,
        "mu": item.mu,
        "threshold": _enclosure(item.threshold),
        "least_meeting_threshold": item.admissible,
        "first_passing": item.passing,
        "excluded_ranges": [[counts.lower, counts.upper] for counts in item.excluded],
        "delta": _enclosure(item.delta),
        "delta_before": _enclosure(item.delta_before),
        "proved": item.is_proved,
    }
