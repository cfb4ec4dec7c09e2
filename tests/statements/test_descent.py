"""D1, D2, D4-D7 against an independent evaluation, their hypotheses, and the facts that their docstrings prove."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import decide
from certify.statements.descent import (
    benchmark,
    constants,
    diffeomorphism,
    domain_radius,
    first_count,
    jacobian,
    limit,
    theorem_41,
    theorem_c13,
)
from certify.statements.descent.radii import Radii, fixed_radii, fixed_tail, trajectory_scale, truncation_parameter
from certify.statements.language import Condition
from tests.statements.descent_reference import Problem, disagreements, number, problems

R = Intervals(200)
EXAMPLE = Problem(
    10**6, 10**4, Fraction("0.01"), Fraction(1), Fraction(1, 4), Fraction(1, 11), Fraction(5), Fraction(6)
)
SMALL = Problem(5, 3, Fraction(1, 2), Fraction(1), Fraction(1, 4), Fraction(1, 10), Fraction(5), Fraction(3))


def may_be_equal(left: Interval, right: Interval) -> bool:
    """Whether two enclosures share a point; for a much finer one this is containment."""
    a, b = Enclosure.of(left), Enclosure.of(right)
    return a.lower <= b.upper and b.lower <= a.upper


def failing(conditions: Iterable[Condition[Interval]]) -> list[str]:
    """The texts of the conditions that are not proved."""
    listed = list(conditions)
    decided = decide(lambda _: listed)
    return [item.text for item in decided if item.decision is not Decision.PROVED]


@given(problems, st.integers(1, 60), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_theorem_c13_agrees_with_the_sums_written_out(problem: Problem, N: int, epsilon: int) -> None:
    """gamma, nu, nu~, corr, alpha, tau, s, need and delta enclose an independent evaluation."""
    assert disagreements(R, problem, N, Fraction(epsilon)) == []


@given(problems, st.integers(1, 500), st.integers(0, 300), st.data())
@settings(max_examples=40, deadline=None)
def test_an_interval_of_counts_contains_each_of_its_counts(
    problem: Problem, N: int, more: int, data: st.DataObject
) -> None:
    """What is evaluated on [N, N + more] contains the value at every count inside."""
    low, count = Intervals(64), data.draw(st.integers(N, N + more))

    def values(R: Intervals, t: Interval) -> list[Interval]:
        p = problem.read(R)
        radii = fixed_radii(R, p)
        alpha = theorem_c13.alpha_bar(R, p, t, radii)
        return [
            jacobian.gamma(R, p, t),
            jacobian.nu(R, p, t),
            jacobian.nu_tilde(R, p, t),
            jacobian.g_bar(R, p, t),
            alpha,
            theorem_c13.residual(R, p, t, radii),
            theorem_c13.displacement(R, p, t),
            R.maximum(theorem_c13.spent(R, p, t, radii, R.maximum(alpha, R(Fraction(1, 100)))), R(0)),
        ]

    wide, fine = values(low, low.between(N, N + more)), values(R, R(count))
    assert all(may_be_equal(a, b) for a, b in zip(wide, fine, strict=True))


@given(problems, st.integers(1, 80))
@settings(max_examples=40, deadline=None)
def test_nu_tilde_does_not_fall(problem: Problem, N: int) -> None:
    """The fact that ranges of counts rest on, proved in the docstring of nu_tilde: nondecreasing and nonnegative."""
    p = problem.read(R)
    here, after = (Enclosure.of(jacobian.nu_tilde(R, p, R(k))) for k in (N, N + 1))
    assert 0 <= here.upper <= after.upper
    assert Enclosure.of(jacobian.nu_tilde(R, p, R(1))).upper < Fraction(1, 10**40)


def test_one_step_of_size_one_over_l_has_no_determinant_ratio() -> None:
    """N = 1 with eta L = 1: 0^0 = 1 makes g-bar_1 = 0 exactly, gamma_1 = 1/L, and tau is 0 up to its own rounding."""
    p = EXAMPLE.read(R)
    radii, one = fixed_radii(R, p), R(1)
    assert jacobian.g_bar(R, p, one).exact == 0
    assert jacobian.g_bar(R, p, R(2)).exact == 1
    assert jacobian.gamma(R, p, one).exact == Fraction(100, 26)
    alpha = theorem_c13.alpha_bar(R, p, one, radii)
    assert abs(Enclosure.of(theorem_c13.tau(R, p, one, radii, alpha)).upper) < Fraction(1, 10**30)


def test_a_linear_hessian_needs_no_correction() -> None:
    """L3 = 0 with M = 0: corr = 0, the threshold has its limit value, and tau* loses its N-term."""
    problem = replace(EXAMPLE, L3=Fraction(0))
    p, tiny = problem.read(R), replace(problem.read(R), M=R(Fraction(1, 10**60)), defaults=frozenset({"L", "eta"}))
    N = R(1500)
    assert jacobian.correction(R, p, N, R(1)).exact == 0
    assert failing(theorem_41.hypotheses(R, p, N, R(1))) == []
    assert failing(theorem_41.hypotheses(R, tiny, N, R(1))) == []
    assert Enclosure.of(theorem_41.threshold(R, p)) == Enclosure.of(theorem_41.threshold(R, tiny))
    floor, star = theorem_41.determinant_floor(R, p), theorem_41.tau_star(R, p, N)
    assert Enclosure.of(star) == Enclosure.of(floor)
    assert Enclosure.of(theorem_41.tau_star(R, tiny, N)).upper - Enclosure.of(star).upper < Fraction(1, 10**50)


def test_the_threshold_caps_the_factor_of_the_hessian() -> None:
    """The second entry of (7) as printed, with min{1, MG/L}, on both sides of MG = L."""
    for L3 in (Fraction(1, 10), Fraction(10**9)):
        p = replace(SMALL, L3=L3).read(R)
        outer = fixed_radii(R, p).outer
        printed = (
            8 * p.L * p.M / p.mu * trajectory_scale(p, outer)
            / (R.exp(R(1)) * p.rho * p.mu * R.minimum(R(1), p.M * p.G / p.L))
        )  # fmt: skip
        right = 2 / (p.eta * p.mu) * R.log(R.maximum(printed, R(4)))
        gap = Enclosure.of(theorem_41.threshold(R, p) - right)
        assert gap.upper >= 0
        assert gap.lower < Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"mu": -1}, "0 < mu"),
        ({"eta": -1}, "0 < eta"),
        ({"eta": 5}, "eta <= 1/L (as eta L <= 1)"),
        ({"eta": 200}, "eta mu < 1"),
        ({"L": Fraction(1, 5)}, "mu + L2 zeta^2 <= L"),
        ({"M": Fraction(1, 100)}, "L3 zeta^3 <= M"),
        ({"n": 0}, "1 <= n"),
        ({"d": 0}, "1 <= d"),
        ({"sigma": 0}, "0 < sigma"),
        ({"L1": 0}, "0 < G"),
        ({"u": -1}, "0 <= u"),
    ],
)
def test_each_hypothesis_is_asked_for(change: dict[str, int | Fraction], text: str) -> None:
    """A constant outside its range is named by the hypothesis that it breaks."""
    (name, value), p = next(iter(change.items())), EXAMPLE.read(R)
    kept = frozenset({"L", "M", "eta"}) - {name}
    given_value = value if name in ("n", "d") else R(value)
    broken = replace(p, defaults=kept, **{name: given_value})  # type: ignore[arg-type]
    missed = [
        item.text
        for item in constants.release_hypotheses(R, broken)
        if decide(lambda _, i=item: [i])[0].decision is not Decision.PROVED
    ]
    assert text in missed


def test_defaults_hold_by_definition_at_every_precision() -> None:
    """eta = 1/L, L and M by default are proved though L3 is irrational and L has more digits than are kept exactly."""
    R2 = Intervals(64)
    mu = Fraction(1, 3) + Fraction(1, 10**9999)
    losses = constants.logistic_constants(R2)
    p = constants.released(constants.objective(R2, 3, R2(mu), R2(1), losses), 2, R2(1))
    assert failing(constants.release_hypotheses(R2, p)) == []
    assert truncation_parameter(R2, p).exact == 0


def test_logistic_constants_bound_the_derivatives() -> None:
    """|l'|, l'', |l'''| of the logistic loss on a grid stay below L1, L2, L3 and come near L2 and L3."""
    L1, L2, L3 = (Enclosure.of(x).upper for x in constants.logistic_constants(R))
    from mpmath import mp

    grid = [mpf(k) / 50 for k in range(-1000, 1001)]
    values = [1 / (1 + mp.exp(t)) for t in grid]
    assert max(values) < number(L1)
    assert number(L2) >= max(s * (1 - s) for s in values) > number(L2) - mpf("1e-9")
    third = max(abs(s * (1 - s) * (1 - 2 * s)) for s in values)
    assert number(L3) >= third > number(L3) - mpf("1e-4")


def test_theorem_41_at_its_threshold() -> None:
    """1319 is the least count for Example 4.8; conditions fail one by one below it, below epsilon0 and below delta."""
    losses = constants.logistic_constants(R)
    p = constants.objective(R, 10**6, R(Fraction(1, 100)), R(1), losses)
    release = constants.released(p, 10**4, 5 * p.G, R(6))
    assert failing(theorem_41.least_iterations(R, release, R(1319))) == []
    assert failing(theorem_41.least_iterations(R, release, R(1320))) == ["N - 1 < threshold (7)"]
    good = (R(1319), R(1), R(Fraction("5.17e-8")))
    assert failing(theorem_41.conditions(R, release, *good)) == []
    assert failing(theorem_41.conditions(R, release, R(1318), *good[1:])) == ["threshold (7) <= N"]
    assert failing(theorem_41.conditions(R, release, R(1319), R(Fraction("0.02")), R(1))) == ["epsilon0 (9) <= epsilon"]
    assert failing(theorem_41.conditions(R, release, R(1319), R(1), R(Fraction("5.1e-8")))) == [
        "delta(epsilon) (10) <= delta"
    ]


def test_theorem_c13_names_what_fails() -> None:
    """alpha <= 0, (47), s_N and delta are separate conditions; other radii come with the tail of their own."""
    p = EXAMPLE.read(R)
    one, delta = R(1), R(Fraction("1e-7"))
    assert failing(theorem_c13.conditions(R, p, R(600), one, delta)) == []
    assert "0 < alpha" in failing(theorem_c13.conditions(R, p, R(100), one, delta))
    narrow = Radii(fixed_radii(R, p).inner, p.G)
    missed = failing(theorem_c13.conditions(R, p, R(600), one, delta, narrow, R(0)))
    assert missed == ["(47) G(1 - rho^N)/mu <= alpha (r' - r)"]
    assert failing(theorem_c13.conditions(R, p, R(600), R(Fraction("0.001")), R(1))) == ["s_N <= epsilon"]
    assert failing(theorem_c13.conditions(R, p, R(600), one, R(Fraction("1e-8")))) == ["delta(epsilon) (50) <= delta"]


@given(problems, st.integers(1, 200))
@settings(max_examples=40, deadline=None)
def test_the_least_domain_radius_satisfies_47_and_a_smaller_one_does_not(problem: Problem, N: int) -> None:
    """D6: at the root, a little more satisfies (47) and a little less does not; where D < 2 sqrt(cA) no radius does."""
    p, count = problem.read(R), R(N)
    inner = fixed_radii(R, p).inner
    exists = failing(domain_radius.existence(R, p, count, inner)) == []

    def satisfies(gap: Fraction) -> bool:
        radii = Radii(inner, R(gap))
        alpha = theorem_c13.alpha_bar(R, p, count, radii)
        apart = theorem_c13.displacement(R, p, count)
        return failing([Condition("alpha", R(0), "<", alpha), Condition("47", apart, "<=", alpha * radii.gap)]) == []

    if exists:
        gap = Enclosure.of(domain_radius.least_radii(R, p, count, inner).gap)
        tight = gap.upper - gap.lower < gap.upper / 10**6
        assert not satisfies(gap.lower * (1 - Fraction(1, 10**3)))
        assert satisfies(gap.upper * (1 + Fraction(1, 10**9))) or not tight or not _has_room(p, count, inner, gap.upper)
    else:
        assert not any(satisfies(Fraction(k, 100) * Fraction(10) ** e) for k in (1, 20, 50) for e in range(-6, 8))


def _has_room(p: constants.Descent[Interval], count: Interval, inner: Interval, gap: Fraction) -> bool:
    """Whether a slightly larger gap still lies below the greater root."""
    steepness = jacobian.correction_per_scale(R, p, count) / p.mu
    apart = theorem_c13.displacement(R, p, count)
    alpha = theorem_c13.alpha_bar(R, p, count, Radii(inner, R(gap * (1 + Fraction(1, 10**9)))))
    return Enclosure.of(alpha**2 - steepness * apart).lower > 0


def test_diffeomorphism() -> None:
    """D4: alpha at r' is the alpha of C.13; it is not positive at small counts and large radii, and 1/L for M = 0."""
    p = EXAMPLE.read(R)
    radii = fixed_radii(R, p)
    alpha = diffeomorphism.alpha(R, p, R(519), radii.outer)
    assert Enclosure.of(alpha) == Enclosure.of(theorem_c13.alpha_bar(R, p, R(519), radii))
    assert failing(diffeomorphism.conditions(R, p, R(519), radii.outer)) == []
    assert failing(diffeomorphism.conditions(R, p, R(100), radii.outer)) == ["0 < alpha_D"]
    assert failing(diffeomorphism.conditions(R, p, R(519), R(-1))) == ["0 <= radius"]
    flat = replace(EXAMPLE, L3=Fraction(0)).read(R)
    assert diffeomorphism.alpha(R, flat, R(7), R(5)).exact == Fraction(100, 26)


