"""Repairs: applied to the text of the file and checked from scratch, each certifies; a little less does not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from certify.claims import load, loads
from certify.kernel.loop import proved
from certify.report.details import toml_line
from certify.statements.rules.claim import DESCENT, DifferentialPrivacy
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict, Repair, Verdict

from .corpus import as_toml, files, name, repaired, with_line

FAILING = [*files(Verdict.NOT_CERTIFIED), *files(Verdict.REFUTED)]
DOWNWARD = {"radius"}
DIGITS = 4


def checked(text: str) -> tuple[ClaimVerdict, ...]:
    """The verdicts on a text."""
    return check_file(loads(text, format="toml"), repairs=False)


def one_unit_less(repair: Repair) -> str:
    """The line with a value that changes the claim by one unit of the last digit kept less."""
    value = Fraction(repair.value)
    place = 0
    if repair.field not in ("n", "iterations"):
        while Fraction(10) ** place > value:
            place -= 1
        while Fraction(10) ** (place + 1) <= value:
            place += 1
        place -= DIGITS - 1
    unit = Fraction(10) ** place
    less = value + unit if repair.field in DOWNWARD else value - unit
    return f"{less.numerator}" if repair.field in ("n", "iterations") else f'"{less}"'


@pytest.mark.slow
@pytest.mark.parametrize("path", FAILING, ids=name)
def test_each_repair_certifies_when_checked_from_scratch(path: Path) -> None:
    """Through the text of the file, and near-minimal where the claim has one route."""
    source = load(path)
    for claim in repaired(path):
        for repair in claim.repairs:
            assert proved(repair.conditions)
            line = toml_line(repair, claim.index)
            text = as_toml(path)
            assert checked(with_line(text, line))[claim.index - 1].verdict is Verdict.CERTIFIED, line
            stated = source.claims[claim.index - 1]
            several_routes = source.release.mechanism == DESCENT and not (
                isinstance(stated, DifferentialPrivacy) and stated.theorem
            )
            if repair.field in ("theorem", "variant", "constant") or several_routes:
                continue
            shorter = line.replace(f"= {line.partition(' = ')[2].split('   #')[0]}", f"= {one_unit_less(repair)}")
            assert shorter != line
            assert checked(with_line(text, shorter))[claim.index - 1].verdict is not Verdict.CERTIFIED, shorter


@pytest.mark.slow
def test_repairs_are_offered_where_a_number_would_do() -> None:
    """Every claim that is merely missed, with nothing to declare, has at least one repair, but for those that none can
    mend."""
    without = {
        (path.stem, claim.index)
        for path in FAILING
        for claim in repaired(path)
        if not claim.repairs and not claim.missing
    }
    assert without == {
        ("delta-zero", 1),  # no Gaussian release has delta = 0
        ("ridge-delta-zero", 1),
        ("ridge-delta-zero", 2),
        ("ridge-delta-zero", 3),
        ("class-delta-zero", 1),
        ("descent-logistic-below-benchmark", 3),
        ("descent-long-step", 1),  # step_size, L and M are facts about the training
        ("descent-small-M", 1),
        ("descent-small-L", 1),
        ("excess-risk-long-step", 1),
        ("descent-class-whole-step", 1),
        ("descent-class-whole-step", 2),
        ("long-step-small-n", 1),
        ("excess-risk-output-perturbation", 1),  # no theorem here
        ("excess-risk-output-perturbation", 2),
        ("class-below-benchmark-one-step", 1),
    }


def test_no_repair_is_sought_when_not_asked_for() -> None:
    """--no-repairs."""
    for path in FAILING[::9]:
        assert not any(claim.repairs for claim in check_file(load(path), repairs=False))


def test_a_repair_is_a_number_that_a_file_may_hold() -> None:
    """n and iterations stay below 10^18, other numbers within the exponents that are read."""
    text = as_toml(next(path for path in files(Verdict.REFUTED) if path.stem == "ridge-sigma-0.0016"))
    for line in ('sigma = "1e-900"   # under [release]', "n = 999999999999999999   # under [model]"):
        [claim] = check_file(loads(with_line(text, line), format="toml"))
        for repair in claim.repairs:
            repaired = with_line(with_line(text, line), toml_line(repair, 1))
            assert checked(repaired)[0].verdict is Verdict.CERTIFIED, repair.text
