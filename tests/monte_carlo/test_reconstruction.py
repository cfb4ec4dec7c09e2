"""M3: the MAP attack (Proposition 5) on sampled releases against R1-R4, and noiseless inversion (Theorem 11)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import certify
from certify.evaluation import rero
from certify.evaluation.entries import Task
from certify.kernel.loop import Limits
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.candidates import simplex_canary, simplex_success
from certify.mechanisms.confidence import Limits as Interval
from certify.mechanisms.inversion import invert_prototypes
from certify.mechanisms.map_attack import map_guess
from certify.mechanisms.neighbours import in_ball
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train
from certify.statements import prototype, reconstruction
from tests.monte_carlo.sampled import least, most, share
from tests.properties.declared import fixed, prop

RELEASES = 60_000
SEEDS = st.integers(0, 2**32 - 1)
HEADS = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")
PRIORS = ("1/2 1/2", "1/3 1/3 1/3", "1/2 1/4 1/4", "7/10 1/10 1/10 1/10", "1/10 " * 10)


def success(centres: Array, prior: Array, sigma: float, generator: np.random.Generator, count: int) -> Interval:
    """Limits for the success of the MAP rule on releases about ``centres``, the hidden one drawn from the prior."""
    hidden = generator.choice(len(prior), count, p=prior)
    noisy = release(np.zeros(centres.shape[1]), sigma, generator, count) + centres[hidden]
    return share(map_guess(noisy, centres, sigma, prior) == hidden)


def support_bound(centres: Array, prior: list[Fraction], sigma: float) -> float:
    """R4 with the prior's mean as the centre."""
    middle = np.array([float(p) for p in prior]) @ centres
    distances = [Fraction(float(np.linalg.norm(c - middle))) / Fraction(sigma) for c in centres]
    limits = Limits()
    return float(rero.support_enclosure(Task(9, limits, limits.allowance()), distances, prior).upper)


@prop(8, seed=SEEDS, prior=st.sampled_from(PRIORS), size=st.sampled_from([0.3, 1.0, 2.5]))
def test_the_attack_stays_below_the_support_bound(seed: int, prior: str, size: float) -> None:
    """R4 for random supports and priors, uniform or not."""
    weights = [Fraction(p) for p in prior.split()]
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((len(weights), 3)) * size
    found = success(centres, np.array([float(p) for p in weights]), 1.0, generator, RELEASES)
    assert found.low <= support_bound(centres, weights, 1.0)


@fixed
def test_two_candidates_attain_the_support_bound() -> None:
    """Success is Phi(a) at distance a on either side: the bound is inside the interval."""
    for size in (0.3, 1.0, 2.0):
        centres = np.array([[size, 0.0], [-size, 0.0]])
        found = success(centres, np.array([0.5, 0.5]), 1.0, np.random.default_rng(13), 200_000)
        assert found.low <= support_bound(centres, [Fraction(1, 2)] * 2, 1.0) <= found.high


