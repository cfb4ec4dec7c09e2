"""Gradient descent on a perturbed objective, the mechanism (4) of the GD paper, for many draws of z at once.

F(w; S) = (1/n) sum l(<x_i, w>, y_i) + (mu/2) |w|^2;  w_{k+1} = w_k - eta (grad F(w_k) + z), w_0 = 0 or a fixed public
start;  z ~ N(0, sigma^2 I_d) is drawn once and w_N released. sigma is a standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.losses import LOGISTIC, Loss
from certify.mechanisms.newton import root

_EPSILON = float(np.finfo(np.float64).eps)
_CELLS = 1_000_000
"""So many numbers are held at once: releases are worked on in blocks, small enough for the cache."""


@dataclass(frozen=True)
class Objective:
    """F(.; S) on ``features`` (n, d) and ``labels`` (n) of -1 and +1, n >= 1, regularised by mu > 0."""

    features: Array
    labels: Array
    mu: float
    loss: Loss = LOGISTIC

    @property
    def n(self) -> int:
        """How many records."""
        return len(self.labels)

    @property
    def d(self) -> int:
        """The dimension of the features and of w."""
        return int(self.features.shape[1])

    @property
    def longest(self) -> float:
        """The greatest norm of a feature vector."""
        return float(np.linalg.norm(self.features, axis=1).max())

    def value(self, w: Array) -> Array:
        """F at points w (..., d): shape (...)."""
        losses = self.loss.value(w @ self.features.T, self.labels)
        return np.asarray(losses.mean(axis=-1) + self.mu / 2 * (w**2).sum(axis=-1))

    def gradient(self, w: Array) -> Array:
        """The gradient of F at points w (..., d): shape (..., d)."""
        slopes = self.loss.slope(w @ self.features.T, self.labels)
        return np.asarray(slopes @ self.features / self.n + self.mu * w)

    def hessian(self, w: Array) -> Array:
        """The Hessian of F at points w (..., d): shape (..., d, d)."""
        weights = self.loss.curvature(w @ self.features.T, self.labels)[..., None, :] / self.n
        return np.asarray((self.features.T * weights) @ self.features + self.mu * np.eye(self.d))

    def replaced(self, index: int, features: Array, label: float) -> Objective:
        """F on the neighbouring data set with record ``index`` replaced."""
        x, y = self.features.copy(), self.labels.copy()
        x[index], y[index] = features, label
        return Objective(x, y, self.mu, self.loss)


def descend(objective: Objective, z: Array, iterations: int, step_size: float, start: Array | None = None) -> Array:
    """w_N for perturbations z (..., d): shape (..., d)."""

    def last(part: Array) -> Array:
        w = _first(objective, part, start)
        for _ in range(iterations):
            w = w - step_size * (objective.gradient(w) + part)
        return w

    return _in_blocks(last, z, objective.n)


def release(
    objective: Objective,
    sigma: float,
    iterations: int,
    step_size: float,
    generator: np.random.Generator,
    count: int,
) -> Array:
    """``count`` independent releases from w_0 = 0: (count, d)."""
    return descend(objective, sigma * generator.standard_normal((count, objective.d)), iterations, step_size)


def trajectory(objective: Objective, z: Array, iterations: int, step_size: float, start: Array | None = None) -> Array:
    """w_0 ... w_N for perturbations z (..., d): shape (N + 1, ..., d)."""
    path = np.empty((iterations + 1, *z.shape))
    path[0] = _first(objective, z, start)
    for k in range(iterations):
        path[k + 1] = path[k] - step_size * (objective.gradient(path[k]) + z)
    return path


def perturbed_minimiser(objective: Objective, z: Array) -> Array:
    """w*(z), the minimiser of F(w) + <z, w>, for perturbations z (..., d), by Newton's method to double precision.

    It exists and is unique for mu > 0.  [GD paper Lemma A.2]
    """

    def minimisers(part: Array) -> Array:
        rounding = _EPSILON * (np.linalg.norm(part, axis=-1) + objective.loss.L1 * objective.longest)
        return root(lambda w: objective.gradient(w) + part, objective.hessian, -part / smoothness(objective), rounding)

    return _in_blocks(minimisers, z, objective.n * objective.d)


def smoothness(objective: Objective) -> float:
    """L = mu + L2 max |x_i|^2: the Hessian of F is at most L I.  [GD paper Lemma B.1]"""
    return objective.mu + objective.loss.L2 * objective.longest**2


def _first(objective: Objective, z: Array, start: Array | None) -> Array:
    return np.broadcast_to(np.zeros(objective.d) if start is None else start, z.shape)


def _in_blocks(mapped: Callable[[Array], Array], z: Array, cells: int) -> Array:
    """The map of rows z (..., d), so many rows at a time that ``cells`` numbers for each of them stay few."""
    flat = z.reshape(-1, z.shape[-1])
    found = np.empty_like(flat, dtype=np.float64)
    block = max(1, _CELLS // cells)
    for first in range(0, len(flat), block):
        found[first : first + block] = mapped(flat[first : first + block])
    return found.reshape(z.shape)
