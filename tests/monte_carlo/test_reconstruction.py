"""M3: attacks on sampled releases against R1-R4, and noiseless inversion (Theorem 11).

Every success is that of the MAP rule (Proposition 5) or of a test that is optimal by construction, so that a bound
which is attained is bracketed from both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.stats import norm

import certify
from certify.evaluation import rero
from certify.evaluation.entries import Task
from certify.kernel.loop import Limits
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.candidates import farthest_point_candidates, simplex_canary, simplex_success
from certify.mechanisms.confidence import Limits as Interval
from certify.mechanisms.inversion import invert_prototypes
from certify.mechanisms.map_attack import map_guess
from certify.mechanisms.neighbours import in_ball
from certify.mechanisms.output_perturbation import calibrated_sigma, release
from certify.mechanisms.training import train
from certify.statements import prototype, reconstruction
from certify.statements.rules.claim import Head
from tests.monte_carlo.sampled import least, mean_of, most, share
from tests.properties.declared import fixed, prop

RELEASES = 60_000
SLACK = 1 + 1e-8  # distances of trained parameters are known to about 1e-10
SEEDS = st.integers(0, 2**32 - 1)
HEADS: tuple[Head, ...] = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")
PRIORS = ("1/2 1/2", "1/3 1/3 1/3", "1/2 1/4 1/4", "7/10 1/10 1/10 1/10", "1/10 " * 10)


def weights_of(prior: str) -> list[Fraction]:
    """The prior weights."""
    return [Fraction(weight) for weight in prior.split()]


def success(
    parameters: Array, prior: Sequence[Fraction], sigma: float, generator: np.random.Generator, count: int = RELEASES
) -> Interval:
    """Limits for the success of the MAP rule on releases about ``parameters``, the hidden one drawn from the prior."""
    weights = np.array([float(p) for p in prior])
    hidden = generator.choice(len(weights), count, p=weights)
    releases = parameters[hidden] + release(np.zeros(parameters.shape[1]), sigma, generator, count)
    return share(map_guess(releases, parameters, sigma, weights) == hidden)


def support_bound(parameters: Array, prior: Sequence[Fraction], sigma: float, centre: Array | None = None) -> float:
    """R4 about the centre, the prior's mean if None."""
    middle = np.array([float(p) for p in prior]) @ parameters if centre is None else centre
    distances = [Fraction(float(np.linalg.norm(theta - middle))) / Fraction(sigma) for theta in parameters]
    limits = Limits()
    return float(rero.support_enclosure(Task(9, limits, limits.allowance()), distances, prior).upper)


def some_data(generator: np.random.Generator, head: Head, centre: Array, n: int) -> Data:
    """n random records in the unit ball, the first of which is ``centre``, with both labels."""
    features = np.array([centre, *(in_ball(generator, np.zeros(len(centre)), 1.0, 1.0) for _ in range(n - 1))])
    second = np.arange(n) % 2
    return Data(features, 2 * second - 1 if head in ("binary-logistic", "squared-hinge") else second, 2)


def trained(head: Head, data: Data, lam: Fraction) -> Array:
    """The minimiser, to 1e-11 in the gradient."""
    return train(head, data, float(lam), tolerance=1e-11).parameters


def head_sensitivity(head: Head, radius: Fraction, lam: Fraction, n: int) -> Fraction:
    """The proved sensitivity at B = 1, class counts not public."""
    if head == "ridge-prototype":
        return certify.evaluate("head.ridge-prototype", radius=radius, **{"lambda": lam}, n=n)["sensitivity"].upper
    classes = {"classes": 2} if head == "softmax" else {}
    given = {"feature_bound": 1, "lambda": lam, "ball_radius": radius, **classes}
    difference = certify.evaluate(f"head.{head}", **given)["difference"].upper
    return certify.evaluate("ball.sensitivity", difference=difference, **{"lambda": lam}, n=n)["sensitivity"].upper


@prop(12, seed=SEEDS, prior=st.sampled_from(PRIORS), size=st.sampled_from([0.3, 1.0, 2.5]))
def test_the_attack_stays_below_the_support_bound(seed: int, prior: str, size: float) -> None:
    """R4 for random supports and priors, uniform or not, about the mean and about a candidate."""
    weights, generator = weights_of(prior), np.random.default_rng(seed)
    parameters = generator.standard_normal((len(weights), 3)) * size
    found = success(parameters, weights, 1.0, generator)
    assert found.low <= support_bound(parameters, weights, 1.0)
    assert found.low <= support_bound(parameters, weights, 1.0, parameters[0])


