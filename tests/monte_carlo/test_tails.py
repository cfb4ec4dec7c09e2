"""M7: T1-T3 against sampled normals, and against Arb at 400 bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb
from hypothesis import strategies as st

from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.mechanisms.arrays import Array
from certify.statements import tails
from tests.monte_carlo.sampled import least, mean_of, most, share
from tests.properties import oracle
from tests.properties.declared import prop

DRAWS = 200_000
SEEDS = st.integers(0, 2**32 - 1)
POINTS = st.sampled_from([Fraction(t) for t in ("0", "1/4", "1/2", "1", "3/2", "2")])


@prop(8, seed=SEEDS, t=POINTS)
def test_the_integrated_tail_is_a_mean_excess(seed: int, t: Fraction) -> None:
    """T1: Q1(t) = E (W - t)_+, in both directions."""
    excess = mean_of(np.maximum(np.random.default_rng(seed).standard_normal(DRAWS) - float(t), 0))
    assert excess.low <= most(lambda R: tails.integrated_tail(R, R(t)))
    assert excess.high >= least(lambda R: tails.integrated_tail(R, R(t)))


def coupled(generator: np.random.Generator, coupling: str) -> tuple[Array, Array]:
    """Two standard normals, jointly of the named law."""
    first, other = generator.standard_normal((2, DRAWS))
    correlation = {"equal": 1.0, "opposite": -1.0, "independent": 0.0, "correlated": 0.6}[coupling]
    return first, correlation * first + np.sqrt(1 - correlation**2) * other


@prop(
    12, seed=SEEDS, t=POINTS, rate=st.sampled_from([Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(3)]),
    coupling=st.sampled_from(["equal", "opposite", "independent", "correlated"]),
    scales=st.tuples(st.sampled_from([1.0, 0.5, 0.0]), st.sampled_from([1.0, 0.7])),
)  # fmt: skip
def test_the_folded_tail_is_a_bound(
    seed: int, t: Fraction, rate: Fraction, coupling: str, scales: tuple[float, float]
) -> None:
    """T2 (Lemma C.12) for several couplings; for equal W = W', a = a' = 1 and a small rate it is nearly attained."""
    w, v = coupled(np.random.default_rng(seed), coupling)
    folded = (scales[0] * np.abs(w) + scales[1] * np.abs(v)) / 2
    loss = mean_of(np.maximum(-np.expm1(-float(rate) * (folded - float(t))), 0))
    bound = most(lambda R: tails.folded_tail(R, R(rate), R(t)))
    assert loss.low <= bound
    if scales == (1.0, 1.0) and coupling in ("equal", "opposite") and rate == Fraction(1, 100):
        assert loss.high >= 0.95 * bound


@prop(10, seed=SEEDS, dimension=st.integers(1, 12), excess=st.sampled_from(["-1/2", "0", "1/2", "1", "3/2"]))
def test_the_chi_tail_is_a_bound(seed: int, dimension: int, excess: str) -> None:
    """T3: at most the bound at any dimension; at even dimensions the finite sum is the tail itself."""
    radius = max(Fraction(1, 2), Fraction(int(100 * dimension**0.5), 100) + Fraction(excess))
    draws = np.random.default_rng(seed).standard_normal((DRAWS // 4, dimension))
    beyond = share(np.linalg.norm(draws, axis=1) > float(radius))
    assert beyond.low <= most(lambda R: tails.chi_tail(R, dimension, R(radius), R(1)))
    if dimension % 2 == 0 and radius**2 / 2 > Fraction(dimension, 2) - 1:
        assert beyond.high >= least(lambda R: tails.gamma_tail(R, dimension, R(radius), R(1)))


@prop(
    40, t=st.fractions(0, 60, max_denominator=1000), half=st.integers(1, 40),
    shift=st.fractions(0, 30, max_denominator=99),
)  # fmt: skip
def test_tails_agree_with_arb(t: Fraction, half: int, shift: Fraction) -> None:
    """T1 by its closed form, T3 by the Poisson sum: the 128-bit enclosures meet those of Arb."""
    R = Intervals(128)
    y = half - 1 + shift + Fraction(1, 7)
    with oracle.precision(400):
        q1 = oracle.q1(oracle.ball(t))
        gamma = _poisson(half, y)
    for found, right in (
        (tails.integrated_tail(R, R(t)), q1),
        (tails.gamma_tail(R, 2 * half, R.sqrt(R(2 * y)), R(1)), gamma),
    ):
        ends = Enclosure.of(found)
        with oracle.precision(400):
            assert not oracle.ball(ends.lower) > right
            assert not oracle.ball(ends.upper) < right


def _poisson(half: int, y: Fraction) -> arb:
    """e^-y sum over j < half of y^j/j!."""
    total, term = arb(0), arb(1)
    for j in range(half):
        total += term
        term *= oracle.ball(y) / (j + 1)
    return total * (-oracle.ball(y)).exp()
