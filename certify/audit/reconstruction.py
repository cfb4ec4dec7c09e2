"""The MAP audit of Ball-DP Section 5.6: supports of m candidates, each candidate in turn the hidden record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.audit.mechanism import Fitted, Mechanism, OutputPerturbation, blocks
from certify.audit.ranges import double_precision
from certify.audit.supports import Ball, support
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.candidates import simplex_canary, simplex_success
from certify.mechanisms.heads import class_counts

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Attack:
    """What one setup of the audit does."""

    data: Data
    public: Data | None
    ball: Ball
    candidates: int
    prior: tuple[float, ...] | None
    supports: int
    releases: int
    """For each candidate of each support."""

    @property
    def weights(self) -> Array | None:
        """The prior as an array; None where it is uniform."""
        return None if self.prior is None else np.array(self.prior)


@dataclass(frozen=True)
class Tally:
    """Right guesses among trials: the attack's, the no-signal control's, and the canary's (0 of 0 without one)."""

    attack: tuple[int, int]
    control: tuple[int, int]
    canary: tuple[int, int]


@dataclass(frozen=True)
class Canary:
    """A simplex of candidates in the class with the fewest records, and the success that the MAP rule has on it."""

    label: int
    radius: float
    success: float


def one_setup(attack: Attack, mechanism: Mechanism, seed: np.random.SeedSequence) -> Tally:
    """The trials of one setup seed; every draw comes from it.

    Raises TooFewCandidates, and UnusableInput where double precision does not suffice.
    """
    with double_precision():
        return _tally(attack, mechanism, seed)


def _tally(attack: Attack, mechanism: Mechanism, seed: np.random.SeedSequence) -> Tally:
    generator = np.random.default_rng(seed)
    blank = mechanism.fit(attack.data)
    supports = fitted_supports(attack, mechanism, blank, generator)
    found = [attack_trials(attack, mechanism, fitted, generator) for fitted in supports]
    # The control's releases know nothing of the hidden record: they come from the data as they are.
    null = [_control_trials(attack, mechanism, blank, fitted, generator) for fitted in supports]
    trials = len(supports) * attack.candidates * attack.releases
    return Tally((sum(found), trials), (sum(null), trials), _canary_trials(attack, mechanism, generator))


def fitted_supports(
    attack: Attack, mechanism: Mechanism, blank: Fitted, generator: np.random.Generator
) -> list[list[Fitted]]:
    """What is trained with each candidate of each support; ``blank`` is trained on the data as they are.

    Raises TooFewCandidates.
    """
    found = []
    for _ in range(attack.supports):
        index = int(generator.integers(attack.data.n))
        candidates = support(generator, attack.data, index, attack.ball, attack.candidates, attack.public)
        found.append([mechanism.fit(attack.data.replaced(index, x, label), blank) for x, label in candidates])
    return found


def attack_trials(attack: Attack, mechanism: Mechanism, fitted: list[Fitted], generator: np.random.Generator) -> int:
    """The attacker's right guesses on one support, each candidate hidden in turn."""
    hidden = _hidden(generator, attack)
    right = 0
    for candidate, model in enumerate(fitted):
        count = int((hidden == candidate).sum())
        right += int((_guesses(mechanism, model, fitted, attack.weights, count, generator) == candidate).sum())
    return right


def _control_trials(
    attack: Attack, mechanism: Mechanism, blank: Fitted, fitted: list[Fitted], generator: np.random.Generator
) -> int:
    hidden = _hidden(generator, attack)
    guesses = _guesses(mechanism, blank, fitted, attack.weights, len(hidden), generator)
    return int((guesses == _control_answers(generator, hidden)).sum())


def _guesses(
    mechanism: Mechanism,
    model: Fitted,
    fitted: list[Fitted],
    prior: Array | None,
    count: int,
    generator: np.random.Generator,
) -> Indices:
    """The attacker's guesses on so many releases of a model."""
    parts = blocks(count, model.width)
    found = [
        mechanism.scores(mechanism.releases(model, part, generator), fitted, prior).argmax(axis=1) for part in parts
    ]
    return np.concatenate(found) if found else np.empty(0, dtype=np.intp)


def _control_answers(generator: np.random.Generator, hidden: Indices) -> Indices:
    """Which candidate the control calls hidden in each release: in an order of its own."""
    return generator.permutation(hidden)


def _hidden(generator: np.random.Generator, attack: Attack) -> Indices:
    """Which candidate is hidden in each release: each equally often, or drawn from the prior."""
    count = attack.candidates * attack.releases
    if attack.prior is None:
        return np.repeat(np.arange(attack.candidates), attack.releases)
    return generator.choice(attack.candidates, count, p=attack.prior)


def canary_of(attack: Attack, mechanism: Mechanism) -> Canary | None:
    """The canary for ridge prototypes with a uniform prior, where the dimension has room for it; else None."""
    fits = attack.candidates <= attack.data.features.shape[1] and attack.prior is None and attack.ball.radius != 0
    if not (isinstance(mechanism, OutputPerturbation) and mechanism.head == "ridge-prototype" and fits):
        return None
    counts = class_counts(attack.data)
    label = int(np.where(counts > 0, counts, attack.data.n + 1).argmin())
    radius = attack.ball.bound if attack.ball.radius is None else min(attack.ball.radius, attack.ball.bound)
    distance = 2 * radius / (2 * int(counts[label]) + mechanism.regularization * attack.data.n)
    return Canary(label, radius, simplex_success(distance / mechanism.sigma, attack.candidates))


def _canary_trials(attack: Attack, mechanism: Mechanism, generator: np.random.Generator) -> tuple[int, int]:
    canary = canary_of(attack, mechanism)
    if canary is None:
        return 0, 0
    index = int(np.flatnonzero(attack.data.labels == canary.label)[0])
    origin = np.zeros(attack.data.features.shape[1])
    corners = simplex_canary(origin, canary.radius, attack.candidates)
    fitted = [mechanism.fit(attack.data.replaced(index, x)) for x in corners]
    count, right = attack.supports * attack.releases, 0
    for candidate, model in enumerate(fitted):
        guesses = _guesses(mechanism, model, fitted, None, count, generator)
        right += int((guesses == candidate).sum())
    return right, count * attack.candidates