@prop(
    8, seed=SEEDS, head=st.sampled_from(HEADS), ratio=st.sampled_from([0.3, 1.0, 2.0]),
    prior=st.sampled_from(["1/2 1/2", "1/5 4/5"]),
)  # fmt: skip
def test_two_candidates_attain_the_support_bound(seed: int, head: Head, ratio: float, prior: str) -> None:
    """Two trained parameters, 2 ratio sigma apart: R4 about a point between them is never less than the success of the
    likelihood-ratio test; for equal weights, about the middle, it is that success."""
    weights, generator = weights_of(prior), np.random.default_rng(seed)
    data = some_data(generator, head, np.zeros(3), 4)
    parameters = np.array([trained(head, data.replaced(0, x * np.ones(3) / 2), Fraction(1, 10)) for x in (1, -1)])
    sigma = float(np.linalg.norm(parameters[0] - parameters[1])) / (2 * ratio)
    found = success(parameters, weights, sigma, generator, 100_000)
    between = [t * parameters[0] + (1 - t) * parameters[1] for t in (0.2, 0.35, 0.5, 0.65, 0.8)]
    bounds = [support_bound(parameters, weights, sigma, centre) for centre in between]
    assert found.low <= min(bounds)
    if prior == "1/2 1/2":
        assert bounds[2] <= found.high


@prop(
    14, seed=SEEDS, head=st.sampled_from(HEADS), epsilon=st.sampled_from(["1", "2", "4"]),
    prior=st.sampled_from(PRIORS[:4]), support=st.sampled_from(["ball", "farthest"]),
)  # fmt: skip
def test_the_attack_on_trained_heads_stays_below_every_bound(
    seed: int, head: Head, epsilon: str, prior: str, support: str
) -> None:
    """Candidates in the ball, heads trained with each, calibrated noise: success <= R4 <= R3 <= R2, R1, with R4 about
    the parameter trained with the ball's centre."""
    weights, generator = weights_of(prior), np.random.default_rng(seed)
    n, radius, lam, delta, kappa = 6, Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**3), max(weights)
    centre = in_ball(generator, np.zeros(3), 1.0, 1.0)
    data = some_data(generator, head, centre, n)
    pool = np.array([in_ball(generator, centre, float(radius) * (1 - 1e-12), 1.0) for _ in range(40)])
    count = len(weights)
    apart = farthest_point_candidates(pool, centre, float(radius), count)
    candidates = apart if support == "farthest" else pool[:count]
    parameters = np.array([trained(head, data.replaced(0, x), lam) for x in candidates])
    sensitivity = head_sensitivity(head, radius, lam, n)
    sigma = calibrated_sigma(epsilon, delta, sensitivity)
    found, ratio = success(parameters, weights, sigma, generator, RELEASES // 2), sensitivity / Fraction(sigma)
    known = support_bound(parameters, weights, sigma, trained(head, data, lam))
    tested = most(lambda R: reconstruction.from_gaussian(R, R(ratio), R(kappa)))
    assert found.low <= known <= tested * SLACK
    assert tested <= most(lambda R: reconstruction.from_best_renyi(R, R(ratio), R(kappa)))
    assert tested <= most(lambda R: reconstruction.from_privacy(R, R(Fraction(epsilon)), R(delta), R(kappa)))


@fixed
def test_the_canary_nearly_attains_the_gaussian_bound() -> None:
    """Ten orthogonal candidates alone in their class, prototypes, noise calibrated to delta = 1e-5: the exact success
    is within the interval, and more than 85 % of R3, which it does not exceed."""
    generator = np.random.default_rng(3)
    n, radius, lam, tenth = 4, Fraction(1, 2), Fraction(1, 10), Fraction(1, 10)
    rest = Data(generator.standard_normal((n, 10)) / 10, np.array([0, 1, 1, 1]), 2)
    corners = simplex_canary(np.zeros(10), float(radius), 10)
    parameters = np.array([trained("ridge-prototype", rest.replaced(0, x), lam) for x in corners])
    sensitivity = head_sensitivity("ridge-prototype", radius, lam, n)
    for epsilon in ("1", "4", "8"):
        sigma = calibrated_sigma(epsilon, "1e-5", sensitivity)
        found, ratio = success(parameters, [tenth] * 10, sigma, generator), sensitivity / Fraction(sigma)
        bound = most(lambda R, ratio=ratio: reconstruction.from_gaussian(R, R(ratio), R(tenth)))
        assert found.low <= simplex_success(float(ratio), 10) <= found.high
        assert 0.85 * bound < found.low
        assert found.low <= bound


@prop(
    16, seed=SEEDS, ratio=st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(2)]),
    kappa=st.sampled_from([Fraction(1, 1000), Fraction(1, 10), Fraction(3, 5)]),
)  # fmt: skip
def test_a_threshold_attains_the_gaussian_bound(seed: int, ratio: Fraction, kappa: Fraction) -> None:
    """Theorem 8 is a Neyman-Pearson bound: the half-line {z > Q^-1(kappa)}, of probability kappa under the centre's
    law, has the probability R3 under the hidden record's; R2 is above it, at every order and at the best."""
    generator, cut = np.random.default_rng(seed), norm.isf(float(kappa))
    null = share(generator.standard_normal(RELEASES) > cut)
    found = share(generator.standard_normal(RELEASES) + float(ratio) > cut)
    assert null.low <= float(kappa) <= null.high
    assert found.high >= least(lambda R: reconstruction.from_gaussian(R, R(ratio), R(kappa)))
    assert found.low <= most(lambda R: reconstruction.from_gaussian(R, R(ratio), R(kappa)))
    assert found.low <= most(lambda R: reconstruction.from_best_renyi(R, R(ratio), R(kappa)))
    for order in (Fraction(6, 5), Fraction(2), Fraction(4), Fraction(20)):
        assert found.low <= most(lambda R, at=order: reconstruction.from_renyi(R, R(at), R(ratio), R(kappa)))