@prop(8, seed=SEEDS, head=st.sampled_from(HEADS), epsilon=st.sampled_from(["1", "2", "4"]), m=st.integers(2, 6))
def test_the_attack_on_trained_heads_stays_below_every_bound(seed: int, head: str, epsilon: str, m: int) -> None:
    """Candidates in the ball, heads trained with each, noise calibrated: success <= R4 and R3 <= R2, R1."""
    generator = np.random.default_rng(seed)
    n, radius, lam, delta = 6, Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**3)
    centre = 0.5 * in_ball(generator, np.zeros(3), 1.0, 1.0)
    features = np.array([centre, *(in_ball(generator, np.zeros(3), 1.0, 1.0) for _ in range(n - 1))])
    signs = np.where(np.arange(n) % 2 == 0, 1, -1)
    binary = head in ("binary-logistic", "squared-hinge")
    data = Data(features, signs if binary else (signs + 1) // 2, 2)
    sensitivity = head_sensitivity(head, radius, lam, n)
    sigma = float(
        certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=delta, sensitivity=sensitivity)["sigma"].upper
    )
    candidates = [in_ball(generator, centre, float(radius), 1.0) for _ in range(m)]
    centres = np.array([
        train(head, data.replaced(0, x), float(lam), tolerance=1e-11).parameters for x in candidates  # type: ignore[arg-type]
    ])  # fmt: skip
    uniform = np.full(m, 1 / m)
    found = success(centres, uniform, sigma, generator, RELEASES // 3)
    ratio, kappa = sensitivity / Fraction(sigma), Fraction(1, m)
    tested = most(lambda R: reconstruction.from_gaussian(R, R(ratio), R(kappa)))
    assert found.low <= tested
    assert found.low <= support_bound(centres, [kappa] * m, sigma)
    assert tested <= most(lambda R: reconstruction.from_best_renyi(R, R(ratio), R(kappa)))
    assert tested <= most(lambda R: reconstruction.from_privacy(R, R(Fraction(epsilon)), R(delta), R(kappa)))


def head_sensitivity(head: str, radius: Fraction, lam: Fraction, n: int) -> Fraction:
    """The proved sensitivity at B = 1, class counts not public."""
    if head == "ridge-prototype":
        return certify.evaluate("head.ridge-prototype", radius=radius, **{"lambda": lam}, n=n)["sensitivity"].upper
    classes = {"classes": 2} if head == "softmax" else {}
    given = {"feature_bound": 1, "lambda": lam, "ball_radius": radius, **classes}
    difference = certify.evaluate(f"head.{head}", **given)["difference"].upper
    return certify.evaluate("ball.sensitivity", difference=difference, **{"lambda": lam}, n=n)["sensitivity"].upper


@fixed
def test_the_canary_nearly_attains_the_gaussian_bound() -> None:
    """Ten orthogonal candidates at ratio mu from the centre: their exact success is within its interval, and more than
    85 % of R3, which it does not exceed."""
    generator = np.random.default_rng(3)
    for ratio in (Fraction("0.2683"), Fraction("0.928"), Fraction("1.6714")):
        centres = simplex_canary(np.zeros(10), float(ratio), 10)
        found = success(centres, np.full(10, 0.1), 1.0, generator, 200_000)
        exact = simplex_success(float(ratio), 10)
        bound = most(lambda R, ratio=ratio: reconstruction.from_gaussian(R, R(ratio), R(Fraction(1, 10))))
        assert found.low <= exact <= found.high
        assert 0.85 * bound < found.high
        assert found.low <= bound


@fixed
def test_a_threshold_test_attains_the_gaussian_bound() -> None:
    """Theorem 8 is a Neyman-Pearson bound: the set {z > Q^-1(kappa)} attains it for one record against its centre."""
    generator = np.random.default_rng(5)
    for ratio, kappa in (
        (Fraction(1, 2), Fraction(1, 10)),
        (Fraction(2), Fraction(1, 100)),
        (Fraction(1), Fraction(3, 5)),
    ):
        null = np.sort(generator.standard_normal(400_000))
        cut = null[int(len(null) * (1 - kappa))]
        found = share(generator.standard_normal(200_000) + float(ratio) > cut)
        bound = [
            limit(lambda R, r=ratio, k=kappa: reconstruction.from_gaussian(R, R(r), R(k))) for limit in (least, most)
        ]
        assert found.low - 0.005 <= bound[1]
        assert found.high + 0.005 >= bound[0]


@fixed
def test_a_set_at_the_odds_allowed_attains_the_privacy_bound() -> None:
    """R1: a set of outputs has probability kappa under the centre's law and the most that is allowed under the hidden
    record's; whoever names the record on it is right that often."""
    epsilon, delta, kappa = Fraction(1), Fraction(1, 10), Fraction(1, 20)
    draws = np.random.default_rng(7).random(200_000)
    found = share(draws < np.exp(float(epsilon)) * float(kappa) + float(delta))
    assert least(lambda R: reconstruction.from_privacy(R, R(epsilon), R(delta), R(kappa))) <= found.high
    assert most(lambda R: reconstruction.from_privacy(R, R(epsilon), R(delta), R(kappa))) >= found.low


@prop(30, seed=SEEDS, n=st.integers(1, 12), K=st.integers(1, 4), lam=st.sampled_from([Fraction(1, 100), Fraction(2)]))
def test_noiseless_inversion_is_exact(seed: int, n: int, K: int, lam: Fraction) -> None:
    """Theorem 11: label and features of the missing record, by the product's formula too."""
    generator = np.random.default_rng(seed)
    data = Data(generator.standard_normal((n, 3)), generator.integers(0, K, n), K)
    index = int(generator.integers(n))
    known = data.without(index)
    flat = train("ridge-prototype", data, float(lam)).parameters
    found = invert_prototypes(flat, known, float(lam))
    assert found is not None
    label, x = found
    assert label == data.labels[index]
    assert np.allclose(x, data.features[index], rtol=0, atol=1e-11)
    count = int((data.labels == label).sum())
    for at in range(3):
        mu = Fraction(float(flat.reshape(K, -1)[label, at]))
        rest = Fraction(float(known.features[known.labels == label, at].sum()))
        value = most(lambda R, mu=mu, rest=rest: prototype.inverted_record(R(mu), R(count), R(lam), R(n), R(rest)))
        assert abs(value - data.features[index, at]) < 1e-11
