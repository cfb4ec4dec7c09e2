"""Conventions that people mix up: each has its own message, which says how to convert, or why nothing converts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from certify.claims.document import number_text
from certify.errors import UnusableInput
from certify.kernel.exact import exact

ADJACENCY = (
    'the only relation here is "replace-one" (same n, one record exchanged). One replacement is one removal plus one '
    "addition, so it can move the model twice as far: an epsilon proved for add/remove does not carry over (by group "
    "privacy it doubles), and two records of norm <= B lie up to 2B apart"
)

OPEN_VALUE = (
    'the value is left open with "?": only `certify calibrate` fills open values; `certify check` needs a number'
)

ZERO_SIGMA = (
    "sigma = 0 adds no noise: the release is a function of the data and no theorem here applies; write the standard "
    "deviation of the noise, a number > 0"
)

Root = Mapping[str, object]


def _inverse_regularization(root: Root) -> str:
    """The message for scikit-learn's C, with the regularization to write when C and n are readable."""
    rule = (
        "scikit-learn's C multiplies the sum of the losses, regularization is the lambda of mean loss + "
        "(lambda/2)|theta|^2, so regularization = 1/(C n), for LogisticRegression and for LinearSVC's squared hinge "
        "(whose factor C also stands on the sum)"
    )
    inverse = _positive(root, "C")
    records = _positive(root, "n")
    if inverse is None or records is None:
        return f"{rule}; write regularization instead of C"
    return f'{rule}; here write regularization = "{number_text(1 / (inverse * records))}" instead of C'


def _positive(root: Root, name: str) -> Fraction | None:
    """A number found under ``name`` in the model or another table; None when it is missing or unreadable."""
    tables = [root.get("model"), root, root.get("release"), root.get("policy")]
    raw = next((table[name] for table in tables if isinstance(table, Mapping) and name in table), None)
    try:
        value = exact(raw, name)
    except UnusableInput:
        return None
    return value if value > 0 else None


def _fixed(message: str) -> Callable[[Root], str]:
    return lambda _: message


_VARIANCE = _fixed(
    "sigma is a standard deviation, not a variance; write release.sigma, the square root of the variance"
)
_SENSITIVITY = _fixed(
    "a clipping or norm bound is not a sensitivity, and the sensitivity is never read: it is derived from the head, "
    "regularization, n and the radius. A bound on the norm of the features is model.feature_bound (two such records "
    "lie up to twice that apart)"
)
_MULTIPLIER = _fixed(
    "release.sigma is the absolute standard deviation of the noise on each coordinate, not a multiple of a "
    "sensitivity or a clipping norm: sigma = noise_multiplier * that norm, as it was added"
)
_LAMBDA = _fixed(
    "write model.regularization: the lambda of mean loss + (lambda/2)|theta|^2. For sum of losses + "
    "(lambda/2)|theta|^2 divide lambda by n first"
)

_TRAPS: Mapping[str, Callable[[Root], str]] = MappingProxyType(
    {
        "C": _inverse_regularization,
        **dict.fromkeys(("lambda", "lambda_", "lam", "weight_decay", "l2"), _LAMBDA),
        **dict.fromkeys(("noise_multiplier", "noise_scale"), _MULTIPLIER),
        **dict.fromkeys(("variance", "sigma2", "sigma_squared", "noise_variance"), _VARIANCE),
        **dict.fromkeys(
            ("clip", "clipping", "clip_norm", "clipping_norm", "max_grad_norm", "sensitivity", "l2_sensitivity"),
            _SENSITIVITY,
        ),
    }
)

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "mu": "model.regularization",
        "zeta": "model.feature_bound",
        "B": "model.feature_bound",
        "eta": "model.step_size",
        "N": "release.iterations",
        "steps": "release.iterations",
        "std": "release.sigma",
        "neighbouring": "policy.adjacency",
        "neighboring": "policy.adjacency",
        "relation": "policy.adjacency",
        "u": "claim.truncation",
        "eps": "claim.epsilon",
        "m": "claim.candidates",
        "kappa": "claim.baseline",
        "beta": "claim.release_failure",
        "delta_S": "claim.sample_failure",
        "W": "claim.comparator_norm",
    }
)
"""The papers' symbols, and other usual names."""


def trap(name: str, root: Root) -> str | None:
    """The message for a field whose usual meaning differs from every field here; None for other names."""
    message = _TRAPS.get(name)
    return None if message is None else message(root)
