"""Claim files as mappings: the four heads of output perturbation and gradient descent, every number exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import certify
from certify import Limits, Verdict

File = dict[str, object]
_SCHEMA = "certify/claim/v1"


def output_file(
    head: str, n: int, regularization: Fraction, sigma: Fraction, radius: Fraction, claims: list[File], **model: object
) -> File:
    """Output perturbation of a head with records of norm at most ``feature_bound`` (1) in a ball of the radius."""
    public = ["feature_bound", "radius", "n", *(["class_counts"] if "min_class_count" in model else [])]
    stated = {"head": head, "n": n, "regularization": regularization, "feature_bound": 1, "public": public, **model}
    return {
        "schema": _SCHEMA,
        "id": "drawn",
        "release": {"mechanism": "gaussian-output-perturbation", "sigma": sigma},
        "model": stated,
        "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": radius},
        "claim": claims,
    }


def descent_file(
    n: int, d: int, mu: Fraction, sigma: Fraction, iterations: int, claims: list[File], **model: object
) -> File:
    """Gradient descent on a perturbed objective; the logistic loss unless L1, L2, L3 are given."""
    public = ["n", "d", "feature_bound", "regularization", "loss"]
    loss = {} if "L1" in model else {"loss": "logistic"}
    return {
        "schema": _SCHEMA,
        "id": "drawn",
        "release": {"mechanism": "objective-perturbation-gd", "sigma": sigma, "iterations": iterations},
        "model": {"n": n, "d": d, "regularization": mu, "feature_bound": 1, "public": public, **loss, **model},
        "policy": {"adjacency": "replace-one"},
        "claim": claims,
    }


def privacy(epsilon: Fraction, delta: Fraction, **more: object) -> File:
    """An (epsilon, delta) claim."""
    return {"kind": "differential-privacy", "epsilon": epsilon, "delta": delta, **more}


def reconstruction(success: Fraction, candidates: int) -> File:
    """A claim on the success of an attacker who knows the candidates."""
    return {"kind": "reconstruction", "success": success, "candidates": candidates}


def verdict(file: Mapping[str, object], limits: Limits = Limits()) -> Verdict:
    """The verdict on the one claim of a file."""
    (found,) = certify.check(file, limits=limits, repairs=False)
    return found.verdict
