"""The schema says what the parser does: the same fields, the same files."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from certify.claims import ClaimFile, Model, Policy, Release, from_mapping
from certify.claims.schema import claim_schema
from certify.errors import UnusableInput
from certify.statements.rules.claim import KINDS
from certify.statements.rules.fields import TABLES, TOP

from .samples import BALL, DESCENT

SCHEMA = claim_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CORPUS = Path(__file__).parents[1] / "corpus" / "malformed"

BEYOND_A_SCHEMA = {
    "claim-radius-with-any-record.toml",
    "control-character.json",
    "count-not-whole.toml",
    "delta-above-one.toml",
    "denominator-zero.toml",
    "duplicate-key.json",
    "exponent-huge.toml",
    "exponent-too-large.toml",
    "gradient-tolerance-negative.toml",
    "id-control-character.toml",
    "impossible-class-counts.toml",
    "one-class-of-too-few.toml",
    "infinity.json",
    "integer-too-long.toml",
    "loss-bounds-incomplete.toml",
    "loss-missing.toml",
    "loss-twice.toml",
    "metric-on-descent.toml",
    "nan.json",
    "overflow.json",
    "prior-negative.toml",
    "prior-sum.toml",
    "radius-missing.toml",
    "radius-with-any-record.toml",
    "reconstruction-two-priors.toml",
    "reconstruction-without-prior.toml",
    "sigma-infinite.toml",
    "sigma-nan.toml",
    "sigma-negative.toml",
    "softmax-one-class.toml",
    "surrogate.json",
    "variant-of-theorem-4.1.toml",
}
"""What a schema cannot tell: ranges and lengths of numbers in text, sums, relations between fields."""


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    json.dumps(SCHEMA)


def test_the_examples_validate(example: Path) -> None:
    VALIDATOR.validate(tomllib.loads(example.read_text(encoding="utf-8")))


def test_schema_table_and_model_have_the_same_fields() -> None:
    properties = SCHEMA["properties"]
    assert set(properties) == {field.name for field in TOP} | set(TABLES)
    items = properties["claim"]["items"]
    for name, table in {**properties, "claim": items}.items():
        if name in TABLES:
            assert set(table["properties"]) == {field.name for field in TABLES[name]}
            assert table["additionalProperties"] is False
    for name, kind in (("release", Release), ("model", Model), ("policy", Policy)):
        assert {field.name for field in TABLES[name]} == {field.name for field in dataclasses.fields(kind)}
    of_claims = {field.name for kind in KINDS.values() for field in dataclasses.fields(kind)} - {"index"}
    assert {field.name for field in TABLES["claim"]} - {"kind"} == of_claims


def test_a_claim_has_exactly_the_fields_that_belong_to_its_kind() -> None:
    for kind, variant in KINDS.items():
        mechanisms = {"gaussian-output-perturbation", "objective-perturbation-gd"}
        belonging = {field.name for field in TABLES["claim"] if field.belongs(frozenset({kind, *mechanisms}))}
        assert belonging - {"kind"} == {field.name for field in dataclasses.fields(variant)} - {"index"}


def test_the_schema_refuses_every_malformed_file_that_it_can_see_through() -> None:
    accepted = set()
    for path in sorted(CORPUS.iterdir()):
        try:
            text = path.read_text(encoding="utf-8")
            tree = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        except (ValueError, RecursionError):
            continue  # not a tree: nothing for a schema to see
        if VALIDATOR.is_valid(tree):
            accepted.add(path.name)
    assert accepted == BEYOND_A_SCHEMA


@pytest.mark.parametrize("base", [BALL, DESCENT], ids=["output", "descent"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", TABLES)
def test_schema_and_parser_agree_field_by_field(base: dict[str, Any], kind: str, table: str) -> None:
    """Adding or dropping any one field: valid for the schema exactly where the parser has no complaint of its own."""
    samples: dict[str, object] = {"public": ["n"], "prior": [1], "id": "x", "schema": "certify/claim/v1"}
    needs: dict[str, object] = {"bound": 1, "sample_failure": "0.1", "comparator_norm": 1, "release_failure": "0.1"}
    needs.update(epsilon=1, delta="0.1", success=1)
    needed = {field.name: needs[field.name] for field in TABLES["claim"] if kind in field.needed}
    claim = {"kind": kind, **needed, **({"candidates": 2} if kind == "reconstruction" else {})}
    for field in TABLES[table]:
        tree = {**base, "claim": [claim]}
        target = dict(claim if table == "claim" else base.get(table, {}))
        sample = samples.get(field.name, field.choices[0] if field.choices else "0.5" if field.shape == "number" else 1)
        if field.name in target:
            del target[field.name]
        else:
            target[field.name] = sample
        tree[table] = [target] if table == "claim" else target
        accepted = True
        try:
            assert isinstance(from_mapping(tree), ClaimFile)
        except UnusableInput as refused:
            related = ("exactly one of", "given twice", "or all of", "up to a radius", "any record", "no variants")
            if any(words in refused.message for words in related):
                continue
            accepted = False
        assert VALIDATOR.is_valid(tree) is accepted, (field.name, tree)
