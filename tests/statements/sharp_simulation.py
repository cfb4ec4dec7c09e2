"""Small logistic problems run by the mechanism, beside the bounds of D8 in double precision."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.kernel.interval import Interval
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import trajectory
from certify.mechanisms.jacobians import frozen_jacobian, jacobian
from certify.search.sharp_scales import number
from certify.statements.descent.sharp_displacement import jacobian_error
from certify.statements.descent.sharp_residual import residual
from certify.statements.descent.sharp_trajectory import Loss, logistic_loss, minimiser_scale, trajectory_scale
from tests.statements.small_problem import R, SmallProblem

LOGISTIC: Loss[Interval] = logistic_loss(R)
OMEGA = R.hull(R(1), R(0)) if LOGISTIC.turn is None else LOGISTIC.turn


@dataclass(frozen=True)
class Run:
    """The iterates w_0 ... w_N, the released gradient's norm, and the nuclear norm of J_N - J~_N."""

    path: Array
    residual: float
    jacobian_error: float


def run(problem: SmallProblem, z: Array, iterations: int) -> Run:
    """The mechanism at one perturbation."""
    goal, eta = problem.objective, problem.step_size
    path = trajectory(goal, z, iterations, eta, problem.start)
    error = jacobian(goal, path, eta) - frozen_jacobian(goal, path, eta)
    residual = float(np.linalg.norm(goal.gradient(path[-1]) + z))
    return Run(path, residual, float(np.linalg.norm(error, "nuc")))


def random_problem(seed: int) -> SmallProblem:
    """n <= 8 records in d <= 4 dimensions."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    zeta = Fraction(int(rng.integers(1, 9)), 2)
    x = rng.normal(size=(n, d))
    x *= (float(zeta) * rng.uniform(0.3, 1, size=(n, 1)) ** 0.2) / np.linalg.norm(x, axis=1, keepdims=True)
    y = rng.choice([-1.0, 1.0], size=n)
    mu = Fraction(int(rng.integers(1, 40)), 40)
    return SmallProblem(x, y, mu, zeta, Fraction(int(rng.integers(2, 11)), 10))


def started(problem: SmallProblem, seed: int) -> SmallProblem:
    """The same problem with a public start."""
    return replace(problem, start=np.random.default_rng(seed).normal(size=problem.x.shape[1]))


@dataclass(frozen=True)
class Bounds:
    """R-bar, R*, and from them the bounds of D8 at |z| <= radius."""

    problem: SmallProblem
    iterations: int
    trajectory: Interval
    minimiser: Interval

    @classmethod
    def at(cls, problem: SmallProblem, iterations: int, radius: float) -> Bounds:
        p, outer = problem.constants, R(Fraction(radius * (1 + 1e-12)))
        scales = trajectory_scale(R, p, outer, LOGISTIC), minimiser_scale(R, p, outer, OMEGA)
        return cls(problem, iterations, *scales)

    def distance(self, k: int) -> float:
        """A bound on |w_k - w_N|."""
        rho = number(self.problem.constants.rho)
        settled = rho**self.iterations
        first = (rho**k - settled) * number(self.trajectory)
        return min(first, (rho**k + settled) * number(self.minimiser))

    @property
    def residual(self) -> float:
        """A bound on |grad F(w_N) + z|."""
        return number(residual(R, self.problem.constants, self.iterations, self.trajectory, self.minimiser))

    def jacobian_error(self, splits: tuple[int, int]) -> float:
        """A bound on the nuclear norm of J_N - J~_N."""
        at = self.trajectory, self.minimiser
        return number(jacobian_error(R, self.problem.constants, self.iterations, *at, splits))

    def least_jacobian_error(self) -> float:
        """The sum with the least of the three bounds at every k, written out."""
        p, N = self.problem.constants, self.iterations
        rho, M, cap = number(p.rho), number(p.M), number(p.L2 * p.zeta**2)
        bar, star = number(self.trajectory), number(self.minimiser)
        total = math.fsum(
            rho ** (N - 1 - k) * (1 - rho**k) * min(cap, M * (rho**k + rho**N) * star, M * (rho**k - rho**N) * bar)
            for k in range(N)
        )
        return number(p.eta / p.mu) * total
