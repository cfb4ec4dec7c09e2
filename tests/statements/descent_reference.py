"""The gradient-descent formulas once more, at 60 digits of an independent library, with sums written out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mpmath import mp, mpf

from certify.kernel.interval import Interval, Intervals
from certify.statements.descent.constants import Descent, objective, released

mp.dps = 60


@dataclass(frozen=True)
class Problem:
    """One problem with exact constants; eta None is 1/L."""

    n: int
    d: int
    mu: Fraction
    L1: Fraction
    L2: Fraction
    L3: Fraction
    sigma_over_G: Fraction
    u: Fraction
    zeta: Fraction = Fraction(1)
    eta_L: Fraction | None = None

    def read(self, R: Intervals) -> Descent[Interval]:
        """The same problem in an arithmetic."""
        eta = None if self.eta_L is None else R(self.eta_L) / (R(self.mu) + R(self.L2) * R(self.zeta) ** 2)
        constants = objective(R, self.n, R(self.mu), R(self.zeta), (R(self.L1), R(self.L2), R(self.L3)), eta=eta)
        return released(constants, self.d, R(self.sigma_over_G) * constants.G, R(self.u))


def number(x: Fraction | int) -> mpf:
    """A rational at the working precision."""
    return mpf(Fraction(x).numerator) / Fraction(x).denominator


def q1(t: mpf) -> mpf:
    """Q1 through erfc."""
    return mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi) - t * mp.erfc(t / mp.sqrt(2)) / 2


@lru_cache(maxsize=8)
def _powers(base: mpf) -> list[mpf]:
    """base^0, base^1, ... to base^200, by multiplication."""
    found = [mpf(1)]
    for _ in range(200):
        found.append(found[-1] * base)
    return found


def certificate(problem: Problem, N: int, epsilon: Fraction) -> dict[str, mpf]:
    """Theorem C.13 at fixed radii; the sums of Proposition A.11 term by term."""
    n, mu, zeta = problem.n, number(problem.mu), number(problem.zeta)
    L1, L2, L3 = number(problem.L1), number(problem.L2), number(problem.L3)
    L = mu + L2 * zeta**2
    eta_L = mpf(1) if problem.eta_L is None else number(problem.eta_L)
    eta, M, G = eta_L / L, L3 * zeta**3, 2 * L1 * zeta / n
    sigma, rho, u = number(problem.sigma_over_G) * G, 1 - eta * mu, number(problem.u)
    r = sigma * (mp.sqrt(min(problem.d, n + 1)) + u)
    gap = 2 * L * G / mu
    scale = (r + gap + L1 * zeta) / mu
    powers, slow = _powers(rho), _powers(1 - eta_L)
    gamma = eta * sum(slow[:N])
    nu = N - sum(powers[:N])
    nu_tilde = sum((1 - powers[N - k]) * (1 - powers[k]) for k in range(N))
    corr = eta * M * scale / mu * nu_tilde * rho ** (N - 1)
    alpha = gamma - corr
    g_bar = 1 - (mpf(1) if N == 1 else (1 - eta_L) ** (N - 1))
    tau = g_bar * mp.log(1 + 2 * L2 * zeta**2 / (2 * n * mu)) + 2 * corr / alpha
    xi = 2 * mu * rho**N * scale
    s = r * xi / sigma**2 + (G + xi) ** 2 / (2 * sigma**2) + tau
    need = G * (1 - rho**N) / (mu * alpha)
    delta = mp.exp(-u * u / 2) + 2 * G / sigma * q1((number(epsilon) - s) * sigma / G)
    return {
        "gamma": gamma, "nu": nu, "nu_tilde": nu_tilde, "corr": corr, "alpha": alpha, "tau": tau, "s": s,
        "need": need, "gap": gap, "delta": delta,
    }  # fmt: skip


def passes(problem: Problem, N: int, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether the count passes, by the reference."""
    at = certificate(problem, N, epsilon)
    met = at["alpha"] > 0 and at["need"] <= at["gap"]
    return bool(met and at["s"] <= number(epsilon) and at["delta"] <= number(delta))
