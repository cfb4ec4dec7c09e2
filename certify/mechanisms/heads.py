"""The four heads of Ball-DP: objectives, gradients, curvature and predictions, in double precision.

F(theta) = (1/n) sum of losses + (lambda/2) |theta|^2 over flat parameter vectors:

    squared-hinge     w (d)             max(0, 1 - y <w, x>)^2, no intercept
    binary-logistic   (w, b) (d + 1)    log(1 + exp(-y <theta, (x, 1)>)), the intercept regularised
    softmax           K rows (w_c, b_c) -s_y + log sum_c exp(s_c), s = W (x, 1), the intercepts regularised
    ridge-prototype   K rows mu_c       |x - mu_y|^2; predicts the nearest prototype

Source: Ball-DP Section 5.2, objective (4), and Appendix 12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from certify.mechanisms.arrays import Array, Data, Labels
from certify.statements.rules.claim import Head


class Objective(Protocol):
    """F with its first two derivatives; the second is the generalised one for the squared hinge."""

    @property
    def strength(self) -> float:
        """lambda: F is lambda-strongly convex."""

    def value(self, theta: Array) -> float:
        """F(theta)."""

    def gradient(self, theta: Array) -> Array:
        """The gradient of F, p numbers."""

    def hessian_product(self, theta: Array) -> Callable[[Array], Array]:
        """The map v -> Hess F(theta) v."""

    def hessian(self, theta: Array) -> Array:
        """Hess F(theta), p x p."""


@dataclass(frozen=True)
class _Margins:
    """A mean of functions of y <theta, x>, with ridge: the two binary heads. ``signed`` has rows y x."""

    signed: Array
    strength: float

    def _loss(self, margin: Array) -> Array:
        raise NotImplementedError

    def _slope(self, margin: Array) -> Array:
        raise NotImplementedError

    def _curvature(self, margin: Array) -> Array:
        raise NotImplementedError

    def value(self, theta: Array) -> float:
        return float(self._loss(self.signed @ theta).mean() + self.strength / 2 * theta @ theta)

    def gradient(self, theta: Array) -> Array:
        return np.asarray(self._slope(self.signed @ theta) @ self.signed / len(self.signed) + self.strength * theta)

    def hessian_product(self, theta: Array) -> Callable[[Array], Array]:
        weights = self._curvature(self.signed @ theta) / len(self.signed)
        return lambda v: (weights * (self.signed @ v)) @ self.signed + self.strength * v

    def hessian(self, theta: Array) -> Array:
        weights = self._curvature(self.signed @ theta) / len(self.signed)
        return np.asarray((self.signed.T * weights) @ self.signed + self.strength * np.eye(len(theta)))


class _Hinge(_Margins):
    def _loss(self, margin: Array) -> Array:
        return np.asarray(np.maximum(0.0, 1 - margin) ** 2)

    def _slope(self, margin: Array) -> Array:
        return -2 * np.maximum(0.0, 1 - margin)

    def _curvature(self, margin: Array) -> Array:
        return np.asarray(2.0 * (margin < 1))


class _Logistic(_Margins):
    def _loss(self, margin: Array) -> Array:
        return np.asarray(np.logaddexp(0.0, -margin))

    def _slope(self, margin: Array) -> Array:
        return -logistic(-margin)

    def _curvature(self, margin: Array) -> Array:
        return logistic(margin) * logistic(-margin)


@dataclass(frozen=True)
class _Softmax:
    wide: Array
    labels: Labels
    classes: int
    strength: float

    def _rows(self, theta: Array) -> Array:
        return theta.reshape(self.classes, -1)

    def _shares(self, theta: Array) -> Array:
        return softmax(self.wide @ self._rows(theta).T)

    def value(self, theta: Array) -> float:
        scores = self.wide @ self._rows(theta).T
        top = scores.max(axis=1)
        mean = (np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[self._own]).mean()
        return float(mean + self.strength / 2 * theta @ theta)

    @property
    def _own(self) -> tuple[NDArray[np.intp], Labels]:
        return np.arange(len(self.labels)), self.labels

    def gradient(self, theta: Array) -> Array:
        shares = self._shares(theta)
        shares[self._own] -= 1
        return np.asarray((shares.T @ self.wide / len(self.wide)).ravel() + self.strength * theta)

    def hessian_product(self, theta: Array) -> Callable[[Array], Array]:
        shares = self._shares(theta)

        def product(v: Array) -> Array:
            moved = shares * (self.wide @ self._rows(v).T)
            moved -= shares * moved.sum(axis=1, keepdims=True)
            return np.asarray((moved.T @ self.wide / len(self.wide)).ravel() + self.strength * v)

        return product

    def hessian(self, theta: Array) -> Array:
        product = self.hessian_product(theta)
        return np.array([product(row) for row in np.eye(len(theta))])


@dataclass(frozen=True)
class _Prototypes:
    data: Data
    strength: float

    def _of_records(self, theta: Array) -> Array:
        return theta.reshape(self.data.classes, -1)[self.data.labels]

    def _curvature(self, theta: Array) -> Array:
        counts = class_counts(self.data)
        return np.repeat(2 * counts / self.data.n + self.strength, theta.size // self.data.classes)

    def value(self, theta: Array) -> float:
        gaps = self.data.features - self._of_records(theta)
        return float((gaps**2).sum() / self.data.n + self.strength / 2 * theta @ theta)

    def gradient(self, theta: Array) -> Array:
        total = class_sums(self.data).ravel()
        return np.asarray(self._curvature(theta) * theta - 2 * total / self.data.n)

    def hessian_product(self, theta: Array) -> Callable[[Array], Array]:
        curvature = self._curvature(theta)
        return lambda v: curvature * v

    def hessian(self, theta: Array) -> Array:
        return np.diag(self._curvature(theta))


def objective(head: Head, data: Data, regularization: float) -> Objective:
    """F of a head on data, labels -1 and +1 for the binary heads; the ridge term is (regularization/2)|theta|^2."""
    if head == "squared-hinge":
        return _Hinge(data.labels[:, None] * data.features, regularization)
    if head == "binary-logistic":
        return _Logistic(data.labels[:, None] * augmented(data.features), regularization)
    if head == "softmax":
        return _Softmax(augmented(data.features), data.labels, data.classes, regularization)
    return _Prototypes(data, regularization)


def parameter_count(head: Head, dimension: int, classes: int) -> int:
    """The length p of the flat parameter vector for features of that dimension."""
    rows = {"squared-hinge": 1, "binary-logistic": 1, "softmax": classes, "ridge-prototype": classes}
    return rows[head] * (dimension + (head in ("binary-logistic", "softmax")))


def record_gradient(head: Head, parameters: Array, features: Array, label: int, classes: int) -> Array:
    """The gradient of one record's loss, without the ridge term: ``features`` (d), the result (p)."""
    one = Data(features[None], np.array([label]), classes)
    return objective(head, one, 0.0).gradient(parameters)


