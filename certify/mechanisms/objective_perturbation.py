"""Comparators that the GD paper names: exact-minimiser objective perturbation, and Approximate Minima Perturbation.

No bound of certify speaks of them; they are here for plots and to see what finite gradient descent costs.
"""

from __future__ import annotations

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser, smoothness


def objective_perturbation(objective: Objective, sigma: float, generator: np.random.Generator, count: int) -> Array:
    """Exact minimisers of F(w) + <z, w>, z ~ N(0, sigma^2 I): (count, d).

    The limit N -> infinity of gradient descent on the perturbed objective.  [Chaudhuri, Monteleoni and Sarwate 2011;
    Gaussian noise: Kifer, Smith and Thakurta 2012]
    """
    return perturbed_minimiser(objective, sigma * generator.standard_normal((count, objective.d)))


def approximate_minima_perturbation(
    objective: Objective,
    sigma: float,
    output_sigma: float,
    gradient_tolerance: float,
    generator: np.random.Generator,
    count: int,
) -> Array:
    """Approximate minimisers of F(w) + <z, w> plus N(0, output_sigma^2 I): (count, d).

    Each approximate minimiser is reached by gradient descent with step 1/L from 0, in the least number of steps after
    which the perturbed gradient has norm at most ``gradient_tolerance`` for all draws. Raises ValueError for a
    tolerance that double precision does not reach.  [Iyengar, Near, Song, Thakkar, Thakurta and Wang 2019, Algorithm 1;
    GD paper Remark 4.12]
    """
    z = sigma * generator.standard_normal((count, objective.d))
    step_size = 1 / smoothness(objective)
    w = np.zeros_like(z)
    gradient = objective.gradient(w) + z
    size = float(np.linalg.norm(gradient, axis=1).max())
    while size > gradient_tolerance:
        w = w - step_size * gradient
        gradient = objective.gradient(w) + z
        before, size = size, float(np.linalg.norm(gradient, axis=1).max())
        # Each step contracts the perturbed gradient by 1 - mu step_size, up to rounding.
        if size > (1 - objective.mu * step_size / 2) * before:
            raise ValueError(f"a gradient norm of {gradient_tolerance} is below what double precision reaches")
    return np.asarray(w + output_sigma * generator.standard_normal(w.shape))
