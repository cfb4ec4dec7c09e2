"""M1: trained heads against B4, B4', B7 and H1-H4. Minimisers, sensitivities and gradient differences stay within the
bounds, paper and sharp; data sets that attain a bound, or nearly, show that a smaller one is caught. No sampling error:
training is to 1e-12 in the gradient, so a violation is a wrong bound.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.mechanisms.arrays import Array, Data, Labels
from certify.mechanisms.heads import class_counts, objective, record_gradient
from certify.mechanisms.neighbours import Worst, in_ball, worst_case_pair
from certify.mechanisms.training import train
from certify.statements import augmented, ball, heads, prototype
from certify.statements.rules.claim import Head as AnyHead
from tests.properties.declared import fixed, prop
from tests.statements.bounds import upper

HEADS: tuple[heads.Head, ...] = ("squared-hinge", "binary-logistic", "softmax")
CONSTANTS: tuple[heads.Constant, ...] = ("sharp", "paper")
SLACK = 1 + 1e-9  # double precision of the training
R = Intervals(64)

SEEDS = st.integers(0, 2**32 - 1)
STRENGTHS = st.sampled_from([Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(10)])
BOUNDS = st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(3)])
SHARES = st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)])
SIZES = st.integers(1, 6)


def bounds(
    head: heads.Head, constant: heads.Constant, B: Fraction, lam: Fraction, n: int, K: int, r: Fraction
) -> dict[str, float]:
    """Upper ends: radius, L_z, D(r), sensitivity at r, and any-record sensitivity."""
    found = heads.constants(R, head, constant, R(B), R(lam), R(K))
    difference = heads.difference(R, head, constant, R(B), found, ball.effective_radius(R, R(r), R(B)))
    values = {
        "radius": found.radius,
        "lipschitz": found.lipschitz,
        "difference": difference,
        "sensitivity": ball.sensitivity(difference, R(lam), R(n), R(0)),
        "any": ball.any_record_sensitivity(found.any_record / 2, R(lam), R(n), R(0)),
    }
    return {name: float(Enclosure.of(value).upper) for name, value in values.items()}


def trained(head: AnyHead, data: Data, lam: Fraction) -> Array:
    """The minimiser, to 1e-12 in the gradient (of a size of a few units)."""
    return train(head, data, float(lam), tolerance=1e-12).parameters


def features(generator: np.random.Generator, n: int, d: int, bound: float) -> Array:
    """n vectors of norm at most ``bound``, about half of them on the sphere."""
    x = generator.standard_normal((n, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    shrink = np.where(generator.random(n) < 0.5, 1.0, generator.random(n))
    return x * shrink[:, None] * bound


def labels(generator: np.random.Generator, head: str, n: int, K: int) -> Labels:
    """Random labels of a head."""
    return generator.integers(0, K, n) if head == "softmax" else generator.choice([-1, 1], n)


def random_pair(
    generator: np.random.Generator, head: heads.Head, n: int, d: int, K: int, bound: float, radius: float
) -> tuple[Data, Data]:
    """Random data and a neighbour that differs in record 0, labels equal."""
    x = features(generator, n, d, bound)
    first = Data(x, labels(generator, head, n, K), K if head == "softmax" else 2)
    return first, first.replaced(0, in_ball(generator, x[0], radius, bound))


def relabelled(head: heads.Head, data: Data) -> Data:
    """The data with another label at record 0."""
    label = int(data.labels[0])
    return data.replaced(0, data.features[0], (label + 1) % data.classes if head == "softmax" else -label)


def assert_within(head: heads.Head, first: Data, second: Data, B: Fraction, lam: Fraction, r: Fraction) -> None:
    """Everything that is proved of two data sets that differ in record 0, at distance at most r, labels equal."""
    theta, other = trained(head, first, lam), trained(head, second, lam)
    x, moved, label = first.features[0], second.features[0], int(first.labels[0])
    swapped = trained(head, relabelled(head, second), lam)
    for constant in CONSTANTS:
        bound = bounds(head, constant, B, lam, first.n, first.classes, r)
        assert np.linalg.norm(theta) <= bound["radius"] * SLACK
        assert np.linalg.norm(theta - other) <= bound["sensitivity"] * SLACK + 1e-10
        assert np.linalg.norm(theta - swapped) <= bound["any"] * SLACK + 1e-10
        for at in (theta, other):
            gap = np.linalg.norm(
                record_gradient(head, at, x, label, first.classes)
                - record_gradient(head, at, moved, label, first.classes)
            )
            assert gap <= bound["difference"] * SLACK + 1e-12
            assert gap <= bound["lipschitz"] * np.linalg.norm(x - moved) * SLACK + 1e-12


@prop(
    30, head=st.sampled_from(HEADS), seed=SEEDS, n=SIZES, d=st.integers(1, 3), K=st.integers(2, 4), lam=STRENGTHS,
    B=BOUNDS, share=SHARES,
)  # fmt: skip
def test_trained_heads_stay_within_every_bound(
    head: heads.Head, seed: int, n: int, d: int, K: int, lam: Fraction, B: Fraction, share: Fraction
) -> None:
    """Random data and a random neighbour."""
    pair = random_pair(np.random.default_rng(seed), head, n, d, K, float(B), float(share * B))
    assert_within(head, *pair, B, lam, share * B)


@prop(
    20, head=st.sampled_from(HEADS), kind=st.sampled_from(["antipodal", "singleton", "attaining"]),
    n=st.integers(2, 8), lam=STRENGTHS, B=BOUNDS, share=SHARES,
)  # fmt: skip
def test_worst_case_pairs_stay_within_every_bound(
    head: heads.Head, kind: Worst, n: int, lam: Fraction, B: Fraction, share: Fraction
) -> None:
    """Opposite features on the sphere, a class of one record, all records of one class."""
    pair = worst_case_pair(kind, head, n, 3, float(B), float(share * B))
    assert_within(head, *pair, B, lam, share * B)


@fixed
def test_sensitivities_are_nearly_attained_under_strong_regularization() -> None:
    """Where lambda is large, minimisers are near 0 and a moved or relabelled record shifts them by almost the bound.

    The logistic paper bound takes a slope of 1 for 1/2, and the softmax ones sqrt 2 for |p - e_y|, sqrt(1 - 1/K) at 0.
    """
    lam, B, n = Fraction(10**4), Fraction(1), 4
    cases: tuple[tuple[heads.Head, int, dict[heads.Constant, float], float], ...] = (
        ("squared-hinge", 2, {"sharp": 0.99, "paper": 0.95}, 0.95),
        ("binary-logistic", 2, {"sharp": 0.99, "paper": 0.49}, 0.99),
        ("softmax", 50, {"sharp": 0.69, "paper": 0.69}, 0.49),
    )
    for head, K, reached, swap_reached in cases:
        first, second = worst_case_pair("singleton", head, n, 3, float(B), 2 * float(B), K)
        theta = trained(head, first, lam)
        moved = np.linalg.norm(theta - trained(head, second, lam))
        swapped = np.linalg.norm(theta - trained(head, relabelled(head, first), lam))
        for constant, share in reached.items():
            bound = bounds(head, constant, B, lam, n, K, 2 * B)
            assert share * bound["sensitivity"] < moved <= bound["sensitivity"] * SLACK
            assert swap_reached * bound["any"] < swapped <= bound["any"] * SLACK


@prop(20, seed=SEEDS, n=SIZES, d=st.integers(1, 3), K=st.integers(2, 4), lam=STRENGTHS, B=BOUNDS, share=SHARES)
def test_prototypes_move_by_exactly_the_sensitivity(
    seed: int, n: int, d: int, K: int, lam: Fraction, B: Fraction, share: Fraction
) -> None:
    """H4: the witness pair +-(r/2) u in the smallest class attains it to 1e-12; random pairs stay below."""
    generator, r = np.random.default_rng(seed), share * B
    data = Data(features(generator, n, d, float(B)), generator.integers(0, K, n), K)
    counts = class_counts(data)
    smallest = int(counts[counts > 0].min())
    place = int(np.flatnonzero(counts[data.labels] == smallest)[0])
    most = upper(lambda R: prototype.sensitivity(R(r), R(lam), R(n), R(smallest)))
    half = np.zeros(d)
    half[0] = float(r) / 2
    witness = moved_by(data.replaced(place, half), data.replaced(place, -half), lam)
    assert abs(witness - most) <= 1e-12 * most
    assert (
        moved_by(data, data.replaced(0, in_ball(generator, data.features[0], float(r), float(B))), lam) <= most * SLACK
    )
    assert most <= upper(lambda R: prototype.sensitivity(R(r), R(lam), R(n), R(1))) * SLACK


def moved_by(first: Data, second: Data, lam: Fraction) -> float:
    """How far the prototypes of two data sets are apart."""
    return float(np.linalg.norm(trained("ridge-prototype", first, lam) - trained("ridge-prototype", second, lam)))


def aligned(size: float, n: int = 4) -> Data:
    """n equal records (size, 0) with label 1."""
    return Data(np.tile([size, 0.0], (n, 1)), np.ones(n, dtype=np.int64), 2)


def assert_attained(head: heads.Head, data: Data, B: Fraction, lam: Fraction) -> None:
    """The minimiser's norm is the sharp R to 1e-6, and within the paper's."""
    reached = np.linalg.norm(trained(head, data, lam))
    sharp, paper = (
        bounds(head, constant, B, lam, data.n, data.classes, Fraction(0))["radius"] for constant in CONSTANTS
    )
    assert reached == pytest.approx(sharp, rel=1e-6)
    assert reached <= paper * SLACK


@fixed
def test_hinge_radius_is_attained() -> None:
    """|x| = sqrt(lambda/2) in the large branch, B in the small one."""
    for B, lam in (("1", "1/10"), ("1", "1"), ("1/2", "1"), ("1/2", "5"), ("1", "2")):
        bound, strength = Fraction(B), Fraction(lam)
        assert_attained("squared-hinge", aligned(min(float(bound), float(strength / 2) ** 0.5)), bound, strength)


def logistic_data(bound: float, strength: float) -> Data:
    """A data set that attains H2: margins 1 + omega where the bound allows it, else the largest aligned records."""
    omega = upper(lambda R: augmented.margin_maximum(R, R(1)))
    square = strength * (1 + omega) ** 2 / omega
    if square > bound**2 + 1:
        return aligned(bound)
    if square >= 1:
        return aligned((square - 1) ** 0.5)
    even = aligned(square**0.5)
    signs = np.where(np.arange(even.n) % 2 == 0, -1, 1)
    return Data(signs[:, None] * even.features, signs, 2)


@fixed
def test_logistic_radius_is_attained() -> None:
    """B >= 1 and n even: half the labels +1, y x = u; else equal aligned records."""
    for B, lam in (("1", "1/100"), ("1", "1/10"), ("1", "1/4"), ("1", "4"), ("2", "1/2"), ("1/2", "1")):
        bound, strength = Fraction(B), Fraction(lam)
        assert_attained("binary-logistic", logistic_data(float(bound), float(strength)), bound, strength)


@fixed
def test_softmax_small_branch_is_attained() -> None:
    """All records equal, of norm B, one label."""
    for B, lam, K in (("1", "4", 3), ("1/2", "3", 2), ("1", "2", 10)):
        data = Data(aligned(float(Fraction(B))).features, np.zeros(4, dtype=np.int64), K)
        assert_attained("softmax", data, Fraction(B), Fraction(lam))


def parameters(head: heads.Head, weights: Array, intercept: float) -> Array:
    """A head's parameters of norm |(weights, intercept)|: for softmax the two rows are opposite."""
    if head == "squared-hinge":
        return weights
    wide = np.append(weights, intercept)
    return wide if head == "binary-logistic" else np.concatenate([wide, -wide]) / np.sqrt(2)


