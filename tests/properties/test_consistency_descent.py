"""The gradient-descent theorems beside each other and beside formulas computed by Arb, through ``certify.evaluate``."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from certify import Enclosure
from tests.properties.declared import prop
from tests.properties.drawn import MILD_DELTA, counts, scaled
from tests.properties.ends import agree, evaluated, in_order, meet, value
from tests.properties.oracle import ball, precision
from tests.properties.problems import ANY, CLASS, LOGISTIC, problem, threshold_count

_BUDGET = scaled(-1, 1)


def gradient_gap(given: dict[str, object]) -> Fraction:
    """G = 2 L1 zeta/n from the inputs."""
    return 2 * Fraction(given.get("L1", 1)) * Fraction(given.get("zeta", 1)) / Fraction(given["n"])  # type: ignore[arg-type]


@prop(20, given=ANY, epsilon=_BUDGET, more=st.sampled_from([1, 2, 10]))
def test_theorem_c13_is_never_worse_than_theorem_41_where_its_threshold_is_met(
    given: dict[str, object], epsilon: Fraction, more: int
) -> None:
    at = {**given, "iterations": more * threshold_count(given), "epsilon": epsilon}
    closed = evaluated("gd.theorem-4.1", at)
    assume(closed.hold)
    exact = evaluated("gd.theorem-c13", at)
    assert exact.hold
    assert in_order(exact["delta"], closed["delta"])
    assert in_order(exact["s"], closed["epsilon0"])
    assert in_order(exact["tau"], closed["tau_star"])


@prop(15, given=ANY)
def test_spent_budget_falls_to_its_limit(given: dict[str, object]) -> None:
    """D5: s_N exceeds epsilon_infinity = G^2/(2 sigma^2) + log(1 + Delta_H/(2 n mu)) by next to nothing at large N."""
    limit = value("gd.limit", "epsilon_limit", given)
    at = {**given, "epsilon": 10**6, "iterations": 4 * threshold_count(given)}
    spent = value("gd.theorem-c13", "s", at)
    assert in_order(limit, spent)
    assert agree(limit, spent, 8)
    n, mu, zeta = (Fraction(given.get(name, 1)) for name in ("n", "mu", "zeta"))  # type: ignore[arg-type]
    curvature = Fraction(given.get("L2", Fraction(1, 4)))  # type: ignore[arg-type]
    with precision(300):
        true = 1 / (2 * ball(given["sigma_over_G"]) ** 2) + (1 + ball(curvature * zeta**2 / (n * mu))).log()  # type: ignore[arg-type]
        assert ball(limit.lower) <= true <= ball(limit.upper)


@prop(4, given=ANY, epsilon=_BUDGET, less=st.sampled_from([1, 2]))
def test_sharp_certificate_is_never_above_the_fixed_radii(
    given: dict[str, object], epsilon: Fraction, less: int
) -> None:
    at = {**given, "iterations": max(1, threshold_count(given) // less), "epsilon": epsilon}
    fixed = evaluated("gd.theorem-c13", at)
    assume(fixed.hold)
    sharp = evaluated("gd.theorem-c13", {**at, "variant": "sharp"})
    assert sharp.hold
    assert sharp["delta"].upper <= fixed["delta"].upper


@prop(4, given=problem(CLASS), epsilon=_BUDGET, variant=st.sampled_from(["fixed-radii", "sharp"]))
def test_no_certificate_of_the_class_is_below_its_floor(
    given: dict[str, object], epsilon: Fraction, variant: str
) -> None:
    """D7: the linear loss is in the class, and its release has the profile at G/sigma, G from the inputs."""
    sigma = Fraction(given["sigma_over_G"]) * gradient_gap(given)  # type: ignore[arg-type]
    stated = {name: drawn for name, drawn in given.items() if name != "sigma_over_G"}
    at = {**stated, "sigma": sigma, "u": 40, "iterations": 2 * threshold_count({**given, "u": 40}), "epsilon": epsilon}
    found = evaluated("gd.theorem-c13", {**at, "variant": variant})
    assume(found.hold)
    floor = value("gd.benchmark", "profile", {"ratio": gradient_gap(given) / sigma, "epsilon": epsilon})
    assert in_order(floor, found["delta"])


@prop(15, given=ANY, epsilon=_BUDGET)
def test_delta_is_the_truncation_and_the_divergence(given: dict[str, object], epsilon: Fraction) -> None:
    """exp(-u^2/2) as `tails.chi` has it at r_u, and 2 (G/sigma) Q1 at the excess over epsilon0 as `tails.q1` has it."""
    at = {**given, "iterations": threshold_count(given), "epsilon": epsilon}
    found = evaluated("gd.theorem-4.1", at, 20)
    assume(found.hold)
    scale, u = Fraction(given["sigma_over_G"]), Fraction(given["u"])  # type: ignore[arg-type]
    with precision(300):
        paid = (-(ball(u) ** 2) / 2).exp()
        assert ball(found["truncation"].lower) <= paid <= ball(found["truncation"].upper)
    excess = [scale * (epsilon - end) for end in (found["epsilon0"].upper, found["epsilon0"].lower)]
    least, most = (value("tails.q1", "q1", {"t": t}, 20) for t in reversed(excess))
    bounds = [Enclosure(2 * end.lower / scale, 2 * end.upper / scale) for end in (least, most)]
    assert bounds[0].lower <= found["divergence"].upper
    assert found["divergence"].lower <= bounds[1].upper
    total = Enclosure(*(getattr(found["truncation"], e) + getattr(found["divergence"], e) for e in ("lower", "upper")))
    assert meet(total, found["delta"])
    exact = evaluated("gd.theorem-c13", {**at, "iterations": 2 * at["iterations"]})
    assert exact["delta"].lower >= found["truncation"].lower * (1 - Fraction(1, 10**9))


@prop(15, ratio=scaled(-1, 0), epsilon=scaled(0, 1))
def test_benchmark_certificate_is_above_the_exact_profile(ratio: Fraction, epsilon: Fraction) -> None:
    """Lemma C.12 bounds what G1 gives exactly."""
    found = evaluated("gd.benchmark", {"ratio": ratio, "epsilon": epsilon})
    assert in_order(found["profile"], found["certificate"])
    t = epsilon / ratio - ratio / 2
    q1 = value("tails.q1", "q1", {"t": t})
    assert meet(found["certificate"], Enclosure(2 * ratio * q1.lower, 2 * ratio * q1.upper))
    assert meet(found["profile"], value("gaussian.profile", "delta", {"epsilon": epsilon, "ratio": ratio}))


@prop(10, given=problem(LOGISTIC), iterations=counts(0, 4), failure=MILD_DELTA)
def test_risk_bounds_are_made_of_their_parts(given: dict[str, object], iterations: int, failure: Fraction) -> None:
    at = {**given, "iterations": iterations}
    empirical = evaluated("utility.empirical", at, 20)
    population = evaluated("utility.population", {**at, "delta_S": failure}, 20)
    compared = evaluated("utility.unregularized", {**at, "delta_S": failure, "comparator_norm": 3}, 20)
    twice = [2 * getattr(empirical["bound"], e) + getattr(population["sample"], e) for e in ("lower", "upper")]
    assert meet(population["bound"], Enclosure(*twice))
    more = Fraction(given["mu"]) * 9 / 2  # type: ignore[arg-type]
    shifted = Enclosure(population["bound"].lower + more, population["bound"].upper + more)
    assert meet(compared["bound"], shifted)
    parts = [sum(getattr(empirical[name], e) for name in ("perturbation", "optimization")) for e in ("lower", "upper")]
    assert meet(empirical["bound"], Enclosure(*parts))
    n, mu = Fraction(given["n"]), Fraction(given["mu"])  # type: ignore[arg-type]
    with precision(300):
        sample = 16 * (32 - ball(failure).log()) / ball(mu * n)
        assert ball(population["sample"].lower) <= sample <= ball(population["sample"].upper)
    single = evaluated("utility.single-release", {**at, "beta": Fraction(1, 10**6)}, 20)
    assert in_order(empirical["bound"], single["empirical"])
