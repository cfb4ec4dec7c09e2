"""The two mechanisms as an audit needs them: trained on data, released, and scored by an informed attacker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np

from certify.errors import UnusableInput
from certify.mechanisms.arrays import Array, Data, Labels
from certify.mechanisms.gradient_descent import Objective, descend
from certify.mechanisms.gradient_descent import release as descent_releases
from certify.mechanisms.heads import predict
from certify.mechanisms.map_attack import map_scores
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train
from certify.statements.rules.claim import OUTPUT_PERTURBATION, ClaimFile, Head

Record: TypeAlias = tuple[Array, int]
"""Features and label of one record."""


class Fitted(Protocol):
    """A mechanism run up to its noise on one data set; it serves any noise level."""

    @property
    def width(self) -> int:
        """p, how many numbers are released."""

    @property
    def centre(self) -> Array:
        """The release without noise, (p)."""


BLOCK = 4_000_000
"""So many numbers are released at once."""
_SMALL = 20_000
"""Up to n d^2 of this, Hessians are formed at every release."""


def blocks(count: int, width: int) -> list[int]:
    """How many releases of so many numbers are drawn in turn, ``count`` in all."""
    block = max(1, BLOCK // width)
    return [min(block, count - first) for first in range(0, count, block)]


class Mechanism(Protocol):
    """What the claim says is run."""

    def fit(self, data: Data, start: Fitted | None = None) -> Fitted:
        """Train on a data set; ``start`` was fitted to a similar one."""

    def releases(self, fitted: Fitted, count: int, generator: np.random.Generator) -> Array:
        """So many independent releases, (count, p)."""

    def scores(self, releases: Array, fitted: list[Fitted], prior: Array | None) -> Array:
        """The attacker's log weight of each candidate data set: (k, m)."""

    def predictions(self, releases: Array, features: Array, classes: int) -> Labels:
        """The labels that each release gives: (k, n)."""


@dataclass(frozen=True)
class Parameters:
    """A trained parameter, and the norm of the gradient there."""

    centre: Array
    gradient_norm: float

    @property
    def width(self) -> int:
        return len(self.centre)


@dataclass(frozen=True)
class OutputPerturbation:
    """A head trained to ``tolerance``, plus N(0, sigma^2 I); attacked by the MAP rule (Ball-DP Proposition 5)."""

    head: Head
    regularization: float
    sigma: float
    tolerance: float

    def fit(self, data: Data, start: Fitted | None = None) -> Parameters:
        near = None if start is None else start.centre
        found = train(self.head, data, self.regularization, tolerance=self.tolerance, start=near)
        return Parameters(found.parameters, found.gradient_norm)

    def releases(self, fitted: Fitted, count: int, generator: np.random.Generator) -> Array:
        return release(fitted.centre, self.sigma, generator, count)

    def scores(self, releases: Array, fitted: list[Fitted], prior: Array | None) -> Array:
        return map_scores(releases, np.array([one.centre for one in fitted]), self.sigma, prior)

    def predictions(self, releases: Array, features: Array, classes: int) -> Labels:
        return predict(self.head, releases, features, classes)


@dataclass(frozen=True)
class Run:
    """Gradient descent on one data set."""

    objective: Objective
    iterations: int
    step_size: float

    @property
    def width(self) -> int:
        return self.objective.d

    @cached_property
    def centre(self) -> Array:
        return descend(self.objective, np.zeros(self.objective.d), self.iterations, self.step_size)


@dataclass(frozen=True)
class Descent:
    """Gradient descent on the perturbed logistic objective, mechanism (4) of the GD paper.

    The attacker weighs a candidate by the density that w_N would have if it were the exact minimiser: that of the
    perturbation -grad F(w_N; S_i), times the determinant of the Hessian at w_N. On large data the determinants are as
    good as equal and left out. What an attacker reaches is a lower limit whatever his weights are.
    """

    mu: float
    sigma: float
    iterations: int
    step_size: float

    def fit(self, data: Data, start: Fitted | None = None) -> Run:
        del start
        objective = Objective(data.features, data.labels.astype(np.float64), self.mu)
        return Run(objective, self.iterations, self.step_size)

    def releases(self, fitted: Fitted, count: int, generator: np.random.Generator) -> Array:
        assert isinstance(fitted, Run)
        return descent_releases(fitted.objective, self.sigma, self.iterations, self.step_size, generator, count)

    def scores(self, releases: Array, fitted: list[Fitted], prior: Array | None) -> Array:
        objectives = [one.objective for one in fitted if isinstance(one, Run)]
        parts = np.array_split(releases, 1 + len(releases) * objectives[0].features.size // BLOCK)
        scores = np.concatenate([np.stack([self._log_density(o, w) for o in objectives], axis=1) for w in parts])
        return scores if prior is None else scores + np.log(prior)

    def _log_density(self, objective: Objective, w: Array) -> Array:
        """At points (k, d), up to a constant that is the same for all data sets: (k)."""
        found = -(objective.gradient(w) ** 2).sum(axis=1) / (2 * self.sigma**2)
        if objective.n * objective.d**2 <= _SMALL:
            found += np.linalg.slogdet(objective.hessian(w))[1]
        return np.asarray(found)

    def predictions(self, releases: Array, features: Array, classes: int) -> Labels:
        del classes
        return np.where(releases @ features.T >= 0, 1, -1)


def mechanism_of(claims: ClaimFile) -> OutputPerturbation | Descent:
    """The mechanism that a claim file states, at its noise level.

    Raises UnusableInput for descent on a class of losses: there is no one loss to run.
    """
    model, sigma = claims.model, float(claims.release.sigma)
    if claims.release.mechanism == OUTPUT_PERTURBATION:
        assert model.head is not None
        tolerance = float(model.gradient_tolerance or 0) or 1e-10 * max(1.0, float(model.feature_bound))
        return OutputPerturbation(model.head, float(model.regularization), sigma, tolerance)
    if model.loss is None:
        raise UnusableInput('an audit runs one loss: state loss = "logistic"', field="model.loss", file=claims.source)
    assert claims.release.iterations is not None
    smooth = model.L or model.regularization + model.feature_bound**2 / 4
    step = float(model.step_size or 1 / smooth)
    return Descent(float(model.regularization), sigma, claims.release.iterations, step)
