"""Hostile witnesses and precisions: they lose proofs and never make one of what is false, and every decision ends.

Each decision is held against Arb at 1,600 bits: a condition is proved only if it is not false there, and disproved
only if it is not true. Beside that, what the conditions together are said to show is held against its meaning.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import assume, event
from hypothesis import strategies as st

import certify
from certify import Decision, Limits, Verdict
from certify.kernel.interval import Intervals
from certify.kernel.loop import Decided, decide, enclose, proved
from certify.statements import gaussian, reconstruction, support, utility_calibration
from certify.statements.descent import constants, diffeomorphism, domain_radius, first_count, sharp, theorem_c13
from certify.statements.descent.radii import Radii, fixed_radii
from certify.statements.descent.sharp_trajectory import any_loss, logistic_loss
from certify.statements.language import at_most
from certify.statements.support import Candidates
from tests.properties import oracle
from tests.properties.claim_files import output_file, privacy, verdict
from tests.properties.declared import prop
from tests.properties.drawn import DELTA, MILD_DELTA, MILD_EPSILON, MILD_RATIO, RATIO, SMALL, counts, scaled
from tests.properties.ends import value
from tests.properties.oracle import Balls, ball, comparison, precision

Stated = Callable[[Any], Iterable[Any]]
BITS = st.integers(2, 256)
SECONDS = 20

HOSTILE = st.one_of(
    st.sampled_from([Fraction(x) for x in (0, 1, -1, "1e-400", "-1e-400", "1e400", "-1e400", "1e-30", "1e30", "1/3")]),
    st.fractions(-100, 100, max_denominator=10**6),
    scaled(-12, 12),
    scaled(-12, 12).map(lambda x: -x),
)
"""Zero, one, negative, huge, tiny and arbitrary numbers."""
NEARBY = st.sampled_from(
    [
        *(Fraction(x) for x in ("1/10", "1/2", 1, 2, 10)),
        *(1 + sign * Fraction(1, 10**k) for k in (1, 3, 9, 15, 20, 40) for sign in (-1, 1)),
    ]
)
"""Factors that put a witness on, just beside or near the right one."""


def decided_within(stated: Stated, bits: int, evaluations: int = 20_000) -> tuple[Decided, ...]:
    """The decisions at up to ``bits`` bits, each held against Arb."""
    start = time.process_time()
    found = decide(stated, Limits(max_bits=bits, max_evaluations=evaluations))
    assert time.process_time() - start < SECONDS
    with precision():
        for item, true in zip(found, stated(Balls()), strict=False):
            if item.text != true.text:
                continue  # the mark of an evaluation cut off
            holds = comparison(true.left, true.relation, true.right)
            if item.decision is Decision.PROVED:
                assert holds is not False
                assert true.left.number.is_finite() and true.right.number.is_finite()
            if item.decision is Decision.DISPROVED:
                assert holds is not True
    event("proved" if proved(found) else "not proved")
    return found


@prop(
    60,
    epsilon=scaled(-9, 3),
    delta=MILD_DELTA,
    sensitivity=scaled(-3, 3),
    lower=st.one_of(NEARBY.map(lambda x: (x,)), HOSTILE, NEARBY.map(lambda x: (x,))),
    upper=st.one_of(NEARBY.map(lambda x: (x,)), HOSTILE, NEARBY.map(lambda x: (x,))),
    bits=BITS,
)
def test_no_bracket_proves_a_wrong_sigma(
    epsilon: Fraction,
    delta: Fraction,
    sensitivity: Fraction,
    lower: Fraction | tuple[Fraction],
    upper: Fraction | tuple[Fraction],
    bits: int,
) -> None:
    """G3: a proved bracket holds the infimum; a factor in a tuple stands for that multiple of sigma*."""
    true = value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity}, 45)
    low, high = (end[0] * true.upper if isinstance(end, tuple) else end for end in (lower, upper))
    found = decided_within(
        lambda R: gaussian.analytic_sigma(R, R(epsilon), R(delta), R(sensitivity), R(low), R(high)), bits
    )
    if proved(found):
        assert low <= true.upper and true.lower <= high


@prop(
    60,
    delta=MILD_DELTA,
    ratio=scaled(-1, 2),
    lower=st.one_of(HOSTILE, NEARBY.map(lambda x: (x,))),
    upper=st.one_of(HOSTILE, NEARBY.map(lambda x: (x,))),
    bits=BITS,
)
def test_no_bracket_proves_a_wrong_epsilon(
    delta: Fraction,
    ratio: Fraction,
    lower: Fraction | tuple[Fraction],
    upper: Fraction | tuple[Fraction],
    bits: int,
) -> None:
    """G2: a proved bracket holds the least epsilon."""
    true = value("gaussian.epsilon", "epsilon", {"delta": delta, "ratio": ratio}, 45)
    assume(true.upper > 0)
    low, high = (end[0] * true.upper if isinstance(end, tuple) else end for end in (lower, upper))
    assume(all(abs(end) / ratio < 10**5 for end in (low, high)))
    found = decided_within(lambda R: gaussian.tight_epsilon(R, R(delta), R(ratio), R(low), R(high)), bits)
    if proved(found):
        assert low <= true.upper and true.lower <= high


def best_level(distances: list[Fraction], prior: list[Fraction]) -> oracle.arb:
    """The least of R4 over its levels, by halving on the sign of its slope in Arb; above it by less than 1e-60."""

    def threshold(a: Fraction, weight: Fraction, level: oracle.arb) -> oracle.arb:
        return ((ball(weight) / level).log() - ball(a * a) / 2) / ball(a)

    low, high = oracle.arb(2) ** -4000, oracle.arb(1)
    for _ in range(4400):
        middle = (low * high).sqrt().mid() if high > 4 * low else ((low + high) / 2).mid()
        inside = sum(
            (oracle.upper_tail(-threshold(a, p, middle)) for a, p in zip(distances, prior, strict=True)), oracle.arb(0)
        )
        low, high = (middle, high) if inside > 1 else (low, middle)
        if high - low < high * oracle.arb(2) ** -220:
            break
    total = high
    for a, p in zip(distances, prior, strict=True):
        x = threshold(a, p, high)
        total += ball(p) * oracle.upper_tail(-(x + ball(a))) - high * oracle.upper_tail(-x)
    return total


@prop(
    25,
    distances=st.lists(MILD_RATIO, min_size=2, max_size=4),
    weights=st.lists(st.integers(1, 20), min_size=4, max_size=4),
    lower=HOSTILE,
    upper=HOSTILE,
    bits=BITS,
)
def test_no_level_gives_a_wrong_support_bound(
    distances: list[Fraction], weights: list[int], lower: Fraction, upper: Fraction, bits: int
) -> None:
    """R4: at every level the bound is at least the best; where the slope is proved to turn, the floor at most it."""
    kept = weights[: len(distances)]
    prior = [Fraction(weight, sum(kept)) for weight in kept]

    def groups(R: Any) -> list[Candidates[Any]]:
        return [Candidates(1, R(a), R(p)) for a, p in zip(distances, prior, strict=True)]

    found = decided_within(lambda R: support.slope_turns(R, groups(R), R(lower), R(upper)), bits)
    limits = Limits(max_bits=bits, max_evaluations=20_000)

    def bounds(R: Intervals) -> dict[str, Any]:
        level = R(lower)
        bound = support.support_bound(R, groups(R), level)
        slope = support.support_slope(R, groups(R), level)
        return {"bound": bound, "floor": support.support_floor(bound, slope, level, R(upper))}

    values = enclose(bounds, 12, limits)
    assume("bound" in values)
    with precision(400):
        best, slack = best_level(distances, prior), oracle.arb(2) ** -150
        if values["bound"].is_bounded:
            assert not ball(values["bound"].upper) < best - slack
        if proved(found) and values["floor"].is_bounded:
            assert not ball(values["floor"].lower) > best + slack
            event("floor")


DESCENT = st.fixed_dictionaries(
    {
        "n": counts(2, 7),
        "d": counts(0, 4),
        "mu": scaled(-3, 0),
        "L3": st.one_of(st.just(Fraction(0)), scaled(-2, 0)),
        "scale": scaled(0, 1),
        "u": st.integers(0, 9),
    }
)


def released(R: Any, p: dict[str, Any]) -> Any:
    """The release of the problem drawn, L1 = 1 and L2 = 1/4."""
    found = constants.objective(R, p["n"], R(p["mu"]), R(1), (R(1), R(Fraction(1, 4)), R(p["L3"])))
    return constants.released(found, p["d"], R(p["scale"]) * 2 / p["n"], R(p["u"]))


def floor_of(p: dict[str, Any], epsilon: Fraction) -> Fraction:
    """A number below delta(epsilon; G/sigma), which every true claim over the class exceeds (D7)."""
    return value("gd.benchmark", "profile", {"ratio": 1 / p["scale"], "epsilon": epsilon}).lower


SPLITS = st.tuples(*[st.one_of(st.sampled_from([0, -1, 10**30, -(10**30), 1, 2]), st.integers(-5, 3000))] * 2)


@prop(
    80,
    p=DESCENT,
    iterations=st.one_of(counts(3, 6), st.sampled_from([1, 2]), counts(1, 4)),
    epsilon=scaled(-1, 1),
    radius=st.one_of(HOSTILE, NEARBY, st.sampled_from([Fraction(3), Fraction(10)])),
    gap=st.one_of(HOSTILE, NEARBY, st.sampled_from([Fraction(3), Fraction(10)])),
    splits=SPLITS,
    natural=st.booleans(),
    named=st.booleans(),
    bits=BITS,
)
def test_no_radii_and_splits_prove_a_claim_below_the_floor(
    p: dict[str, Any],
    iterations: int,
    epsilon: Fraction,
    radius: Fraction,
    gap: Fraction,
    splits: tuple[int, int],
    natural: bool,
    named: bool,
    bits: int,
) -> None:
    """D2 and D8 at any radii and splits, against the class floor D7; natural: at multiples of the fixed radii.

    The logistic loss is no class: for it (named) the decisions alone are checked.
    """
    delta = floor_of(p, epsilon) * Fraction(999, 1000)

    def witness(R: Any, at: Any) -> sharp.Witness[Any]:
        radii = fixed_radii(R, at)
        if not natural:
            return sharp.Witness(Radii(R(radius), R(gap)), splits)
        return sharp.Witness(Radii(radii.inner * R(radius), radii.gap * R(gap)), splits)

    def by_d8(R: Any) -> Iterable[Any]:
        at = released(R, p)
        loss = logistic_loss(R) if named else any_loss(at)
        return sharp.conditions(R, at, iterations, R(epsilon), R(delta), loss, witness(R, at))

    def by_d2(R: Any) -> Iterable[Any]:
        at = released(R, p)
        radii = witness(R, at).radii
        tail = R(0) if named else None
        return theorem_c13.conditions(R, at, R(iterations), R(epsilon), R(delta), radii, tail)

    for stated in (by_d8, by_d2):
        found = decided_within(stated, bits)
        assert named or not proved(found)


@prop(20, p=DESCENT, count=st.one_of(HOSTILE, counts(0, 6).map(Fraction)), radius=HOSTILE, epsilon=SMALL, bits=BITS)
def test_no_count_and_radius_decide_wrongly(
    p: dict[str, Any], count: Fraction, radius: Fraction, epsilon: Fraction, bits: int
) -> None:
    """D3, D4 and D6 at any count and radius."""
    assume(abs(count) < 10**9)
    delta = Fraction(1, 10**6)

    def passing(R: Any) -> Iterable[Any]:
        return theorem_c13.conditions(R, released(R, p), R(count), R(epsilon), R(delta))

    def failing(R: Any) -> Iterable[Any]:
        at = released(R, p)
        return first_count.obstructions(R, at, R(count), R(epsilon), R(delta), fixed_radii(R, at), R(0))

    def smooth(R: Any) -> Iterable[Any]:
        return diffeomorphism.conditions(R, released(R, p), R(count), R(radius))

    def exists(R: Any) -> Iterable[Any]:
        return domain_radius.existence(R, released(R, p), R(count), R(radius))

    for stated in (passing, failing, smooth, exists):
        decided_within(stated, bits)


@prop(
    25,
    n=counts(2, 7),
    d=counts(0, 3),
    epsilon=st.one_of(SMALL, HOSTILE),
    delta=st.one_of(MILD_DELTA, HOSTILE),
    norm=st.one_of(SMALL, HOSTILE),
    count=st.one_of(HOSTILE, counts(0, 6).map(Fraction)),
    claimed=HOSTILE,
    bits=BITS,
)
def test_no_count_decides_the_calibration_wrongly(
    n: int, d: int, epsilon: Fraction, delta: Fraction, norm: Fraction, count: Fraction, claimed: Fraction, bits: int
) -> None:
    """U6 at any target, count and claimed risk."""
    assume(abs(epsilon) < 10**4 and abs(count) < 10**9)

    def stated(R: Any) -> Iterable[Any]:
        losses = constants.logistic_constants(R)
        target = utility_calibration.Target(R(epsilon), R(delta), R(Fraction(1, 100)), R(norm))
        return utility_calibration.conditions(
            R, target, d, lambda mu: constants.objective(R, n, mu, R(1), losses), R(count), R(claimed)
        )

    found = decided_within(stated, bits)
    if proved(found):
        assert 0 < epsilon <= 1 and 0 < delta < 1 and norm > 0 and claimed > 0


@prop(30, ratio=RATIO, baseline=st.fractions(0, 1, max_denominator=1000), claimed=HOSTILE, near=NEARBY, bits=BITS)
def test_no_precision_decides_a_success_bound_wrongly(
    ratio: Fraction, baseline: Fraction, claimed: Fraction, near: Fraction, bits: int
) -> None:
    """R3 and R2 beside and away from the true value; closed cases included."""
    assume(0 < baseline < 1)
    true = value("rero.gaussian", "success", {"ratio": ratio, "baseline": baseline}, 45)
    for bound in (claimed, near * true.upper):

        def stated(R: Any, bound: Fraction = bound) -> Iterable[Any]:
            yield at_most("success", reconstruction.from_gaussian(R, R(ratio), R(baseline)), R(bound))
            yield at_most("success", reconstruction.from_best_renyi(R, R(ratio), R(baseline)), R(bound))

        decided_within(stated, bits)


LIMITS = st.builds(Limits, max_bits=BITS, max_evaluations=st.sampled_from([1, 3, 10, 100, 10_000]))


@prop(
    50,
    n=counts(2, 6),
    regularization=scaled(-4, 0),
    radius=scaled(-2, 0).map(lambda x: x / 10),
    epsilon=MILD_EPSILON,
    delta=DELTA,
    limits=LIMITS,
)
def test_no_limits_turn_a_verdict_over(
    n: int, regularization: Fraction, radius: Fraction, epsilon: Fraction, delta: Fraction, limits: Limits
) -> None:
    """Cut off at any precision and any work, a false claim is not certified and a true one is not refuted."""
    exact = 2 * radius / (2 + regularization * n)
    sigma = value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": delta, "sensitivity": exact})
    for end, wrong in ((sigma.lower, Verdict.CERTIFIED), (sigma.upper, Verdict.REFUTED)):
        file = output_file("ridge-prototype", n, regularization, end, radius, [privacy(epsilon, delta)])
        assert verdict(file, limits) is not wrong


@prop(20, epsilon=MILD_EPSILON, delta=DELTA, bits=BITS, evaluations=st.sampled_from([1, 10, 100, 10_000]))
def test_no_limits_make_a_wrong_enclosure(epsilon: Fraction, delta: Fraction, bits: int, evaluations: int) -> None:
    """What limits leave of sigma* and of the profile there encloses the values found without them."""
    limits = replace(Limits(), max_bits=bits, max_evaluations=evaluations)
    given = {"epsilon": epsilon, "delta": delta, "sensitivity": 1}
    fine, coarse = (certify.evaluate("gaussian.sigma", limits=at, **given)["sigma"] for at in (Limits(), limits))
    assert coarse.lower <= fine.upper
    assert not coarse.is_bounded or fine.lower <= coarse.upper
    spent = {"epsilon": epsilon, "ratio": 1 / fine.upper}
    for found in certify.evaluate("gaussian.profile", limits=limits, **spent).values():
        assert not found.is_bounded or found.lower <= delta
