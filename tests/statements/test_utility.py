"""U1-U6 against an independent evaluation, simulated releases, and the facts that the docstrings prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.stats import beta as beta_law

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import decide, proved
from certify.mechanisms.arrays import Array
from certify.mechanisms.gradient_descent import perturbed_minimiser
from certify.mechanisms.gradient_descent import release as released_by
from certify.search.sharp_scales import number
from certify.statements import utility, utility_calibration
from certify.statements.descent import theorem_41
from certify.statements.descent.constants import Descent, Objective, logistic_constants, objective, released
from certify.statements.descent.sharp_trajectory import logistic_loss
from certify.statements.language import Condition
from certify.statements.utility_calibration import Target
from tests.statements.small_problem import SmallProblem

R = Intervals(200)
LOGISTIC = logistic_loss(R)
positive = st.fractions(min_value=Fraction(1, 20), max_value=4, max_denominator=20)
chances = st.fractions(min_value=Fraction(1, 100), max_value=Fraction(99, 100), max_denominator=100)


def ends(value: Interval) -> tuple[Fraction, Fraction]:
    enclosure = Enclosure.of(value)
    return enclosure.lower, enclosure.upper


def release(mu: Fraction, sigma: Fraction, n: int, d: int, zeta: Fraction = Fraction(1)) -> Descent[Interval]:
    return released(objective(R, n, R(mu), R(zeta), logistic_constants(R)), d, R(sigma))


releases = st.builds(release, positive, positive, st.integers(1, 1000), st.integers(1, 1000), positive)
counts = st.integers(1, 300)


def encloses(value: Interval, true: mpf) -> bool:
    lower, upper = ends(value)
    with mp.workdps(50):
        slack = abs(true) * mpf(10) ** -40
        return bool(
            mpf(lower.numerator) / lower.denominator - slack <= true <= mpf(upper.numerator) / upper.denominator + slack
        )


@given(positive, positive, st.integers(1, 1000), st.integers(1, 1000), counts, chances, chances, positive)
@settings(max_examples=30)
def test_formulas(
    mu: Fraction, sigma: Fraction, n: int, d: int, N: int, sample: Fraction, failure: Fraction, norm: Fraction
) -> None:
    """(12) and Theorems 4.10, 4.9, 4.7 and Corollary 4.11, written out at 50 digits with zeta = 1."""
    p, count = release(mu, sigma, n, d), R(N)
    with mp.workdps(50):
        m, s, q, w = (mpf(x.numerator) / x.denominator for x in (mu, sigma, sample, norm))
        L = m + mpf(1) / 4
        rho, a, b = 1 - m / L, 1 / m, 1 / m
        root = s * mp.sqrt(d)
        stop = L / 2 * rho ** (2 * N) * (b * b * d * s * s + 2 * a * b * root + a * a)
        stop += rho**N * (b * d * s * s + a * root)
        price = 16 * (32 + mp.log(1 / q)) / (m * n)
        mean = d * s * s / (2 * m) + stop
        r = s * (mp.sqrt(d) + mp.sqrt(2 * mp.log(mpf(failure.denominator) / failure.numerator)))
        reach = (1 + r) / m
        once = r * r / (2 * m) + L / 2 * rho ** (2 * N) * reach**2 + rho**N * r * reach
        assert encloses(utility.optimization(R, p, count), stop)
        assert encloses(utility.sample(R, p, R(sample)), price)
        assert encloses(utility.empirical(R, p, count), mean)
        assert encloses(utility.population(R, p, count, R(sample)), 2 * mean + price)
        assert encloses(utility.unregularized(R, p, count, R(sample), R(norm)), 2 * mean + price + m / 2 * w * w)
        assert encloses(utility.single_release(R, p, count, R(failure)), once)
        assert encloses(utility.single_release_population(R, p, count, R(failure), R(sample)), 2 * once + price)


Bound = Callable[[Descent[Interval], int], Interval]
BOUNDS: dict[str, Bound] = {
    "U2": lambda p, N: utility.empirical(R, p, R(N)),
    "U3": lambda p, N: utility.population(R, p, R(N), R(Fraction(1, 100))),
    "U4": lambda p, N: utility.unregularized(R, p, R(N), R(Fraction(1, 100)), R(1)),
    "U5": lambda p, N: utility.single_release(R, p, R(N), R(Fraction(1, 1000))),
}


@pytest.mark.parametrize("name", BOUNDS)
@given(releases, counts, st.integers(1, 50))
@settings(max_examples=15)
def test_bounds_are_monotone(name: str, p: Descent[Interval], N: int, more: int) -> None:
    """They fall in N, and rise in sigma and d."""
    bound = BOUNDS[name]
    at = ends(bound(p, N))
    assert ends(bound(p, N + more))[0] <= at[1]
    assert at[0] <= ends(bound(replace(p, sigma=p.sigma * (1 + Fraction(more, 10))), N))[1]
    assert at[0] <= ends(bound(replace(p, d=p.d + more), N))[1]


@given(releases, counts)
@settings(max_examples=20)
def test_the_sharp_start_lowers_the_bounds(p: Descent[Interval], N: int) -> None:
    """a = zeta sup|l'(0, y)|/mu is half of L1 zeta/mu for the logistic loss."""
    count, small = R(N), R(Fraction(1, 100))
    pairs = (
        (utility.optimization(R, p, count, LOGISTIC), utility.optimization(R, p, count)),
        (utility.single_release(R, p, count, small, LOGISTIC), utility.single_release(R, p, count, small)),
    )
    for sharp, plain in pairs:
        assert ends(sharp)[0] <= ends(plain)[1]


