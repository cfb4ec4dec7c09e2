"""Limits lose proofs and never invent one; the answer is the same in every process, thread and under -O."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from certify.claims import load
from certify.kernel.decision import Decision
from certify.kernel.loop import Limits
from certify.report import CheckedFile, render
from certify.verdicts import check_file
from certify.verdicts.model import Verdict

from .corpus import EXAMPLES, files, name, verdicts
from .samples import DESCENT, LOGISTIC, verdict

ALL = [path for kind in Verdict for path in files(kind)]
TIGHT = (
    Limits(max_evaluations=0),
    Limits(max_evaluations=1),
    Limits(max_evaluations=7),
    Limits(max_bits=64),
    Limits(seconds=0),
)


@pytest.mark.parametrize("limits", TIGHT, ids=["none", "one", "seven", "64 bits", "no time"])
def test_limits_never_change_a_verdict_but_to_undecided(limits: Limits) -> None:
    """Each claim of the corpus keeps its verdict, or loses it with an undecided condition."""
    for path in ALL:
        for claim in verdicts(path, limits=limits):
            if claim.verdict.value != path.parent.name:
                assert claim.verdict is Verdict.NOT_CERTIFIED, name(path)
                if path.parent.name == "certified":
                    assert Decision.UNDECIDED in {item.decision for item in claim.conditions}, name(path)
                    assert "undecided" in claim.reason


def test_no_evaluations_decide_exact_numbers_only() -> None:
    """A budget of 0 is not "no limit"; what is rational needs no budget."""
    nothing = Limits(max_evaluations=0)
    assert verdict(LOGISTIC, nothing).verdict is Verdict.NOT_CERTIFIED
    assert verdict(LOGISTIC, nothing, claim__delta=1).verdict is Verdict.CERTIFIED
    assert verdict(DESCENT, nothing).verdict is Verdict.NOT_CERTIFIED


def test_limits_hold_for_repairs_too() -> None:
    """A file that failed for want of evaluations gets no repair that more would have proved."""
    for path in files(Verdict.NOT_CERTIFIED)[::5]:
        for claim in check_file(load(path), Limits(max_evaluations=0)):
            assert all(item.decision is Decision.PROVED for repair in claim.repairs for item in repair.conditions)


def answer(path: Path) -> str:
    """The JSON document of one file, with its repairs."""
    claims = load(path)
    return render("json", [CheckedFile(claims.source, claims.sha256, check_file(claims))], 12)


def test_threads_give_the_same_bytes() -> None:
    """Eight threads on the examples."""
    paths = sorted(EXAMPLES.glob("*.toml"))
    alone = [answer(path) for path in paths]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(answer, paths * 3)) == alone * 3


def test_processes_and_options_give_the_same_bytes() -> None:
    """Other hash seeds, -O and -OO."""
    paths = [str(path) for path in (EXAMPLES / "ridge-prototype.toml", EXAMPLES / "ball-logistic.toml")]
    command = ["-m", "certify", "check", "--format", "json", *paths]
    answers = {
        subprocess.run(
            [sys.executable, *options, *command],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            check=False,
        ).stdout
        for options, seed in (([], "0"), (["-O"], "1"), (["-OO"], "2"))
    }
    [only] = answers
    assert json.loads(only)["status"] == 1


@pytest.mark.parametrize("evaluations", [5, 20, 45, 60])
def test_a_verdict_depends_on_no_claim_before_it(evaluations: int) -> None:
    """The same claim twice, the file twice: four times the same verdict, whatever was evaluated before."""
    claims = load(EXAMPLES / "ball-logistic.toml")
    first = claims.claims[0]
    twice = replace(claims, claims=(first, replace(first, index=2)))
    limits = Limits(max_evaluations=evaluations)
    found = [item.verdict for _ in range(2) for item in check_file(twice, limits, repairs=False)]
    assert len(set(found)) == 1
