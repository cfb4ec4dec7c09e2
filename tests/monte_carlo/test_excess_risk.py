"""M6: measured excess risk of gradient-descent releases against U1-U6.

Nearly attained: U2's d sigma^2/(2 mu) where the features vanish, E_opt for linear losses with equal features and little
noise, the terms of U3-U5 each where the others vanish: for a population of one record every sample is that record n
times over, whatever n, and its empirical objective is that of a single record. Not seen by sampling are parts of the
sample term, 16 L^2 (32 + log 1/delta_S)/(mu n): it is hundreds of times what a population shows. The values of all of
them are held against the formulas at 50 digits in tests/statements/test_utility.py.

A draw alarms falsely with probability at most 0.0005 for each limit it reads; means are taken to be normal.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

import certify
from certify.kernel.interval import Interval
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser, release
from certify.mechanisms.losses import LINEAR
from certify.statements import utility
from certify.statements.descent.constants import Descent
from tests.monte_carlo.descent_cases import high, low
from tests.monte_carlo.sampled import mean_of, share
from tests.properties.declared import fixed, prop
from tests.statements.small_problem import R, SmallProblem

RELEASES = 4000
SEEDS = st.integers(0, 2**32 - 1)
BETA, DELTA_S = Fraction(1, 20), Fraction(1, 20)
STRENGTHS = tuple(Fraction(m) for m in ("1/20", "1/2", "3"))
SCALES = tuple(Fraction(s) for s in ("1/100", "1/3", "2"))
QUIET = Fraction(1, 10**6)


def problem(seed: int, mu: Fraction, zeta: Fraction, eta_L: Fraction) -> SmallProblem:
    """A random logistic problem with features of norm zeta."""
    generator = np.random.default_rng(seed)
    n, d = int(generator.integers(1, 13)), int(generator.integers(1, 7))
    x = generator.standard_normal((n, d))
    x *= float(zeta) / np.linalg.norm(x, axis=1, keepdims=True) * (1 - 1e-12)
    return SmallProblem(x, generator.choice([-1.0, 1.0], n), mu, zeta, eta_L)


def constants(given: SmallProblem, sigma: Fraction, n: int | None = None) -> Descent[Interval]:
    """What the statements are given: that noise level, and n records where all are the same one."""
    p = replace(given.constants, sigma=R(sigma))
    return p if n is None else replace(p, n=n)


def releases(given: SmallProblem, sigma: Fraction, N: int, seed: int, count: int) -> Array:
    """w_N, (count, d)."""
    return release(given.objective, float(sigma), N, given.step_size, np.random.default_rng(seed), count)


def above_least(goal: Objective, w: Array) -> Array:
    """What F is at w above its minimum."""
    return np.asarray(goal.value(w) - goal.value(perturbed_minimiser(goal, np.zeros(goal.d))))


def excess(given: SmallProblem, sigma: Fraction, N: int, seed: int, count: int = RELEASES) -> Array:
    """F(w_N) - F(w*_S) for so many releases."""
    return above_least(given.objective, releases(given, sigma, N, seed, count))


def assert_within(given: SmallProblem, sigma: Fraction, N: int, seed: int, count: int) -> None:
    """The mean is at most U2, and a share of at most beta of the releases is above U5's U_N."""
    found, p = excess(given, sigma, N, seed, count), constants(given, sigma)
    assert mean_of(found).low <= high(utility.empirical(R, p, R(N)))
    assert share(found > high(utility.single_release(R, p, R(N), R(BETA)))).low <= BETA


@prop(
    12, seed=SEEDS, mu=st.sampled_from(STRENGTHS), zeta=st.sampled_from([Fraction(1, 2), Fraction(2)]),
    eta_L=st.sampled_from([Fraction(1, 3), Fraction(1)]), sigma=st.sampled_from(SCALES), N=st.sampled_from([1, 4, 40]),
)  # fmt: skip
def test_risks_stay_within_their_bounds(
    seed: int, mu: Fraction, zeta: Fraction, eta_L: Fraction, sigma: Fraction, N: int
) -> None:
    """U2 and U5 for random logistic problems."""
    assert_within(problem(seed, mu, zeta, eta_L), sigma, N, seed, RELEASES)


@pytest.mark.slow
@pytest.mark.parametrize("mu", STRENGTHS)
@pytest.mark.parametrize("sigma", SCALES)
def test_many_risks_stay_within_their_bounds(mu: Fraction, sigma: Fraction) -> None:
    """40,000 releases each of two problems, long before and long after convergence."""
    for seed, N in enumerate((2, 30)):
        assert_within(problem(seed, mu, Fraction(1), Fraction(1)), sigma, N, seed, 40_000)


