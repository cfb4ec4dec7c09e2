"""Random records for the tests of the heads."""

from __future__ import annotations

import numpy as np

from certify.mechanisms.arrays import Data
from certify.statements.rules.claim import Head

HEADS: tuple[Head, ...] = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")


def random_records(head: Head, n: int = 9, d: int = 3, seed: int = 0) -> Data:
    """Standard normal features and random labels; three classes where the head has more than two."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, d))
    if head in ("binary-logistic", "squared-hinge"):
        return Data(x, generator.choice([-1, 1], n), 2)
    return Data(x, generator.integers(0, 3, n), 3)
