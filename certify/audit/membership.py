"""The likelihood-ratio test between the data and a neighbour: what releases show about (epsilon, delta)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.mechanism import Fitted, Mechanism, blocks
from certify.audit.supports import Ball
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.likelihood_ratio import EmpiricalPrivacy, empirical_privacy, projected
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
    direction = _direction(blank, moved, generator)
    scores = [_scores(fitted, direction, count, generator) for fitted in (blank, blank, moved)]
    own, again, other = scores
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


def _direction(first: Fitted, second: Fitted, generator: np.random.Generator) -> Array:
    """From one data set's release without noise to the other's; a random one where they agree."""
    step = second.centre - first.centre
    length = float(np.linalg.norm(step))
    return step / length if length > 0 else generator.standard_normal(step.shape)


def _scores(fitted: Fitted, direction: Array, count: int, generator: np.random.Generator) -> Array:
    parts = blocks(count, len(direction))
    return np.concatenate([projected(fitted.releases(part, generator), direction) for part in parts])
