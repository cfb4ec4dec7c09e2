"""Heads trained to a requested gradient norm.

Prototypes in closed form. The others by damped Newton steps: with the Hessian for few parameters; for many, after
L-BFGS and by conjugate gradients on Hessian products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.errors import CertifyError
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.heads import Objective, class_counts, class_sums, objective, parameter_count
from certify.statements.rules.claim import Head

_FEW = 400
"""Up to so many parameters the Hessian is formed."""
_STEPS = 60


class NotReached(CertifyError):
    """The gradient norm asked for was not reached; the message says which was."""


@dataclass(frozen=True)
class Trained:
    """A trained head: flat ``parameters`` (p) and ``gradient_norm``, |grad F| there.

    The norm is computed in double precision. Stated as a claim's ``gradient_tolerance`` it needs room above: B4' speaks
    of the exact gradient, and evaluating it errs by about 1e-16 times the size of its terms.
    """

    parameters: Array
    gradient_norm: float


def train(
    head: Head, data: Data, regularization: float, *, tolerance: float = 1e-10, start: Array | None = None
) -> Trained:
    """The minimiser of F on data, to |grad F| <= ``tolerance``.

    ``regularization`` is lambda > 0; ``start`` a flat parameter vector (p) to begin at. Raises ValueError for lambda
    <= 0 or no records, and NotReached where double precision does not get there.
    """
    if not regularization > 0 or data.n == 0:
        raise ValueError("training needs a positive regularization and at least one record")
    goal = objective(head, data, regularization)
    if head == "ridge-prototype":
        found = prototypes(data, regularization)
    else:
        size = parameter_count(head, data.features.shape[1], data.classes)
        found = _minimiser(goal, np.zeros(size) if start is None else start, tolerance)
    reached = float(np.linalg.norm(goal.gradient(found)))
    if not reached <= tolerance:
        raise NotReached(f"{head}: the gradient norm reached {reached:.3g}, not the {tolerance:.3g} asked for")
    return Trained(found, reached)


def prototypes(data: Data, regularization: float) -> Array:
    """mu_c = 2 S_c / (2 n_c + lambda n), flat (classes * d).  [Ball-DP Theorem 9]"""
    counts = class_counts(data)[:, None]
    return np.asarray((2 * class_sums(data) / (2 * counts + regularization * data.n)).ravel())


def _minimiser(goal: Objective, start: Array, tolerance: float) -> Array:
    theta = start
    if len(start) > _FEW:
        theta = _quasi_newton(goal, theta)
    return _newton(goal, theta, tolerance)


def _quasi_newton(goal: Objective, start: Array) -> Array:
    from scipy.optimize import minimize

    options = {"maxiter": 2000, "maxfun": 4000, "gtol": 1e-7, "ftol": 1e-15}
    return np.asarray(minimize(goal.value, start, jac=goal.gradient, method="L-BFGS-B", options=options).x)


def _newton(goal: Objective, theta: Array, tolerance: float) -> Array:
    """Damped Newton steps: the value falls enough, or, where rounding hides that, the gradient does."""
    gradient = goal.gradient(theta)
    for _ in range(_STEPS):
        size = float(np.linalg.norm(gradient))
        if size <= tolerance / 8:
            break
        step = _newton_step(goal, theta, gradient)
        value, fall = goal.value(theta), float(gradient @ step)
        scale = 1.0
        while scale > 1e-10:
            moved = theta - scale * step
            after = goal.gradient(moved)
            if goal.value(moved) < value - 1e-4 * scale * fall or np.linalg.norm(after) < size / 2:
                break
            scale /= 2
        else:
            moved = theta - step
            after = goal.gradient(moved)
            if not np.linalg.norm(after) < size:
                break
        theta, gradient = moved, after
    return theta


def _newton_step(goal: Objective, theta: Array, gradient: Array) -> Array:
    if len(theta) <= _FEW:
        # No eigenvalue is below lambda; rounding makes some so where lambda is tiny beside the data.
        values, vectors = np.linalg.eigh(goal.hessian(theta))
        return np.asarray(vectors @ (gradient @ vectors / np.maximum(values, goal.strength)))
    from scipy.sparse.linalg import LinearOperator, cg

    shape = (len(theta), len(theta))
    step, _ = cg(LinearOperator(shape, matvec=goal.hessian_product(theta), dtype=np.float64), gradient, rtol=1e-8)
    return np.asarray(step)
