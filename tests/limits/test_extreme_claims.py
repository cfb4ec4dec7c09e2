"""The hardest claim files are answered or refused, in little memory, without an internal fault and without hanging."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.extreme_claims import ExtremeFile, extreme_numbers, many_claims, megabytes, weights
from benchmarks.measured import measured

HANG = 60
MEGABYTES = 200
PART = 20
ROOT = Path(__file__).parents[2]


def files() -> list[ExtremeFile]:
    """Every file of a hundred claims, of long priors and of a megabyte, and a part of those of extreme numbers."""
    return [*many_claims(), *weights(), *megabytes(), *list(extreme_numbers())[::PART]]


@pytest.mark.slow
@pytest.mark.parametrize("extreme", files(), ids=lambda extreme: extreme.name)
def test_answered_or_refused(extreme: ExtremeFile, tmp_path: Path) -> None:
    path = tmp_path / extreme.name
    path.write_bytes(extreme.content())
    run = measured([sys.executable, "-m", "certify", "check", str(path)], HANG, folder=ROOT)
    assert run.status in extreme.statuses, run.errors or "stopped"
    assert run.megabytes < MEGABYTES
    if run.status == 2:
        assert len(run.errors.strip().splitlines()) == 1
        assert run.errors.strip().isprintable()
        assert not run.output