def test_s_and_epsilon0_tend_to_the_limit() -> None:
    """D5: both approach epsilon_inf as N grows, from above for eta L = 1."""
    p = EXAMPLE.read(R)
    target, radii = limit.epsilon_limit(R, p, p.sigma), fixed_radii(R, p)
    distances = []
    for N in (600, 1200, 2400):
        s = theorem_c13.spent(R, p, R(N), radii, theorem_c13.alpha_bar(R, p, R(N), radii))
        distances += [Enclosure.of(s - target), Enclosure.of(theorem_41.epsilon0(R, p, R(N)) - target)]
    assert all(item.lower > 0 for item in distances)
    assert all(later.upper < earlier.lower for earlier, later in zip(distances, distances[2:], strict=False))
    assert distances[-2].upper < Fraction(1, 10**30)


def test_a_public_start_widens_the_trajectory_scale() -> None:
    """Remark 4.3: |w_0| is added to R-bar, so threshold and s_N rise."""
    p = EXAMPLE.read(R)
    far = replace(p, start=R(3))
    outer, N = fixed_radii(R, p).outer, R(600)
    assert Enclosure.of(trajectory_scale(far, outer) - trajectory_scale(p, outer) - 3).upper < Fraction(1, 10**40)
    assert Enclosure.of(theorem_41.threshold(R, far)).lower > Enclosure.of(theorem_41.threshold(R, p)).upper
    radii = fixed_radii(R, p)
    near, away = (theorem_c13.spent(R, q, N, radii, theorem_c13.alpha_bar(R, q, N, radii)) for q in (p, far))
    assert Enclosure.of(away).lower > Enclosure.of(near).upper


