"""M1: trained heads against B4, B4', B7 and H1-H4. Minimisers, sensitivities and gradient differences stay within the
bounds, paper and sharp; data sets that attain a bound show that a smaller one is caught. No sampling error: training is
to 1e-12 in the gradient, so a violation is a wrong bound.
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
from certify.mechanisms.neighbours import in_ball, worst_case_pair
from certify.mechanisms.training import train
from certify.statements import augmented, ball, heads, prototype
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


def trained(head: heads.Head | str, data: Data, lam: Fraction) -> Array:
    """The minimiser, to 1e-12 in the gradient (of a size of a few units)."""
    return train(head, data, float(lam), tolerance=1e-12).parameters  # type: ignore[arg-type]


def features(generator: np.random.Generator, n: int, d: int, bound: float) -> Array:
    """n vectors of norm at most ``bound``, about half of them on the sphere."""
    x = generator.standard_normal((n, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    shrink = np.where(generator.random(n) < 0.5, 1.0, generator.random(n))
    return x * shrink[:, None] * bound


def labels(generator: np.random.Generator, head: str, n: int, K: int) -> Labels:
    """Random labels of a head."""
    return generator.integers(0, K, n) if head == "softmax" else generator.choice([-1, 1], n)


def assert_within(head: heads.Head, first: Data, second: Data, B: Fraction, lam: Fraction, r: Fraction) -> None:
    """Everything that is proved of two data sets that differ in record 0, at distance at most r, labels equal."""
    theta, other = trained(head, first, lam), trained(head, second, lam)
    x, moved, label = first.features[0], second.features[0], int(first.labels[0])
    flipped = second.replaced(0, moved, (label + 1) % first.classes if head == "softmax" else -label)
    swapped = trained(head, flipped, lam)
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
    generator, r = np.random.default_rng(seed), share * B
    x = features(generator, n, d, float(B))
    first = Data(x, labels(generator, head, n, K), K if head == "softmax" else 2)
    assert_within(head, first, first.replaced(0, in_ball(generator, x[0], float(r), float(B))), B, lam, r)


@prop(
    20, head=st.sampled_from(HEADS), kind=st.sampled_from(["antipodal", "singleton", "attaining"]),
    n=st.integers(2, 8), lam=STRENGTHS, B=BOUNDS, share=SHARES,
)  # fmt: skip
def test_worst_case_pairs_stay_within_every_bound(
    head: heads.Head, kind: str, n: int, lam: Fraction, B: Fraction, share: Fraction
) -> None:
    """Opposite features on the sphere, a class of one record, all records of one class."""
    pair = worst_case_pair(kind, head, n, 3, float(B), float(share * B))  # type: ignore[arg-type]
    assert_within(head, *pair, B, lam, share * B)


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
    """The minimiser's norm is the bound R to 1e-6."""
    most = bounds(head, "sharp", B, lam, data.n, data.classes, Fraction(0))["radius"]
    assert np.linalg.norm(trained(head, data, lam)) == pytest.approx(most, rel=1e-6)


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


@fixed
def test_gradients_differ_by_nearly_the_lipschitz_constant() -> None:
    """At parameters of norm up to R, close pairs on the sphere come within 1 % of L_z for the hinge, 5 % for logistic.

    Softmax has a factor sqrt 2 that two classes cannot press at once; random pairs hold its constant from one side.
    """
    lam = Fraction(1, 100)
    for head, B, reached in (("squared-hinge", 1, 0.99), ("binary-logistic", 10, 0.95)):
        bound = bounds(head, "sharp", Fraction(B), lam, 4, 2, lam)  # type: ignore[arg-type]
        best = 0.0
        for norm in np.linspace(0.05, 1, 20) * bound["radius"]:
            for angle in np.linspace(0, np.pi, 61):
                way = np.array([np.cos(angle), np.sin(angle)])
                theta = norm * np.append(way, 0.0)[: 2 + (head == "binary-logistic")]
                x = np.array([float(B), 0.0])
                near = x - 1e-6 * np.copysign(1.0, way[0]) * way  # away from the sphere
                pair = [record_gradient(head, theta, at, 1, 2) for at in (x, near)]  # type: ignore[arg-type]
                best = max(best, float(np.linalg.norm(pair[0] - pair[1]) / 1e-6))
        assert reached * bound["lipschitz"] < best <= bound["lipschitz"] * (1 + 1e-6)


@fixed
def test_an_inexact_minimiser_is_within_gamma_over_lambda() -> None:
    """B4': each released point may lie gamma/lambda off its minimiser, and across the records it does."""
    lam, gamma = Fraction(1, 10), Fraction(1, 100)
    first = aligned(1.0)
    second = first.replaced(0, np.array([0.5, 0.0]))
    D = bounds("squared-hinge", "sharp", Fraction(1), lam, 4, 2, Fraction(1, 2))["difference"]
    exact = upper(lambda R: ball.sensitivity(R(Fraction(D)), R(lam), R(4), R(0)))
    most = upper(lambda R: ball.sensitivity(R(Fraction(D)), R(lam), R(4), R(gamma)))
    assert most - exact == pytest.approx(2 * float(gamma / lam), rel=1e-9)
    across = np.array([0.0, 1.0])
    for data, way in ((first, across), (second, -across)):
        off = float(gamma / lam) * way
        theta = trained("squared-hinge", data, lam)
        # Across the records the loss is flat: the gradient there is lambda times the step, which is gamma.
        assert np.linalg.norm(objective("squared-hinge", data, float(lam)).gradient(theta + off)) == pytest.approx(
            float(gamma), rel=1e-6
        )
    theta, other = (trained("squared-hinge", data, lam) for data in (first, second))
    step = (theta - other) / np.linalg.norm(theta - other)
    assert np.linalg.norm(theta - other + 2 * float(gamma / lam) * step) <= most
