"""M2: the privacy profile, its calibration, composition and transfer, against the optimal test on sampled Gaussians.

With L the log-likelihood ratio of two laws P and P', the set {L > epsilon} is optimal: P'[L > epsilon] - e^epsilon
P[L > epsilon] is the profile, and counting estimates it from both sides. It is also the mean of (1 - e^{epsilon - L})_+
under P', which weighted draws beyond the edge L = epsilon estimate however small it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import certify
from certify.mechanisms.arrays import Array
from certify.mechanisms.confidence import Limits
from certify.mechanisms.neighbours import worst_case_pair
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train
from certify.statements import ball, gaussian, prototype
from certify.statements.rules.claim import Head
from tests.monte_carlo.sampled import least, mean_beyond, mean_of, most, share
from tests.properties.declared import prop

DRAWS = 200_000
SEEDS = st.integers(0, 2**32 - 1)
EPSILONS = st.sampled_from([Fraction(e) for e in ("0", "1/10", "1/2", "1", "3/2")])
RATIOS = st.sampled_from([Fraction(m) for m in ("1/4", "1/2", "1", "2", "4")])
DELTAS = st.sampled_from([Fraction(d) for d in ("1e-12", "1e-6", "1/1000", "1/100", "1/5")])


def loss_of_releases(ratios: Sequence[float], seed: int, adaptive: bool = False) -> tuple[Array, Array]:
    """L for releases of N(0, 1) against N(mu, 1) in turn, first under P, then under P': (DRAWS), (DRAWS).

    Adaptive releases look back: each moves mu to the side on which the release before it fell.
    """
    generator = np.random.default_rng(seed)
    found = []
    for moved in (0.0, 1.0):
        loss, side = np.zeros(DRAWS), np.ones(DRAWS)
        for ratio in ratios:
            seen = generator.standard_normal(DRAWS) + moved * side * ratio
            loss += ratio * side * seen - ratio**2 / 2
            if adaptive:
                side = np.sign(seen)
        found.append(loss)
    return found[0], found[1]


def hockey_stick(null: Array, alternative: Array, epsilon: Fraction) -> Limits:
    """Limits for P'[L > epsilon] - e^epsilon P[L > epsilon] from L under P and under P'."""
    false, true = share(null > float(epsilon)), share(alternative > float(epsilon))
    odds = np.exp(float(epsilon))
    return Limits(true.low - odds * false.high, true.high - odds * false.low)


def mean_excess(epsilon: Fraction, ratio: float, seed: int) -> Limits:
    """Limits for the mean of (1 - e^{epsilon - L})_+ under P' = N(ratio, 1): L = epsilon at ``gap`` above the ratio."""
    gap, generator = float(epsilon) / ratio - ratio / 2, np.random.default_rng(seed)
    excess = lambda beyond: -np.expm1(-ratio * beyond)  # noqa: E731
    if gap >= 1:
        return mean_beyond(gap, excess, generator, DRAWS)
    return mean_of(excess(np.maximum(generator.standard_normal(DRAWS) - gap, 0)))


@prop(16, seed=SEEDS, epsilon=EPSILONS, ratio=RATIOS)
def test_the_profile_is_that_of_the_optimal_test(seed: int, epsilon: Fraction, ratio: Fraction) -> None:
    """G1 in both directions, by counting."""
    found = hockey_stick(*loss_of_releases([float(ratio)], seed), epsilon)
    assert found.low <= most(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))
    assert found.high >= least(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))


@prop(16, seed=SEEDS, epsilon=st.fractions(0, 8, max_denominator=10), ratio=st.fractions("1/4", 6, max_denominator=20))
def test_the_profile_is_a_mean_however_small(seed: int, epsilon: Fraction, ratio: Fraction) -> None:
    """G1 in both directions, to about a hundredth of its size, down to 1e-200."""
    found = mean_excess(epsilon, float(ratio), seed)
    assert found.low <= most(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))
    assert found.high >= least(lambda R: gaussian.profile(R, R(epsilon), R(ratio)))