def flat(d: int, mu: Fraction) -> SmallProblem:
    """Features of norm 1e-6: the objective is (mu/2)|w|^2 up to as much."""
    return SmallProblem(np.full((1, d), 1e-6 / d), np.ones(1), mu, Fraction(1), Fraction(1))


@fixed
def test_the_perturbation_term_is_attained() -> None:
    """Without features the mean is d sigma^2/(2 mu) (1 - rho^N)^2, the whole of U2 but for rho^N."""
    for d, mu, sigma in ((3, Fraction(1, 5), Fraction(1)), (1, Fraction(2), Fraction(3)), (6, Fraction(1), BETA)):
        mean = mean_of(excess(flat(d, mu), sigma, 40, d, 40_000))
        bound = utility.perturbation(constants(flat(d, mu), sigma))
        assert mean.low <= high(bound)
        assert mean.high >= 0.98 * low(bound)


@fixed
def test_one_release_exceeds_less_than_its_bound() -> None:
    """Without features |w_N| is chi-distributed. At d = 1 a tenth of U_N, which is more than sqrt d alone makes it, is
    passed with probability 0.2 or more; at d = 50 half of U_N is passed more often than not.
    """
    for d, part in ((1, 1 / 10), (50, 1 / 2)):
        given, sigma = flat(d, Fraction(1)), Fraction(1)
        found = excess(given, sigma, 40, d, 4000)
        for beta in (Fraction(1, 10), Fraction(1, 100)):
            once = high(utility.single_release(R, constants(given, sigma), R(40), R(beta)))
            assert share(found > once).low <= beta
            assert share(found > once * part).low > beta


@fixed
def test_the_optimization_term_is_attained() -> None:
    """Linear loss, equal features, little noise: the excess is (mu/2) rho^(2N) (zeta/mu)^2, the first part of E_opt."""
    given = SmallProblem(np.tile([1.0, 0.0], (3, 1)), np.ones(3), Fraction(1, 2), Fraction(1), Fraction(1, 4), LINEAR)
    for N in (1, 3, 8):
        mean, bound = mean_of(excess(given, QUIET, N, N, 200)), utility.optimization(R, constants(given, QUIET), R(N))
        assert mean.low <= high(bound)
        assert mean.high >= 0.999 * low(bound)


