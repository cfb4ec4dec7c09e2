"""A small claim and data that meet it, for the tests of the audit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from certify.claims import ClaimFile, from_mapping
from certify.mechanisms.arrays import Array

N, CLASSES = 40, 2
RADIUS = "0.4"


def features(n: int = N, dimension: int = 12) -> Array:
    """Records of norm 0.9."""
    x = np.random.default_rng(3).standard_normal((n, dimension))
    return np.asarray(0.9 * x / np.linalg.norm(x, axis=1, keepdims=True))


def labels(n: int = N) -> np.ndarray:
    """Alternating 0 and 1."""
    return np.arange(n) % CLASSES


def claims(head: str = "ridge-prototype", sigma: str = "0.02", **model: object) -> ClaimFile:
    """Output perturbation of a head on 40 records: a privacy claim and a reconstruction claim."""
    counts = {"classes": CLASSES, "min_class_count": 20} if head == "ridge-prototype" else {}
    public = ["feature_bound", "radius", "n", *(["class_counts"] if counts else [])]
    return from_mapping(
        {
            "schema": "certify/claim/v1",
            "id": "small",
            "release": {"mechanism": "gaussian-output-perturbation", "sigma": sigma},
            "model": {
                "head": head, "n": N, "regularization": "0.1", "feature_bound": 1, "public": public, **counts, **model,
            },
            "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": RADIUS},
            "claim": [
                {"kind": "differential-privacy", "epsilon": 4, "delta": "0.01"},
                {"kind": "reconstruction", "candidates": 4, "success": "0.9"},
            ],
        }
    )  # fmt: skip


CLAIM_TEXT = """schema = "certify/claim/v1"
id = "small"
[release]
mechanism = "gaussian-output-perturbation"
sigma = "0.02"
[model]
head = "ridge-prototype"
n = 40
classes = 2
min_class_count = 20
regularization = "0.1"
feature_bound = 1
public = ["feature_bound", "radius", "n", "class_counts"]
[policy]
adjacency = "replace-one"
metric = "label-preserving-euclidean"
radius = "0.4"
[[claim]]
kind = "differential-privacy"
epsilon = 4
delta = "0.01"
[[claim]]
kind = "reconstruction"
candidates = 4
success = "0.9"
"""


def written(folder: Path) -> tuple[Path, Path]:
    """The claim as a file, and the data as .npz."""
    claim, data = folder / "claim.toml", folder / "data.npz"
    claim.write_text(CLAIM_TEXT, encoding="utf-8")
    np.savez(data, features=features(), labels=labels())
    return claim, data
