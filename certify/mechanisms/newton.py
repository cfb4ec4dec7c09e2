"""Damped Newton's method for many systems of equations at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.mechanisms.arrays import Array

_STEPS = 200
_SHORTEST = 2.0**-20


def root(residual: Callable[[Array], Array], derivative: Callable[[Array], Array], start: Array, floor: Array) -> Array:
    """Points x (k, d), near ``start`` (k, d), where the rows of residual(x) (k, d) are as small as steps make them.

    ``derivative`` gives k matrices d x d, regular. A row is left alone once its residual has norm at most its ``floor``
    (k), or no longer falls: whether that is small enough is for the caller to judge. Each step is halved until the norm
    falls by a quarter of what it would in a linear system, which a short enough step does.
    """
    x = np.array(start)
    found = residual(x)
    size = _norms(found)
    moving = size > floor
    for _ in range(_STEPS):
        if not moving.any():
            break
        step = np.linalg.solve(derivative(x), found[..., None])[..., 0]
        share = np.where(moving, 1.0, 0.0)
        while True:
            moved = x - share[:, None] * step
            after = residual(moved)
            reached = _norms(after)
            long = moving & ~(reached <= (1 - share / 4) * size) & (share > _SHORTEST)
            if not long.any():
                break
            share[long] /= 2
        moving &= reached < size
        x = np.where(moving[:, None], moved, x)
        found = np.where(moving[:, None], after, found)
        size = np.where(moving, reached, size)
        moving &= size > floor
    return x


def _norms(rows: Array) -> Array:
    return np.asarray(np.linalg.norm(rows, axis=-1))
