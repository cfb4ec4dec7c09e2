"""From the tree of a claim file to the typed ClaimFile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields as dataclass_fields
from types import MappingProxyType
from typing import Any

from certify.claims.document import Document, shown
from certify.claims.tables import as_table, refuse_unknown, typed_table
from certify.statements.rules.claim import KINDS, Claim, ClaimFile, Model, Policy, Release
from certify.statements.rules.consistency import Fault, claim_faults, model_faults, policy_faults
from certify.statements.rules.fields import MAX_CLAIMS, NEEDED_TABLES, TABLES, TOP


def claim_file(document: Document, sha256: str) -> ClaimFile:
    """Return the typed claim file, or raise UnusableInput with file, line and field."""
    root = as_table(document, "", document.root)
    names = [field.name for field in TOP]
    refuse_unknown(document, "", root, [*names, *TABLES])
    top = typed_table(document, "", {name: root[name] for name in names if name in root}, TOP, ())
    release = _table(document, "release", ())
    mechanism = release["mechanism"]
    head = _head(document)
    model = _table(document, "model", (mechanism, *head))
    _refuse(document, model_faults(model, mechanism))
    policy = _table(document, "policy", (mechanism,))
    _refuse(document, policy_faults(policy, mechanism))
    return ClaimFile(
        source=document.source,
        sha256=sha256,
        id=top["id"],
        release=Release(**release),
        model=Model(**model),
        policy=Policy(**policy),
        claims=_claims(document, mechanism, policy),
        lines=MappingProxyType(dict(document.lines or {})),
    )


def _refuse(document: Document, faults: Iterable[Fault]) -> None:
    """Refuse the file for the first fault, if there is one."""
    for fault in faults:
        raise document.error(fault.message, fault.path)


def _table(document: Document, name: str, tags: tuple[str, ...]) -> dict[str, Any]:
    if name not in document.root and name in NEEDED_TABLES:
        raise document.error(f"the table [{name}] is missing", name)
    raw = as_table(document, name, document.root.get(name, {}))
    if name == "release":
        tags = _word(raw.get("mechanism"))
    return typed_table(document, name, raw, TABLES[name], tags)


def _head(document: Document) -> tuple[str, ...]:
    raw = document.root.get("model")
    return _word(raw.get("head")) if isinstance(raw, Mapping) else ()


def _word(raw: object) -> tuple[str, ...]:
    """The tag that a choice gives; whether it is a known one is checked when its field is read."""
    return (str(raw),) if isinstance(raw, str) else ()


def _claims(document: Document, mechanism: str, policy: dict[str, Any]) -> tuple[Claim, ...]:
    raw = document.root.get("claim", [])
    if not isinstance(raw, list | tuple):
        message = f"claims are a list of tables, not {shown(raw)}: write [[claim]] in TOML, a list elsewhere"
        raise document.error(message, "claim")
    if not raw:
        raise document.error("no claim in the file: at least one [[claim]] is needed", "claim")
    if len(raw) > MAX_CLAIMS:
        message = f"{len(raw)} claims; at most {MAX_CLAIMS} in one file"
        raise document.error(message, "claim", at=f"claim[{MAX_CLAIMS + 1}]")
    return tuple(_claim(document, index, item, mechanism, policy) for index, item in enumerate(raw, 1))


def _claim(document: Document, index: int, item: object, mechanism: str, policy: dict[str, Any]) -> Claim:
    path = f"claim[{index}]"
    raw = as_table(document, path, item)
    values = typed_table(document, path, raw, TABLES["claim"], (mechanism, *_word(raw.get("kind"))))
    _refuse(document, claim_faults(path, values, policy))
    if values["radius"] is None:
        values["radius"] = policy["radius"]
    variant = KINDS[values["kind"]]
    own = {field.name for field in dataclass_fields(variant)}
    return variant(index=index, **{name: value for name, value in values.items() if name in own})
