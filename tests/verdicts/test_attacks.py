"""Attacks: no combination of fields certifies a false claim or refutes a true one.

The truth comes from elsewhere: the exact sensitivity of ridge prototypes with a profile at 60 digits, models trained
on pairs of data sets, and the exact density of the released iterate in one dimension.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize  # type: ignore[import-untyped]

from certify.claims import from_mapping
from certify.errors import UnusableInput
from certify.verdicts import check_file
from certify.verdicts.model import Verdict

from .samples import CLASS, DESCENT, LOGISTIC, RIDGE, Fields, any_record, changed, verdict

Array = np.ndarray[Any, np.dtype[np.float64]]


def profile(epsilon: Fraction, ratio: Fraction) -> mpmath.mpf:
    """delta(epsilon; ratio) by mpmath at 60 digits, which shares no code with the kernel."""
    with mpmath.workdps(60):
        if ratio == 0:
            return mpmath.mpf(0)
        e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        mu = mpmath.mpf(ratio.numerator) / ratio.denominator

        def tail(t: mpmath.mpf) -> mpmath.mpf:
            return mpmath.erfc(t / mpmath.sqrt(2)) / 2

        return tail(e / mu - mu / 2) - mpmath.exp(e) * tail(e / mu + mu / 2)


def scattered(rng: random.Random, low: float, high: float) -> str:
    """A number whose size may be anything between two powers of ten."""
    return f"{10 ** rng.uniform(low, high):.6g}"


def ridge_claim(rng: random.Random) -> Fields:
    """Ridge prototypes with any numbers, public counts or not, overrides, and tolerances."""
    n, classes = rng.choice([1, 2, 3, 10, 100, 1797, 10**6, 10**18]), rng.choice([None, 1, 2, 3, 10])
    public = ["feature_bound", "radius", "n", *rng.choice([["class_counts"], []])]
    return changed(
        RIDGE,
        model__n=n,
        model__classes=classes,
        model__min_class_count=rng.choice([None, 1, 2, n, max(1, n // (classes or 1))]),
        model__regularization=scattered(rng, -6, 6),
        model__feature_bound=scattered(rng, -3, 3),
        model__gradient_tolerance=rng.choice([None, "0", scattered(rng, -12, 1)]),
        model__public=public,
        policy__radius=rng.choice(["0", scattered(rng, -4, 4)]),
        release__sigma=scattered(rng, -8, 8),
        claim__epsilon=rng.choice(["0", "1", scattered(rng, -6, 3)]),
        claim__delta=rng.choice(["0", "1", scattered(rng, -30, 0)]),
        claim__radius=rng.choice([None, None, scattered(rng, -4, 4)]),
    )


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ridge_prototypes_against_the_exact_profile(seed: int) -> None:
    """Certified exactly where the profile at the exact sensitivity allows it; refuted only where it does not."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(120 if seed == 1 else 5000):
        fields = ridge_claim(rng)
        try:
            [found] = check_file(from_mapping(fields), repairs=False)
        except UnusableInput:
            continue  # counts that no data set can have
        seen[found.verdict.value] += 1
        model, claim = fields["model"], fields["claim"][0]
        number = {name: Fraction(model[name]) for name in ("regularization", "feature_bound")}
        radius = min(Fraction(claim.get("radius", fields["policy"]["radius"])), 2 * number["feature_bound"])
        stated = model.get("min_class_count") or 1
        used = stated if "class_counts" in model["public"] else 1
        shift = number["regularization"] * model["n"]
        slack = 2 * Fraction(model.get("gradient_tolerance", 0)) / number["regularization"]
        sigma, epsilon = Fraction(fields["release"]["sigma"]), Fraction(claim["epsilon"])
        delta = Fraction(claim["delta"])
        claimed = mpmath.mpf(delta.numerator) / delta.denominator
        worst = profile(epsilon, (2 * radius / (2 * used + shift) + slack) / sigma)
        least = profile(epsilon, 2 * radius / (2 * stated + shift) / sigma)
        if found.verdict is Verdict.CERTIFIED:
            assert delta == 1 or worst <= claimed, fields
        elif found.verdict is Verdict.REFUTED:
            assert least > claimed or (delta == 0 and radius > 0), fields
        else:
            assert worst > claimed * (1 - mpmath.mpf(10) ** -30) or delta == 0, fields
    assert set(seen) == {"certified", "refuted", "not-certified"}


