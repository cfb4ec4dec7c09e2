"""Finite supports for the reconstruction attack: far apart in the ball, or a simplex whose success is known."""

from __future__ import annotations

import math

import numpy as np

from certify.mechanisms.arrays import Array


def farthest_point_candidates(pool: Array, centre: Array, radius: float, count: int) -> Array:
    """``count`` records of the pool (k, d) in the ball about ``centre``, each farthest from those before: (count, d).

    The first is the one farthest from the centre.  [Ball-DP Section 5.6] Raises ValueError where the ball holds fewer
    distinct records.
    """
    inside = pool[np.linalg.norm(pool - centre, axis=1) <= radius]
    chosen: list[Array] = []
    gaps = np.linalg.norm(inside - centre, axis=1)
    while len(chosen) < count:
        best = int(gaps.argmax()) if len(gaps) else -1
        if best < 0 or (chosen and gaps[best] == 0):
            raise ValueError(f"the ball of radius {radius:g} holds {len(chosen)} distinct records, fewer than {count}")
        chosen.append(inside[best])
        away = np.linalg.norm(inside - inside[best], axis=1)
        gaps = np.minimum(gaps, away) if len(chosen) > 1 else away
    return np.array(chosen)


def simplex_canary(centre: Array, radius: float, count: int) -> Array:
    """``count`` candidates at orthogonal offsets of length ``radius`` from the centre: (count, d), count <= d.

    Raises ValueError where the dimension is too small.
    """
    if count > len(centre):
        raise ValueError(f"{count} orthogonal offsets need a dimension of at least {count}, not {len(centre)}")
    return np.asarray(centre + radius * np.eye(len(centre))[:count])


def simplex_success(ratio: float, count: int) -> float:
    """The MAP rule's success on a simplex canary of ``count`` candidates, to about 1e-10, by quadrature.

    ``ratio`` is the distance of a trained parameter from the centre's over sigma. The hidden candidate's projection is
    N(ratio, 1), the others are N(0, 1), independent: the success is the mean of Phi(X)^(count - 1), X ~ N(ratio, 1).
    """
    from scipy.integrate import quad
    from scipy.special import log_ndtr

    def density(x: float) -> float:
        return math.exp((count - 1) * float(log_ndtr(x)) - (x - ratio) ** 2 / 2) / math.sqrt(2 * math.pi)

    middle = sorted({0.0, ratio})
    found, _ = quad(density, min(middle) - 40, max(middle) + 40, points=middle, epsabs=1e-12, limit=500)
    return float(found)
