"""The campaign of false claims, small and in the size of continuous integration, and that it sees a wrong verdict."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable

import pytest

from certify.kernel.decision import Decision
from certify.kernel.loop import Decided
from tests.properties.false_claims import KINDS, certified, run


def held(count: int) -> Counter[str]:
    """Run so many: nothing wrong is certified, every neighbour is."""
    counts = run(count)
    assert counts["wrong"] == count
    assert certified(counts) == 0
    assert (
        sum(number for name, number in counts.items() if name.startswith("neighbour"))
        == (counts["neighbour certified"])
    )
    assert counts["neighbour certified"] >= 3 * count // 4
    return counts


def test_no_false_claim_is_certified() -> None:
    """Ten of each kind."""
    counts = held(10 * len(KINDS))
    refuted = sum(number for name, number in counts.items() if name.endswith(": refuted"))
    assert refuted >= 10 * len(KINDS) * 3 // 4


@pytest.mark.slow
def test_no_false_claim_is_certified_among_two_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    start = time.perf_counter()
    counts = held(2000)
    with capsys.disabled():
        seconds = time.perf_counter() - start
        print(f"\n{certified(counts)} of {counts['wrong']} wrong claims certified, {seconds:.0f} s: {dict(counts)}")


def test_a_gate_that_passes_what_is_disproved_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a disproved condition taken for a settled one, the campaign would show it."""

    def settled(found: Iterable[Decided]) -> bool:
        return all(item.decision is not Decision.UNDECIDED for item in found)

    monkeypatch.setattr(sys.modules["certify.verdicts.judge"], "proved", settled)
    assert certified(run(len(KINDS))) > 0
