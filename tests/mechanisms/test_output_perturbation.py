"""Gaussian output perturbation: the law of its releases, and the noise level that suffices."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import kstest

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.mechanisms.output_perturbation import calibrated_sigma, release
from certify.statements import gaussian


def test_releases_are_normal_about_the_parameter() -> None:
    noisy = release(np.array([1.0, -2.0]), 0.5, np.random.default_rng(2), 50_000)
    standard = (noisy - [1.0, -2.0]) / 0.5
    assert kstest(standard.ravel(), "norm").pvalue > 0.001
    assert abs(np.corrcoef(standard.T)[0, 1]) < 0.02


def test_one_release_is_the_first_of_many() -> None:
    one = release(np.array([1.0, 2.0]), 0.5, np.random.default_rng(2))
    assert one.shape == (2,)
    assert (one == release(np.array([1.0, 2.0]), 0.5, np.random.default_rng(2), 3)[0]).all()


@pytest.mark.parametrize(("epsilon", "delta"), [("2", "1e-6"), ("0.1", "1e-12"), ("8", "1e-5")])
def test_the_calibrated_sigma_suffices_as_a_double_and_less_does_not(epsilon: str, delta: str) -> None:
    R = Intervals(128)
    sigma = Fraction(calibrated_sigma(epsilon, delta, "1/3"))

    def spent(noise: Fraction) -> Enclosure:
        return Enclosure.of(gaussian.profile(R, R(Fraction(epsilon)), R(Fraction(1, 3)) / R(noise)))

    assert spent(sigma).upper <= Fraction(delta)
    assert spent(sigma * (1 - Fraction(1, 10**9))).lower > Fraction(delta)
