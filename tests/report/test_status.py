"""Success has one source: at least one claim, and every claim certified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certify.report import CheckedFile, status
from certify.report.checked import tally, worst_first
from certify.verdicts.model import Verdict

from .samples import ALL, CERTIFIED, GOOD, REFUTED, UNPROVED


def test_zero_only_where_every_claim_is_certified() -> None:
    assert status([GOOD]) == 0
    assert status([GOOD, GOOD]) == 0


@pytest.mark.parametrize("claim", [REFUTED, UNPROVED])
def test_one_claim_that_is_not_certified_is_enough(claim: object) -> None:
    bad = replace(GOOD, verdicts=(CERTIFIED, claim))
    assert status([GOOD, bad]) == status([bad, GOOD]) == 1


def test_nothing_checked_is_no_success() -> None:
    assert status([]) == 1
    assert status([GOOD, CheckedFile("empty.toml", "", ())]) == 1


def test_no_other_file_of_the_package_names_the_value() -> None:
    reports = Path(__file__).parents[2] / "certify"
    naming = [path.name for path in reports.rglob("*.py") if "ALL_CERTIFIED" in path.read_text(encoding="utf-8")]
    assert naming == ["status.py"]


def test_counts_and_order() -> None:
    assert tally([ALL, GOOD]) == "2 certified, 1 refuted, 1 not certified"
    assert [claim.verdict for _, claim in worst_first([GOOD, ALL])] == [
        Verdict.REFUTED,
        Verdict.NOT_CERTIFIED,
        Verdict.CERTIFIED,
        Verdict.CERTIFIED,
    ]
