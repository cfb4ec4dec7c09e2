"""`certify eval`: a statement's name and exact inputs in, enclosures and decided hypotheses out."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module

from certify.errors import UnusableInput
from certify.evaluation.entries import Answer, Entry, Given, Inputs, Task
from certify.kernel.loop import Limits

FAMILIES = ("tails", "gaussian", "ball", "head", "rero", "gd", "utility")


def entries(family: str) -> tuple[Entry, ...]:
    """The entries of one family of statements, such as "gaussian"."""
    found: tuple[Entry, ...] = import_module(f"certify.evaluation.{family}").ENTRIES
    return found


def names() -> tuple[str, ...]:
    """Every statement name that `certify eval` knows, in the order of the families."""
    return tuple(entry.name for family in FAMILIES for entry in entries(family))


def entry_named(name: str) -> Entry:
    """The entry of a statement name, or UnusableInput with the nearest names."""
    family = name.split(".", 1)[0]
    if family in FAMILIES:
        for entry in entries(family):
            if entry.name == name:
                return entry
    near = difflib.get_close_matches(name, names(), 3, 0.5)
    advice = f"did you mean {' or '.join(near)}?" if near else "`certify explain` lists them all"
    raise UnusableInput(f"no statement is named {name!r}; {advice}", field="statement")


def read_inputs(entry: Entry, given: Mapping[str, object]) -> Inputs:
    """The given inputs as exact values, defaults filled in; UnusableInput names what is wrong."""
    known = {item.name: item for item in entry.inputs}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            advice = f"did you mean {near[0]}? " if near else ""
            raise UnusableInput(f"unknown input; {advice}{entry.name} takes {', '.join(known)}", field=name)
    found: dict[str, Given] = {}
    for name, item in known.items():
        value = given.get(name, item.default)
        if value is None:
            raise UnusableInput(f"missing; {entry.name} needs {name} ({item.meaning or item.domain})", field=name)
        if name in given or value != "":
            found[name] = item.read(value)
    return Inputs(found)


def answer(
    name: str, given: Mapping[str, object], digits: int = 12, limits: Limits = Limits()
) -> tuple[Inputs, Answer]:
    """Evaluate one statement: its inputs as read, and its answer."""
    if not 1 <= digits <= 1000:
        raise UnusableInput(f"{digits} is out of range; 1 to 1000 digits", field="digits")
    entry = entry_named(name)
    inputs = read_inputs(entry, given)
    within_reach = max(1, min(digits, limits.max_bits * 3 // 10))
    return inputs, entry.answer(Task(within_reach, limits, limits.allowance()), inputs).judged(digits)


def source_of(name: str) -> str:
    """The paper items that a statement evaluates."""
    from certify.statements.table import item_of

    return item_of(name).source
