"""The likelihood-ratio test between the data and a neighbour: what releases show about (epsilon, delta)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.mechanism import Fitted, Mechanism, blocks
from certify.audit.supports import Ball
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.likelihood_ratio import EmpiricalPrivacy, empirical_privacy
from certify.mechanisms.neighbours import in_ball

_TRIED = 8


@dataclass(frozen=True)
class Membership:
    """The limits from releases of the data and of a neighbour, and the same from two batches of the data (control)."""

    found: EmpiricalPrivacy
    control: EmpiricalPrivacy
    index: int
    """The record that the neighbour replaces."""


def membership(
    data: Data,
    ball: Ball,
    mechanism: Mechanism,
    epsilon: float,
    delta: float,
    count: int,
    levels: tuple[float, float],
    seed: np.random.SeedSequence,
) -> Membership:
    """``count`` releases each of the data, again of the data, and of the neighbour that moves the release the most.

    ``levels`` are the confidence of the test and that of its control.
    """
    generator = np.random.default_rng(seed)
    blank = mechanism.fit(data)
    index, moved = _neighbour(generator, data, ball, mechanism, blank)
    own, again, other = (
        _log_ratios(mechanism, fitted, [blank, moved], count, generator) for fitted in (blank, blank, moved)
    )
    return Membership(
        empirical_privacy(other, own, epsilon, delta, levels[0]),
        empirical_privacy(again, own, epsilon, delta, levels[1]),
        index,
    )


def _neighbour(
    generator: np.random.Generator, data: Data, ball: Ball, mechanism: Mechanism, blank: Fitted
) -> tuple[int, Fitted]:
    """Of several neighbours, the one whose releases lie farthest off: a record of the smallest class, moved far."""
    labels, counts = np.unique(data.labels, return_counts=True)
    rare = np.flatnonzero(data.labels == labels[counts.argmin()])
    tried: list[tuple[float, int, Fitted]] = []
    for _ in range(_TRIED):
        index = int(generator.choice(rare))
        x, label = data.features[index], int(data.labels[index])
        if ball.radius is not None:
            x = max((in_ball(generator, x, ball.radius, ball.bound) for _ in range(8)), key=lambda v: _gap(v, x))
        elif data.classes == 2 and set(labels) <= {-1, 1}:
            label = -label
        else:
            x, label = -x, int(labels[counts.argmax()])
        fitted = mechanism.fit(data.replaced(index, x, label), blank)
        tried.append((_gap(blank.centre, fitted.centre), index, fitted))
    _, index, fitted = max(tried, key=lambda item: item[0])
    return index, fitted


def _gap(first: Array, second: Array) -> float:
    return float(np.linalg.norm(first - second))


def _log_ratios(
    mechanism: Mechanism, released: Fitted, pair: list[Fitted], count: int, generator: np.random.Generator
) -> Array:
    """How much likelier each of so many releases is under the second data set of the pair than under the first."""
    parts = blocks(count, released.width)
    scores = (mechanism.scores(mechanism.releases(released, part, generator), pair, None) for part in parts)
    return np.concatenate([found[:, 1] - found[:, 0] for found in scores])
