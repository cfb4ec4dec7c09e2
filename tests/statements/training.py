"""The four heads trained by Newton's method to about 1e-12 in the gradient, with numpy only, for small problems."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[float, Array, Array]]


def minimiser(objective: Objective, size: int) -> Array:
    """The minimiser of a strongly convex objective (value, gradient, generalised Hessian), by damped Newton from 0."""
    theta = np.zeros(size)
    for _ in range(60):
        value, gradient, hessian = objective(theta)
        if np.linalg.norm(gradient) <= 1e-12 * (1 + np.linalg.norm(hessian)):
            break
        step = np.linalg.solve(hessian, gradient)
        scale = 1.0
        while scale > 1e-12 and objective(theta - scale * step)[0] > value - 1e-4 * scale * gradient @ step:
            scale /= 2
        if scale <= 1e-12:
            return theta - step
        theta = theta - scale * step
    return theta


def hinge(x: Array, y: Array, strength: float) -> Array:
    """max(0, 1 - y <w, x>)^2, no intercept."""
    signed = y[:, None] * x

    def objective(w: Array) -> tuple[float, Array, Array]:
        gap = np.maximum(0, 1 - signed @ w)
        active = signed[gap > 0]
        hessian = 2 * active.T @ active / len(x) + strength * np.eye(len(w))
        return (gap**2).mean() + strength / 2 * w @ w, -2 * gap @ signed / len(x) + strength * w, hessian

    return minimiser(objective, x.shape[1])


def logistic(x: Array, y: Array, strength: float) -> Array:
    """log(1 + exp(-y <theta, (x, 1)>)), intercept regularised."""
    signed = y[:, None] * augmented(x)

    def objective(theta: Array) -> tuple[float, Array, Array]:
        margin = signed @ theta
        share = 1 / (1 + np.exp(margin))
        hessian = (signed.T * (share * (1 - share))) @ signed / len(x) + strength * np.eye(len(theta))
        value = np.logaddexp(0, -margin).mean() + strength / 2 * theta @ theta
        return value, -share @ signed / len(x) + strength * theta, hessian

    return minimiser(objective, x.shape[1] + 1)


def softmax(x: Array, y: NDArray[np.int64], strength: float, classes: int) -> Array:
    """-s_y + log sum exp(s), s = W (x, 1), intercepts regularised; W flattened by rows."""
    wide = augmented(x)
    hot = np.eye(classes)[y]

    def objective(flat: Array) -> tuple[float, Array, Array]:
        scores = wide @ flat.reshape(classes, -1).T
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1, keepdims=True)
        value = -np.log((p * hot).sum(axis=1)).mean() + strength / 2 * flat @ flat
        gradient = ((p - hot).T @ wide / len(x)).ravel() + strength * flat
        curve = np.einsum("ni,ij->nij", p, np.eye(classes)) - np.einsum("ni,nj->nij", p, p)
        hessian = np.einsum("nij,na,nb->iajb", curve, wide, wide).reshape(len(flat), -1) / len(x)
        return value, gradient, hessian + strength * np.eye(len(flat))

    return minimiser(objective, classes * wide.shape[1])


def prototypes(x: Array, y: NDArray[np.int64], strength: float, classes: int) -> Array:
    """mu_c = 2 S_c/(2 n_c + lambda n), flattened."""
    hot = np.eye(classes)[y]
    return (2 * hot.T @ x / (2 * hot.sum(axis=0)[:, None] + strength * len(x))).ravel()


def augmented(x: Array) -> Array:
    """(x, 1)."""
    return np.hstack([x, np.ones((len(x), 1))])


def gradient(head: str, theta: Array, x: Array, label: int, classes: int) -> Array:
    """The gradient of one record's loss."""
    if head == "squared-hinge":
        return -2 * label * max(0.0, 1 - label * theta @ x) * x
    wide = np.append(x, 1.0)
    if head == "binary-logistic":
        return -label * wide / (1 + np.exp(label * theta @ wide))
    scores = theta.reshape(classes, -1) @ wide
    p = np.exp(scores - scores.max())
    p /= p.sum()
    p[label] -= 1
    return np.outer(p, wide).ravel()


def trained(head: str, x: Array, y: NDArray[np.int64], strength: float, classes: int) -> Array:
    """The minimiser of any of the four heads; labels are +-1 for the binary ones, else 0, 1, ..."""
    if head == "squared-hinge":
        return hinge(x, y, strength)
    if head == "binary-logistic":
        return logistic(x, y, strength)
    return (softmax if head == "softmax" else prototypes)(x, y, strength, classes)