@prop(8, seed=SEEDS, case=st.sampled_from([("6/5", "1"), ("3/2", "1/2"), ("2", "1/2"), ("4", "1/4"), ("10", "1/10")]))
def test_the_renyi_divergence_is_that_of_two_gaussians(seed: int, case: tuple[str, str]) -> None:
    """Lemma 1: e^{(alpha - 1) D} is the mean of the likelihood ratio's power alpha under the centre's law."""
    order, ratio = Fraction(case[0]), Fraction(case[1])
    log_ratio = float(ratio) * np.random.default_rng(seed).standard_normal(4 * RELEASES) - float(ratio) ** 2 / 2
    moment = mean_of(np.exp(float(order) * log_ratio))
    power = lambda R: R.exp((R(order) - 1) * reconstruction.renyi_divergence(R(order), R(ratio)))  # noqa: E731
    assert moment.low <= most(power)
    assert moment.high >= least(power)


@prop(6, seed=SEEDS, case=st.sampled_from([("1", "1/10", 20), ("2", "1/100", 25), ("1/2", "0", 4)]))
def test_randomised_response_with_a_leak_attains_the_privacy_bound(seed: int, case: tuple[str, str, int]) -> None:
    """R1: m candidates, each named with probability e^epsilon/m where it is hidden and 1/m where the centre is, and
    given away with probability delta. The laws are (epsilon, delta)-close to the centre's, and naming the output
    succeeds as often as R1 allows."""
    epsilon, delta, m = Fraction(case[0]), Fraction(case[1]), case[2]
    leak, odds = float(delta), np.exp(float(epsilon))
    other = (1 - leak - odds / m) / (m - 1)
    mine, centre = np.array([leak, odds / m, *[other] * (m - 1)]), np.array([0, *[1 / m] * m])
    assert mine.sum() == pytest.approx(1)
    assert np.maximum(mine - odds * centre, 0).sum() <= leak + 1e-12
    assert np.maximum(centre - odds * mine, 0).sum() <= leak + 1e-12

    generator = np.random.default_rng(seed)
    hidden, draw = generator.integers(m, size=RELEASES), generator.random(RELEASES)
    named = np.where(draw < leak + odds / m, hidden, (hidden + generator.integers(1, m, size=RELEASES)) % m)
    found = share(named == hidden)
    assert least(lambda R: reconstruction.from_privacy(R, R(epsilon), R(delta), R(1) / m)) <= found.high
    assert most(lambda R: reconstruction.from_privacy(R, R(epsilon), R(delta), R(1) / m)) >= found.low


@prop(
    30, seed=SEEDS, n=st.integers(1, 12), classes=st.integers(1, 4),
    lam=st.sampled_from([Fraction(1, 100), Fraction(1, 3), Fraction(2)]),
)  # fmt: skip
def test_noiseless_inversion_is_exact(seed: int, n: int, classes: int, lam: Fraction) -> None:
    """Theorem 11: label and features of the missing record, by the product's formula too."""
    generator = np.random.default_rng(seed)
    data = Data(generator.standard_normal((n, 3)), generator.integers(0, classes, n), classes)
    index = int(generator.integers(n))
    known = data.without(index)
    flat = train("ridge-prototype", data, float(lam)).parameters
    found = invert_prototypes(flat, known, float(lam))
    assert found is not None
    label, x = found
    assert label == data.labels[index]
    assert np.allclose(x, data.features[index], rtol=0, atol=1e-12)
    count = int((data.labels == label).sum())
    for at in range(3):
        mu = Fraction(float(flat.reshape(classes, -1)[label, at]))
        rest = sum(map(Fraction, known.features[known.labels == label, at].tolist()), Fraction(0))
        value = prototype.inverted_record(mu, Fraction(count), lam, Fraction(n), rest)
        assert abs(float(value) - data.features[index, at]) < 1e-12
