"""What fields mean: conventions, defaults, relations between fields, Python mappings."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from certify.claims import Reconstruction, SingleReleaseExcessRisk, UnregularizedExcessRisk, from_mapping
from certify.claims.document import number_text
from certify.errors import UnusableInput

Tree = dict[str, Any]


def refusal(tree: object) -> UnusableInput:
    """The error that a mapping gives."""
    with pytest.raises(UnusableInput) as refused:
        from_mapping(tree)  # type: ignore[arg-type]
    assert refused.value.line is None
    assert refused.value.file == "<dict>"
    assert str(refused.value).isprintable()
    return refused.value


def test_absent_declarations_are_kept_as_absent(ball: Tree, descent: Tree) -> None:
    del ball["policy"]
    file = from_mapping(ball)
    assert (file.policy.adjacency, file.policy.metric, file.policy.radius) == (None, None, None)
    assert (file.model.public, file.model.gradient_tolerance, file.model.intercept) == ((), None, None)
    assert (file.model.constant, file.id) == ("sharp", "")
    del descent["policy"]
    assert from_mapping(descent).policy.adjacency is None


@pytest.mark.parametrize(
    ("table", "name"),
    [("release", "sigma"), ("model", "n"), ("model", "regularization"), ("model", "feature_bound"), ("model", "head")],
)
def test_absent_numbers_are_refused(ball: Tree, table: str, name: str) -> None:
    del ball[table][name]
    assert refusal(ball).field == f"{table}.{name}"


@pytest.mark.parametrize("name", ["n", "d", "regularization", "feature_bound"])
def test_absent_numbers_of_descent_are_refused(descent: Tree, name: str) -> None:
    del descent["model"][name]
    assert refusal(descent).field == f"model.{name}"


def test_numbers_of_python(ball: Tree) -> None:
    ball["release"]["sigma"] = Decimal("0.1")
    ball["model"]["regularization"] = Fraction(1, 3)
    ball["model"]["public"] = ("n", "n", "radius")
    file = from_mapping(ball)
    assert (file.release.sigma, file.model.regularization) == (Fraction(1, 10), Fraction(1, 3))
    assert file.model.public == ("n", "radius")
    ball["release"]["sigma"] = 0.1
    assert "float" in refusal(ball).message


def test_the_digest_of_a_mapping_follows_its_content(ball: Tree) -> None:
    first = from_mapping(ball).sha256
    assert from_mapping(dict(reversed(ball.items()))).sha256 == first
    ball["claim"][0]["epsilon"] = 10**5000
    long = from_mapping(ball)
    assert long.sha256 != first
    ball["claim"][0]["epsilon"] = Fraction(1, 10**5000)
    assert from_mapping(ball).sha256 not in (first, long.sha256)


@pytest.mark.parametrize("tree", [None, [], "release", {1: 2}, {"release": {1: 2}}, {"release": None}])
def test_no_mapping_of_texts(tree: object) -> None:
    refusal(tree)


def test_recursive_mapping() -> None:
    tree: Tree = {}
    tree.update(release=tree, model=tree, claim=[tree])
    refusal(tree)


@pytest.mark.parametrize(
    ("given", "n", "written"),
    [("1", 10_000, '"0.0001"'), ("0.3", 10, '"1/3"'), (Fraction(1, 2), "1e3", '"0.002"'), ("4", 1, '"0.25"')],
)
def test_scikit_learn_constant_is_converted(ball: Tree, given: object, n: object, written: str) -> None:
    del ball["model"]["regularization"]
    ball["model"].update(C=given, n=n)
    assert f"regularization = {written} instead of C" in refusal(ball).message


@pytest.mark.parametrize("given", [0, -1, 0.5, None, "x"])
def test_unreadable_scikit_learn_constant_gets_the_rule(ball: Tree, given: object) -> None:
    ball["model"]["C"] = given
    assert "write regularization instead of C" in refusal(ball).message


@pytest.mark.parametrize("name", ["lambda", "noise_multiplier", "sigma2", "variance", "clip", "sensitivity", "C"])
@pytest.mark.parametrize("table", ["release", "model", "policy"])
def test_traps_answer_in_every_table(ball: Tree, name: str, table: str) -> None:
    ball[table][name] = 1
    error = refusal(ball)
    assert error.field == f"{table}.{name}"
    assert "is not a field here" not in error.message


def test_own_radius_overrides_the_policy(ball: Tree) -> None:
    ball["claim"].append({**ball["claim"][0], "radius": 0})
    assert [claim.radius for claim in from_mapping(ball).claims if hasattr(claim, "radius")] == [Fraction(7, 10), 0]
    del ball["policy"]["radius"]
    assert refusal(ball).field == "claim[1].radius"
    ball["claim"][0]["radius"] = 1
    from_mapping(ball)


def test_any_record_has_no_radius(ball: Tree) -> None:
    ball["policy"] = {"adjacency": "replace-one", "metric": "any-record"}
    assert from_mapping(ball).policy.metric == "any-record"
    ball["claim"][0]["radius"] = 1
    assert "no meaning" in refusal(ball).message


def test_descent_protects_any_record(descent: Tree) -> None:
    descent["policy"]["metric"] = "any-record"
    from_mapping(descent)
    descent["policy"]["metric"] = "label-preserving-euclidean"
    assert "any record by any other" in refusal(descent).message


def test_three_bounds_in_place_of_a_loss(descent: Tree) -> None:
    del descent["model"]["loss"]
    descent["model"].update(L1=1, L2=0, L3=0, L="0.5", M=0, step_size="0.3")
    model = from_mapping(descent).model
    assert model.loss is None
    assert [model.L1, model.L3, model.M, model.step_size] == [1, 0, 0, Fraction(3, 10)]


@pytest.mark.parametrize(
    ("prior", "kappa"),
    [
        ({"candidates": 10}, Fraction(1, 10)),
        ({"baseline": 0}, Fraction(0)),
        ({"prior": ["1/3", "1/3", "1/3"]}, Fraction(1, 3)),
        ({"prior": ["0.5", "0.25", "0.25", 0]}, Fraction(1, 2)),
    ],
)
def test_the_best_success_without_the_release(ball: Tree, prior: Mapping[str, object], kappa: Fraction) -> None:
    ball["claim"] = [{"kind": "reconstruction", "success": "0.5", **prior}]
    (claim,) = from_mapping(ball).claims
    assert isinstance(claim, Reconstruction)
    assert claim.kappa == kappa


def test_risk_claims(descent: Tree) -> None:
    descent["claim"] = [
        {"kind": "unregularized-excess-risk", "bound": 1, "sample_failure": "0.01", "comparator_norm": 2},
        {"kind": "single-release-excess-risk", "bound": 1, "release_failure": "0.05"},
        {"kind": "empirical-excess-risk", "bound": 0},
    ]
    first, second, third = from_mapping(descent).claims
    assert first == UnregularizedExcessRisk(1, Fraction(1), Fraction(1, 100), Fraction(2))
    assert second == SingleReleaseExcessRisk(2, Fraction(1), Fraction(1, 20), None)
    assert (third.index, third.kind) == (3, "empirical-excess-risk")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 8), "0.125"),
        (Fraction(-1, 40), "-0.025"),
        (Fraction(100), "100"),
        (Fraction(1, 3), "1/3"),
        (Fraction(0), "0"),
        (Fraction(10**200), "a number of over 120 digits"),
    ],
)
def test_numbers_in_messages(value: Fraction, text: str) -> None:
    assert number_text(value) == text
