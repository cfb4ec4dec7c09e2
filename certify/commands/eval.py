"""`certify eval STATEMENT name=value ...`: one statement's enclosures and hypotheses."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from certify.commands.limits import limits_of
from certify.errors import UnusableInput
from certify.evaluation import answer, source_of
from certify.evaluation.entries import Answer, Given, Inputs
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.statements.rules.numbers import exact_text


def run(arguments: argparse.Namespace) -> int:
    """Print the answer; 0 where values are printed and every hypothesis holds, else 1."""
    given = _pairs(arguments.inputs)
    inputs, found = answer(arguments.statement, given, arguments.digits, limits_of(arguments))
    if arguments.format == "json":
        print(_json(arguments.statement, inputs, found, arguments.digits))
    else:
        print(_text(arguments.statement, found, arguments.digits))
    holds = all(item.decision is Decision.PROVED for item in found.hypotheses)
    return 0 if holds and found.values else 1


def _pairs(words: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UnusableInput(f"{word!r} is not an input; write name=value, such as epsilon=2")
        if name in found:
            raise UnusableInput("given twice", field=name)
        found[name] = value
    return found


def _shown(value: Given) -> str:
    if isinstance(value, tuple):
        return ",".join(exact_text(item) for item in value)
    return value if isinstance(value, str) else exact_text(value)


def value_document(value: Enclosure | int, digits: int) -> dict[str, str] | int:
    """A value as JSON shows it: outward-rounded decimal strings, or a plain whole number."""
    if isinstance(value, int):
        return value
    lower, upper = value.text(digits)
    document = {"lower": lower, "upper": upper}
    if value.reason is not None:
        document["reason"] = value.reason
    return document


def _json(statement: str, inputs: Inputs, found: Answer, digits: int) -> str:
    document: Mapping[str, object] = {
        "statement": statement,
        "source": source_of(statement),
        "inputs": {name: _shown(value) for name, value in inputs.given.items()},
        "values": {name: value_document(value, digits) for name, value in found.values.items()},
        "hypotheses": [
            {"text": item.text, "holds": item.decision is Decision.PROVED, "decision": item.decision.value}
            for item in found.hypotheses
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _text(statement: str, found: Answer, digits: int) -> str:
    lines = [f"{statement}   [{source_of(statement)}]"]
    width = max((len(name) for name in found.values), default=0)
    for name, value in found.values.items():
        if isinstance(value, int):
            lines.append(f"  {name:<{width}} = {value}")
            continue
        lower, upper = value.text(digits)
        shown = f"= {lower}" if lower == upper else f"in [{lower}, {upper}]"
        lines.append(f"  {name:<{width}} {shown}" + (f"   ({value.reason})" if value.reason else ""))
    words = {Decision.PROVED: "holds", Decision.DISPROVED: "FAILS", Decision.UNDECIDED: "undecided"}
    for item in found.hypotheses:
        bits = f" at {item.bits} bits" if item.decision is Decision.UNDECIDED and item.bits else ""
        lines.append(f"  hypothesis {words[item.decision]}{bits}: {item.text}")
    return "\n".join(lines)
