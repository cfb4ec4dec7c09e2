"""Derivatives of the release z -> w_N of gradient descent, and its inverse, for small dimensions.

J_{k+1} = (I - eta H(w_k)) J_k - eta I, J_0 = 0.  [GD paper (5)]
"""

from __future__ import annotations

import numpy as np

from certify.errors import CertifyError
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective, descend, trajectory
from certify.mechanisms.newton import root

_ROUNDING = 1e-15
_SETTLED = 1e-11


class NoPreimage(CertifyError):
    """Newton's method found no perturbation with the output asked for."""


def jacobian(objective: Objective, path: Array, step_size: float) -> Array:
    """J_N along the iterates ``path`` (N + 1, ..., d) of ``trajectory``: shape (..., d, d)."""
    return _recursion(objective.hessian(path[:-1]), step_size)


def frozen_jacobian(objective: Objective, path: Array, step_size: float) -> Array:
    """J~_N: the same recursion with the Hessian held at w_N, shape (..., d, d).  [GD paper (17)]"""
    held = objective.hessian(path[-1])
    return _recursion(np.broadcast_to(held, (len(path) - 1, *held.shape)), step_size)


def preimage(
    objective: Objective,
    output: Array,
    guess: Array,
    iterations: int,
    step_size: float,
    start: Array | None = None,
) -> Array:
    """Perturbations z with w_N(z) = ``output`` (..., d) that Newton's method reaches from ``guess``: (..., d).

    For output = M_S(z) and the objective of S' it is the conjugacy Phi(z) of GD paper Appendix C.1; where z -> w_N is
    injective there is no other. Raises NoPreimage where an output is missed by more than 1e-11 of its size and that
    of a first step at the guess.
    """
    goal = output.reshape(-1, objective.d)

    def missed(z: Array) -> Array:
        return descend(objective, z, iterations, step_size, start) - goal

    def derivative(z: Array) -> Array:
        return jacobian(objective, trajectory(objective, z, iterations, step_size, start), step_size)

    first = guess.reshape(-1, objective.d)
    steepest = np.linalg.norm(first, axis=-1) + objective.loss.L1 * objective.longest
    scale = np.linalg.norm(goal, axis=-1) + step_size * steepest
    z = root(missed, derivative, first, _ROUNDING * scale)
    gap = np.linalg.norm(missed(z), axis=-1)
    if not np.all(gap <= _SETTLED * scale):
        raise NoPreimage(f"no perturbation found for every output: one is missed by {gap.max():.3g}")
    return z.reshape(output.shape)


def _recursion(hessians: Array, step_size: float) -> Array:
    unit = np.eye(hessians.shape[-1])
    found = np.zeros(hessians.shape[1:])
    for hessian in hessians:
        found = (unit - step_size * hessian) @ found - step_size * unit
    return found
