"""One raw value and its row of the field table give a typed value, or an error that names the place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType

from certify.claims.conventions import ADJACENCY, OPEN_VALUE, ZERO_SIGMA
from certify.claims.document import Document, Numeral, number_text, shown
from certify.claims.suggestions import suggestion
from certify.errors import UnusableInput
from certify.kernel.exact import exact
from certify.statements.rules.fields import MAX_COUNT, MAX_WEIGHTS, PUBLIC_NAMES, Field

_MAX_ID = 200
_MAX_WEIGHT_LENGTH = 1000
_MAX_WEIGHT_BITS = 8192
_LONG_EXPONENT = re.compile(r"[eE][+-]?0*[1-9][0-9]{3}")


def typed(document: Document, field: Field, path: str, raw: object) -> object:
    """The typed value of a field that is present."""
    if raw is None:
        raise document.error("null is not a value; leave the field out, or give " + field.accepted(), path)
    return _READERS[field.shape](document, field, path, raw)


def _rational(document: Document, field: Field, path: str, raw: object) -> Fraction:
    if isinstance(raw, str) and raw == "?":
        raise document.error(OPEN_VALUE, path)
    if isinstance(raw, Mapping | list | tuple):
        raise document.error(f"{field.accepted()} is needed, not {shown(raw)}", path)
    try:
        value = exact(raw, path)
    except UnusableInput as fault:
        raise document.error(fault.message, path) from None
    if not field.in_range(value):
        zero_sigma = field.name == "sigma" and value == 0
        given = f"{number_text(value)} is out of range; accepted: {field.accepted()} ({field.note})"
        raise document.error(ZERO_SIGMA if zero_sigma else given, path)
    return value


def _number(document: Document, field: Field, path: str, raw: object) -> Fraction | None:
    if isinstance(raw, str) and raw == field.unset:
        return None
    return _rational(document, field, path, raw)


def _count(document: Document, field: Field, path: str, raw: object) -> int:
    value = _rational(document, field, path, raw)
    if value.denominator != 1:
        raise document.error(f"{number_text(value)} is not whole; accepted: {field.accepted()} ({field.note})", path)
    if value > MAX_COUNT:
        raise document.error("a count above 10^18 is not read", path)
    return value.numerator


def _text(document: Document, field: Field, path: str, raw: object) -> str:
    if not isinstance(raw, str) or isinstance(raw, Numeral):
        raise document.error(f"{field.accepted()} in quotes is needed, not {_kind(raw)}", path)
    if len(raw) > _MAX_ID or not raw.isprintable():
        raise document.error(f"accepted: a text of at most {_MAX_ID} printable characters", path)
    return raw


def _choice(document: Document, field: Field, path: str, raw: object) -> str:
    if isinstance(raw, str) and raw in field.choices and not isinstance(raw, Numeral):
        return str(raw)
    reason = f"; {ADJACENCY}" if field.name == "adjacency" else ""
    if isinstance(raw, str) and not isinstance(raw, Numeral):
        hint = suggestion(raw, field.choices)
        raise document.error(f"{shown(raw)} is unknown{hint}; accepted: {field.accepted()}{reason}", path)
    raise document.error(f"a text is needed, not {_kind(raw)}; accepted: {field.accepted()}{reason}", path)


def _names(document: Document, field: Field, path: str, raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list | tuple):
        raise document.error(f"{field.accepted()} is needed, not {_kind(raw)}", path)
    for position, name in enumerate(raw, 1):
        if not isinstance(name, str) or name not in PUBLIC_NAMES:
            hint = suggestion(name, PUBLIC_NAMES) if isinstance(name, str) else ""
            accepted = ", ".join(PUBLIC_NAMES)
            message = f"{shown(name)} is not a field that can be public{hint}; accepted: {accepted}"
            raise document.error(message, path, at=f"{path}[{position}]")
    return tuple(dict.fromkeys(raw))


def _weights(document: Document, field: Field, path: str, raw: object) -> tuple[Fraction, ...]:
    """The prior: exact weights >= 0 that sum to exactly 1; the caps keep the sum cheap."""
    if not isinstance(raw, list | tuple):
        raise document.error(f'a list of weights such as ["1/2", "1/4", "1/4"] is needed, not {_kind(raw)}', path)
    if not 0 < len(raw) <= MAX_WEIGHTS:
        raise document.error(f"{len(raw)} weights; accepted: 1 to {MAX_WEIGHTS}", path)
    entry = Field(field.name, "number", "a weight of the prior", least=0, most=1)
    weights = []
    common = 1
    for position, item in enumerate(raw, 1):
        place = f"{path}[{position}]"
        if isinstance(item, str) and (len(item) > _MAX_WEIGHT_LENGTH or _LONG_EXPONENT.search(item)):
            limit = f"a weight has at most {_MAX_WEIGHT_LENGTH} characters and an exponent within +-999"
            raise document.error(limit, place)
        weight = _rational(document, entry, place, item)
        if common % weight.denominator:
            common = lcm(common, weight.denominator)
        if common.bit_length() > _MAX_WEIGHT_BITS:
            message = f"the weights' common denominator has over {_MAX_WEIGHT_BITS} bits; round the weights"
            raise document.error(message, place)
        weights.append(weight)
    total = Fraction(sum(weight.numerator * (common // weight.denominator) for weight in weights), common)
    if total != 1:
        off = number_text(total)
        message = f'the weights sum to {off}; they must sum to exactly 1 (thirds are written "1/3")'
        raise document.error(message, path)
    return tuple(weights)


def _kind(raw: object) -> str:
    if isinstance(raw, Numeral) or (isinstance(raw, int | float | Fraction) and not isinstance(raw, bool)):
        return f'the number {shown(raw)} (write "{shown(raw)}")' if isinstance(raw, Numeral | int) else "a number"
    return f"the text {shown(raw)}" if isinstance(raw, str) else shown(raw)


_READERS: Mapping[str, Callable[[Document, Field, str, object], object]] = MappingProxyType(
    {
        "number": _number,
        "count": _count,
        "text": _text,
        "choice": _choice,
        "names": _names,
        "weights": _weights,
    }
)
