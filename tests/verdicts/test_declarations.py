"""What the theorem needs and the claim lacks: named with the line to add, and adding that line is enough."""

from __future__ import annotations

from typing import Any

import pytest

from certify.claims import loads
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict, Verdict

from .corpus import as_toml, files, toml, with_line
from .samples import CLASS, DESCENT, LOGISTIC, RIDGE, any_record, changed, verdict

CERTIFIED, REFUTED = Verdict.CERTIFIED, Verdict.REFUTED
AFTER = {
    "no-adjacency": CERTIFIED,
    "no-metric": CERTIFIED,
    "no-metric-no-radius": CERTIFIED,
    "no-policy": REFUTED,
    "ridge-counts-not-public": CERTIFIED,
    "no-public": CERTIFIED,
    "no-public-n": CERTIFIED,
    "no-public-false-claim": REFUTED,
    "unregularized-intercept": CERTIFIED,
    "unregularized-intercept-softmax": CERTIFIED,
    "hinge-intercept": CERTIFIED,
    "ridge-intercept": CERTIFIED,
    "ridge-any-record": REFUTED,
    "descent-no-adjacency": CERTIFIED,
    "descent-no-public": CERTIFIED,
    "descent-class-undeclared": REFUTED,
    "descent-intercept": CERTIFIED,
}


def completed(text: str) -> tuple[str, tuple[ClaimVerdict, ...]]:
    """The text with every line added that the first claim's verdict names, and the verdicts on it."""
    for missing in check_file(loads(text, format="toml"), repairs=False)[0].missing:
        for line in missing.line_to_add.splitlines():
            text = with_line(text, line)
    return text, check_file(loads(text, format="toml"), repairs=False)


def test_the_table_names_every_file_that_lacks_something() -> None:
    """So that no declaration goes untested."""
    lacking = {
        path.stem
        for path in files(Verdict.NOT_CERTIFIED)
        if any(claim.missing for claim in check_file(loads(as_toml(path), format="toml"), repairs=False))
    }
    assert lacking == set(AFTER)


@pytest.mark.parametrize(("stem", "expected"), AFTER.items(), ids=AFTER)
def test_adding_the_lines_named_gives_the_verdict(stem: str, expected: Verdict) -> None:
    """Exactly those lines, once."""
    [path] = [path for path in files(Verdict.NOT_CERTIFIED) if path.stem == stem]
    _, after = completed(as_toml(path))
    for claim in after:
        assert not claim.missing
        assert claim.verdict is expected, claim.reason


NEEDED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("adjacency", RIDGE, {"policy__adjacency": None}, 'adjacency = "replace-one"   # under [policy]'),
    ("adjacency of descent", DESCENT, {"policy__adjacency": None}, 'adjacency = "replace-one"   # under [policy]'),
    ("metric", LOGISTIC, {"policy__metric": None}, 'metric = "label-preserving-euclidean"   # under [policy]'),
    (
        "intercept",
        LOGISTIC,
        {"model__intercept": "unregularized"},
        'intercept = "regularized"   # under [model], after training that way',
    ),
    (
        "intercept of descent",
        CLASS,
        {"model__intercept": "regularized"},
        'intercept = "none"   # under [model], after that change',
    ),
    (
        "public",
        DESCENT,
        {"model__public": ["loss", "n"]},
        'public = ["loss", "n", "d", "feature_bound", "regularization"]   # under [model]',
    ),
    (
        "public of a ball",
        LOGISTIC,
        {"model__public": None},
        'public = ["feature_bound", "radius", "n"]   # under [model]',
    ),
    (
        "public of any record",
        any_record(LOGISTIC),
        {"model__public": ["n"]},
        'public = ["n", "feature_bound"]   # under [model]',
    ),
]


@pytest.mark.parametrize(("what", "base", "change", "line"), NEEDED, ids=[case[0] for case in NEEDED])
def test_the_line_is_named(what: str, base: dict[str, Any], change: dict[str, Any], line: str) -> None:
    """One missing declaration, one line, in the verdict's reason as well."""
    found = verdict(base, **change)
    assert found.verdict is Verdict.NOT_CERTIFIED, what
    [missing] = found.missing
    assert missing.line_to_add == line
    assert missing.text in found.reason


@pytest.mark.parametrize("name", ["feature_bound", "radius", "n"])
def test_each_public_field_is_needed(name: str) -> None:
    """One left out is one missing, and the rest are kept."""
    for base in (RIDGE, LOGISTIC):
        kept = [field for field in base["model"]["public"] if field != name]
        found = verdict(base, model__public=kept)
        assert found.verdict is Verdict.NOT_CERTIFIED
        assert name in found.missing[0].text and f'"{name}"]' in found.missing[0].line_to_add


@pytest.mark.parametrize("name", ["n", "d", "feature_bound", "regularization"])
def test_each_public_field_of_descent_is_needed(name: str) -> None:
    """For privacy and reconstruction; utility needs none."""
    kept = [field for field in DESCENT["model"]["public"] if field != name]
    for claim in (DESCENT["claim"], [{"kind": "reconstruction", "success": "0.9", "candidates": 10}]):
        assert verdict({**DESCENT, "claim": claim}, model__public=kept).missing
    risk = [{"kind": "empirical-excess-risk", "bound": 1}]
    assert verdict({**DESCENT, "claim": risk}, model__public=[]).verdict is Verdict.CERTIFIED