def softplus(t: Array) -> Array:
    """log(1 + e^t)."""
    return np.logaddexp(0, t)


def logistic_objective(x: Array, y: Array, regular: float) -> Callable[[Array], tuple[float, Array]]:
    """Mean logistic loss with a regularised intercept, and its gradient."""
    augmented = np.hstack([x, np.ones((len(x), 1))])

    def objective(w: Array) -> tuple[float, Array]:
        margin = y * (augmented @ w)
        slope = -y / (1 + np.exp(margin))
        return float(softplus(-margin).mean() + regular / 2 * w @ w), augmented.T @ slope / len(y) + regular * w

    return objective


def hinge_objective(x: Array, y: Array, regular: float) -> Callable[[Array], tuple[float, Array]]:
    """Mean squared hinge, and its gradient."""

    def objective(w: Array) -> tuple[float, Array]:
        gap = np.maximum(0, 1 - y * (x @ w))
        return float((gap**2).mean() + regular / 2 * w @ w), -2 * x.T @ (y * gap) / len(y) + regular * w

    return objective


def softmax_objective(x: Array, y: Array, regular: float) -> Callable[[Array], tuple[float, Array]]:
    """Mean softmax loss over three classes with regularised intercepts, and its gradient."""
    augmented = np.hstack([x, np.ones((len(x), 1))])
    chosen = np.eye(3)[y.astype(int)]

    def objective(w: Array) -> tuple[float, Array]:
        scores = augmented @ w.reshape(3, -1).T
        scores -= scores.max(axis=1, keepdims=True)
        total = np.exp(scores).sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) - (scores * chosen).sum(axis=1)).mean() + regular / 2 * w @ w
        return float(loss), ((np.exp(scores) / total - chosen).T @ augmented).ravel() / len(y) + regular * w

    return objective


OBJECTIVES: dict[str, tuple[Callable[..., Any], Callable[[int], int]]] = {
    "binary-logistic": (logistic_objective, lambda dimension: dimension + 1),
    "squared-hinge": (hinge_objective, lambda dimension: dimension),
    "softmax": (softmax_objective, lambda dimension: 3 * (dimension + 1)),
}


def trained(head: str, x: Array, y: Array, regular: float) -> Array:
    """The minimiser, to a gradient norm that is small beside the differences compared."""
    make, size = OBJECTIVES[head]
    found = minimize(make(x, y, regular), np.zeros(size(x.shape[1])), jac=True, method="BFGS", options={"gtol": 1e-10})
    return np.asarray(found.x)


def in_ball(rng: np.random.Generator, bound: float, dimension: int) -> Array:
    """A point of the ball, often on its sphere."""
    direction = rng.normal(size=dimension)
    return np.asarray(direction / np.linalg.norm(direction) * bound * min(1.0, rng.uniform(0, 2)))


