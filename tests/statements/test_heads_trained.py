"""H1-H4, B4, B7 against trained heads: minimisers, sensitivities and gradient differences stay within the bounds.

Random problems with features inside or on the sphere, and built ones that attain the bound, so that a bound a tenth
smaller is caught.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.statements import augmented, ball, heads, prototype
from tests.statements.bounds import upper
from tests.statements.training import Array, gradient, prototypes, trained

HEADS: tuple[heads.Head, ...] = ("squared-hinge", "binary-logistic", "softmax")
SLACK = 1 + 1e-9
R = Intervals(64)


@cache
def bounds(head: heads.Head, B: Fraction, lam: Fraction, n: int, K: int, r: Fraction) -> dict[str, float]:
    """Upper ends: radius, L_z, D(r), sensitivity at r, and any-record sensitivity."""
    found = heads.constants(R, head, "sharp", R(B), R(lam), R(K))
    difference = heads.difference(R, head, "sharp", R(B), found, ball.effective_radius(R, R(r), R(B)))
    values = {
        "radius": found.radius,
        "lipschitz": found.lipschitz,
        "difference": difference,
        "sensitivity": ball.sensitivity(difference, R(lam), R(n), R(0)),
        "any": ball.any_record_sensitivity(found.any_record / 2, R(lam), R(n), R(0)),
    }
    return {name: float(Enclosure.of(value).upper) for name, value in values.items()}


def features(generator: np.random.Generator, n: int, d: int, bound: float) -> Array:
    """n vectors of norm at most ``bound``, about half of them on the sphere."""
    x = generator.standard_normal((n, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    shrink = np.where(generator.random(n) < 0.5, 1.0, generator.random(n))
    return x * shrink[:, None] * bound


def neighbour(generator: np.random.Generator, x: Array, r: float, bound: float) -> Array:
    """A vector of norm at most ``bound`` within r of x: opposite in direction, or random."""
    step = -x if generator.random() < 0.5 else generator.standard_normal(len(x))
    moved = x + step / max(np.linalg.norm(step), 1e-300) * r * generator.choice([1.0, generator.random()])
    return moved * min(1.0, bound / max(np.linalg.norm(moved), 1e-300))


problems = st.tuples(
    st.integers(0, 2**32 - 1),
    st.integers(1, 6),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from([Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(10)]),
    st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(3)]),
    st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)]),
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(HEADS), problems)
def test_trained_heads_stay_within_every_bound(head: heads.Head, problem: tuple) -> None:
    seed, n, d, K, lam, B, share = problem
    generator, strength, r = np.random.default_rng(seed), float(lam), share * B
    bound = bounds(head, B, lam, n, K, r)
    x = features(generator, n, d, float(B))
    labels = generator.integers(0, K, n) if head == "softmax" else generator.choice([-1, 1], n)
    theta = trained(head, x, labels, strength, K)
    moved = x.copy()
    moved[0] = neighbour(generator, x[0], float(r), float(B))
    other = trained(head, moved, labels, strength, K)
    assert np.linalg.norm(theta) <= bound["radius"] * SLACK
    assert np.linalg.norm(theta - other) <= bound["sensitivity"] * SLACK + 1e-10
    for at in (theta, other):
        gap = gradient(head, at, x[0], labels[0], K) - gradient(head, at, moved[0], labels[0], K)
        assert np.linalg.norm(gap) <= bound["difference"] * SLACK + 1e-12
        assert np.linalg.norm(gap) <= bound["lipschitz"] * np.linalg.norm(x[0] - moved[0]) * SLACK + 1e-12
    relabelled = labels.copy()
    relabelled[0] = (labels[0] + 1) % K if head == "softmax" else -labels[0]
    swapped = trained(head, moved, relabelled, strength, K)
    assert np.linalg.norm(theta - swapped) <= bound["any"] * SLACK + 1e-10


@settings(max_examples=40, deadline=None)
@given(problems)
def test_prototypes_move_by_exactly_the_sensitivity(problem: tuple) -> None:
    """The witness pair of H4, +-(r/2) u in the smallest class, and random pairs that stay below."""
    seed, n, d, K, lam, B, share = problem
    generator, r = np.random.default_rng(seed), share * B
    labels = generator.integers(0, K, n)
    smallest = int(min(count for count in np.bincount(labels, minlength=K) if count))
    place = int(np.argmax(np.bincount(labels, minlength=K)[labels] == smallest))
    most = upper(lambda R: prototype.sensitivity(R(r), R(lam), R(n), R(smallest)))
    x = features(generator, n, d, float(B))
    first, second, near = x.copy(), x.copy(), x.copy()
    first[place], second[place] = 0, 0
    first[place, 0], second[place, 0] = float(r) / 2, -float(r) / 2
    near[0] = neighbour(generator, x[0], float(r), float(B))

    def move(one: Array, two: Array) -> float:
        return float(np.linalg.norm(np.subtract(*(prototypes(z, labels, float(lam), K) for z in (one, two)))))

    assert move(first, second) == pytest.approx(most, rel=1e-12)
    assert move(first, second) > 0.9 * most
    assert move(x, near) <= most * SLACK


def aligned(size: float, n: int = 4) -> tuple[Array, Array]:
    """n equal records (size, 0) with label 1."""
    return np.tile([size, 0.0], (n, 1)), np.ones(n, dtype=np.int64)


@pytest.mark.parametrize(("B", "lam"), [("1", "1/10"), ("1", "1"), ("1/2", "1"), ("1/2", "5"), ("1", "2")])
def test_hinge_radius_is_attained(B: str, lam: str) -> None:
    """||x|| = sqrt(lambda/2) in the large branch, B in the small one; a radius a tenth smaller is caught."""
    bound, strength = Fraction(B), Fraction(lam)
    most = bounds("squared-hinge", bound, strength, 4, 2, Fraction(0))["radius"]
    norm = np.linalg.norm(
        trained("squared-hinge", *aligned(min(float(bound), (float(strength) / 2) ** 0.5)), float(strength), 2)
    )
    assert norm == pytest.approx(most, rel=1e-6)
    assert norm > 0.9 * most


OMEGA = upper(lambda R: augmented.margin_maximum(R, R(1)))


def logistic_data(bound: float, strength: float) -> tuple[Array, Array]:
    """A data set that attains H2: margins 1 + omega where the bound allows it, else the largest aligned records."""
    square = strength * (1 + OMEGA) ** 2 / OMEGA
    if square > bound**2 + 1:
        return aligned(bound)
    if square >= 1:
        return aligned((square - 1) ** 0.5)
    x, y = aligned(square**0.5)
    y[::2] = -1
    return y[:, None] * x, y


@pytest.mark.parametrize(
    ("B", "lam"), [("1", "1/100"), ("1", "1/10"), ("1", "1/4"), ("1", "4"), ("2", "1/2"), ("1/2", "1")]
)
def test_logistic_radius_is_attained(B: str, lam: str) -> None:
    bound, strength = Fraction(B), Fraction(lam)
    most = bounds("binary-logistic", bound, strength, 4, 2, Fraction(0))["radius"]
    norm = np.linalg.norm(trained("binary-logistic", *logistic_data(float(bound), float(strength)), float(strength), 2))
    assert norm == pytest.approx(most, rel=1e-6)
    assert norm > 0.9 * most


@pytest.mark.parametrize(("B", "lam", "K"), [("1", "4", 3), ("1/2", "3", 2), ("1", "2", 10)])
def test_softmax_small_branch_is_attained(B: str, lam: str, K: int) -> None:
    x, _ = aligned(float(Fraction(B)))
    most = bounds("softmax", Fraction(B), Fraction(lam), 4, K, Fraction(0))["radius"]
    norm = np.linalg.norm(trained("softmax", x, np.zeros(4, dtype=np.int64), float(Fraction(lam)), K))
    assert norm == pytest.approx(most, rel=1e-6)
    assert norm > 0.9 * most


def test_an_inexact_minimiser_is_within_gamma_over_lambda() -> None:
    """B4': the two released points may lie gamma/lambda off their minimisers, in opposite directions."""
    x, y = aligned(1.0)
    moved = x.copy()
    moved[0] = [0.5, 0.0]
    gamma, strength = 0.01, 0.1
    theta, other = (trained("binary-logistic", z, y, strength, 2) for z in (x, moved))
    apart = (theta - other) / np.linalg.norm(theta - other)
    off = 0.0
    while np.linalg.norm(mean_gradient(x, y, theta + (off + 1e-4) * apart, strength)) <= gamma:
        off += 1e-4
    D = bounds("binary-logistic", Fraction(1), Fraction(1, 10), 4, 2, Fraction(1, 2))["difference"]
    most = upper(lambda R: ball.sensitivity(R(Fraction(D)), R(Fraction(1, 10)), R(4), R(Fraction(1, 100))))
    assert off <= gamma / strength
    assert np.linalg.norm(theta - other) + 2 * off <= most


def mean_gradient(x: Array, y: Array, theta: Array, strength: float) -> Array:
    return (
        sum(gradient("binary-logistic", theta, *record, 2) for record in zip(x, y, strict=True)) / len(x)
        + strength * theta
    )
