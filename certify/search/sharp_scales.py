"""The sharp certificate of gradient descent (D8) in double precision: what a radius r is expected to give.

For one r the least r' satisfying (47) is the limit of r' -> r + G(1 - rho^N)/(mu alpha(r')), which only rises; the best
splits are where the three displacement bounds cross.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.search.tails import log_chi_tail, log_q1
from certify.statements.descent.constants import Descent, step_smoothness
from certify.statements.descent.sharp_trajectory import Loss, trajectory_scale

Problem = Callable[[Intervals], tuple[Descent[Interval], Loss[Interval]]]

_BITS = 64
_ROUNDS = 400
_SETTLED = 1e-10


@dataclass(frozen=True)
class Guess:
    """A radius r with its least r' - r and best splits, and the logarithm of the delta that they should give."""

    log_delta: float
    radius: float
    gap: float
    splits: tuple[int, int]


@dataclass(frozen=True)
class Domain:
    """A radius r' with what follows from it: the scales R-bar and R* (None: not known), the splits, corr."""

    gap: float
    trajectory: float
    minimiser: float | None
    splits: tuple[int, int]
    corr: float


@dataclass(frozen=True)
class Scales:
    """The constants of one problem at one count N."""

    iterations: int
    d_star: int
    mu: float
    step: float
    M: float
    cap: float
    G: float
    sigma: float
    at_start: float
    start: float
    turn: float | None
    one_signed: bool
    L: float
    idle: float
    reference: float

    @property
    def gamma(self) -> float:
        """gamma_N."""
        return (1 - self.idle**self.iterations) / self.L

    @property
    def determinant(self) -> float:
        """g-bar_N log(1 + Delta_H/(2 n mu))."""
        return (1 - self.idle ** (self.iterations - 1)) * self.reference

    @property
    def settled(self) -> float:
        """rho^N."""
        return self.power(self.iterations)

    @property
    def log_rho(self) -> float:
        """log rho, below 0."""
        return math.log1p(-self.step * self.mu)

    def power(self, exponent: int) -> float:
        """rho^exponent."""
        return math.exp(exponent * self.log_rho)

    def geometric(self, length: int) -> float:
        """1 + rho + ... + rho^(length - 1)."""
        return -math.expm1(length * self.log_rho) / (self.step * self.mu)


def scales(problem: Problem, iterations: int) -> Scales:
    """The constants of a problem in double precision."""
    R = Intervals(_BITS)
    p, loss = problem(R)
    return Scales(
        iterations=iterations,
        d_star=p.d_star,
        mu=number(p.mu),
        step=number(p.eta),
        M=number(p.M),
        cap=number(p.L2 * p.zeta**2),
        G=number(p.G),
        sigma=number(p.sigma),
        at_start=number(trajectory_scale(R, p, R(0), loss)),
        start=0.0 if p.start is None else number(p.start),
        turn=None if loss.turn is None else number(loss.turn),
        one_signed=loss.one_signed,
        L=number(p.L),
        idle=max(0.0, 1 - number(step_smoothness(R, p))),
        reference=math.log1p(number(p.delta_H / (2 * p.n * p.mu))),
    )


def number(x: Interval) -> float:
    """A double near the middle of an interval."""
    enclosure = Enclosure.of(x)
    return float((enclosure.lower + enclosure.upper) / 2)


def domain_at(q: Scales, radius: float, gap: float) -> Domain:
    """What follows from r' = r + gap."""
    outer = radius + gap
    trajectory = outer / q.mu + q.at_start
    minimiser = None
    if q.turn is not None:
        minimiser = (outer + math.sqrt(outer**2 + 4 * q.mu * q.turn)) / (2 * q.mu) + q.start
    splits = best_splits(q, trajectory, minimiser)
    return Domain(gap, trajectory, minimiser, splits, _jacobian_error(q, trajectory, minimiser, splits))


def best_splits(q: Scales, trajectory: float, minimiser: float | None) -> tuple[int, int]:
    """The first k at which the cap is no longer the least bound, and the first at which R-bar's is the least."""
    settled = q.settled

    def reached(level: float) -> int:
        """The least k in [0, N] with rho^k <= level."""
        if level <= settled:
            return q.iterations
        return 0 if level >= 1 else min(q.iterations, math.ceil(math.log(level) / q.log_rho))

    if q.M == 0:
        return 0, 0
    first = reached(q.cap / (q.M * trajectory) + settled)
    if minimiser is None or minimiser >= trajectory:
        return first, first
    first = min(first, reached(q.cap / (q.M * minimiser) - settled))
    return first, max(first, reached(settled * (trajectory + minimiser) / (trajectory - minimiser)))


def _jacobian_error(q: Scales, trajectory: float, minimiser: float | None, splits: tuple[int, int]) -> float:
    """corr of ``sharp_displacement``."""
    N, (first, second) = q.iterations, splits
    last = q.power(N - 1)

    def settling(start: int, stop: int, sign: int) -> float:
        curved = q.power(N - 1 + start) - sign * q.power(2 * N - stop)
        return (stop - start) * last * (1 - sign * q.settled) - curved * q.geometric(stop - start)

    total = q.cap * (q.power(N - first) * q.geometric(first) - first * last)
    total += q.M * (minimiser or 0.0) * settling(first, second, 1)
    total += q.M * trajectory * settling(second, N, -1)
    return q.step / q.mu * max(0.0, total)


def least_domain(q: Scales, radius: float) -> Domain | None:
    """The least r' that satisfies (47); None where none does."""
    reach = q.G * (1 - q.settled) / q.mu
    gap = 0.0
    for _ in range(_ROUNDS):
        found = domain_at(q, radius, gap)
        if found.corr >= q.gamma:
            return None
        raised = reach / (q.gamma - found.corr)
        if raised - gap <= _SETTLED * raised:
            return found
        gap = raised
    return None


def priced(q: Scales, epsilon: float, radius: float) -> Guess | None:
    """What the radius r gives at the budget epsilon; None where (47) has no solution or s > epsilon."""
    domain = least_domain(q, radius)
    if domain is None:
        return None
    xi = 2 * _residual(q, domain)
    s = (radius * xi + (q.G + xi) ** 2 / 2) / q.sigma**2 + q.determinant + 2 * domain.corr / (q.gamma - domain.corr)
    if s > epsilon:
        return None
    tail = log_chi_tail(q.d_star, radius / q.sigma)
    return Guess(log_sum(tail, log_divergence(q, epsilon - s)), radius, domain.gap, domain.splits)


def _residual(q: Scales, domain: Domain) -> float:
    plain = q.mu * q.settled * domain.trajectory
    if domain.minimiser is None:
        return plain
    rho, settled = 1 - q.step * q.mu, q.settled
    factor = math.sqrt((1 + rho) / (rho * (1 - settled) * (1 - settled * rho)))
    return min(plain, q.mu * settled * domain.minimiser * factor)


def log_divergence(q: Scales, excess: float) -> float:
    """The logarithm of the divergence term at epsilon - s = excess."""
    ratio = q.G / q.sigma
    return math.log(ratio if q.one_signed else 2 * ratio) + log_q1(excess / ratio)


def log_sum(a: float, b: float) -> float:
    """log(e^a + e^b)."""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))