@pytest.mark.parametrize("factor", [2, 10])
def test_bounds_fall_as_noise_records_and_regularization_grow(factor: int) -> None:
    """delta of Theorem 4.1 at one large N falls in sigma and n; epsilon_inf falls in sigma, n and mu."""
    N, epsilon = R(20_000), R(1)
    base = EXAMPLE.read(R)
    for changed in (
        replace(EXAMPLE, sigma_over_G=EXAMPLE.sigma_over_G * factor),
        replace(EXAMPLE, n=EXAMPLE.n * factor, sigma_over_G=EXAMPLE.sigma_over_G * factor),
    ):
        p = changed.read(R)
        assert (
            Enclosure.of(theorem_41.delta(R, p, N, epsilon)).upper
            < Enclosure.of(theorem_41.delta(R, base, N, epsilon)).lower
        )
        assert (
            Enclosure.of(limit.epsilon_limit(R, p, p.sigma)).upper
            < Enclosure.of(limit.epsilon_limit(R, base, base.sigma)).lower
        )
    heavier = replace(EXAMPLE, mu=EXAMPLE.mu * factor).read(R)
    assert (
        Enclosure.of(limit.epsilon_limit(R, heavier, heavier.sigma)).upper
        < Enclosure.of(limit.epsilon_limit(R, base, base.sigma)).lower
    )