def population(seed: int, mu: Fraction) -> SmallProblem:
    """20 records on the unit circle, each as likely as any other."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((20, 2))
    x *= (1 - 1e-12) / np.linalg.norm(x, axis=1, keepdims=True)
    return SmallProblem(x, generator.choice([-1.0, 1.0], 20), mu, Fraction(1), Fraction(1))


def sampled(whole: SmallProblem, n: int, generator: np.random.Generator) -> SmallProblem:
    """n independent records of a population."""
    rows = generator.integers(len(whole.y), size=n)
    return replace(whole, x=whole.x[rows], y=whole.y[rows])


@prop(4, seed=SEEDS, mu=st.sampled_from(STRENGTHS[1:]), N=st.sampled_from([2, 30]))
def test_population_risks_stay_within_their_bounds(seed: int, mu: Fraction, N: int) -> None:
    """U3, U4 and U5 where every population risk is a sum of 20 terms, for 20 samples of 10 records."""
    whole, generator, sigma = population(seed, mu), np.random.default_rng(seed), Fraction(1, 4)
    plain = replace(whole.objective, mu=0.0)
    comparator = perturbed_minimiser(replace(plain, mu=1e-6), np.zeros(2))
    comparator /= max(1.0, float(np.linalg.norm(comparator)))
    for _ in range(20):
        given = sampled(whole, 10, generator)
        p, w = constants(given, sigma), releases(given, sigma, N, int(generator.integers(2**32)), 500)
        found = above_least(whole.objective, w)
        assert mean_of(found).low <= high(utility.population(R, p, R(N), R(DELTA_S)))
        unregularized = plain.value(w) - plain.value(comparator)
        assert mean_of(unregularized).low <= high(utility.unregularized(R, p, R(N), R(DELTA_S), R(1)))
        once = high(utility.single_release_population(R, p, R(N), R(BETA), R(DELTA_S)))
        assert share(found > once).low <= BETA


def pulled(d: int) -> SmallProblem:
    """One record, along the first axis, with the linear loss."""
    return SmallProblem(np.eye(d)[:1], np.ones(1), Fraction(1, 2), Fraction(1), Fraction(1, 2), LINEAR)


@fixed
def test_the_sample_has_its_price() -> None:
    """U3 and U5 without noise, linear loss: half the labels are -1, samples of four have a risk |mean label|^2/(2 mu).

    A share of at most delta_S of the samples is above the bound; one in eight is above 1/1000 of the sample term.
    """
    whole = replace(pulled(1), x=np.ones((2, 1)), y=np.array([1.0, -1.0]))
    generator, N = np.random.default_rng(13), 40
    samples = [sampled(whole, 4, generator) for _ in range(600)]
    found = np.array([above_least(whole.objective, releases(one, QUIET, N, 1, 1))[0] for one in samples])
    p = constants(samples[0], QUIET)
    for bound in (
        utility.population(R, p, R(N), R(DELTA_S)),
        utility.single_release_population(R, p, R(N), R(BETA), R(DELTA_S)),
    ):
        assert share(found > high(bound)).low <= DELTA_S
    assert share(found > high(utility.sample(R, p, R(DELTA_S))) / 1000).low > DELTA_S


@fixed
def test_each_part_of_the_population_bounds_is_needed() -> None:
    """A population of one record, of which there are 10^12, so that the sample term vanishes; 60 steps.

    U3: the mean is d sigma^2/(2 mu), half of the bound. U4: without noise and at |v| = 2/mu it is half of the bound,
    too. U5: at d = 50 the median is above a quarter of the bound.
    """
    n, N, sigma = 10**12, 60, Fraction(1)
    given, goal = pulled(50), pulled(50).objective
    p, w = constants(given, sigma, n), releases(given, sigma, N, 17, 4000)
    found = above_least(goal, w)
    third = high(utility.population(R, p, R(N), R(DELTA_S)))
    assert 0.49 * third <= mean_of(found).high
    assert mean_of(found).low <= third
    once = high(utility.single_release_population(R, p, R(N), R(BETA), R(DELTA_S)))
    assert share(found > once).low <= BETA < share(found > once / 4).low
    given, plain, norm = pulled(1), replace(pulled(1).objective, mu=0.0), 2 / pulled(1).mu
    risks = plain.value(releases(given, QUIET, N, 19, 100)) - plain.value(np.array([float(norm)]))
    fourth = high(utility.unregularized(R, constants(given, QUIET, n), R(N), R(DELTA_S), R(norm)))
    assert 0.49 * fourth <= mean_of(risks).high
    assert mean_of(risks).low <= fourth


@fixed
def test_the_calibration_certifies_what_it_states() -> None:
    """U6: at its sigma, mu and N Theorem 4.1 proves (epsilon, delta); at W = 1000 mu is mu_priv."""
    release_of = {"n": 200, "d": 2, "loss": "logistic"}
    for norm in (1, 1000):
        asked = {"epsilon": 1, "delta": "1/100", "delta_S": DELTA_S, "comparator_norm": norm}
        found = certify.evaluate("utility.calibrate", **release_of, **asked)
        chosen = {name: found[name].upper for name in ("mu", "sigma", "u", "iterations")}
        private = certify.evaluate("gd.theorem-4.1", epsilon=1, **release_of, **chosen)
        assert found.hold and private.hold
        assert private["delta"].upper <= Fraction(1, 100)


@fixed
def test_calibrated_releases_stay_within_their_risk() -> None:
    """U6 on a population of one record and the linear loss: the measured risk is a quarter of the bound, W sqrt(2A).

    At n = 280 and W = 1, mu is about 2, so w_N is about half of the comparator.
    """
    release_of = {"n": 280, "d": 1, "L1": 1, "L2": 0, "L3": 0, "L": 4, "step_size": "1/4"}
    asked = {"epsilon": 1, "delta": "1/100", "delta_S": DELTA_S, "comparator_norm": 1}
    found = certify.evaluate("utility.calibrate", **release_of, **asked)
    mu, sigma, N = found["mu"].upper, found["sigma"].upper, int(found["iterations"].upper)
    given = replace(pulled(1), mu=mu, eta_L=mu / 4)
    plain = replace(given.objective, mu=0.0)
    risks = mean_of(plain.value(releases(given, sigma, N, 23, RELEASES)) - plain.value(np.ones(1)))
    assert found.hold
    assert risks.low <= float(found["bound"].upper)
    assert risks.high >= 0.23 * float(found["bound"].upper)
