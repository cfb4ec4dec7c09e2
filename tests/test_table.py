"""The statement table, the files, the README's map and the spec's numbering hold together."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from certify import evaluation
from certify.commands.explain import explained, listing, markdown_map
from certify.commands.trust import markdown
from certify.errors import UnusableInput
from certify.statements.table import ITEMS, Item, found_item, item_of, own_text

ROOT = Path(__file__).parent.parent
NUMBERING = (
    [f"T{k}" for k in range(1, 4)]
    + [f"G{k}" for k in range(1, 6)]
    + [f"B{k}" for k in range(1, 8)]
    + [f"H{k}" for k in range(1, 5)]
    + [f"R{k}" for k in range(1, 6)]
    + [f"D{k}" for k in range(1, 9)]
    + [f"U{k}" for k in range(1, 7)]
)
FUNCTIONS = [(item, path) for item in ITEMS for path in (item.function, *item.also)]


def test_the_table_is_the_numbering_of_the_spec() -> None:
    """Every item once, in order."""
    assert [item.number for item in ITEMS] == NUMBERING


@pytest.mark.parametrize(
    ("item", "path"), FUNCTIONS, ids=lambda value: value if isinstance(value, str) else value.number
)
def test_every_function_exists_and_states_itself(item: Item, path: str) -> None:
    """Each function has a docstring, and its file or it names the item or its source."""
    function = item.resolved() if path == item.function else None
    text = own_text(path)
    assert text
    if function is not None:
        module = inspect.getmodule(function)
        assert "Source:" in f"{inspect.getdoc(module)} {text}"


def test_every_eval_name_belongs_to_one_item_and_back() -> None:
    """The eval names of the table are those of `certify eval`, each once but for gd.theorem-c13 and the like."""
    named = [name for item in ITEMS for name in item.evaluated]
    assert sorted(named) == sorted(set(named))
    assert set(named) == set(evaluation.names())


def test_every_statement_file_is_in_the_table() -> None:
    """A theorem file that no item names would be invisible to `certify explain`."""
    folder = ROOT / "certify" / "statements"
    shared = {"language", "table", "assumptions", "augmented", "heads", "__init__"}
    shared |= {"descent." + name for name in ("__init__", "radii", "jacobian")}
    files = {".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.py")}
    named = {path.split(":")[0] for _, path in FUNCTIONS}
    theorems = {name for name in files if not name.startswith("rules.")}  # the rules apply theorems to claims
    assert theorems - shared == named


def test_the_tests_named_exist() -> None:
    """A row that points to a test file that is not there is no backing."""
    missing = {test for item in ITEMS for test in item.tests if not (ROOT / "tests" / test).is_file()}
    assert not missing


def test_the_readme_holds_the_map() -> None:
    """README's map is what `certify explain --markdown` prints."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    held = re.search(r"<!-- map -->\n(.*?)\n<!-- /map -->", readme, re.DOTALL)
    assert held is not None
    assert held[1] == markdown_map()


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("D1", "D1"),
        ("d1", "D1"),
        ("gd.theorem-4.1", "D1"),
        ("Theorem 4.1", "D1"),
        ("theorem  c.13", "D2"),
        ("Lemma C.12", "T1"),
    ],
)
def test_an_item_is_found_by_number_name_or_paper(words: str, number: str) -> None:
    """The three ways to ask."""
    found = found_item(words)
    assert found is not None
    assert found.number == number
    assert f"{number}  " in explained(words)


def test_unknown_words_are_answered_with_the_nearest() -> None:
    """A slip is met with a suggestion."""
    with pytest.raises(UnusableInput, match="did you mean"):
        explained("Theorem 4.2")
    with pytest.raises(UnusableInput, match="lists them all"):
        explained("zzzzzzzzzz")


def test_the_list_names_every_item() -> None:
    """`certify explain` with no argument."""
    text = listing()
    assert all(f"{item.number:<3} {item.title}" in text for item in ITEMS)


def test_an_eval_name_has_its_item() -> None:
    """The item of a name, and of no other."""
    assert item_of("gaussian.sigma").number == "G3"
    with pytest.raises(KeyError):
        item_of("gaussian.sigmas")


def test_the_readme_holds_the_trust_section() -> None:
    """It is what `certify trust --format markdown` prints."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.partition("<!-- trust -->\n")[2].partition("<!-- /trust -->")[0]
    assert shown.strip() == markdown(), "regenerate it: certify trust --format markdown"
