"""A whole table against the field table: unknown and misplaced fields, missing numbers, typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from certify.claims.conventions import SYNONYMS, trap
from certify.claims.document import Document, shown
from certify.claims.suggestions import suggestion
from certify.claims.values import typed
from certify.errors import UnusableInput
from certify.statements.rules.fields import ALWAYS, AXES, TABLES, TOP, Field


def as_table(document: Document, path: str, raw: object) -> Mapping[str, object]:
    """``raw`` when it is a table with text keys."""
    if not isinstance(raw, Mapping):
        raise document.error(f"a table of fields is needed, not {shown(raw)}", path)
    if any(not isinstance(key, str) for key in raw):
        raise document.error("every field name is a text", path)
    return raw


def typed_table(
    document: Document, path: str, raw: Mapping[str, object], fields: Iterable[Field], tags: Iterable[str]
) -> dict[str, Any]:
    """The typed value of every field of one table; absent fields get their default."""
    fields, present = tuple(fields), frozenset((ALWAYS, *tags))
    known = {field.name for field in fields}
    own = [field.name for field in fields if field.belongs(present)]
    refuse_unknown(document, path, (name for name in raw if name not in known), own)
    values: dict[str, Any] = {}
    for field in fields:
        place = _join(path, field.name)
        if field.name in raw and not field.belongs(present):
            raise document.error(_misplaced(field, present), place)
        if field.name in raw:
            values[field.name] = typed(document, field, place, raw[field.name])
        elif field.is_needed(present):
            raise document.error(f"is missing; accepted: {field.accepted()} ({field.note})", place)
        else:
            values[field.name] = field.default
    return values


def refuse_unknown(document: Document, path: str, given: Iterable[str], accepted: list[str]) -> None:
    """Refuse the first name that this table does not have, saying what was probably meant."""
    for name in given:
        if name not in accepted:
            raise _unknown(document, path, name, accepted)


def _unknown(document: Document, path: str, name: str, accepted: list[str]) -> UnusableInput:
    message = trap(name, document.root)
    if message is None:
        message = f"is not a field here{_meant(path, name, accepted)}; accepted: {', '.join(accepted)}"
    return document.error(message, _join(path, name))


def _meant(path: str, name: str, accepted: list[str]) -> str:
    table = path.partition("[")[0]
    if name in SYNONYMS:
        return f" (did you mean {SYNONYMS[name]}?)"
    if any(name == field.name for field in TOP):
        return f" ({name} belongs above the tables)"
    homes = [home for home, fields in TABLES.items() if home != table and any(name == field.name for field in fields)]
    if homes:
        return f" ({name} belongs to {' or '.join('[[claim]]' if home == 'claim' else f'[{home}]' for home in homes)})"
    return suggestion(name, accepted)


def _misplaced(field: Field, tags: frozenset[str]) -> str:
    """Why a known field has no meaning here: the first group that it does not meet, under the name of its axis."""
    group = next(group for group in field.only if not tags.intersection(group))
    axis = next(axis for axis, words in AXES.items() if set(group) <= set(words))
    here = next((tag for tag in tags if tag in AXES[axis]), None)
    where = " or ".join(f'"{word}"' for word in group)
    return f"belongs to {axis} = {where}" + (f', not to "{here}"; leave it out' if here else "; leave it out")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
