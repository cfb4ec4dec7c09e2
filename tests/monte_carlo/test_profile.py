"""M2: the privacy profile, its calibration, composition and transfer, against the optimal test on sampled Gaussians.

With X ~ N(0, 1) and Y ~ N(mu, 1) the set {log-likelihood ratio > epsilon} is optimal, and Pr[Y in S] - e^epsilon
Pr[X in S] is the profile itself, so the estimate brackets it from both sides.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import certify
from certify.mechanisms.arrays import Array
from certify.statements import ball, gaussian
from tests.monte_carlo.sampled import least, most, share
from tests.properties.declared import prop

DRAWS = 200_000
SEEDS = st.integers(0, 2**32 - 1)
EPSILONS = st.sampled_from([Fraction(e) for e in ("0", "1/10", "1/2", "1", "3/2")])
RATIOS = st.sampled_from([Fraction(m) for m in ("1/4", "1/2", "1", "2", "4")])


def hockey_stick(ratios: Array, epsilon: float, seed: int) -> tuple[float, float]:
    """Limits for Pr[Y in S] - e^epsilon Pr[X in S] from releases (k, len(ratios)) at distances ``ratios`` in sigma."""
    generator = np.random.default_rng(seed)
    shape = (DRAWS, len(ratios))
    x, y = generator.standard_normal(shape), generator.standard_normal(shape) + ratios
    inside = [(z @ ratios - ratios @ ratios / 2) > epsilon for z in (x, y)]
    false, true = (share(events) for events in inside)
    return true.low - np.exp(epsilon) * false.high, true.high - np.exp(epsilon) * false.low


@prop(12, seed=SEEDS, epsilon=EPSILONS, ratio=RATIOS)
def test_the_profile_is_that_of_the_optimal_test(seed: int, epsilon: Fraction, ratio: Fraction) -> None:
    """G1 in both directions."""
    low, high = hockey_stick(np.array([float(ratio)]), float(epsilon), seed)
    assert low <= most(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))
    assert high >= least(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))


@prop(8, seed=SEEDS, epsilon=EPSILONS, delta=st.sampled_from([Fraction(1, 100), Fraction(1, 20), Fraction(1, 5)]))
def test_a_fifth_less_noise_than_calibrated_is_seen(seed: int, epsilon: Fraction, delta: Fraction) -> None:
    """G3: the estimates at sigma_lo and sigma_hi hold delta, and with 0.8 sigma they exceed a delta of 0.05 or more."""
    sigma = certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=delta, sensitivity=1)["sigma"]
    _, high = hockey_stick(np.array([1 / float(sigma.lower)]), float(epsilon), seed)
    low, _ = hockey_stick(np.array([1 / float(sigma.upper)]), float(epsilon), seed)
    assert low <= float(delta) <= high
    less, _ = hockey_stick(np.array([1 / (0.8 * float(sigma.lower))]), float(epsilon), seed)
    assert delta < Fraction(1, 20) or less > float(delta)


@prop(6, seed=SEEDS, epsilon=EPSILONS, ratios=st.lists(RATIOS, min_size=2, max_size=3).filter(lambda r: sum(r) < 5))
def test_composed_releases_are_one_gaussian(seed: int, epsilon: Fraction, ratios: list[Fraction]) -> None:
    """G5: the joint likelihood-ratio test of several releases has the profile of the composed ratio."""
    low, high = hockey_stick(np.array([float(ratio) for ratio in ratios]), float(epsilon), seed)
    assert low <= most(lambda R: gaussian.profile(R, R(epsilon), gaussian.composed_ratio(R, [R(m) for m in ratios])))
    assert high >= least(lambda R: gaussian.profile(R, R(epsilon), gaussian.composed_ratio(R, [R(m) for m in ratios])))


@prop(6, seed=SEEDS, epsilon=st.sampled_from([Fraction(1, 2), Fraction(1)]), factor=st.sampled_from([2, 3]))
def test_transfer_to_a_larger_radius_is_seen(seed: int, epsilon: Fraction, factor: int) -> None:
    """B6: at t = factor r the release has the transferred delta, which the short form (the same delta) is below."""
    ratio = Fraction(1, 2)
    low, high = hockey_stick(np.array([float(ratio * factor)]), float(epsilon * factor), seed)
    assert low <= most(lambda R: ball.transferred_delta(R, R(epsilon * factor), R(factor), R(ratio)))
    assert high >= least(lambda R: ball.transferred_delta(R, R(epsilon * factor), R(factor), R(ratio)))
