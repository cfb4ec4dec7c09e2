"""Small problems of gradient descent: exact constants for the statements, the same numbers for the mechanism."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from certify.kernel.interval import Interval, Intervals
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective
from certify.mechanisms.losses import LINEAR, LOGISTIC, Loss
from certify.search.sharp_scales import number
from certify.statements.descent.constants import Descent, logistic_constants, objective, released

R = Intervals(80)


@dataclass(frozen=True)
class SmallProblem:
    """Features (n, d) of norm <= zeta, labels, the public constants mu, zeta and eta L, and a public start.

    ``loss`` is the linear loss or one with the constants of the logistic loss.
    """

    x: Array
    y: Array
    mu: Fraction
    zeta: Fraction
    eta_L: Fraction
    loss: Loss = LOGISTIC
    start: Array | None = None

    @cached_property
    def constants(self) -> Descent[Interval]:
        """Its constants with L, M by definition, at sigma = 5 G; |w_0| is rounded up."""
        n, d = self.x.shape
        mu, zeta = R(self.mu), R(self.zeta)
        bounds = (R(1), R(0), R(0)) if self.loss is LINEAR else logistic_constants(R)
        # At eta L = 1 the step is left to its definition, so that 1 - eta L is exactly 0.
        eta = None if self.eta_L == 1 else R(self.eta_L) / (mu + bounds[1] * zeta**2)
        p = objective(R, n, mu, zeta, bounds, eta=eta)
        if self.start is not None:
            p = replace(p, start=R(Fraction(float(np.linalg.norm(self.start)) * (1 + 1e-12))))
        return released(p, d, 5 * p.G)

    @cached_property
    def objective(self) -> Objective:
        """Its objective F(.; S)."""
        return Objective(self.x, self.y, float(self.mu), self.loss)

    @cached_property
    def step_size(self) -> float:
        """eta."""
        return number(self.constants.eta)

    def replaced(self, index: int, features: Array, label: float) -> SmallProblem:
        """The neighbouring problem with record ``index`` replaced."""
        changed = self.objective.replaced(index, features, label)
        return replace(self, x=changed.features, y=changed.labels)
