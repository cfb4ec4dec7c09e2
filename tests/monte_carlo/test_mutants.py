"""Each Monte Carlo check is able to fail: tables of wrong bounds, and the check that catches each."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.properties.declared import PROPERTIES, names_in
from tests.properties.mutant import Mutant

HERE = Path(__file__).parent
for path in sorted(HERE.glob("test_*.py")):
    if path != Path(__file__):
        importlib.import_module(f"tests.monte_carlo.{path.stem}")
MUTANTS: list[Mutant] = [
    mutant
    for path in sorted(HERE.glob("mutants_*.py"))
    for mutant in importlib.import_module(f"tests.monte_carlo.{path.stem}").MUTANTS
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.apply(monkeypatch)
    assert PROPERTIES[mutant.caught_by].is_falsified()


def test_every_check_has_its_mutant() -> None:
    assert names_in("tests.monte_carlo") == {mutant.caught_by for mutant in MUTANTS}
