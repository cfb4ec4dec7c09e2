"""Small problems of gradient descent with perturbations in a ball: drawn ones, and built ones that are adversarial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval
from certify.kernel.loop import decide
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import descend, trajectory
from certify.mechanisms.jacobians import frozen_jacobian, jacobian, preimage
from certify.mechanisms.losses import LINEAR, LOGISTIC, Loss
from certify.statements.descent import domain_radius, theorem_c13
from certify.statements.descent.constants import Descent
from certify.statements.descent.radii import Radii
from tests.properties.declared import PROPERTIES, Property
from tests.statements.small_problem import R, SmallProblem

Shape = Literal["inside", "sphere", "antipodal", "equal"]
Change = Literal["another", "opposite", "label", "nothing"]
SHAPES: tuple[Shape, ...] = ("inside", "sphere", "antipodal", "equal")
CHANGES: tuple[Change, ...] = ("another", "opposite", "label", "nothing")

ROOM = 1 + 1e-9
"""For the rounding errors of the simulation, in each comparison with a bound."""


def high(value: Interval) -> float:
    """The upper end."""
    return float(Enclosure.of(value).upper)


def low(value: Interval) -> float:
    """The lower end."""
    return float(Enclosure.of(value).lower)


def norms(rows: Array) -> Array:
    """Euclidean norms along the last axis."""
    return np.asarray(np.linalg.norm(rows, axis=-1))


def shifted(by: float) -> Loss:
    """The logistic loss moved: l(t + y by, y). It has the constants of the logistic loss."""
    return replace(
        LOGISTIC,
        name=f"logistic moved by {by}",
        value=lambda t, y: LOGISTIC.value(t + by * y, y),
        slope=lambda t, y: LOGISTIC.slope(t + by * y, y),
        curvature=lambda t, y: LOGISTIC.curvature(t + by * y, y),
    )


STEEPEST = shifted(float(np.log((1 + 3**-0.5) / (1 - 3**-0.5))))
"""|l'''| = L3 at t = 0: (1 - s)/s = (1 + v)/(1 - v) at v = 1/sqrt 3."""


@dataclass(frozen=True)
class Case:
    """A problem, its neighbour with another record ``index``, the number of steps, and perturbations z (k, d).

    ``seed`` is for what a check draws besides.
    """

    problem: SmallProblem
    other: SmallProblem
    index: int
    iterations: int
    z: Array
    seed: int

    @property
    def generator(self) -> np.random.Generator:
        """The generator of what a check draws, at its beginning."""
        return np.random.default_rng(self.seed)

    @property
    def constants(self) -> Descent[Interval]:
        """What the statements are given."""
        return self.problem.constants

    @property
    def count(self) -> Interval:
        """N."""
        return R(self.iterations)

    @property
    def radius(self) -> Interval:
        """At least every |z|."""
        return R(Fraction(float(norms(self.z).max()) * (1 + 1e-12)))

    @property
    def step_size(self) -> float:
        """eta."""
        return self.problem.step_size

    @cached_property
    def path(self) -> Array:
        """w_0 ... w_N, (N + 1, k, d)."""
        return trajectory(self.problem.objective, self.z, self.iterations, self.step_size, self.problem.start)

    @cached_property
    def jacobians(self) -> Array:
        """J_N, (k, d, d)."""
        return jacobian(self.problem.objective, self.path, self.step_size)

    @cached_property
    def frozen(self) -> Array:
        """J~_N, (k, d, d)."""
        return frozen_jacobian(self.problem.objective, self.path, self.step_size)

    @cached_property
    def of_neighbour(self) -> Array:
        """The neighbour's iterates with the same z, (N + 1, k, d)."""
        return trajectory(self.other.objective, self.z, self.iterations, self.step_size, self.problem.start)

    def from_start(self) -> Case:
        """The same from a public start."""
        start = np.linspace(-2, 3, self.z.shape[1])
        moved = replace(self.problem, start=start), replace(self.other, start=start)
        return Case(*moved, self.index, self.iterations, self.z, self.seed)


@dataclass(frozen=True)
class Pair:
    """A case at radii r and r' that satisfy (47) and |z| <= r, so that both data sets share its outputs."""

    case: Case
    radii: Radii[Interval]

    @property
    def margin(self) -> Interval:
        """alpha of (47)."""
        return theorem_c13.alpha_bar(R, self.case.constants, self.case.count, self.radii)

    @cached_property
    def shared(self) -> Case:
        """The neighbour at Phi(z), where its outputs are the same."""
        case = self.case
        found = preimage(case.other.objective, case.path[-1], case.z, case.iterations, case.step_size)
        return replace(case, problem=case.other, other=case.problem, z=found)


def records(shape: Shape, n: int, d: int, zeta: float, rng: np.random.Generator) -> Array:
    """Features of norm <= zeta: anywhere in the ball, on the sphere, plus and minus one vector, or all equal."""
    x = rng.normal(size=(n, d))
    x *= zeta * (1 - 1e-15) / np.linalg.norm(x, axis=1, keepdims=True)
    if shape == "inside":
        x *= rng.uniform(size=(n, 1)) ** (1 / d)
    if shape in ("antipodal", "equal"):
        x[:] = x[0]
    if shape == "antipodal":
        x[1::2] *= -1
    return x


def in_ball(goal: SmallProblem, radius: float, rng: np.random.Generator) -> Array:
    """Perturbations of norm <= radius: none, along and against the mean record, on the sphere, inside."""
    d = goal.x.shape[1]
    mean = goal.y @ goal.x + 1e-9
    z = np.array([np.zeros(d), mean, -mean, *rng.normal(size=(4, d))])
    z[1:] *= radius / norms(z[1:])[:, None]
    z[-2:] *= rng.uniform(size=(2, 1))
    return z


def neighbour(goal: SmallProblem, change: Change, index: int, rng: np.random.Generator) -> SmallProblem:
    """One record replaced: by another on the sphere, its opposite, itself with the other label, or no features."""
    x, y = goal.x[index], float(goal.y[index])
    if change == "label":
        return goal.replaced(index, x, -y)
    new = rng.normal(size=len(x))
    new *= float(goal.zeta) * (1 - 1e-15) / np.linalg.norm(new)
    return goal.replaced(index, {"another": new, "opposite": -x, "nothing": 0 * x}[change], y)


def drawn(
    shape: Shape,
    n: int,
    d: int,
    zeta: Fraction,
    ratio: Fraction,
    eta_L: Fraction,
    loss: Loss,
    started: bool,
    seed: int,
) -> SmallProblem:
    """A problem with mu = ratio zeta^2/4; ``ratio`` is 1/(kappa - 1) for the logistic loss."""
    rng = np.random.default_rng(seed)
    x = records(shape, n, d, float(zeta), rng)
    start = 3 * rng.normal(size=d) if started else None
    return SmallProblem(x, rng.choice([-1.0, 1.0], size=n), ratio * zeta**2 / 4, zeta, eta_L, loss, start)


def problems(kappa: int, started: SearchStrategy[bool]) -> SearchStrategy[SmallProblem]:
    """n <= 12 records in d <= 6 dimensions with L/mu at most about ``kappa``."""
    return st.builds(
        drawn,
        shape=st.sampled_from(SHAPES),
        n=st.integers(1, 12),
        d=st.integers(1, 6),
        zeta=st.fractions(Fraction(1, 4), 4, max_denominator=4),
        ratio=st.one_of(st.just(Fraction(1, kappa)), st.fractions(Fraction(1, kappa), 4, max_denominator=kappa)),
        eta_L=st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1)]),
        loss=st.sampled_from([LOGISTIC, LOGISTIC, STEEPEST]),
        started=started,
        seed=st.integers(0, 10**6),
    )


def cased(problem: SmallProblem, change: Change, iterations: int, size: Fraction, seed: int) -> Case:
    """The problem beside a neighbour, with perturbations of norm up to ``size`` zeta."""
    rng = np.random.default_rng(seed)
    index = int(rng.integers(len(problem.y)))
    z = in_ball(problem, float(size * problem.zeta), rng)
    return Case(problem, neighbour(problem, change, index, rng), index, iterations, z, seed)


def alone(problem: SmallProblem, z: Array, iterations: int) -> Case:
    """A case without a neighbour, for bounds on one data set."""
    return Case(problem, problem, 0, iterations, z, 0)


def paired(case: Case) -> Pair:
    """The case at the first of N, 2N, 4N, ... at which some r' satisfies (47) for r = the largest |z|; the least r'."""
    while not _feasible(case):
        case = replace(case, iterations=2 * case.iterations)
    return Pair(case, domain_radius.least_radii(R, case.constants, case.count, case.radius))


def _feasible(case: Case) -> bool:
    found = decide(lambda _: domain_radius.existence(R, case.constants, case.count, case.radius))
    return all(item.decision is Decision.PROVED for item in found)


def _cases(kappa: int, started: SearchStrategy[bool], iterations: int, *sizes: Fraction) -> SearchStrategy[Case]:
    return st.builds(
        cased,
        problems(kappa, started),
        st.sampled_from(CHANGES),
        st.integers(1, iterations),
        st.sampled_from(sizes),
        st.integers(0, 10**6),
    )


CASES = _cases(40, st.booleans(), 60, Fraction(1, 100), Fraction(1, 2), Fraction(3), Fraction(20))
PAIRS = _cases(6, st.just(False), 20, Fraction(1, 100), Fraction(1, 2), Fraction(3)).map(paired)


def adversarial(*, every_change: bool = False) -> Iterator[Case]:
    """Built cases: each shape on the sphere, one record, eta L = 1, N = 1, eta mu near 1, tiny mu, the linear loss.

    Beside each problem one neighbour, or one for each way in which a record may change.
    """
    rng = np.random.default_rng(11)
    unit, fifth = Fraction(1), Fraction(1, 5)
    built: list[tuple[SmallProblem, int, Fraction]] = []
    for shape in SHAPES:
        for n, eta_L in ((1, unit), (6, Fraction(1, 3))):
            labels = np.resize([1.0, -1.0], n)
            built.append((SmallProblem(records(shape, n, 2, 1.0, rng), labels, fifth, unit, eta_L), 30, unit))
    x, labels = records("sphere", 4, 3, 1.0, rng), np.array([1.0, 1.0, -1.0, -1.0])
    built.append((SmallProblem(x, labels, Fraction(1, 4), unit, unit), 1, unit))
    # eta mu = 0.99999: mu is nearly L.
    built.append((SmallProblem(x / 100, labels, Fraction(5, 2), Fraction(1, 100), unit), 3, Fraction(300)))
    # mu = 1e-6, with L/mu = 7.
    built.append((SmallProblem(x / 200, labels, Fraction(1, 10**6), Fraction(1, 200), unit), 100, unit))
    built.append((SmallProblem(x, labels, fifth, unit, Fraction(1, 2), LINEAR), 5, unit))
    for place, (problem, iterations, size) in enumerate(built):
        for change in CHANGES if every_change else CHANGES[place % 4 :][:1]:
            yield cased(problem, change, iterations, size, 5)


def released(problem: SmallProblem, z: Array, iterations: int) -> Array:
    """M(z)."""
    return descend(problem.objective, z, iterations, problem.step_size, problem.start)


def properties_of(module: str, **drawn: SearchStrategy[object]) -> list[Property]:
    """The properties that a module has declared so far of just these draws."""
    declared = [one for one in PROPERTIES.values() if isinstance(one, Property) and one.body.__module__ == module]
    return [one for one in declared if one.drawn == drawn]
