"""Checks across fields: contradictions, and metadata that no data set can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from certify.statements.rules.claim import DESCENT

Values = Mapping[str, Any]

_ANY_RECORD = "any-record"
_PRIVACY = ("differential-privacy", "reconstruction")


@dataclass(frozen=True)
class Fault:
    """What no claim may say, and the field that says it."""

    message: str
    path: str


def model_faults(model: Values, mechanism: str) -> Iterator[Fault]:
    """Counts that no data set can have; for gradient descent a loss not given once, by name or by its bounds."""
    smallest, classes, n = model["min_class_count"], model["classes"] or 1, model["n"]
    if smallest is not None and classes * smallest > n:
        message = f"no data set has this: {classes} * {smallest} = {classes * smallest} records are more than n = {n}"
        yield Fault(message + "; min_class_count is the size of the smallest class", "model.min_class_count")
    if smallest is not None and classes == 1 and smallest != n and (model["classes"] == 1 or 2 * smallest > n):
        message = f"no data set has this: one class holds all n = {n} records, and two classes of {smallest} hold more"
        yield Fault(message + "; min_class_count is the size of the smallest class", "model.min_class_count")
    if model["head"] == "softmax" and classes < 2:
        yield Fault("a softmax head needs K >= 2 classes", "model.classes")
    if mechanism != DESCENT:
        return
    bounds = [name for name in ("L1", "L2", "L3") if model[name] is not None]
    if model["loss"] is not None and bounds:
        message = f'the loss is given twice: loss = "logistic" fixes {bounds[0]}; keep one of the two'
        yield Fault(message, f"model.{bounds[0]}")
    if model["loss"] is None and len(bounds) < 3:
        lacking = [name for name in ("L1", "L2", "L3") if model[name] is None]
        path = "model.loss" if not bounds else f"model.{lacking[0]}"
        yield Fault('is missing; accepted: loss = "logistic", or all of L1, L2, L3', path)


def policy_faults(policy: Values, mechanism: str) -> Iterator[Fault]:
    """A metric that the mechanism's theorems do not speak of, or a radius where every record is protected."""
    metric = policy["metric"]
    if mechanism == DESCENT and metric not in (None, _ANY_RECORD):
        message = "Theorems 4.1 and C.13 protect the replacement of any record by any other; leave metric out, or "
        yield Fault(message + 'write "any-record"', "policy.metric")
    if metric == _ANY_RECORD and policy["radius"] is not None:
        yield Fault(_no_radius(), "policy.radius")


def claim_faults(path: str, claim: Values, policy: Values) -> Iterator[Fault]:
    """A radius exactly where the metric has one, one description of the prior, a variant only where there are any."""
    if claim["kind"] in _PRIVACY:
        yield from _radius_faults(path, claim["radius"], policy)
    if claim["kind"] == "reconstruction":
        given = [name for name in ("candidates", "baseline", "prior") if claim[name] is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} are given" if given else "none is given"
            message = f"exactly one of candidates, baseline, prior is needed; {found}"
            yield Fault(message, f"{path}.{given[-1] if given else 'candidates'}")
    if claim["theorem"] == "4.1" and claim["variant"] is not None:
        message = 'Theorem 4.1 has no variants; leave variant out, or write theorem = "C.13"'
        yield Fault(message, f"{path}.variant")


def _radius_faults(path: str, radius: object, policy: Values) -> Iterator[Fault]:
    if policy["metric"] == _ANY_RECORD and radius is not None:
        yield Fault(_no_radius(), f"{path}.radius")
    if policy["metric"] == "label-preserving-euclidean" and radius is None and policy["radius"] is None:
        message = 'is missing; metric = "label-preserving-euclidean" protects replacements up to a radius: write it in '
        yield Fault(message + "[policy], or in the claim", f"{path}.radius")


def _no_radius() -> str:
    return (
        'metric = "any-record" protects the replacement of any record by any other, labels included, at every '
        'distance, so a radius has no meaning; leave it out, or write metric = "label-preserving-euclidean"'
    )
