"""Losses of generalised linear models, l(t, y) at the score t = <x, w>.  [GD paper Assumptions 1-3, Appendix C.5]"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.heads import logistic

OfScore = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Loss:
    """l and its first two derivatives in t, for labels y = -1 or +1, and the bounds L1, L2 of |l'|, l'' and L3, the
    Lipschitz constant of l''."""

    name: str
    value: OfScore
    slope: OfScore
    curvature: OfScore
    L1: float
    L2: float
    L3: float


LOGISTIC = Loss(
    "logistic",
    lambda t, y: np.asarray(np.logaddexp(0.0, -y * t)),
    lambda t, y: -y * logistic(-y * t),
    lambda t, y: logistic(y * t) * logistic(-y * t),
    L1=1.0,
    L2=0.25,
    L3=1 / (6 * math.sqrt(3)),
)
"""log(1 + e^(-yt))."""

LINEAR = Loss(
    "linear",
    lambda t, y: -y * t,
    lambda t, y: -y + 0.0 * t,
    lambda t, y: 0.0 * y * t,
    L1=1.0,
    L2=0.0,
    L3=0.0,
)
"""-yt: with ridge, the exact Gaussian benchmark of GD paper Appendix C.5."""
