"""Neighbours under replace-one adjacency inside a ball, random ones and the worst.  [Ball-DP Definition 1]"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from certify.mechanisms.arrays import Array, Data, Labels
from certify.statements.rules.claim import Head

Worst = Literal["antipodal", "singleton", "attaining"]


def in_ball(generator: np.random.Generator, centre: Array, radius: float, bound: float) -> Array:
    """A random vector within ``radius`` of ``centre`` and of norm at most ``bound``; often as far as that allows.

    Hypothesis: |centre| <= bound. Cutting back to norm ``bound`` moves no point away from the centre.
    """
    step = -centre if generator.random() < 0.25 else generator.standard_normal(centre.shape)
    length = float(np.linalg.norm(step))
    share = 1.0 if generator.random() < 0.5 else generator.random()
    moved = centre + step * (radius * share / length) if length > 0 else centre.copy()
    return clipped(moved, bound)


def clipped(features: Array, bound: float) -> Array:
    """Vectors (..., d) longer than ``bound`` cut back to it."""
    norms = np.linalg.norm(features, axis=-1, keepdims=True)
    return np.asarray(features * np.minimum(1.0, bound / np.maximum(norms, 1e-300)))


def label_preserving_neighbour(
    generator: np.random.Generator, data: Data, radius: float, bound: float
) -> tuple[Data, int]:
    """A random neighbour of data with records of norm at most ``bound``, and the index of the record replaced."""
    index = int(generator.integers(data.n))
    return data.replaced(index, in_ball(generator, data.features[index], radius, bound)), index


def worst_case_pair(
    kind: Worst, head: Head, n: int, dimension: int, bound: float, radius: float, classes: int = 2
) -> tuple[Data, Data]:
    """Two neighbours that press a bound: record 0 differs, at distance min(radius, 2 bound), labels equal.

    antipodal: the other records lie on the sphere, alternating in direction and label, so that margins are small.
    singleton: record 0 is the only one of its class (n >= 2).
    attaining: all other records are in the class of record 0; with n = n_min these attain H4 (Ball-DP Corollary 2,
    Proposition 10). Record 0 moves along the first axis, from +r/2 to -r/2.
    """
    half = min(radius, 2 * bound) / 2
    axis = np.zeros(dimension)
    axis[0] = 1.0
    features = np.zeros((n, dimension))
    if kind == "antipodal":
        features[1:] = bound * np.where(np.arange(1, n) % 2 == 0, 1.0, -1.0)[:, None] * axis
        features[1:] += _sideways(n - 1, dimension, bound)
        features = clipped(features, bound)
    features[0] = half * axis
    data = Data(features, _labels(kind, head, n, classes), classes)
    return data, data.replaced(0, -half * axis)


def _sideways(count: int, dimension: int, bound: float) -> Array:
    """A part along the other axes, so that the records do not lie on one line."""
    part = np.zeros((count, dimension))
    if dimension > 1:
        part[np.arange(count), 1 + np.arange(count) % (dimension - 1)] = bound / math.sqrt(2)
    return part


def _labels(kind: Worst, head: Head, n: int, classes: int) -> Labels:
    order = np.arange(n)
    if kind == "attaining":
        chosen = np.zeros(n, dtype=np.int64)
    elif kind == "singleton":
        chosen = np.where(order == 0, 0, 1 + order % max(classes - 1, 1))
    else:
        chosen = order // 2 % classes
    if head in ("squared-hinge", "binary-logistic"):
        return np.where(chosen % 2 == 0, 1, -1)
    return np.asarray(chosen, dtype=np.int64)