def largest_gap(head: heads.Head, bound: float, radius: float, distance: float) -> float:
    """The largest difference found of two records' gradients at parameters of norm ``radius``.

    The records are at that distance: a chord of the sphere |x| = bound, and along a ray from its surface inwards. The
    parameters point in eight directions of the plane, tilted towards the intercept where there is one.
    """
    half = distance / 2
    height = np.sqrt(bound**2 - half**2)
    pairs = (([half, height], [-half, height]), ([bound, 0.0], [bound - distance, 0.0]))
    tilts = [0.0] if head == "squared-hinge" else np.linspace(-np.pi / 2, np.pi / 2, 7)
    label = 0 if head == "softmax" else 1
    best = 0.0
    for angle in np.linspace(0, 2 * np.pi, 8, endpoint=False):
        way = radius * np.array([np.cos(angle), np.sin(angle)])
        for tilt in tilts:
            theta = parameters(head, np.cos(tilt) * way, radius * np.sin(tilt))
            for pair in pairs:
                one, other = (record_gradient(head, theta, np.array(x), label, 2) for x in pair)
                best = max(best, float(np.linalg.norm(one - other)))
    return best


@fixed
def test_gradient_differences_come_near_their_bound() -> None:
    """D(r) at radius r, each of its forms: linear in r (close pairs, so L_z as well), midpoint, cap."""
    cases: tuple[tuple[heads.Head, int, str, str, float], ...] = (
        ("squared-hinge", 1, "1/100", "1/1000000", 0.99),
        ("squared-hinge", 1, "1/100", "1/4", 0.85),
        ("binary-logistic", 10, "1/100", "1/1000000", 0.95),
        ("binary-logistic", 1, "10", "1", 0.95),
        ("binary-logistic", 10, "1/100", "2", 0.98),
        ("softmax", 10, "1/100", "1/1000000", 0.94),
        ("softmax", 10, "1/100", "1/2", 0.67),
        ("softmax", 10, "1/100", "2", 0.99),
    )
    for head, B, lam, share, reached in cases:
        r = Fraction(share) * B
        bound = bounds(head, "sharp", Fraction(B), Fraction(lam), 4, 2, r)
        gap = largest_gap(head, float(B), bound["radius"], float(r))
        assert reached * bound["difference"] < gap <= bound["difference"] * (1 + 1e-6)
        assert gap <= bound["lipschitz"] * float(r) * (1 + 1e-6)