@pytest.mark.parametrize("head", OBJECTIVES)
@pytest.mark.parametrize("labels", ["kept", "any"])
def test_trained_pairs_never_contradict_a_certificate(head: str, labels: str) -> None:
    """Two models trained on neighbours: a claim that their distance makes false is not certified."""
    rng = np.random.default_rng(7)
    for _ in range(12):
        n, dimension = int(rng.integers(1, 4)), int(rng.integers(1, 3))
        regular, bound = 10 ** rng.uniform(-2, 0.5), 10 ** rng.uniform(-0.5, 0.5)
        kinds = [0, 1, 2] if head == "softmax" else [-1, 1]
        x = np.array([in_ball(rng, bound, dimension) for _ in range(n)])
        y = rng.choice(kinds, size=n)
        other, kind = x.copy(), y.copy()
        other[0] = -x[0] if rng.random() < 0.5 else in_ball(rng, bound, dimension)
        if labels == "any":
            kind[0] = rng.choice(kinds)
        apart = float(np.linalg.norm(trained(head, x, y, regular) - trained(head, other, kind, regular))) * (1 - 1e-4)
        if apart < 1e-5:
            continue
        radius = Fraction(float(np.linalg.norm(x[0] - other[0])) * (1 + 1e-12))
        base = LOGISTIC if labels == "kept" else any_record(LOGISTIC)
        false = float(profile(Fraction(1), Fraction(1))) * 0.999
        fields = changed(
            base,
            model__head=head,
            model__classes=3 if head == "softmax" else None,
            model__n=n,
            model__regularization=Fraction(regular) * (1 - Fraction(1, 10**12)),
            model__feature_bound=Fraction(bound) * (1 + Fraction(1, 10**9)),
            release__sigma=Fraction(apart),
            claim__epsilon=1,
            claim__delta=Fraction(false),
            **({"policy__radius": radius} if labels == "kept" else {}),
        )
        for constant in ("sharp", "paper"):
            assert verdict(fields, model__constant=constant).verdict is Verdict.NOT_CERTIFIED, fields


def released_density(z: Array, signs: Array, ridge: float, steps: int) -> tuple[Array, Array]:
    """w_N and log |dw_N/dz| for one feature 1 and labels ``signs``, by the recursion itself, for each noise z."""
    step = 1 / (ridge + 0.25)
    up, down = float((signs > 0).mean()), float((signs < 0).mean())
    w, slope = np.zeros_like(z), np.zeros_like(z)
    for _ in range(steps):
        share = 1 / (1 + np.exp(-w))
        gradient = -up * (1 - share) + down * share + ridge * w + z
        slope = slope - step * ((share * (1 - share) + ridge) * slope + 1)
        w = w - step * gradient
    return w, np.log(np.abs(slope))


def true_delta(n: int, ridge: float, sigma: float, steps: int, epsilon: float) -> float:
    """The hockey-stick divergence of two releases whose data differ in one label, by quadrature of exact densities."""
    z = np.linspace(-9 * sigma, 9 * sigma, 20_001)
    first, second = np.ones(n), np.ones(n)
    second[0] = -1
    laws = []
    for signs in (first, second):
        w, log_slope = released_density(z, signs, ridge, steps)
        laws.append((w[::-1], (-(z**2) / (2 * sigma**2) - log_slope - np.log(sigma * np.sqrt(2 * np.pi)))[::-1]))
    (w, log_p), (w_other, log_q) = laws
    log_q = np.interp(w, w_other, log_q, left=-np.inf, right=-np.inf)
    gain = np.maximum(0, np.exp(log_p) - np.exp(epsilon + log_q))
    return float(np.trapezoid(gain, w))


