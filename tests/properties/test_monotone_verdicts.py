"""Verdicts through ``certify.check``: what is certified stays so on the easier side, what is refuted on the harder."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, event
from hypothesis import strategies as st

from certify import Verdict
from tests.properties.claim_files import File, descent_file, output_file, privacy, reconstruction, verdict
from tests.properties.declared import prop
from tests.properties.drawn import MILD_DELTA, MILD_EPSILON, SMALL, counts, scaled
from tests.properties.ends import value

_NEAR = st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000), Fraction(1001, 1000), Fraction(2)])


def sensitivity(head: str, n: int, regularization: Fraction, radius: Fraction) -> Fraction:
    """A number near the sensitivity that the verdict uses."""
    if head == "ridge-prototype":
        return 2 * radius / (2 + regularization * n)
    given: File = {"feature_bound": 1, "lambda": regularization, "ball_radius": radius}
    if head == "softmax":
        given["classes"] = 5
    return value(f"head.{head}", "difference", given).upper / (regularization * n)


@prop(
    25,
    head=st.sampled_from(["ridge-prototype", "ridge-prototype", "binary-logistic", "softmax", "squared-hinge"]),
    n=counts(2, 7),
    regularization=scaled(-4, 0),
    radius=scaled(-2, 0).map(lambda x: x / 10),
    epsilon=MILD_EPSILON,
    delta=MILD_DELTA,
    near=_NEAR,
    step=st.sampled_from([Fraction(1001, 1000), Fraction(2), Fraction(100)]),
)
def test_verdicts_on_privacy_move_one_way(
    head: str,
    n: int,
    regularization: Fraction,
    radius: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    near: Fraction,
    step: Fraction,
) -> None:
    """A larger sigma, n, epsilon or delta or a smaller radius keeps a certificate; the contrary keeps a refutation."""
    model: File = {"classes": 5} if head == "softmax" else {}
    least = value(
        "gaussian.sigma",
        "sigma",
        {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity(head, n, regularization, radius)},
    ).upper

    def judged(
        *, sigma: Fraction, epsilon: Fraction = epsilon, delta: Fraction = delta, n: int = n, radius: Fraction = radius
    ) -> Verdict:
        return verdict(output_file(head, n, regularization, sigma, radius, [privacy(epsilon, delta)], **model))

    sigma = near * least
    found = judged(sigma=sigma)
    event(f"{head}: {found.value}")
    if found is Verdict.CERTIFIED:
        assert judged(sigma=step * sigma) is Verdict.CERTIFIED
        assert judged(sigma=sigma, n=int(step * n)) is Verdict.CERTIFIED
        assert judged(sigma=sigma, radius=radius / step) is Verdict.CERTIFIED
        assert judged(sigma=sigma, epsilon=step * epsilon) is Verdict.CERTIFIED
        assert judged(sigma=sigma, delta=min(Fraction(1), step * delta)) is Verdict.CERTIFIED
    if found is Verdict.REFUTED:
        assert judged(sigma=sigma / step) is Verdict.REFUTED
        assert judged(sigma=sigma, n=max(2, int(n / step))) is Verdict.REFUTED
        assert judged(sigma=sigma, radius=min(Fraction(2), step * radius)) is Verdict.REFUTED
        assert judged(sigma=sigma, epsilon=epsilon / step) is Verdict.REFUTED
        assert judged(sigma=sigma, delta=delta / step) is Verdict.REFUTED


@prop(25, n=counts(2, 6), regularization=scaled(-4, 0), radius=scaled(-2, 0), epsilon=MILD_EPSILON, delta=MILD_DELTA)
def test_prototype_claims_turn_at_sigma(
    n: int, regularization: Fraction, radius: Fraction, epsilon: Fraction, delta: Fraction
) -> None:
    """The sensitivity min(r, 2) 2/(2 + lambda n) is attained: certified at sigma_hi, refuted at sigma_lo."""
    exact = 2 * min(radius, Fraction(2)) / (2 + regularization * n)
    sigma = value("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": delta, "sensitivity": exact})
    files = (
        output_file("ridge-prototype", n, regularization, end, radius, [privacy(epsilon, delta)])
        for end in (sigma.upper, sigma.lower)
    )
    assert [verdict(file) for file in files] == [Verdict.CERTIFIED, Verdict.REFUTED]


@prop(15, n=counts(2, 6), regularization=scaled(-4, 0), candidates=st.integers(2, 50), ratio=SMALL, near=_NEAR)
def test_verdicts_on_reconstruction_move_one_way(
    n: int, regularization: Fraction, candidates: int, ratio: Fraction, near: Fraction
) -> None:
    sigma = sensitivity("ridge-prototype", n, regularization, Fraction(1)) / ratio
    success = value("rero.gaussian", "success", {"ratio": ratio, "baseline": Fraction(1, candidates)}).upper
    claimed = min(Fraction(1), near * success)

    def judged(sigma: Fraction, claimed: Fraction, candidates: int, radius: Fraction = Fraction(1)) -> Verdict:
        claim = reconstruction(claimed, candidates)
        return verdict(output_file("ridge-prototype", n, regularization, sigma, radius, [claim]))

    found = judged(sigma, claimed, candidates)
    event(found.value)
    if found is Verdict.CERTIFIED:
        assert near >= 1 or claimed == 1
        assert judged(2 * sigma, claimed, candidates) is Verdict.CERTIFIED
        assert judged(sigma, min(Fraction(1), 2 * claimed), candidates) is Verdict.CERTIFIED
        assert judged(sigma, claimed, 2 * candidates) is Verdict.CERTIFIED
        assert judged(sigma, claimed, candidates, Fraction(1, 2)) is Verdict.CERTIFIED
    else:
        assert near < 1
    if found is Verdict.REFUTED:
        assert claimed < Fraction(1, candidates)
        assert judged(sigma, claimed / 2, candidates) is Verdict.REFUTED


@prop(
    8,
    n=counts(4, 7),
    d=counts(0, 4),
    mu=scaled(-2, 0),
    scale=scaled(0, 1),
    iterations=counts(2, 5),
    theorem=st.sampled_from([None, "4.1", "C.13"]),
    epsilon=scaled(-1, 1),
    delta=MILD_DELTA,
)
def test_verdicts_on_descent_move_with_the_budget(
    n: int,
    d: int,
    mu: Fraction,
    scale: Fraction,
    iterations: int,
    theorem: str | None,
    epsilon: Fraction,
    delta: Fraction,
) -> None:
    named: File = {} if theorem is None else {"theorem": theorem}

    def judged(epsilon: Fraction, delta: Fraction) -> Verdict:
        return verdict(descent_file(n, d, mu, scale * 2 / n, iterations, [privacy(epsilon, delta, **named)]))

    assume(judged(epsilon, delta) is Verdict.CERTIFIED)
    assert judged(2 * epsilon, delta) is Verdict.CERTIFIED
    assert judged(epsilon, 2 * delta) is Verdict.CERTIFIED


@prop(10, n=counts(4, 7), mu=scaled(-2, 0), scale=scaled(0, 1), epsilon=scaled(-1, 1), share=_NEAR)
def test_class_claims_below_the_floor_are_refuted_and_stay_so(
    n: int, mu: Fraction, scale: Fraction, epsilon: Fraction, share: Fraction
) -> None:
    floor = value("gd.benchmark", "profile", {"ratio": 1 / scale, "epsilon": epsilon}).lower
    constants = {"L1": 1, "L2": Fraction(1, 4), "L3": Fraction(1, 10)}

    def judged(delta: Fraction, epsilon: Fraction = epsilon) -> Verdict:
        return verdict(descent_file(n, 100, mu, scale * 2 / n, 1000, [privacy(epsilon, delta)], **constants))

    found = judged(share * floor)
    assert (found is Verdict.REFUTED) == (share < 1)
    if found is Verdict.REFUTED:
        assert judged(share * floor / 2) is Verdict.REFUTED
        assert judged(share * floor, epsilon / 2) is Verdict.REFUTED
