"""Derivatives of the release z -> w_N of gradient descent, and its inverse, for small dimensions.

J_{k+1} = (I - eta H(w_k)) J_k - eta I, J_0 = 0.  [GD paper (5)]
"""

from __future__ import annotations

import numpy as np

from certify.errors import CertifyError
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective, trajectory


class NoPreimage(CertifyError):
    """Newton's method found no perturbation with the output asked for."""


def jacobian(objective: Objective, path: Array, step_size: float) -> Array:
    """J_N along the iterates ``path`` (N + 1, d): shape (d, d)."""
    unit = np.eye(objective.d)
    found = np.zeros_like(unit)
    for w in path[:-1]:
        found = (unit - step_size * objective.hessian(w)) @ found - step_size * unit
    return found


def frozen_jacobian(objective: Objective, path: Array, step_size: float) -> Array:
    """J~_N: the same recursion with the Hessian held at w_N.  [GD paper (17)]"""
    unit = np.eye(objective.d)
    kept = unit - step_size * objective.hessian(path[-1])
    found = np.zeros_like(unit)
    for _ in path[:-1]:
        found = kept @ found - step_size * unit
    return found


def preimage(objective: Objective, output: Array, guess: Array, iterations: int, step_size: float) -> Array:
    """The perturbation z with w_N(z) = ``output`` that Newton's method reaches from ``guess``: shape (d).

    For output = M_S(z) and the objective of S' it is the conjugacy Phi(z) of GD paper Appendix C.1. Raises NoPreimage
    where the iteration does not settle to a relative 1e-11.
    """
    z = guess
    scale = float(np.linalg.norm(output)) + 1e-300
    for _ in range(100):
        path = trajectory(objective, z, iterations, step_size)
        gap = path[-1] - output
        if np.linalg.norm(gap) <= 1e-14 * scale:
            return z
        step = np.linalg.solve(jacobian(objective, path, step_size), gap)
        share = 1.0
        while share > 1e-4:
            after = trajectory(objective, z - share * step, iterations, step_size)[-1] - output
            if np.linalg.norm(after) < (1 - share / 4) * np.linalg.norm(gap):
                break
            share /= 2
        else:
            if np.linalg.norm(gap) <= 1e-11 * scale:
                return z
            raise NoPreimage(f"no preimage near {guess}: the output is missed by {np.linalg.norm(gap):.3g}")
        z = z - share * step
    raise NoPreimage(f"no preimage near {guess} in 100 steps")
