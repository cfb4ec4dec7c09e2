"""The MAP attack, inversion and candidates against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from certify.mechanisms.arrays import Data
from certify.mechanisms.candidates import farthest_point_candidates, simplex_canary, simplex_success
from certify.mechanisms.confidence import clopper_pearson
from certify.mechanisms.inversion import invert_prototypes, nearest_candidate, prototype_inverse
from certify.mechanisms.map_attack import map_guess, map_scores
from certify.mechanisms.output_perturbation import calibrated_sigma, release
from certify.mechanisms.training import train


def test_scores_are_log_posteriors() -> None:
    generator = np.random.default_rng(0)
    releases, candidates = generator.standard_normal((20, 4)), generator.standard_normal((3, 4))
    prior = np.array([0.5, 0.3, 0.2])
    right = np.log(prior) - ((releases[:, None] - candidates) ** 2).sum(axis=2) / (2 * 0.7**2)
    found = map_scores(releases, candidates, 0.7, prior)
    gap = found - right
    assert gap == pytest.approx(np.repeat(gap[:, :1], 3, axis=1))
    assert (map_guess(releases, candidates, 0.7, prior) == right.argmax(axis=1)).all()
    assert (map_scores(releases, candidates, 0.7, np.array([0, 0.5, 0.5]))[:, 0] == -np.inf).all()


def test_the_nearest_record_rule_is_the_map_rule_for_prototypes() -> None:
    """Corollary 3: same guesses from W_y as from the scores of all prototypes."""
    generator = np.random.default_rng(1)
    data = Data(generator.standard_normal((12, 3)), np.arange(12) % 2, 2)
    candidates = generator.standard_normal((5, 3))
    label, lam = int(data.labels[0]), 0.2
    centres = np.array([train("ridge-prototype", data.replaced(0, x), lam).parameters for x in candidates])
    releases = release(centres[3], 0.05, generator, 500)
    rows = releases.reshape(500, 2, 3)[:, label]
    inverted = prototype_inverse(rows, data.without(0), label, lam)
    assert (nearest_candidate(inverted, candidates) == map_guess(releases, centres, 0.05)).all()


def test_the_degenerate_event_of_inversion() -> None:
    """The missing record equals the D^- prototype of its class: nothing moves."""
    known = Data(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([0, 0]), 2)
    lam = 0.5
    implied = 2 * np.array([3.0, 0.0]) / (2 * 2 + lam * 3)
    whole = Data(np.vstack([known.features, implied]), np.array([0, 0, 0]), 2)
    flat = train("ridge-prototype", whole, lam).parameters
    assert invert_prototypes(flat, known, lam) is None


def test_farthest_points() -> None:
    pool = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.1, 0.0], [5.0, 0.0]])
    chosen = farthest_point_candidates(pool, np.zeros(2), 2.0, 3)
    assert chosen[:, 0].tolist() == [1.0, -1.0, 0.0]
    with pytest.raises(ValueError, match="holds 4 distinct records, fewer than 5"):
        farthest_point_candidates(pool, np.zeros(2), 2.0, 5)
    with pytest.raises(ValueError, match="holds 1 distinct records"):
        farthest_point_candidates(np.zeros((3, 2)), np.zeros(2), 1.0, 2)


def test_the_simplex() -> None:
    corners = simplex_canary(np.ones(4), 0.5, 3)
    assert (corners - 1) @ (corners - 1).T == pytest.approx(0.25 * np.eye(3))
    with pytest.raises(ValueError, match="a dimension of at least 5"):
        simplex_canary(np.ones(4), 0.5, 5)


@pytest.mark.parametrize(("epsilon", "known"), [("1", 0.1476), ("4", 0.3174), ("8", 0.5652)])
def test_the_simplex_success_is_known(epsilon: str, known: float) -> None:
    """m = 10, delta = 1e-5."""
    assert simplex_success(1 / calibrated_sigma(epsilon, "1e-5", 1), 10) == pytest.approx(known, abs=5e-5)


def test_the_simplex_success_at_its_ends() -> None:
    assert simplex_success(0.0, 7) == pytest.approx(1 / 7, rel=1e-9)
    assert simplex_success(50.0, 7) == pytest.approx(1, rel=1e-9)
    assert simplex_success(1.3, 2) == pytest.approx(norm.cdf(1.3 / 2**0.5), rel=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (3, 10), (1, 1000)])
def test_clopper_pearson_inverts_the_binomial(successes: int, trials: int) -> None:
    found = clopper_pearson(successes, trials, 0.99)
    if successes:
        assert binom.sf(successes - 1, trials, found.low) == pytest.approx(0.005)
    else:
        assert found.low == 0
    if successes < trials:
        assert binom.cdf(successes, trials, found.high) == pytest.approx(0.005)
    else:
        assert found.high == 1


@pytest.mark.parametrize("given", [(-1, 5, 0.9), (6, 5, 0.9), (0, 0, 0.9), (1, 5, 1.0), (1, 5, 0.0)])
def test_what_is_no_binomial_observation(given: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match="no binomial observation"):
        clopper_pearson(*given)


def test_releases_are_normal_about_the_parameter() -> None:
    noisy = release(np.array([1.0, -2.0]), 0.5, np.random.default_rng(2), 100_000)
    assert noisy.mean(axis=0) == pytest.approx([1, -2], abs=0.01)
    assert noisy.std(axis=0) == pytest.approx([0.5, 0.5], rel=0.02)
    assert release(np.array([1.0]), 0.5, np.random.default_rng(2)).shape == (1,)
