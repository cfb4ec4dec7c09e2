"""`certify explain [STATEMENT]`: a statement with its hypotheses, source and backing, or the list of all."""

from __future__ import annotations

import argparse
import difflib

from certify.errors import UnusableInput
from certify.statements.table import ITEMS, Item, found_item, own_text


def run(arguments: argparse.Namespace) -> int:
    """Print one statement, or the table."""
    words = " ".join(arguments.statement)
    print(markdown_map() if arguments.markdown else explained(words) if words else listing())
    return 0


def markdown_map() -> str:
    """The map of the README: paper item, function, proof, test, and eval names, one row a statement."""
    rows = ["| | Paper item | Function | Proof | Tests | `certify eval` |", "|---|---|---|---|---|---|"]
    for item in ITEMS:
        module, name = item.function.split(":")
        path = f"certify/statements/{module.replace('.', '/')}.py"
        tests = ", ".join(f"`tests/{test}`" for test in item.tests)
        evaluated = ", ".join(f"`{asked}`" for asked in item.evaluated)
        rows.append(f"| {item.number} | {item.source} | `{path}`: `{name}` | {item.proof} | {tests} | {evaluated} |")
    return "\n".join(rows)


def listing() -> str:
    """Every statement: number, title, source, eval names."""
    lines = [f"{item.number:<3} {item.title}\n      {item.source}" + _names(item) for item in ITEMS]
    return "\n".join(
        (*lines, '\nAsk for one by number (D1), eval name (gd.theorem-4.1) or paper item ("Theorem 4.1").')
    )


def _names(item: Item) -> str:
    return f"\n      certify eval {', '.join(item.evaluated)}" if item.evaluated else ""


def explained(words: str) -> str:
    """One statement in full."""
    item = found_item(words)
    if item is None:
        known = dict.fromkeys(name for item in ITEMS for name in (item.number, *item.evaluated, *item.papers))
        near = difflib.get_close_matches(words, known, 3, 0.4)
        advice = f"did you mean {' or '.join(near)}?" if near else "`certify explain` lists them all"
        raise UnusableInput(f"no statement is called {words!a}; {advice}", field="statement")
    lines = [f"{item.number}  {item.title}", f"Source: {item.source}", "", item.text, ""]
    lines += [f"Further: {_where(path)}" for path in item.also]
    lines.append(f"Proved in: {item.proof}")
    lines.append(f"Computed by: certify/statements/{item.function.split(':')[0].replace('.', '/')}.py")
    if item.evaluated:
        lines.append(f"Evaluate: {', '.join('certify eval ' + name for name in item.evaluated)}")
    lines.append(f"Held to account by: {', '.join('tests/' + name for name in item.tests)}")
    return "\n".join(lines)


def _where(path: str) -> str:
    """The first line of a further function of the item."""
    return f"{path.split(':')[1]} - {own_text(path).splitlines()[0]}"
