"""Facts stated with the heads of Ball-DP Proposition 12: L_z and D(r), the paper's constants and the sharp ones.

Hinge D(1) at lambda = 0.01 is 2 + sqrt(600) = 26.4948...: its reference value 26.50 is that value rounded up.
"""

from __future__ import annotations

from certify.reproduce.figure import PLAIN, Figure, Source, figures
from certify.reproduce.sources import computed, evaluated, quotient
from certify.statements.augmented import margin_maximum


def _head(head: str, value: str, regularization: str, constant: str = "sharp", radius: str = "") -> Source:
    inputs = {"feature_bound": "1", "lambda": regularization, "constant": constant}
    classes = {"classes": "10"} if head == "softmax" else {}
    return evaluated(f"head.{head}", value, {**inputs, **classes, **({"ball_radius": radius} if radius else {})})


def _crossing(head: str) -> Source:
    """The ball radius at which the paper's L_z r reaches the any-record 2g (B7)."""
    return quotient(_head(head, "any_record", "0.01", "paper"), _head(head, "lipschitz", "0.01", "paper"))


_HINGE, _LOGISTIC, _SOFTMAX = "squared-hinge", "binary-logistic", "softmax"


def _lipschitz(head: str, regularization: str, constant: str) -> Source:
    return _head(head, "lipschitz", regularization, constant)


def _difference(head: str, regularization: str, constant: str, radius: str = "1") -> Source:
    return _head(head, "difference", regularization, constant, radius)


PAPER: tuple[Figure, ...] = figures(
    "Reference values, Ball-DP Proposition 12 (the paper's constants, B = 1, K = 10)",
    ("58.569", "hinge L_z, lambda = 0.01", PLAIN, "nearest up", "n/a", _lipschitz(_HINGE, "0.01", "paper")),
    ("51", "logistic L_z, lambda = 0.01", PLAIN, "exact", "n/a", _lipschitz(_LOGISTIC, "0.01", "paper")),
    ("142.836", "softmax L_z, lambda = 0.01", PLAIN, "nearest up", "n/a", _lipschitz(_SOFTMAX, "0.01", "paper")),
    ("180.885", "hinge L_z, lambda = 0.001", PLAIN, "nearest down", "n/a", _lipschitz(_HINGE, "0.001", "paper")),
    ("501", "logistic L_z, lambda = 0.001", PLAIN, "exact", "n/a", _lipschitz(_LOGISTIC, "0.001", "paper")),
    ("1415.63", "softmax L_z, lambda = 0.001", PLAIN, "nearest up", "n/a", _lipschitz(_SOFTMAX, "0.001", "paper")),
    ("1.125", "logistic L_z, lambda = 4", PLAIN, "exact", "n/a", _lipschitz(_LOGISTIC, "4", "paper")),
    ("58.57", "hinge D(1), lambda = 0.01", PLAIN, "nearest up", "n/a", _difference(_HINGE, "0.01", "paper")),
    ("51", "logistic D(1), lambda = 0.01", PLAIN, "exact", "n/a", _difference(_LOGISTIC, "0.01", "paper")),
    ("142.8", "softmax D(1), lambda = 0.01", PLAIN, "nearest down", "n/a", _difference(_SOFTMAX, "0.01", "paper")),
    ("180.9", "hinge D(1), lambda = 0.001", PLAIN, "nearest up", "n/a", _difference(_HINGE, "0.001", "paper")),
    ("501", "logistic D(1), lambda = 0.001", PLAIN, "exact", "n/a", _difference(_LOGISTIC, "0.001", "paper")),
    ("1415.6", "softmax D(1), lambda = 0.001", PLAIN, "nearest down", "n/a", _difference(_SOFTMAX, "0.001", "paper")),
    ("0.055", "logistic r with L_z r = 2g", PLAIN, "nearest down", "n/a", _crossing(_LOGISTIC)),
    ("0.028", "softmax r with L_z r = 2g", PLAIN, "nearest down", "n/a", _crossing(_SOFTMAX)),
)

SHARP: tuple[Figure, ...] = figures(
    "Reference values, Ball-DP Proposition 12 (sharp constants, B = 1, K = 10)",
    ("0.27846454", "omega = W0(1/e)", PLAIN, "nearest down", "n/a", computed(lambda R: margin_maximum(R, R(1)))),
    ("30.284", "hinge L_z, lambda = 0.01", PLAIN, "nearest down", "n/a", _lipschitz(_HINGE, "0.01", "sharp")),
    ("2.3992", "logistic L_z, lambda = 0.01", PLAIN, "nearest up", "n/a", _lipschitz(_LOGISTIC, "0.01", "sharp")),
    ("8.8338", "softmax L_z, lambda = 0.01", PLAIN, "nearest up", "n/a", _lipschitz(_SOFTMAX, "0.01", "sharp")),
    ("91.443", "hinge L_z, lambda = 0.001", PLAIN, "nearest up", "n/a", _lipschitz(_HINGE, "0.001", "sharp")),
    ("6.4104", "logistic L_z, lambda = 0.001", PLAIN, "nearest down", "n/a", _lipschitz(_LOGISTIC, "0.001", "sharp")),
    ("24.877", "softmax L_z, lambda = 0.001", PLAIN, "nearest up", "n/a", _lipschitz(_SOFTMAX, "0.001", "sharp")),
    ("0.6103", "logistic L_z, lambda = 4", PLAIN, "nearest up", "n/a", _lipschitz(_LOGISTIC, "4", "sharp")),
    ("26.50", "hinge D(1), lambda = 0.01", PLAIN, "up", "n/a", _difference(_HINGE, "0.01", "sharp")),
    ("2.146", "logistic D(1), lambda = 0.01", PLAIN, "nearest up", "n/a", _difference(_LOGISTIC, "0.01", "sharp")),
    ("3.285", "softmax D(1), lambda = 0.01", PLAIN, "nearest down", "n/a", _difference(_SOFTMAX, "0.01", "sharp")),
    ("79.46", "hinge D(1), lambda = 0.001", PLAIN, "nearest up", "n/a", _difference(_HINGE, "0.001", "sharp")),
    ("2.322", "logistic D(1), lambda = 0.001", PLAIN, "nearest down", "n/a", _difference(_LOGISTIC, "0.001", "sharp")),
    ("3.285", "softmax D(1), lambda = 0.001", PLAIN, "nearest down", "n/a", _difference(_SOFTMAX, "0.001", "sharp")),
    ("32.28", "hinge D(2), lambda = 0.01", PLAIN, "nearest down", "n/a", _difference(_HINGE, "0.01", "sharp", "2")),
    ("2.827", "logistic D(2), lambda = 0.01", PLAIN, "nearest up", "n/a", _difference(_LOGISTIC, "0.01", "sharp", "2")),
    ("4.000", "softmax D(2), lambda = 0.01", PLAIN, "exact", "n/a", _difference(_SOFTMAX, "0.01", "sharp", "2")),
)
