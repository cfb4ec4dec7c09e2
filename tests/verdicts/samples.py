"""Claim files as mappings to edit: one of each kind that certifies as it stands."""

from __future__ import annotations

import copy
from typing import Any

from certify.claims import from_mapping
from certify.kernel.loop import Limits
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict

Fields = dict[str, Any]

RIDGE: Fields = {
    "release": {"mechanism": "gaussian-output-perturbation", "sigma": "0.0018"},
    "model": {
        "head": "ridge-prototype",
        "n": 1797,
        "classes": 10,
        "min_class_count": 174,
        "regularization": "0.01",
        "feature_bound": 1,
        "public": ["feature_bound", "radius", "n", "class_counts"],
    },
    "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": "0.14"},
    "claim": [{"kind": "differential-privacy", "epsilon": 2, "delta": "1e-6"}],
}
LOGISTIC: Fields = {
    "release": {"mechanism": "gaussian-output-perturbation", "sigma": "0.0151"},
    "model": {
        "head": "binary-logistic",
        "n": 25_000,
        "regularization": "0.01",
        "feature_bound": 1,
        "public": ["feature_bound", "radius", "n"],
    },
    "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": "0.7"},
    "claim": [{"kind": "differential-privacy", "epsilon": 2, "delta": "1e-6"}],
}
DESCENT: Fields = {
    "release": {"mechanism": "objective-perturbation-gd", "sigma": "1e-5", "iterations": 1500},
    "model": {
        "loss": "logistic",
        "n": 10**6,
        "d": 10**4,
        "regularization": "0.01",
        "feature_bound": 1,
        "public": ["n", "d", "feature_bound", "regularization"],
    },
    "policy": {"adjacency": "replace-one"},
    "claim": [{"kind": "differential-privacy", "epsilon": 1, "delta": "1e-7"}],
}
CLASS: Fields = {
    **DESCENT,
    "model": {
        **{name: value for name, value in DESCENT["model"].items() if name != "loss"},
        "L1": 1,
        "L2": "1/4",
        "L3": "1/10",
    },
}


def changed(base: Fields, **changes: Any) -> Fields:
    """A copy with fields set, named "table__field"; None takes a field away, and "claim" is the first claim."""
    fields = copy.deepcopy(base)
    for place, value in changes.items():
        table, _, field = place.partition("__")
        holder = fields["claim"][0] if table == "claim" else fields.setdefault(table, {})
        if value is None:
            holder.pop(field, None)
        else:
            holder[field] = value
    return fields


def any_record(base: Fields) -> Fields:
    """A claim on output perturbation that protects labels too."""
    public = [name for name in base["model"]["public"] if name != "radius"]
    return changed(base, policy__metric="any-record", policy__radius=None, model__public=public)


def verdict(fields: Fields, limits: Limits = Limits(), **changes: Any) -> ClaimVerdict:
    """The verdict on the first claim, without repairs."""
    return check_file(from_mapping(changed(fields, **changes)), limits, repairs=False)[0]
