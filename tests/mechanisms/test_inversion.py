"""Inversion of ridge prototypes: its degenerate event, its scale, and the law of the noisy inverse."""

from __future__ import annotations

import numpy as np
import pytest

from certify.mechanisms.arrays import Data
from certify.mechanisms.inversion import invert_prototypes, nearest_candidate, prototype_inverse
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train

KNOWN = Data(np.array([[1.0, 0.0], [2.0, 0.0], [0.3, -0.7]]), np.array([0, 0, 1]), 3)
LAM = 0.5


def released(record: list[float], label: int, scale: float = 1.0) -> np.ndarray:
    """Prototypes of KNOWN and one more record, all features times ``scale``."""
    features = scale * np.vstack([KNOWN.features, record])
    return train("ridge-prototype", Data(features, np.append(KNOWN.labels, label), 3), LAM).parameters


def test_the_degenerate_event() -> None:
    """A missing record that equals the D^- prototype of its class moves nothing; beside it, it is found."""
    implied = [2 * 3.0 / (2 * 2 + LAM * 4), 0.0]
    assert invert_prototypes(released(implied, 0), KNOWN, LAM) is None
    assert invert_prototypes(released([0.0, 0.0], 2), KNOWN, LAM) is None
    beside = invert_prototypes(released([implied[0] + 1e-9, 0.0], 0), KNOWN, LAM)
    assert beside is not None
    assert beside[0] == 0
    assert beside[1] == pytest.approx([implied[0] + 1e-9, 0.0], abs=1e-14)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("label", [0, 1, 2])
def test_the_unit_of_the_features_does_not_matter(scale: float, label: int) -> None:
    known = Data(scale * KNOWN.features, KNOWN.labels, 3)
    found = invert_prototypes(released([0.25, 0.5], label, scale), known, LAM)
    assert found is not None
    assert found[0] == label
    assert found[1] / scale == pytest.approx([0.25, 0.5], rel=1e-13)


def test_many_records_leave_no_false_class() -> None:
    """Sums in another order than the training's: rounding alone names no class, and a small record still does."""
    generator = np.random.default_rng(0)
    known = Data(generator.standard_normal((20_000, 4)), generator.integers(0, 5, 20_000), 5)
    order = generator.permutation(known.n)
    record = np.array([1e-3, 0.0, 0.0, 0.0])
    whole = Data(np.vstack([record, known.features[order]]), np.append(3, known.labels[order]), 5)
    found = invert_prototypes(train("ridge-prototype", whole, 0.01).parameters, known, 0.01)
    assert found is not None
    assert found[0] == 3
    assert found[1] == pytest.approx(record, abs=1e-9)


def test_the_noisy_inverse_is_the_record_with_scaled_noise() -> None:
    """Noise sigma on mu_y is sigma (2 n_y + lambda n)/2 on W_y."""
    record, sigma = np.array([0.5, -0.25]), 0.01
    rows = release(released([0.5, -0.25], 0), sigma, np.random.default_rng(2), 100_000).reshape(-1, 3, 2)[:, 0]
    inverted = prototype_inverse(rows, KNOWN, 0, LAM)
    scale = sigma * (2 * 3 + LAM * 4) / 2
    assert inverted.mean(axis=0) == pytest.approx(record, abs=5 * scale / 100_000**0.5)
    assert inverted.std(axis=0) == pytest.approx([scale, scale], rel=0.02)


def test_nearest_candidates_are_nearest() -> None:
    generator = np.random.default_rng(3)
    points, candidates = generator.standard_normal((4, 30, 3)), generator.standard_normal((7, 3))
    right = np.linalg.norm(points[..., None, :] - candidates, axis=-1).argmin(axis=-1)
    assert (nearest_candidate(points, candidates) == right).all()
