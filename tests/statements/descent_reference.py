"""The gradient-descent formulas once more, at 60 digits of an independent library, with sums written out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.statements.descent import jacobian, theorem_c13
from certify.statements.descent.constants import Descent, objective, released
from certify.statements.descent.radii import fixed_radii, fixed_tail

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


fractions = st.fractions(min_value=Fraction(1, 50), max_value=4, max_denominator=50)
problems = st.builds(
    Problem,
    n=st.integers(1, 30),
    d=st.integers(1, 50),
    mu=fractions,
    L1=fractions,
    L2=fractions,
    L3=st.one_of(st.just(Fraction(0)), fractions),
    sigma_over_G=st.fractions(min_value=1, max_value=20, max_denominator=20),
    u=st.fractions(min_value=0, max_value=6, max_denominator=20),
    zeta=fractions,
    eta_L=st.one_of(st.none(), st.just(Fraction(1)), st.fractions(Fraction(1, 20), 1, max_denominator=20)),
)


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


def holds(value: Interval, true: mpf) -> bool:
    """Whether the enclosure contains the reference value, with room for the reference's own rounding."""
    enclosure, slack = Enclosure.of(value), (abs(true) + mpf(10) ** -40) * mpf(10) ** -45
    return bool(number(enclosure.lower) - slack <= true <= number(enclosure.upper) + slack)


def disagreements(R: Intervals, problem: Problem, N: int, epsilon: Fraction) -> list[str]:
    """The quantities of Theorem C.13 at fixed radii whose enclosures miss the reference."""
    p, true = problem.read(R), certificate(problem, N, epsilon)
    radii, count = fixed_radii(R, p), R(N)
    alpha = theorem_c13.alpha_bar(R, p, count, radii)
    found = {
        "gamma": jacobian.gamma(R, p, count),
        "nu": jacobian.nu(R, p, count),
        "nu_tilde": jacobian.nu_tilde(R, p, count),
        "corr": jacobian.correction(R, p, count, radii.outer),
        "alpha": alpha,
        "tau": theorem_c13.tau(R, p, count, radii, alpha),
        "s": theorem_c13.spent(R, p, count, radii, alpha),
        "need": theorem_c13.radius_need(R, p, count, alpha),
        "gap": radii.gap,
        "delta": theorem_c13.delta(R, p, count, R(epsilon), radii, fixed_tail(R, p)),
    }
    return [name for name, value in found.items() if not holds(value, true[name])]
