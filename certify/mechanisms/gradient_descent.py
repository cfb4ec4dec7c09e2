"""Gradient descent on a perturbed objective, the mechanism (4) of the GD paper, for many draws of z at once.

F(w; S) = (1/n) sum l(<x_i, w>, y_i) + (mu/2) |w|^2;  w_{k+1} = w_k - eta (grad F(w_k) + z), w_0 = 0 or a fixed public
start;  z ~ N(0, sigma^2 I_d) is drawn once and w_N released.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.losses import LOGISTIC, Loss

_CELLS = 2_000_000
"""So many scores are held at once: releases are worked on in blocks."""


@dataclass(frozen=True)
class Objective:
    """F(.; S) on ``features`` (n, d) and ``labels`` (n) of -1 and +1, regularised by mu > 0."""

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

    def value(self, w: Array) -> Array:
        """F at points w (..., d): shape (...)."""
        losses = self.loss.value(w @ self.features.T, self.labels)
        return np.asarray(losses.mean(axis=-1) + self.mu / 2 * (w**2).sum(axis=-1))

    def gradient(self, w: Array) -> Array:
        """The gradient of F at points w (..., d): shape (..., d)."""
        slopes = self.loss.slope(w @ self.features.T, self.labels)
        return np.asarray(slopes @ self.features / self.n + self.mu * w)

    def hessian(self, w: Array) -> Array:
        """The Hessian of F at one point w (d): shape (d, d)."""
        weights = self.loss.curvature(self.features @ w, self.labels) / self.n
        return np.asarray((self.features.T * weights) @ self.features + self.mu * np.eye(self.d))

    def replaced(self, index: int, features: Array, label: float) -> Objective:
        """F on the neighbouring data set with record ``index`` replaced."""
        x, y = self.features.copy(), self.labels.copy()
        x[index], y[index] = features, label
        return Objective(x, y, self.mu, self.loss)


def descend(objective: Objective, z: Array, iterations: int, step_size: float, start: Array | None = None) -> Array:
    """w_N for perturbations z (..., d): shape (..., d)."""
    flat = z.reshape(-1, objective.d)
    released = np.empty_like(flat)
    block = max(1, _CELLS // max(objective.n, 1))
    for first in range(0, len(flat), block):
        part = flat[first : first + block]
        w = np.zeros_like(part) if start is None else np.broadcast_to(start, part.shape)
        for _ in range(iterations):
            w = w - step_size * (objective.gradient(w) + part)
        released[first : first + block] = w
    return released.reshape(z.shape)


def release(
    objective: Objective,
    sigma: float,
    iterations: int,
    step_size: float,
    generator: np.random.Generator,
    count: int,
) -> Array:
    """``count`` independent releases, (count, d)."""
    return descend(objective, sigma * generator.standard_normal((count, objective.d)), iterations, step_size)


def trajectory(objective: Objective, z: Array, iterations: int, step_size: float, start: Array | None = None) -> Array:
    """w_0 ... w_N for one perturbation z (d): shape (N + 1, d)."""
    path = [np.zeros(objective.d) if start is None else start]
    for _ in range(iterations):
        path.append(path[-1] - step_size * (objective.gradient(path[-1]) + z))
    return np.array(path)


def perturbed_minimiser(objective: Objective, z: Array) -> Array:
    """w*(z), the minimiser of F(w) + <z, w>, for perturbations z (..., d), by damped Newton steps to double precision.

    It exists and is unique for mu > 0.  [GD paper Lemma A.2]
    """
    flat = z.reshape(-1, objective.d)
    return np.array([_newton(objective, one) for one in flat]).reshape(z.shape)


def _newton(objective: Objective, z: Array) -> Array:
    w = -z / (objective.mu + objective.loss.L2)
    gradient = objective.gradient(w) + z
    for _ in range(200):
        size = float(np.linalg.norm(gradient))
        step = np.linalg.solve(objective.hessian(w), gradient)
        scale = 1.0
        moved = w - step
        after = objective.gradient(moved) + z
        # The gradient norm falls along the Newton direction of a convex function for a short enough step.
        while np.linalg.norm(after) > (1 - scale / 4) * size and scale > 1e-6:
            scale /= 2
            moved = w - scale * step
            after = objective.gradient(moved) + z
        if not np.linalg.norm(after) < size:
            break
        w, gradient = moved, after
    return np.asarray(w)
