"""Every statement in one table (table.toml): number, title, papers, functions, eval names, tests.

The docstrings of the functions are the statements themselves; `certify explain` prints them.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True)
class Item:
    """One item of the table.

    ``also`` names further functions of the same item; ``tests`` are files that hold it to account.
    """

    number: str
    title: str
    papers: tuple[str, ...]
    proof: str
    function: str
    also: tuple[str, ...] = ()
    evaluated: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    def resolved(self) -> Callable[..., object]:
        """The function itself."""
        return _imported(self.function)

    @property
    def text(self) -> str:
        """The statement: the docstring of the function, with that of its module where the function's is short."""
        return statement_text(self.function)

    @property
    def source(self) -> str:
        """The papers' names for the item."""
        return "; ".join(self.papers)


def _imported(path: str) -> Callable[..., object]:
    module, _, name = path.partition(":")
    found: Callable[..., object] = getattr(import_module(f"certify.statements.{module}"), name)
    return found


def statement_text(path: str) -> str:
    """The docstring of a function, preceded by its module's, which holds the shared notation or the theorem itself."""
    function = _imported(path)
    module = inspect.getdoc(inspect.getmodule(function)) or ""
    return f"{module}\n\n{own_text(path)}"


def own_text(path: str) -> str:
    """The docstring of a function alone."""
    return inspect.getdoc(_imported(path)) or ""


def _items() -> tuple[Item, ...]:
    text = Path(__file__).with_name("table.toml").read_text(encoding="utf-8")
    return tuple(
        Item(
            number=row["number"],
            title=row["title"],
            papers=tuple(row["papers"]),
            proof=row["proof"],
            function=row["functions"][0],
            also=tuple(row["functions"][1:]),
            evaluated=tuple(row["evaluated"]),
            tests=tuple(row["tests"]),
        )
        for row in tomllib.loads(text)["item"]
    )


ITEMS: tuple[Item, ...] = _items()


def item_of(name: str) -> Item:
    """The item that an eval name evaluates; KeyError where there is none."""
    for item in ITEMS:
        if name in item.evaluated:
            return item
    raise KeyError(name)


def found_item(words: str) -> Item | None:
    """The item of a spec number ("D1"), an eval name or a paper item ("Theorem 4.1"), in any case;

    None where there is none.
    """
    asked = _plain(words).rstrip("'")
    for item in ITEMS:
        if asked == item.number.lower() or asked in item.evaluated:
            return item
    for item in ITEMS:
        if any(asked == _plain(paper) or _plain(paper).endswith(" " + asked) for paper in item.papers):
            return item
    return None


def _plain(words: str) -> str:
    return re.sub(r"\s+", " ", words.strip().lower())
