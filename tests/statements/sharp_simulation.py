"""Small logistic problems run in numpy, beside the bounds of D8 in double precision."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from certify.kernel.interval import Interval, Intervals
from certify.search.sharp_scales import number
from certify.statements.descent.constants import Descent, logistic_constants, objective, released
from certify.statements.descent.sharp_displacement import jacobian_error
from certify.statements.descent.sharp_residual import residual
from certify.statements.descent.sharp_trajectory import Loss, logistic_loss, minimiser_scale, trajectory_scale

Array = NDArray[np.float64]
R = Intervals(80)
LOGISTIC: Loss[Interval] = logistic_loss(R)
OMEGA = R.hull(R(1), R(0)) if LOGISTIC.turn is None else LOGISTIC.turn


@dataclass(frozen=True)
class Data:
    """Features of norm <= zeta, labels, and the public constants mu, zeta and eta L."""

    x: Array
    y: Array
    mu: Fraction
    zeta: Fraction
    eta_L: Fraction

    @cached_property
    def constants(self) -> Descent[Interval]:
        n, d = self.x.shape
        mu, zeta = R(self.mu), R(self.zeta)
        eta = R(self.eta_L) / (mu + zeta**2 / 4)
        p = objective(R, n, mu, zeta, logistic_constants(R), eta=eta)
        return released(p, d, 5 * p.G)

    def gradient(self, w: Array, z: Array) -> Array:
        weights = -self.y / (1 + np.exp(self.y * (self.x @ w)))
        return np.asarray(self.x.T @ weights / len(self.y) + float(self.mu) * w + z)

    def hessian(self, w: Array) -> Array:
        share = 1 / (1 + np.exp(-(self.x @ w)))
        curved = (self.x.T * (share * (1 - share))) @ self.x / len(self.y)
        return np.asarray(curved + float(self.mu) * np.eye(self.x.shape[1]))


@dataclass(frozen=True)
class Run:
    """The iterates w_0 ... w_N, the released gradient's norm, and the nuclear norm of J_N - J~_N."""

    path: Array
    residual: float
    jacobian_error: float


def iterates(data: Data, z: Array, iterations: int, start: Array | None = None) -> list[Array]:
    """w_0 ... w_N."""
    eta = number(data.constants.eta)
    path = [np.zeros(data.x.shape[1]) if start is None else start]
    for _ in range(iterations):
        path.append(path[-1] - eta * data.gradient(path[-1], z))
    return path


def run(data: Data, z: Array, iterations: int, start: Array | None = None) -> Run:
    """Gradient descent with the Jacobian of z -> w_N and its frozen-Hessian reference."""
    eta, d, path = number(data.constants.eta), data.x.shape[1], iterates(data, z, iterations, start)
    frozen = np.eye(d) - eta * data.hessian(path[-1])
    jacobian, reference = np.zeros((d, d)), np.zeros((d, d))
    for w in path[:-1]:
        jacobian = (np.eye(d) - eta * data.hessian(w)) @ jacobian - eta * np.eye(d)
        reference = frozen @ reference - eta * np.eye(d)
    nuclear = float(np.linalg.norm(jacobian - reference, "nuc"))
    return Run(np.array(path), float(np.linalg.norm(data.gradient(path[-1], z))), nuclear)


def minimiser(data: Data, z: Array) -> Array:
    """w*(z) by Newton's method."""
    w = np.zeros(data.x.shape[1])
    for _ in range(100):
        step = np.linalg.solve(data.hessian(w), data.gradient(w, z))
        w = w - step / max(1.0, float(np.linalg.norm(step)))
    return w


def random_data(seed: int) -> Data:
    """n <= 8 records in d <= 4 dimensions."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    zeta = Fraction(int(rng.integers(1, 9)), 2)
    x = rng.normal(size=(n, d))
    x *= (float(zeta) * rng.uniform(0.3, 1, size=(n, 1)) ** 0.2) / np.linalg.norm(x, axis=1, keepdims=True)
    y = rng.choice([-1.0, 1.0], size=n)
    mu = Fraction(int(rng.integers(1, 40)), 40)
    return Data(x, y, mu, zeta, Fraction(int(rng.integers(2, 11)), 10))


@dataclass(frozen=True)
class Bounds:
    """R-bar, R*, and from them the bounds of D8 at |z| <= radius."""

    data: Data
    iterations: int
    trajectory: Interval
    minimiser: Interval

    @classmethod
    def at(cls, data: Data, iterations: int, radius: float, start: float = 0.0) -> Bounds:
        p = data.constants if start == 0 else started(data.constants, start)
        outer = R(Fraction(radius * (1 + 1e-12)))
        scales = trajectory_scale(R, p, outer, LOGISTIC), minimiser_scale(R, p, outer, OMEGA)
        return cls(data, iterations, *scales)

    def distance(self, k: int) -> float:
        """A bound on |w_k - w_N|."""
        rho = number(self.data.constants.rho)
        settled = rho**self.iterations
        first = (rho**k - settled) * number(self.trajectory)
        return min(first, (rho**k + settled) * number(self.minimiser))

    @property
    def residual(self) -> float:
        """A bound on |grad F(w_N) + z|."""
        return number(residual(R, self.data.constants, self.iterations, self.trajectory, self.minimiser))

    def jacobian_error(self, splits: tuple[int, int]) -> float:
        """A bound on the nuclear norm of J_N - J~_N."""
        at = self.trajectory, self.minimiser
        return number(jacobian_error(R, self.data.constants, self.iterations, *at, splits))

    def least_jacobian_error(self) -> float:
        """The sum with the least of the three bounds at every k, written out."""
        p, N = self.data.constants, self.iterations
        rho, M, cap = number(p.rho), number(p.M), number(p.L2 * p.zeta**2)
        bar, star = number(self.trajectory), number(self.minimiser)
        total = math.fsum(
            rho ** (N - 1 - k) * (1 - rho**k) * min(cap, M * (rho**k + rho**N) * star, M * (rho**k - rho**N) * bar)
            for k in range(N)
        )
        return number(p.eta / p.mu) * total


def started(p: Descent[Interval], start: float) -> Descent[Interval]:
    """The same release with a public start of that norm."""
    return replace(p, start=R(Fraction(start * (1 + 1e-12))))