def excess_risks(problem: SmallProblem, sigma: float, N: int, releases: int, seed: int) -> Array:
    """F(w_N) - F(w*_S) over independent releases."""
    goal = problem.objective
    found = released_by(goal, sigma, N, problem.step_size, np.random.default_rng(seed), releases)
    return goal.value(found) - goal.value(perturbed_minimiser(goal, np.zeros(goal.d)))


@pytest.mark.parametrize(("N", "sigma"), [(3, Fraction(1, 10)), (40, Fraction(1, 2)), (40, Fraction(3))])
def test_simulated_releases(N: int, sigma: Fraction) -> None:
    """M6: 300 releases, seed 6. The mean is below U2 and the upper beta-quantile below U5 (Clopper-Pearson, 1e-4)."""
    rng = np.random.default_rng(60)
    x = rng.normal(size=(6, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    problem = SmallProblem(x, rng.choice([-1.0, 1.0], size=6), Fraction(1, 5), Fraction(1), Fraction(1))
    found = excess_risks(problem, float(sigma), N, 300, 6)
    p = release(Fraction(1, 5), sigma, 6, 3)
    mean, once = number(utility.empirical(R, p, R(N))), number(utility.single_release(R, p, R(N), R(Fraction(1, 20))))
    deviation = float(found.std() / np.sqrt(len(found)))
    assert found.mean() - 4 * deviation <= mean
    above = int((found > once).sum())
    assert above == 0 or beta_law.ppf(1e-4, above, len(found) - above + 1) <= 1 / 20


def test_a_missing_perturbation_term_would_be_caught() -> None:
    """With features near 0 the objective is (mu/2)|w|^2: the mean excess risk is d sigma^2/(2 mu), the whole of U2."""
    problem = SmallProblem(np.full((1, 3), 1e-6), np.ones(1), Fraction(1, 5), Fraction(1), Fraction(1))
    found = excess_risks(problem, 1.0, 60, 400, 7)
    p = release(Fraction(1, 5), Fraction(1), 1, 3)
    bound = number(utility.perturbation(p))
    assert abs(found.mean() - bound) <= 4 * float(found.std()) / 20
    assert found.mean() - 4 * float(found.std()) / 20 > 0.5 * bound


def failing(conditions: Iterable[Condition[Interval]]) -> list[str]:
    listed = list(conditions)
    return [item.text for item in decide(lambda _: listed) if item.decision is not Decision.PROVED]


P = release(Fraction(1, 100), Fraction(1, 10**5), 10**6, 10**4)
SMALL, LARGE = R(Fraction(1, 10**9)), R(1)


def test_conditions_of_the_bounds() -> None:
    N, q, b = R(1500), R(Fraction(1, 100)), R(Fraction(1, 1000))
    stated: tuple[tuple[str, Callable[[Interval], Iterable[Condition[Interval]]]], ...] = (
        ("mean empirical excess risk (U2)", lambda c: utility.empirical_conditions(R, P, N, c)),
        ("regularised population excess risk (U3)", lambda c: utility.population_conditions(R, P, N, q, c)),
        ("unregularised population excess risk (U4)", lambda c: utility.unregularized_conditions(R, P, N, q, R(1), c)),
        ("population excess risk of one release (U5)", lambda c: utility.single_release_conditions(R, P, N, b, q, c)),
        ("empirical excess risk of one release (U5)", lambda c: utility.single_release_conditions(R, P, N, b, None, c)),
    )
    for text, conditions in stated:
        assert failing(conditions(LARGE)) == []
        assert failing(conditions(SMALL)) == [f"{text} <= bound"]


def test_conditions_on_the_failure_probabilities() -> None:
    N, zero, one = R(1500), R(0), R(1)
    assert "0 < delta_S" in failing(utility.population_conditions(R, P, N, zero, LARGE))
    assert failing(utility.population_conditions(R, P, N, one, LARGE)) == ["delta_S < 1"]
    assert failing(utility.single_release_conditions(R, P, N, one, None, LARGE)) == ["beta < 1"]
    assert failing(utility.empirical_conditions(R, P, R(0), R(10**6))) == ["1 <= N"]
    assert failing(utility.unregularized_conditions(R, P, N, R(Fraction(1, 2)), R(-1), LARGE)) == [
        "0 <= comparator norm"
    ]


def at_mu(mu: Interval) -> Objective[Interval]:
    return objective(R, 10**6, mu, R(1), logistic_constants(R))


def target(epsilon: Fraction, W: Fraction, delta: Fraction = Fraction(1, 10**7)) -> Target[Interval]:
    return Target(R(epsilon), R(delta), R(Fraction(1, 100)), R(W))


targets = st.builds(
    target,
    st.fractions(min_value=Fraction(1, 50), max_value=1, max_denominator=50),
    st.fractions(min_value=Fraction(1, 10), max_value=1000, max_denominator=10),
    st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(1, 2), max_denominator=10**9),
)


@given(targets, st.integers(1, 500))
@settings(max_examples=15)
def test_the_calibrated_release_is_private(asked: Target[Interval], d: int) -> None:
    """Theorem 4.1 itself certifies (epsilon, delta) at any count that meets (7) and c_N <= epsilon/4."""
    p = utility_calibration.calibration(R, asked, d, at_mu).release
    N = R(int(ends(theorem_41.threshold(R, p))[1]) + 1)
    if proved(decide(lambda _: list(utility_calibration.settled(R, asked, p, N)))):
        assert failing(theorem_41.conditions(R, p, N, asked.epsilon, asked.delta)) == []
    assert failing(utility_calibration.range_conditions(R, asked)) == []


@given(targets, st.integers(1, 500))
@settings(max_examples=15)
def test_the_finite_correction_is_what_epsilon0_holds(asked: Target[Interval], d: int) -> None:
    """epsilon0 = G^2/(2 sigma^2) + log(1 + L2 zeta^2/(n mu)) + c_N, and c_N falls above the threshold."""
    p = utility_calibration.calibration(R, asked, d, at_mu).release
    N = int(ends(theorem_41.threshold(R, p))[1]) + 1
    c = utility_calibration.finite_correction(R, p, R(N))
    limit = (p.G / p.sigma) ** 2 / 2 + theorem_41.determinant_floor(R, p)
    whole = ends(theorem_41.epsilon0(R, p, R(N)))
    assert whole[0] <= ends(limit + c)[1] and ends(limit + c)[0] <= whole[1]
    assert ends(utility_calibration.finite_correction(R, p, R(N + 1)))[1] < ends(c)[0]


def test_calibration_drops_the_middle_term() -> None:
    """At W = 1 mu_util is the larger, at W = 100000 and epsilon = 1/100 mu_priv is."""
    found = utility_calibration.calibration(R, target(Fraction(1), Fraction(1)), 100, at_mu)
    assert ends(found.mu_priv)[1] < ends(found.mu_util)[0]
    leading = R.sqrt(2 * found.cost)
    risk = utility_calibration.excess_risk(R, found, R(365), R(1))
    assert abs(ends(risk)[1] / ends(leading)[1] - 1) < Fraction(1, 10**12)
    wide = R(100_000)
    found = utility_calibration.calibration(R, target(Fraction(1, 100), Fraction(100_000)), 100, at_mu)
    assert ends(found.mu_util)[1] < ends(found.mu_priv)[0]
    risk = utility_calibration.excess_risk(R, found, R(200_000), wide)
    assert ends(risk)[0] > ends(wide * R.sqrt(2 * found.cost) + found.mu_priv * wide**2 / 2)[0]


def test_calibration_conditions() -> None:
    asked = target(Fraction(1), Fraction(1))
    claimed = R(Fraction(35, 1000))
    assert failing(utility_calibration.conditions(R, asked, 100, at_mu, R(365), claimed)) == []
    low = utility_calibration.conditions(R, asked, 100, at_mu, R(365), R(Fraction(34, 1000)))
    assert failing(low) == ["unregularised population excess risk (U6) <= bound"]
    assert "threshold (7) <= N" in failing(utility_calibration.conditions(R, asked, 100, at_mu, R(300), claimed))
    assert "epsilon <= 1" in failing(utility_calibration.range_conditions(R, target(Fraction(2), Fraction(1))))
