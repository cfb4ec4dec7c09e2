"""Values that must agree with each other, or stand in a proved order, through ``certify.evaluate``."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isqrt

from hypothesis import strategies as st

from tests.properties.declared import prop
from tests.properties.drawn import (
    BASELINE,
    EPSILON,
    FACTOR,
    MILD_BASELINE,
    MILD_EPSILON,
    MILD_RATIO,
    RATIO,
    SMALL,
    counts,
    scaled,
)
from tests.properties.ends import agree, evaluated, holds_exactly, in_order, meet, value

HEADS = ("squared-hinge", "binary-logistic", "softmax")


def _profile(epsilon: Fraction, ratio: Fraction, digits: int = 12) -> Fraction:
    """An upper end of delta(epsilon; ratio)."""
    return value("gaussian.profile", "delta", {"epsilon": epsilon, "ratio": ratio}, digits).upper


@prop(15, candidates=st.integers(2, 40), distance=scaled(-2, 1))
def test_support_at_equal_distances_is_the_gaussian_bound(candidates: int, distance: Fraction) -> None:
    support = value("rero.support", "success", {"distances": [distance] * candidates})
    gaussian = value("rero.gaussian", "success", {"ratio": distance, "baseline": Fraction(1, candidates)})
    assert agree(support, gaussian)


@prop(
    15,
    distances=st.lists(MILD_RATIO, min_size=2, max_size=6),
    weights=st.lists(st.integers(1, 50), min_size=6, max_size=6),
)
def test_support_is_at_most_the_gaussian_bound(distances: list[Fraction], weights: list[int]) -> None:
    kept = weights[: len(distances)]
    prior = [Fraction(weight, sum(kept)) for weight in kept]
    support = value("rero.support", "success", {"distances": distances, "prior": prior})
    gaussian = value("rero.gaussian", "success", {"ratio": max(distances), "baseline": max(prior)})
    assert in_order(support, gaussian)
    assert max(prior) <= support.upper


@prop(25, baseline=BASELINE, ratio=RATIO, epsilon=EPSILON, order=scaled(0, 3))
def test_gaussian_bound_is_at_most_those_of_privacy_and_of_renyi(
    baseline: Fraction, ratio: Fraction, epsilon: Fraction, order: Fraction
) -> None:
    gaussian, best = (
        value(name, "success", {"ratio": ratio, "baseline": baseline}) for name in ("rero.gaussian", "rero.rdp")
    )
    given = value("rero.rdp", "success", {"ratio": ratio, "baseline": baseline, "order": 1 + order})
    assert in_order(gaussian, best)
    assert in_order(best, given)
    if epsilon / ratio <= 100:
        delta = _profile(epsilon, ratio)
        privacy = value("rero.dp", "success", {"epsilon": epsilon, "delta": delta, "baseline": baseline})
        assert in_order(gaussian, privacy)
    assert baseline <= gaussian.upper


@prop(20, epsilon=MILD_EPSILON, ratio=MILD_RATIO)
def test_privacy_bound_touches_the_gaussian_bound(epsilon: Fraction, ratio: Fraction) -> None:
    """R1 with (epsilon, delta(epsilon)) is R3 at the baseline Q(epsilon/ratio + ratio/2), where the tests agree."""
    tail = value("tails.q", "q", {"t": epsilon / ratio + ratio / 2}, 40)
    baseline = (tail.lower + tail.upper) / 2
    delta = _profile(epsilon, ratio, 40)
    privacy = value("rero.dp", "success", {"epsilon": epsilon, "delta": delta, "baseline": baseline}, 20)
    gaussian = value("rero.gaussian", "success", {"ratio": ratio, "baseline": baseline}, 20)
    assert abs(privacy.upper - gaussian.upper) <= gaussian.upper / 10**15


@prop(15, ratio=MILD_RATIO, copies=st.integers(1, 50), epsilon=MILD_EPSILON)
def test_equal_releases_compose_to_the_root_of_their_number(ratio: Fraction, copies: int, epsilon: Fraction) -> None:
    composed = evaluated("gaussian.compose", {"ratios": [ratio] * copies, "epsilon": epsilon}, 20)
    assert composed["ratio"].lower ** 2 <= copies * ratio**2 <= composed["ratio"].upper ** 2
    assert composed["ratio"].upper ** 2 - composed["ratio"].lower ** 2 <= copies * ratio**2 / 10**15
    if isqrt(copies) ** 2 == copies:
        assert holds_exactly(composed["ratio"], isqrt(copies) * ratio)
    ends = (composed["ratio"].lower, composed["ratio"].upper)
    least, most = (value("gaussian.profile", "delta", {"epsilon": epsilon, "ratio": end}) for end in ends)
    assert in_order(least, composed["delta"])
    assert in_order(composed["delta"], most)


@prop(20, t=scaled(-3, 2), apart=scaled(-2, 1), mirrored=st.booleans())
def test_integrated_tail_is_an_integral_of_the_tail(t: Fraction, apart: Fraction, mirrored: bool) -> None:
    """Q falls, so Q1(a) - Q1(b) lies between (b - a) Q(b) and (b - a) Q(a)."""
    a = -min(t, Fraction(10)) if mirrored else t
    b = a + apart
    (first, last), (high, low) = (
        [value(f"tails.{name}", name, {"t": point}, 30) for point in (a, b)] for name in ("q1", "q")
    )
    assert (b - a) * low.lower <= first.upper - last.lower
    assert first.lower - last.upper <= (b - a) * high.upper


@prop(20, epsilon=EPSILON, sensitivity=scaled(-6, 6), sigma=scaled(-3, 6))
def test_profile_depends_on_the_ratio_alone(epsilon: Fraction, sensitivity: Fraction, sigma: Fraction) -> None:
    if epsilon * sigma / sensitivity <= 9000:
        split = value("gaussian.profile", "delta", {"epsilon": epsilon, "sensitivity": sensitivity, "sigma": sigma})
        assert meet(split, value("gaussian.profile", "delta", {"epsilon": epsilon, "ratio": sensitivity / sigma}))


@prop(25, n=counts(1, 6), smallest=st.integers(1, 9), radius=SMALL, regularization=scaled(-5, 1))
def test_prototype_is_the_general_form_with_the_curvature_of_its_loss(
    n: int, smallest: int, radius: Fraction, regularization: Fraction
) -> None:
    """The loss of a class of n_min records is 2 n_min/n strongly convex, and its gradients differ by 2r."""
    exact = value(
        "head.ridge-prototype",
        "sensitivity",
        {"radius": radius, "lambda": regularization, "n": n, "min_class_count": smallest},
    )
    general = {"difference": 2 * radius, "n": n}
    curved = value("ball.sensitivity", "sensitivity", {**general, "lambda": regularization + Fraction(2 * smallest, n)})
    plain = value("ball.sensitivity", "sensitivity", {**general, "lambda": regularization})
    assert holds_exactly(exact, 2 * radius / (2 * smallest + regularization * n))
    assert holds_exactly(curved, exact.lower)
    assert exact.upper < plain.lower


@prop(20, radius=SMALL, lipschitz=scaled(-2, 3), regularization=scaled(-5, 1), n=counts(1, 9), factor=FACTOR)
def test_sensitivity_is_linear_in_the_radius(
    radius: Fraction, lipschitz: Fraction, regularization: Fraction, n: int, factor: Fraction
) -> None:
    given = {"lipschitz": lipschitz, "lambda": regularization, "n": n}
    one, other = (
        value("ball.sensitivity", "sensitivity", {**given, "radius": r}).lower for r in (radius, factor * radius)
    )
    assert other == factor * one
    assert one == lipschitz * radius / (regularization * n)


@prop(
    40,
    head=st.sampled_from(HEADS),
    bound=scaled(-2, 2),
    regularization=scaled(-5, 2),
    classes=st.integers(2, 100),
    share=st.fractions(Fraction(1, 1000), Fraction(5, 2), max_denominator=1000),
)
def test_sharp_constants_are_at_most_the_papers(
    head: str, bound: Fraction, regularization: Fraction, classes: int, share: Fraction
) -> None:
    given: dict[str, object] = {"feature_bound": bound, "lambda": regularization, "ball_radius": share * bound}
    if head == "softmax":
        given["classes"] = classes
    sharp, paper = (evaluated(f"head.{head}", {**given, "constant": name}) for name in ("sharp", "paper"))
    for name in ("radius", "lipschitz", "any_record", "difference"):
        assert in_order(sharp[name], paper[name])
    assert in_order(sharp["difference"], sharp["any_record"])
    distance = min(share, Fraction(2)) * bound
    for found in (sharp, paper):
        assert found["difference"].lower <= found["lipschitz"].upper * distance
    assert paper["lipschitz"].lower * distance <= paper["difference"].upper


@prop(
    10,
    head=st.sampled_from(HEADS),
    bound=scaled(-1, 2),
    regularization=scaled(-5, 2),
    shares=st.lists(st.fractions(0, 2, max_denominator=1000), min_size=4, max_size=4),
)
def test_gradient_difference_does_not_fall_in_the_radius(
    head: str, bound: Fraction, regularization: Fraction, shares: list[Fraction]
) -> None:
    """Also across r = sqrt(2) B and r = 4 B~/sqrt(5), where the form of D(r) changes."""
    given: dict[str, object] = {"feature_bound": bound, "lambda": regularization}
    if head == "softmax":
        given["classes"] = 10
    turn = Fraction(isqrt(int(Fraction(16, 5) * (bound**2 + 1) * 10**24)), 10**12)
    beside = [turn - Fraction(1, 10**6), turn + Fraction(1, 10**6)]
    beside += [Fraction(1414, 1000) * bound, Fraction(1415, 1000) * bound]
    radii = sorted({share * bound for share in shares} | set(beside))
    found = [value(f"head.{head}", "difference", {**given, "ball_radius": radius}) for radius in radii]
    assert all(in_order(less, more) for less, more in pairwise(found))
    assert value(f"head.{head}", "difference", {**given, "ball_radius": 0}).upper == 0


@prop(10, bound=scaled(-2, 1), regularization=scaled(-4, 2), constant=st.sampled_from(["sharp", "paper"]))
def test_softmax_of_two_classes_is_no_smaller_than_logistic(
    bound: Fraction, regularization: Fraction, constant: str
) -> None:
    """Two classes with weights (theta, -theta)/sqrt 2 are the logistic head at the margin sqrt 2 times larger."""
    given = {"feature_bound": bound, "lambda": regularization, "constant": constant}
    logistic = value("head.binary-logistic", "lipschitz", given)
    assert in_order(logistic, value("head.softmax", "lipschitz", {**given, "classes": 2}))


@prop(20, baseline=MILD_BASELINE, ratio=MILD_RATIO)
def test_best_order_is_no_worse_than_its_neighbours(baseline: Fraction, ratio: Fraction) -> None:
    best = value("rero.rdp", "success", {"baseline": baseline, "ratio": ratio})
    orders = (1 + Fraction(k, 4) ** 3 for k in range(1, 30))
    others = [value("rero.rdp", "success", {"baseline": baseline, "ratio": ratio, "order": order}) for order in orders]
    assert all(in_order(best, other) for other in others)