@given(problems, st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_no_certificate_lies_below_the_benchmark(problem: Problem, epsilon: int) -> None:
    """D7: where 4.1 or C.13 certify, their delta is at least the exact profile of the linear loss."""
    p, budget = problem.read(R), R(epsilon)
    floor, radii = Enclosure.of(benchmark.class_floor(R, p, budget)), fixed_radii(R, p)
    for N in (20, 200, 2000):
        count = R(N)
        if failing(theorem_c13.hypotheses(R, p, count, budget, radii)) == []:
            assert Enclosure.of(theorem_c13.delta(R, p, count, budget, radii, fixed_tail(R, p))).lower >= floor.upper
        if failing(theorem_41.hypotheses(R, p, count, budget)) == []:
            assert Enclosure.of(theorem_41.delta(R, p, count, budget)).lower >= floor.upper


def test_benchmark_refutes_only_below_the_profile() -> None:
    """The class-level floor at sigma/G = 5, epsilon = 1 lies between 1.754e-8 and 1.755e-8."""
    p = EXAMPLE.read(R)
    assert failing(benchmark.refutation(R, p, R(1), R(Fraction("1.754e-8")))) == []
    assert failing(benchmark.refutation(R, p, R(1), R(Fraction("1.755e-8")))) == ["delta < delta(epsilon; G/sigma)"]
    assert failing([benchmark.certificate_range(R(1), R(2))]) == ["ratio^2/2 <= epsilon"]
    certificate_value = Enclosure.of(benchmark.certificate(R, R(1), R(Fraction(1, 5))))
    assert certificate_value.lower > Fraction("3.638e-8")


def test_obstructions_are_the_negations_of_the_conditions() -> None:
    """At one count: some obstruction is proved exactly where some condition of the certificate is disproved."""
    p, epsilon, delta = EXAMPLE.read(R), R(1), R(Fraction("1e-7"))
    radii, tail = fixed_radii(R, p), fixed_tail(R, p)
    for N in (1, 2, 10, 100, 400, 480, 500, 530, 600):
        stated = list(first_count.obstructions(R, p, R(N), epsilon, delta, radii, tail))
        passes = failing(theorem_c13.conditions(R, p, R(N), epsilon, delta)) == []
        assert (len(failing(stated)) == len(stated)) is passes


def test_endless_obstructions() -> None:
    """Below epsilon_inf, below the truncation and below the limiting delta nothing ever passes; above them it may."""
    p = EXAMPLE.read(R)
    tail, two = fixed_tail(R, p), R(2)

    def open_ones(epsilon: str, delta: str) -> int:
        stated = first_count.endless_obstructions(R, p, two, R(Fraction(epsilon)), R(Fraction(delta)), tail)
        return len(failing(stated))

    assert open_ones("0.02", "1") == 1
    assert open_ones("1", "1.5e-8") == 1
    assert open_ones("1", "5.16e-8") == 1
    assert open_ones("1", "5.17e-8") == 2
    assert open_ones("0.02002", "1e-8") == 0