@prop(16, seed=SEEDS, epsilon=EPSILONS, delta=DELTAS)
def test_a_twentieth_less_noise_than_calibrated_is_seen(seed: int, epsilon: Fraction, delta: Fraction) -> None:
    """G3: sigma_hi is not seen to exceed delta, sigma_lo may, and 0.95 sigma_lo is seen to."""
    sigma = certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=delta, sensitivity=1)["sigma"]
    enough, short, less = (
        mean_excess(epsilon, 1 / noise, seed)
        for noise in (float(sigma.upper), float(sigma.lower), 0.95 * float(sigma.lower))
    )
    assert enough.low <= float(delta) <= short.high
    assert less.low > float(delta)


@prop(6, seed=SEEDS, epsilon=EPSILONS, delta=st.sampled_from([Fraction(1, 1000), Fraction(1, 20), Fraction(1, 5)]))
def test_half_the_noise_is_seen_by_counting(seed: int, epsilon: Fraction, delta: Fraction) -> None:
    """G3 without weights: the test at sigma_hi and sigma_lo holds delta, at half of sigma_lo it exceeds it."""
    sigma = certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=delta, sensitivity=1)["sigma"]
    enough, short, less = (
        hockey_stick(*loss_of_releases([1 / noise], seed), epsilon)
        for noise in (float(sigma.upper), float(sigma.lower), 0.5 * float(sigma.lower))
    )
    assert enough.low <= float(delta) <= short.high
    assert less.low > float(delta) or (epsilon == 0 and delta < Fraction(1, 20))


@prop(
    10, seed=SEEDS, epsilon=EPSILONS, adaptive=st.booleans(),
    ratios=st.lists(RATIOS, min_size=2, max_size=4).filter(lambda ratios: sum(ratios) < 6),
)  # fmt: skip
def test_composed_releases_are_one_gaussian(
    seed: int, epsilon: Fraction, adaptive: bool, ratios: list[Fraction]
) -> None:
    """G5: the joint test of several releases, adaptive or not, has the profile of the composed ratio."""
    found = hockey_stick(*loss_of_releases([float(ratio) for ratio in ratios], seed, adaptive), epsilon)
    mu = lambda R: gaussian.composed_ratio(R, [R(ratio) for ratio in ratios])  # noqa: E731
    assert found.low <= most(lambda R: gaussian.profile(R, R(epsilon), mu(R)))
    assert found.high >= least(lambda R: gaussian.profile(R, R(epsilon), mu(R)))


@prop(6, seed=SEEDS, epsilon=st.sampled_from([Fraction(1, 2), Fraction(1)]), factor=st.sampled_from([1, 2, 3]))
def test_prototypes_at_a_larger_radius_have_the_transferred_profile(seed: int, epsilon: Fraction, factor: int) -> None:
    """B6: noise for ratio 1/2 at radius r, then the attaining pair at t = factor r: its releases have the transferred
    delta at factor epsilon, which the short form (the delta at r) is below."""
    head: Head = "ridge-prototype"
    n, lam, radius, ratio = 3, Fraction(1, 10), Fraction(1, 2), Fraction(1, 2)
    sigma = float(prototype.sensitivity(radius, lam, Fraction(n), Fraction(n)) / ratio)
    pair = worst_case_pair("attaining", head, n, 2, 1.0, float(factor * radius))
    theta, other = (train(head, data, float(lam)).parameters for data in pair)
    generator = np.random.default_rng(seed)
    null, alternative = (
        (release(at, sigma, generator, DRAWS // 2) - (theta + other) / 2) @ (other - theta) / sigma**2
        for at in (theta, other)
    )
    found = hockey_stick(null, alternative, factor * epsilon)
    assert found.low <= most(lambda R: ball.transferred_delta(R, R(factor * epsilon), R(factor), R(ratio)))
    assert found.high >= least(lambda R: ball.transferred_delta(R, R(factor * epsilon), R(factor), R(ratio)))