@fixed
def test_a_gradient_comes_near_its_bound() -> None:
    """B7: half the any-record difference is a bound on one record's gradient, reached where its margin is -B~ R."""
    B, lam = Fraction(3), Fraction(1, 100)
    x = np.array([float(B), 0.0])
    for head, reached in (("squared-hinge", 1 - 1e-9), ("binary-logistic", 1 - 1e-9), ("softmax", 0.99)):
        found = heads.constants(R, head, "sharp", R(B), R(lam), R(2))  # type: ignore[arg-type]
        radius, twice = (float(Enclosure.of(value).upper) for value in (found.radius, found.any_record))
        wide = np.append(x, head != "squared-hinge")
        against = -radius * wide / np.linalg.norm(wide)
        theta = parameters(head, against[:2], against[2])  # type: ignore[arg-type]
        size = np.linalg.norm(record_gradient(head, theta, x, 0 if head == "softmax" else 1, 2))
        assert reached * twice / 2 < size <= twice / 2 * SLACK


@prop(
    20, head=st.sampled_from(HEADS), seed=SEEDS, n=SIZES, K=st.integers(2, 4), lam=STRENGTHS, B=BOUNDS, share=SHARES,
    stop=st.sampled_from([0.1, 1e-3]),
)  # fmt: skip
def test_training_stopped_early_stays_within_its_room(
    head: heads.Head, seed: int, n: int, K: int, lam: Fraction, B: Fraction, share: Fraction, stop: float
) -> None:
    """B4': with gamma the gradient norm that training reports, gamma/lambda from the minimiser, and for two both."""
    generator, r = np.random.default_rng(seed), share * B
    pair = random_pair(generator, head, n, 2, K, float(B), float(r))
    exact = [trained(head, data, lam) for data in pair]
    start = generator.standard_normal(exact[0].shape)
    early = [train(head, data, float(lam), tolerance=stop, start=start) for data in pair]
    gamma = Fraction(max(found.gradient_norm for found in early)) * Fraction(SLACK)
    room = upper(lambda R: ball.sensitivity(R(0), R(lam), R(n), R(gamma)))
    for minimiser, found in zip(exact, early, strict=True):
        assert np.linalg.norm(found.parameters - minimiser) <= room / 2 + 1e-9
    for constant in CONSTANTS:
        D = Fraction(bounds(head, constant, B, lam, n, pair[0].classes, r)["difference"])
        most = upper(lambda R, D=D: ball.sensitivity(R(D), R(lam), R(n), R(gamma)))
        assert np.linalg.norm(early[0].parameters - early[1].parameters) <= most + 1e-9


@fixed
def test_inexact_minimisers_attain_their_room() -> None:
    """B4' at radius 0: across the records F is (lambda/2) |theta|^2, so steps of gamma/lambda both ways are allowed.

    The second parameter multiplies the second feature, which is 0 in all records; of the prototypes it belongs to the
    class without records.
    """
    lam, gamma = Fraction(1, 10), Fraction(1, 100)
    data = aligned(1.0)
    most = upper(lambda R: ball.sensitivity(R(0), R(lam), R(data.n), R(gamma)))
    every: tuple[AnyHead, ...] = (*HEADS, "ridge-prototype")
    for head in every:
        theta = trained(head, data, lam)
        step = np.zeros(theta.shape)
        step[1] = float(gamma / lam)
        for released in (theta + step, theta - step):
            size = np.linalg.norm(objective(head, data, float(lam)).gradient(released))
            assert size == pytest.approx(float(gamma), rel=1e-6)
        assert np.linalg.norm((theta + step) - (theta - step)) == pytest.approx(most, rel=1e-6)
