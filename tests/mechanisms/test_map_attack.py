"""The MAP rule against Bayes' rule written out, the product's own score, and the nearest record for prototypes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.mechanisms.arrays import Data
from certify.mechanisms.inversion import nearest_candidate, prototype_inverse
from certify.mechanisms.map_attack import map_guess, map_scores
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train
from certify.statements import support
from certify.statements.rules.claim import Head

HEADS: tuple[Head, ...] = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")


@pytest.mark.parametrize("weights", [None, [0.5, 0.3, 0.2]])
def test_scores_are_log_posteriors(weights: list[float] | None) -> None:
    generator = np.random.default_rng(0)
    releases, candidates = generator.standard_normal((20, 4)), generator.standard_normal((3, 4))
    prior = None if weights is None else np.array(weights)
    right = np.log(prior if prior is not None else np.full(3, 1 / 3))
    right = right - ((releases[:, None] - candidates) ** 2).sum(axis=2) / (2 * 0.7**2)
    gap = map_scores(releases, candidates, 0.7, prior) - right
    assert gap == pytest.approx(np.repeat(gap[:, :1], 3, axis=1))
    assert (map_guess(releases, candidates, 0.7, prior) == right.argmax(axis=1)).all()


def test_scores_differ_as_those_of_the_statement_do() -> None:
    """R5 as the product states it."""
    R = Intervals(64)
    sigma, prior = Fraction(1, 2), [Fraction(1, 4), Fraction(3, 4)]
    y, centres = np.array([[0.25, -1.5]]), np.array([[1.0, 0.5], [-0.5, 0.0]])
    squares = [Fraction(float(((y - c) ** 2).sum())) for c in centres]
    stated = [
        float(Enclosure.of(support.map_score(R, R(p), R(s), R(sigma))).upper)
        for p, s in zip(prior, squares, strict=True)
    ]
    found = map_scores(y, centres, float(sigma), np.array([float(p) for p in prior]))[0]
    assert found[1] - found[0] == pytest.approx(stated[1] - stated[0], rel=1e-12)


def test_scores_keep_their_digits_far_from_the_origin() -> None:
    """Candidates 1e-6 apart at 1e4: the common part of the squares is never formed."""
    offsets = 1e-6 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    centres = 1e4 + offsets
    assert (map_guess(centres, centres, 1e-7) == np.arange(3)).all()


def test_a_candidate_of_weight_zero_is_never_named() -> None:
    generator = np.random.default_rng(3)
    centres = np.array([[0.0], [1.0], [-1.0]])
    releases = generator.standard_normal((50, 1)) / 10
    prior = np.array([0.0, 0.5, 0.5])
    assert (map_scores(releases, centres, 0.1, prior)[:, 0] == -np.inf).all()
    assert set(map_guess(releases, centres, 0.1, prior)) == {1, 2}


@pytest.mark.parametrize("head", HEADS)
def test_without_noise_the_record_is_found_whatever_the_head(head: Head) -> None:
    generator = np.random.default_rng(4)
    labels = np.arange(8) % 2 if head in ("ridge-prototype", "softmax") else np.where(np.arange(8) % 2 == 0, -1, 1)
    data = Data(generator.standard_normal((8, 3)), labels, 2)
    candidates = generator.standard_normal((5, 3))
    centres = np.array([train(head, data.replaced(0, x), 0.2).parameters for x in candidates])
    assert (map_guess(centres, centres, 0.1) == np.arange(5)).all()


@pytest.mark.parametrize("sigma", [0.01, 0.1, 1.0])
def test_the_nearest_record_rule_is_the_map_rule_for_prototypes(sigma: float) -> None:
    """Corollary 3: the same guesses from W_y as from the scores of all prototypes, right or wrong."""
    generator = np.random.default_rng(1)
    data = Data(generator.standard_normal((12, 3)), np.arange(12) % 2, 2)
    candidates = generator.standard_normal((5, 3))
    label, lam = int(data.labels[0]), 0.2
    centres = np.array([train("ridge-prototype", data.replaced(0, x), lam).parameters for x in candidates])
    releases = release(centres[3], sigma, generator, 2000)
    inverted = prototype_inverse(releases.reshape(-1, 2, 3)[:, label], data.without(0), label, lam)
    assert (nearest_candidate(inverted, candidates) == map_guess(releases, centres, sigma)).all()
