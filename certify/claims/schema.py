"""The JSON Schema (2020-12) of a claim file, made from the same field table as the parser.

A schema cannot say everything the parser checks: the range of a number written as text, sums, and relations between
counts are left to ``certify check``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from certify.kernel.exact import MAX_LENGTH
from certify.statements.rules.claim import KINDS
from certify.statements.rules.fields import (
    ALWAYS,
    HEADS,
    MAX_CLAIMS,
    MAX_COUNT,
    MAX_WEIGHTS,
    MECHANISMS,
    NEEDED_TABLES,
    PUBLIC_NAMES,
    TABLES,
    TOP,
    Field,
)

_NUMBER_TEXT = r"^[+-]?([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+/[0-9]+)$"

Schema = dict[str, Any]


def claim_schema() -> Schema:
    """Return the JSON Schema of a claim file as plain dicts and lists."""
    tables = {name: _table(fields) for name, fields in TABLES.items()}
    tables["claim"]["allOf"] = [_when("kind", kind, _effect(TABLES["claim"], kind, KINDS)) for kind in KINDS]
    tables["model"]["allOf"] = [_when("head", head, _effect(TABLES["model"], head, HEADS)) for head in HEADS]
    claims = {"type": "array", "minItems": 1, "maxItems": MAX_CLAIMS, "items": tables.pop("claim")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:certify:claim:v1",
        "title": "certify claim file",
        "type": "object",
        "properties": {**{field.name: _field(field) for field in TOP}, **tables, "claim": claims},
        "required": list(NEEDED_TABLES),
        "additionalProperties": False,
        "allOf": [_mechanism(mechanism) for mechanism in MECHANISMS],
    }


def _mechanism(mechanism: str) -> Schema:
    """What a mechanism asks of every table."""
    effects = {name: _effect(fields, mechanism, MECHANISMS) for name, fields in TABLES.items()}
    effects["claim"] = {"items": effects["claim"]}
    condition = {
        "properties": {"release": {"properties": {"mechanism": {"const": mechanism}}, "required": ["mechanism"]}}
    }
    return {"if": condition, "then": {"properties": {name: effect for name, effect in effects.items() if effect}}}


def _when(name: str, word: str, effect: Schema) -> Schema:
    return {"if": {"properties": {name: {"const": word}}, "required": [name]}, "then": effect}


def _effect(fields: Iterable[Field], tag: str, axis: Iterable[str]) -> Schema:
    """The fields of a table that one word of an axis requires, and those it excludes."""
    words = set(axis)
    excluded = [
        field.name for field in fields if any(words.issuperset(group) and tag not in group for group in field.only)
    ]
    required = [field.name for field in fields if tag in field.needed]
    return {
        **({"properties": dict.fromkeys(excluded, False)} if excluded else {}),
        **({"required": required} if required else {}),
    }


def _table(fields: Iterable[Field]) -> Schema:
    fields = tuple(fields)
    required = [field.name for field in fields if ALWAYS in field.needed]
    return {
        "type": "object",
        "properties": {field.name: _field(field) for field in fields},
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _field(field: Field) -> Schema:
    described = {"description": field.note}
    if field.shape == "choice":
        return {**described, "enum": list(field.choices)}
    if field.shape == "text":
        return {**described, "type": "string", "maxLength": 200}
    if field.shape == "names":
        return {**described, "type": "array", "items": {"enum": list(PUBLIC_NAMES)}}
    if field.shape == "weights":
        weight = _number(Field(field.name, "number", field.note, least=0, most=1))
        return {**described, "type": "array", "minItems": 1, "maxItems": MAX_WEIGHTS, "items": weight}
    return {**described, **_number(field)}


def _number(field: Field) -> Schema:
    """A number, or its text; the range is stated for the number."""
    bounds = {
        "exclusiveMinimum": field.above,
        "minimum": field.least,
        "maximum": MAX_COUNT if field.shape == "count" else field.most,
        "exclusiveMaximum": field.below,
    }
    kind = "integer" if field.shape == "count" else "number"
    number = {"type": kind, **{name: bound for name, bound in bounds.items() if bound is not None}}
    text = {"type": "string", "pattern": _NUMBER_TEXT, "maxLength": MAX_LENGTH}
    return {"anyOf": [number, text, *([{"const": field.unset}] if field.unset else [])]}
