"""Claim files that the tests start from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples" / "claims"

BALL: dict[str, Any] = {
    "release": {"mechanism": "gaussian-output-perturbation", "sigma": "0.0151"},
    "model": {"head": "binary-logistic", "n": 25_000, "regularization": "0.01", "feature_bound": 1},
    "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": "0.7"},
    "claim": [{"kind": "differential-privacy", "epsilon": 2, "delta": "1e-6"}],
}
DESCENT: dict[str, Any] = {
    "release": {"mechanism": "objective-perturbation-gd", "sigma": "1e-5", "iterations": 519},
    "model": {"loss": "logistic", "n": 10**6, "d": 10**4, "regularization": "0.01", "feature_bound": 1},
    "policy": {"adjacency": "replace-one"},
    "claim": [{"kind": "differential-privacy", "epsilon": 1, "delta": "1e-7"}],
}