def predict(head: Head, parameters: Array, features: Array, classes: int) -> Labels:
    """The labels that parameters (..., p) give to features (n, d): shape (..., n)."""
    if head == "squared-hinge":
        return _signs(parameters @ features.T)
    if head == "binary-logistic":
        return _signs(parameters @ augmented(features).T)
    rows = parameters.reshape(*parameters.shape[:-1], classes, -1)
    if head == "softmax":
        return np.asarray((rows @ augmented(features).T).argmax(axis=-2))
    # |x - mu|^2 without |x|^2, which is the same for every class.
    return np.asarray(((rows**2).sum(axis=-1)[..., None] - 2 * rows @ features.T).argmin(axis=-2))


def accuracy(head: Head, parameters: Array, data: Data) -> Array:
    """The share of records whose label parameters (..., p) give: shape (...)."""
    return np.asarray((predict(head, parameters, data.features, data.classes) == data.labels).mean(axis=-1))


def augmented(features: Array) -> Array:
    """(x, 1) for every record."""
    return np.hstack([features, np.ones((len(features), 1))])


def class_counts(data: Data) -> Labels:
    """How many records have each label 0 ... classes - 1."""
    return np.bincount(data.labels, minlength=data.classes)


def class_sums(data: Data) -> Array:
    """S_c: the sum of the features of each class, classes x d."""
    return np.asarray((data.labels == np.arange(data.classes)[:, None]).astype(np.float64) @ data.features)


def logistic(t: Array) -> Array:
    """1/(1 + e^-t) without overflow."""
    from scipy.special import expit

    return np.asarray(expit(t))


def softmax(scores: Array) -> Array:
    """Shares proportional to exp(score) along the last axis, without overflow."""
    shares: Array = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def _signs(scores: Array) -> Labels:
    return np.where(scores >= 0, 1, -1)