def test_class_counts_count_only_where_public() -> None:
    """min_class_count without public counts certifies nothing, and its absence from public refutes nothing."""
    public = ["feature_bound", "radius", "n"]
    found = verdict(RIDGE, model__public=public)
    assert found.verdict is Verdict.NOT_CERTIFIED
    [missing] = found.missing
    assert missing.line_to_add == 'public = ["feature_bound", "radius", "n", "class_counts"]   # under [model]'
    assert {note.name for note in found.notes} == {"class-counts-not-public"}
    enough = verdict(RIDGE, model__public=public, release__sigma="0.065")
    assert enough.verdict is Verdict.CERTIFIED and not enough.missing
    false = verdict(RIDGE, model__public=public, release__sigma="0.0016")
    assert false.verdict is Verdict.REFUTED
    assert false.witness is not None and "a class of 174 records" in false.witness
    unstated = verdict(RIDGE, model__min_class_count=None)
    assert unstated.verdict is Verdict.REFUTED
    assert unstated.witness is not None and "a class of one record" in unstated.witness
    assert verdict(RIDGE).notes == ()


def test_radius_two_B_offered_without_metric_and_radius() -> None:
    """Ridge prototypes have no any-record form: the two lines offered are the metric and 2B."""
    text = toml(changed(RIDGE, policy__metric=None, policy__radius=None, release__sigma="0.03"))
    after, found = completed(text)
    assert 'radius = "2"' in after
    assert found[0].verdict is Verdict.CERTIFIED


ASSUMED = [
    (RIDGE, {}, {"replace-one", "feature-bound", "public-metadata", "exact-minimiser", "class-counts"}),
    (RIDGE, {"model__gradient_tolerance": 0}, {"gradient-tolerance"}),
    (RIDGE, {"model__gradient_tolerance": "1e-9"}, {"gradient-tolerance", "label-preserving-euclidean"}),
    (LOGISTIC, {}, {"regularised-intercept", "exact-minimiser", "label-preserving-euclidean"}),
    (LOGISTIC, {"model__intercept": "none"}, {"no-intercept"}),
    (LOGISTIC, {"model__head": "squared-hinge"}, {"no-intercept", "exact-minimiser"}),
    (any_record(LOGISTIC), {}, {"any-record", "replace-one", "regularised-intercept"}),
    (DESCENT, {}, {"replace-one", "any-record", "generalized-linear-model", "zero-start", "feature-bound"}),
    (CLASS, {}, {"loss-constants", "generalized-linear-model", "zero-start"}),
]
STANDING = {"ideal-gaussian-sampling", "real-arithmetic", "one-release", "untuned-hyper-parameters"}


@pytest.mark.parametrize(("base", "change", "names"), ASSUMED)
def test_assumptions_are_listed(base: dict[str, Any], change: dict[str, Any], names: set[str]) -> None:
    """The standing ones always, those of the case as declared."""
    found = verdict(base, **change)
    assert {item.name for item in found.assumptions if item.kind == "standing"} == STANDING
    assert names <= {item.name for item in found.assumptions if item.kind == "declared"}


def test_assumptions_exclude_each_other() -> None:
    """Exact or within a tolerance; one label or any."""
    for base in (RIDGE, LOGISTIC, any_record(LOGISTIC), DESCENT):
        for tolerance in (None, 0, "1e-9") if base is not DESCENT else (None,):
            names = [item.name for item in verdict(base, model__gradient_tolerance=tolerance).assumptions]
            assert len(names) == len(set(names))
            assert not {"exact-minimiser", "gradient-tolerance"} <= set(names)
            assert not {"any-record", "label-preserving-euclidean"} <= set(names)


def test_every_claim_of_the_corpus_lists_the_standing_assumptions() -> None:
    """Whatever the verdict."""
    for kind in Verdict:
        for path in files(kind)[::4]:
            for claim in check_file(loads(as_toml(path), format="toml"), repairs=False):
                assert {item.name for item in claim.assumptions} >= STANDING


def test_notes() -> None:
    """delta >= 1/n, radii of 2B and more."""

    def names(**change: Any) -> set[str]:
        return {note.name for note in verdict(LOGISTIC, **change).notes}

    assert names() == set()
    assert names(claim__delta="1/25001") == set()
    assert names(claim__delta="1/25000") == {"delta-at-least-1/n"}
    assert names(policy__radius=2) == {"labels-not-protected"}
    assert names(claim__radius="2.01") == {"radius-above-2B", "labels-not-protected"}
    assert {note.name for note in verdict(DESCENT, claim__delta="1e-6").notes} == {"delta-at-least-1/n"}
    assert {note.name for note in verdict(any_record(LOGISTIC), claim__delta=1).notes} == {"delta-at-least-1/n"}