@pytest.mark.parametrize("ratio", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("steps", [1, 30, 400])
def test_exact_divergence_of_descent_never_contradicts_a_certificate(ratio: float, steps: int) -> None:
    """One dimension, where the density of the release is exact: the certified delta is never below the true one."""
    n, ridge = 200, 0.05
    sigma = Fraction(2, n) / Fraction(ratio)
    for epsilon in (Fraction(1, 4), Fraction(1), Fraction(2)):
        truth = true_delta(n, ridge, float(sigma), steps, float(epsilon))
        if truth < 1e-14:
            continue  # below what noise beyond nine deviations, left out of the quadrature, could change
        for base in (DESCENT, changed(CLASS, model__L3="1/6")):
            for theorem, variant in (("4.1", None), ("C.13", "fixed-radii"), ("C.13", "sharp")):
                fields = changed(
                    base,
                    model__n=n,
                    model__d=1,
                    model__regularization="0.05",
                    release__sigma=sigma,
                    release__iterations=steps,
                    claim__epsilon=epsilon,
                    claim__delta=Fraction(truth) * Fraction(999, 1000),
                    claim__theorem=theorem,
                    claim__variant=variant,
                )
                assert verdict(fields).verdict is not Verdict.CERTIFIED, (epsilon, theorem, variant, truth)


TRUE_OF_LOGISTIC = {
    "constants too large": {"model__L": 5, "model__M": 2, "release__iterations": 40_000},
    "short step": {"model__step_size": "1/100", "release__iterations": 10**6},
    "more noise": {"release__sigma": "1e-4", "release__iterations": 3000},
    "more records": {"model__n": 10**9},
    "more steps than any computer does": {"release__iterations": 10**18},
    "looser": {"claim__epsilon": 100, "claim__delta": "1/10"},
}


@pytest.mark.parametrize("change", TRUE_OF_LOGISTIC.values(), ids=TRUE_OF_LOGISTIC)
def test_weaker_claims_stay_certified(change: dict[str, Any]) -> None:
    """Nothing true is lost in the plain directions."""
    assert verdict(DESCENT, **change).verdict is Verdict.CERTIFIED


NOT_OF_THE_THEOREM: dict[str, dict[str, Any]] = {
    "step above 1/L": {"model__step_size": 4},
    "step of 2/mu": {"model__step_size": 200},
    "L too small": {"model__L": "0.2599999"},
    "L below mu": {"model__L": "1e-9"},
    "M too small": {"model__M": "0.096"},
    "M of zero": {"model__M": 0},
    "unregularised intercept": {"model__intercept": "unregularized"},
    "intercept beside the features": {"model__intercept": "regularized"},
    "one record": {"model__n": 1},
    "one record and one dimension": {"model__n": 1, "model__d": 1},
    "tiny noise": {"release__sigma": "1e-300"},
    "tiny ridge": {"model__regularization": "1e-12"},
    "one step": {"release__iterations": 1},
    "epsilon of zero": {"claim__epsilon": 0},
    "delta of zero": {"claim__delta": 0},
    "dimension at the limit": {"model__d": 10**18, "model__n": 10**18, "release__iterations": 600},
}


@pytest.mark.parametrize("change", NOT_OF_THE_THEOREM.values(), ids=NOT_OF_THE_THEOREM)
def test_outside_the_theorems_nothing_is_certified_or_refuted(change: dict[str, Any]) -> None:
    """For the logistic loss, whichever theorem is named; a failed hypothesis is no refutation."""
    theorems: list[dict[str, Any]] = [
        {},
        {"claim__theorem": "4.1"},
        {"claim__theorem": "C.13", "claim__variant": "sharp"},
    ]
    for named in theorems:
        assert verdict(DESCENT, **change, **named).verdict is Verdict.NOT_CERTIFIED


def test_the_floor_of_a_class_is_not_a_floor_of_its_members() -> None:
    """The same numbers: refuted for every loss with L1, L2, L3, left open for the logistic loss."""
    for delta in ("1e-8", "1.754633e-8"):
        assert verdict(CLASS, claim__delta=delta).verdict is Verdict.REFUTED
        assert verdict(DESCENT, claim__delta=delta).verdict is Verdict.NOT_CERTIFIED
    assert verdict(CLASS, claim__delta="1.754634e-8").verdict is Verdict.NOT_CERTIFIED


@pytest.mark.parametrize("change", [{"model__L": "1e-9"}, {"model__step_size": 4}, {"model__step_size": 99}])
def test_the_floor_of_a_class_holds_for_steps_that_contract(change: dict[str, Any]) -> None:
    """Linear losses release a Gaussian for every 0 < eta mu < 1, whatever L is; at eta mu >= 1 nothing is said."""
    linear = changed(CLASS, claim__delta="1e-8", **change)
    contracts = Fraction(str(change.get("model__step_size", 10**9))) / 100 < 1
    assert verdict(linear).verdict is (Verdict.REFUTED if contracts else Verdict.NOT_CERTIFIED)


def test_monotone_through_the_public_face() -> None:
    """More noise, records, regularization, a smaller radius, a larger epsilon or delta never lose a certificate."""
    better: list[dict[str, Any]] = [
        {"release__sigma": "0.01511"},
        {"model__n": 25_001},
        {"model__regularization": "0.0101"},
        {"policy__radius": "0.69"},
        {"claim__epsilon": "2.01"},
        {"claim__delta": "1.01e-6"},
        {"model__gradient_tolerance": 0},
    ]
    for head in ("binary-logistic", "squared-hinge", "softmax"):
        classes = {"model__classes": 4} if head == "softmax" else {}
        sigma = {"binary-logistic": "0.0151", "squared-hinge": "0.18", "softmax": "0.03"}[head]
        base = changed(LOGISTIC, model__head=head, release__sigma=sigma, **classes)
        assert verdict(base).verdict is Verdict.CERTIFIED
        for change in better:
            if "release__sigma" in change:
                change = {"release__sigma": Fraction(sigma) * 2}
            assert verdict(base, **change).verdict is Verdict.CERTIFIED, (head, change)


def test_a_radius_never_helps_beyond_any_record() -> None:
    """Where the claim holds for any two records, it holds for every radius with the same constants."""
    for head in ("binary-logistic", "squared-hinge", "softmax"):
        classes = {"model__classes": 3} if head == "softmax" else {}
        wide = any_record(changed(LOGISTIC, model__head=head, release__sigma=1, **classes))
        assert verdict(wide).verdict is Verdict.CERTIFIED
        for radius in ("0", "0.1", "1.9999", "2", "1e9"):
            narrow = changed(LOGISTIC, model__head=head, release__sigma=1, policy__radius=radius, **classes)
            assert verdict(narrow).verdict is Verdict.CERTIFIED


def test_reconstruction_ties() -> None:
    """At radius 0 the baseline itself is the bound: met with equality, missed by a hair, refuted below."""
    for prior, kappa in (
        ({"candidates": 7}, Fraction(1, 7)),
        ({"baseline": "1/7"}, Fraction(1, 7)),
        ({"prior": ["3/7", "2/7", "2/7"]}, Fraction(3, 7)),
        ({"baseline": 1}, Fraction(1)),
        ({"candidates": 1}, Fraction(1)),
    ):
        for radius, above in (("0", Verdict.CERTIFIED), ("0.7", Verdict.NOT_CERTIFIED)):
            claim = {"kind": "reconstruction", "success": kappa, "radius": radius, **prior}
            at = verdict({**LOGISTIC, "claim": [claim]})
            assert at.verdict is (Verdict.CERTIFIED if kappa == 1 else above)
            lower = {**claim, "success": kappa - Fraction(1, 10**30)}
            assert verdict({**LOGISTIC, "claim": [lower]}).verdict is Verdict.REFUTED
    for radius in ("0", "0.7"):
        nothing = {"kind": "reconstruction", "success": 0, "baseline": 0, "radius": radius}
        assert verdict({**LOGISTIC, "claim": [nothing]}).verdict is Verdict.CERTIFIED


def test_delta_zero_is_refuted_however_small_the_profile() -> None:
    """delta(epsilon; mu) > 0 for every mu > 0, also where it is below any number that is printed."""
    for sigma, epsilon in (("1e4000", "1"), ("1", "1e4000"), ("1e9000", "1e9000")):
        assert verdict(RIDGE, release__sigma=sigma, claim__epsilon=epsilon, claim__delta=0).verdict is Verdict.REFUTED
    at_zero = verdict(RIDGE, policy__radius=0, claim__delta=0, claim__epsilon=0)
    assert at_zero.verdict is Verdict.CERTIFIED
