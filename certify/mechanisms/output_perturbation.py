"""Gaussian output perturbation: the trained parameter plus N(0, sigma^2 I)."""

from __future__ import annotations

import numpy as np

from certify.mechanisms.arrays import Array


def release(parameters: Array, sigma: float, generator: np.random.Generator, count: int | None = None) -> Array:
    """theta + N(0, sigma^2 I): shape (p), or (count, p) for so many independent releases.  [Ball-DP Theorem 3]"""
    shape = parameters.shape if count is None else (count, *parameters.shape)
    noise = generator.standard_normal(shape)
    noise *= sigma
    noise += parameters
    return noise


def calibrated_sigma(epsilon: object, delta: object, sensitivity: object) -> float:
    """The noise level that suffices for (epsilon, delta), as a double: the proved upper end of G3, rounded up.

    At the sensitivity of radius 2B it is Ball-DP's comparator, global-radius output perturbation. The inputs are exact
    numbers, as in ``certify.evaluate``; raises UnusableInput for others.
    """
    import math

    import certify

    enclosure = certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=delta, sensitivity=sensitivity)["sigma"]
    return math.nextafter(float(enclosure.upper), math.inf)
