"""The informed attacker's best guess of the hidden record from a Gaussian release.  [Ball-DP Proposition 5]

The attacker knows D^-, sigma and a finite list of candidates z_i with prior weights; he trains on D^- with each, and
names argmax_i log pi_i - |release - theta_i|^2/(2 sigma^2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.mechanisms.arrays import Array


def map_scores(releases: Array, candidates: Array, sigma: float, prior: Array | None = None) -> Array:
    """Log posteriors up to a constant of each release: (k, m) from releases (k, p) and candidates (m, p).

    ``candidates`` are the trained parameters theta_i, ``prior`` their weights (uniform if None); sigma > 0.
    """
    centre = candidates.mean(axis=0)
    offsets = candidates - centre
    # |y - theta_i|^2 = |y - c|^2 - 2 <y - c, theta_i - c> + |theta_i - c|^2, whose first term is common to all.
    scores = releases @ offsets.T
    scores -= centre @ offsets.T + (offsets**2).sum(axis=1) / 2
    scores /= sigma**2
    if prior is not None:
        with np.errstate(divide="ignore"):
            scores += np.log(prior)
    return np.asarray(scores)


def map_guess(releases: Array, candidates: Array, sigma: float, prior: Array | None = None) -> NDArray[np.intp]:
    """The index that the MAP rule names for each release: (k)."""
    return np.asarray(map_scores(releases, candidates, sigma, prior).argmax(axis=1))
