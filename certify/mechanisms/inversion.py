"""Ridge prototypes give the missing record away: from the release without noise exactly, with noise by the nearest one.

Source: Ball-DP Theorem 11 and Corollary 3. ``known`` is D^-, the n - 1 records that the informed attacker has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.heads import class_counts, class_sums


def prototype_inverse(released: Array, known: Data, label: int, regularization: float) -> Array:
    """W_y = ((2 n_y + lambda n) mu_y - 2 S_y^-)/2 from released prototypes ``released`` (..., d) of class ``label``.

    n and n_y count the missing record too. Without noise W_y is the missing record; with N(0, sigma^2 I) on mu_y it is
    that record plus normal noise of scale sigma (2 n_y + lambda n)/2.
    """
    weight = 2 * (class_counts(known)[label] + 1) + regularization * (known.n + 1)
    return np.asarray((weight * released - 2 * class_sums(known)[label]) / 2)


def nearest_candidate(points: Array, candidates: Array) -> NDArray[np.intp]:
    """The index of the candidate (m, d) nearest to each point (..., d): the MAP rule for equal weights, Corollary 3."""
    centre = candidates.mean(axis=0)
    offsets = candidates - centre
    scores = (points - centre) @ offsets.T - (offsets**2).sum(axis=1) / 2
    return np.asarray(scores.argmax(axis=-1))


def invert_prototypes(parameters: Array, known: Data, regularization: float) -> tuple[int, Array] | None:
    """The missing record's label and features from prototypes released without noise, flat (classes * d).

    Its class is the one whose prototype differs from what D^- alone implies at n records; None where rounding error
    may account for every difference, as it does where the missing record equals the D^- prototype of its class.
    """
    n = known.n + 1
    rows = parameters.reshape(known.classes, -1)
    weights = 2 * class_counts(known)[:, None] + regularization * n
    implied = 2 * class_sums(known) / weights
    sizes = 2 * class_sums(Data(np.abs(known.features), known.labels, known.classes)) / weights
    # A sum of n doubles errs by at most n/2 units in the last place of the sum of their absolute values.
    rounding = 4 * n * np.finfo(np.float64).eps * (sizes + np.abs(rows))
    excess = np.linalg.norm(rows - implied, axis=1) - np.linalg.norm(rounding, axis=1)
    label = int(excess.argmax())
    if excess[label] <= 0:
        return None
    return label, prototype_inverse(rows[label], known, label, regularization)
