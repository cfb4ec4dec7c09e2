"""A claim as a certificate writes it: every number exact and in one form, and back; nothing but that form is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields as names_of
from dataclasses import is_dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from certify.statements.rules.claim import KINDS, Claim, ClaimFile, Model, Policy, Release
from certify.statements.rules.consistency import Fault, claim_faults, model_faults, policy_faults
from certify.statements.rules.fields import ALWAYS, MAX_COUNT, MAX_WEIGHTS, PUBLIC_NAMES, TABLES, Field
from certify.statements.rules.numbers import exact_number, exact_text

_MOST_BITS = 50_000
_MOST_WEIGHT_BITS = 8192
_LONGEST_ID = 200


class Refused(Exception):
    """Why a file is not a certificate: the first wrong place, and what is wrong there, in one line."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


def claim_object(claims: ClaimFile, claim: Claim) -> dict[str, object]:
    """One claim with all it rests on, as text, lists and whole numbers."""
    tags = _tags(claims.release.mechanism, claims.model.head, claim.kind)
    return {
        "id": claims.id,
        "index": claim.index,
        "release": _table("release", claims.release, tags),
        "model": _table("model", claims.model, tags),
        "policy": _table("policy", claims.policy, tags),
        "claim": {"kind": claim.kind, **_table("claim", claim, tags)},
    }


def read_claim(raw: object) -> tuple[ClaimFile, Claim]:
    """The claim whose ``claim_object`` this is. Raises Refused for anything else."""
    top = _mapping(raw, "claim", {"id", "index", "release", "model", "policy", "claim"})
    name, index = top["id"], top["index"]
    if not isinstance(name, str) or len(name) > _LONGEST_ID or not (name.isprintable() or not name):
        raise Refused("claim.id", f"a text of at most {_LONGEST_ID} printable characters is needed")
    if type(index) is not int or not 1 <= index <= MAX_COUNT:
        raise Refused("claim.index", "a whole number from 1 is needed")
    tables = {table: _mapping(top[table], f"claim.{table}") for table in TABLES}
    tags = _tags(*(tables[table].get(word) for table, word in _TAGGING))
    values = {table: _values(table, tables[table], tags) for table in TABLES}
    mechanism, kind = values["release"]["mechanism"], values["claim"]["kind"]
    _refuse(model_faults(values["model"], mechanism))
    _refuse(policy_faults(values["policy"], mechanism))
    _refuse(claim_faults("claim", values["claim"], values["policy"]))
    own = {field.name for field in names_of(KINDS[kind])}
    claim = KINDS[kind](index=index, **{name: value for name, value in values["claim"].items() if name in own})
    file = ClaimFile(
        "certificate", "", name, Release(**values["release"]), Model(**values["model"]), Policy(**values["policy"]), ()
    )
    if claim_object(file, claim) != raw:
        raise Refused("claim", "it is not in the form that is written")
    return file, claim


_TAGGING = (("release", "mechanism"), ("model", "head"), ("claim", "kind"))


def _tags(*words: object) -> frozenset[str]:
    return frozenset((ALWAYS, *(word for word in words if isinstance(word, str))))


def _table(table: str, values: object, tags: frozenset[str]) -> dict[str, object]:
    """The fields that belong and are set, each as text or a list of texts."""
    found = {
        field.name: getattr(values, field.name)
        for field in TABLES[table]
        if field.belongs(tags) and is_dataclass(values) and getattr(values, field.name, None) is not None
    }
    return {name: _shown(value) for name, value in found.items() if name != "kind"}


def _shown(value: object) -> object:
    if isinstance(value, tuple):
        return [_shown(item) for item in value]
    return exact_text(Fraction(value)) if isinstance(value, int | Fraction) else value


def _mapping(raw: object, place: str, names: set[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(raw, dict) or (names is not None and set(raw) != names):
        wanted = "an object" if names is None else f"an object with the keys {', '.join(sorted(names))}"
        raise Refused(place, f"{wanted} is needed")
    return raw


def _refuse(faults: Iterable[Fault]) -> None:
    for fault in faults:
        raise Refused(f"claim.{fault.path}", fault.message)


def _values(table: str, raw: Mapping[str, object], tags: frozenset[str]) -> dict[str, Any]:
    """The typed value of every field of a table; one that is absent has its default."""
    known = {field.name: field for field in TABLES[table] if field.belongs(tags)}
    for name in raw:
        if name not in known:
            raise Refused(f"claim.{table}", "it has a field that does not belong there")
    for name, field in known.items():
        if name not in raw and field.is_needed(tags):
            raise Refused(f"claim.{table}.{name}", "it is missing")
    return {
        field.name: _value(field, f"claim.{table}.{field.name}", raw[field.name])
        if field.name in raw
        else field.default
        for field in TABLES[table]
    }


def _value(field: Field, place: str, raw: object) -> object:
    if field.shape in ("names", "weights"):
        if not isinstance(raw, list) or len(raw) > MAX_WEIGHTS:
            raise Refused(place, "a list is needed")
        if field.shape == "names":
            if any(name not in PUBLIC_NAMES for name in raw) or len(set(raw)) < len(raw):
                raise Refused(place, "a list of the names of fields is needed, none twice")
            return tuple(raw)
        return _weights(place, raw)
    if field.shape == "choice":
        if not isinstance(raw, str) or raw not in field.choices:
            raise Refused(place, f"it must be {field.accepted()}")
        return raw
    value = _number(place, raw)
    if not field.in_range(value) or (field.shape == "count" and (value.denominator != 1 or value > MAX_COUNT)):
        raise Refused(place, f"it is out of range: {field.accepted()}")
    return value.numerator if field.shape == "count" else value


def _weights(place: str, raw: list[object]) -> tuple[Fraction, ...]:
    """Weights that sum to exactly 1 over a common denominator of bounded size, so that the sum is cheap."""
    weights = tuple(_number(place, item) for item in raw)
    common = 1
    for weight in weights:
        common = lcm(common, weight.denominator)
        if common.bit_length() > _MOST_WEIGHT_BITS:
            raise Refused(place, f"the weights' common denominator has over {_MOST_WEIGHT_BITS} bits")
    whole = [weight.numerator * (common // weight.denominator) for weight in weights]
    if not whole or min(whole) < 0 or sum(whole) != common:
        raise Refused(place, "weights >= 0 that sum to exactly 1 are needed")
    return weights


def _number(place: str, raw: object) -> Fraction:
    value = exact_number(raw) if isinstance(raw, str) else None
    if value is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise Refused(place, "an exact number in its one form is needed, as text")
    return value
