"""Losses: derivatives against differences of the function, and the stated bounds attained."""

from __future__ import annotations

import numpy as np
import pytest

from certify.mechanisms.losses import LINEAR, LOGISTIC, Loss

SCORES = np.linspace(-8, 8, 3201)


@pytest.mark.parametrize("loss", [LOGISTIC, LINEAR], ids=lambda loss: loss.name)
@pytest.mark.parametrize("label", [-1.0, 1.0])
def test_derivatives_and_their_bounds(loss: Loss, label: float) -> None:
    h, y = 1e-4, np.array(label)
    slope = (loss.value(SCORES + h, y) - loss.value(SCORES - h, y)) / (2 * h)
    curvature = (loss.slope(SCORES + h, y) - loss.slope(SCORES - h, y)) / (2 * h)
    third = (loss.curvature(SCORES + h, y) - loss.curvature(SCORES - h, y)) / (2 * h)
    np.testing.assert_allclose(loss.slope(SCORES, y), slope, atol=1e-8)
    np.testing.assert_allclose(loss.curvature(SCORES, y), curvature, atol=1e-8)
    assert (loss.curvature(SCORES, y) >= 0).all()
    for values, bound in ((slope, loss.L1), (curvature, loss.L2), (third, loss.L3)):
        assert np.abs(values).max() == pytest.approx(bound, rel=1e-3, abs=1e-7)


def test_the_logistic_loss_is_stable() -> None:
    """No overflow, no loss of relative accuracy: log(1 + e^-t) at t = 800 and t = -800, and its slope in the tail."""
    far, y = np.array([800.0, -800.0]), np.ones(2)
    np.testing.assert_array_equal(LOGISTIC.value(far, y), [0.0, 800.0])
    np.testing.assert_array_equal(LOGISTIC.slope(far, y), [0.0, -1.0])
    assert LOGISTIC.slope(np.array(50.0), np.array(1.0)) == pytest.approx(-np.exp(-50.0), rel=1e-14)
    assert LOGISTIC.curvature(np.array(-50.0), np.array(1.0)) == pytest.approx(np.exp(-50.0), rel=1e-14)
