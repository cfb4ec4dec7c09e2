"""Every part: figures classified as recorded, first counts proved, the command's two formats, and a false record."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

import certify.reproduce as reproduce
from certify.cli import main
from certify.evaluation.entries import exactly, unbounded
from certify.reproduce import appendix_c5, parts, reproduced
from certify.reproduce.counts import first_counts
from certify.reproduce.cut import judged
from certify.reproduce.figure import PLAIN, Classification, Figure, figures, printed_value
from certify.reproduce.setting import theorem_41

# The values of an independent evaluation at 400 bits, all digits right, and the figures printed for them.
INDEPENDENT = {
    "1.7e-13": "1.678786723e-13",
    "0.0200 + 2.5e-5": "0.0200249996875455",
    "1.52e-8": "1.52299797447e-8",
    "3.64e-8": "3.64090427278e-8",
    "3e-27": "2.821143187e-27",
    "0.059": "0.0586682723",
    "0.064": "0.0636682723",
    "3.843548916": "3.84354891592129",
    "0.05209595621": "0.0520959562144751",
    "5.20352425e-5": "5.20352424507063e-5",
    "9.89505873e-8": "9.89505872229475e-8",
    "1.01736108e-7": "1.01736107619327e-7",
    "9.99539e-8": "9.99538869972954e-8",
    "1.75463333e-8": "1.75463333189623e-8",
    "3.63850762e-8": "3.63850762403164e-8",
}


def status(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["reproduce", *words])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("part", parts())
def test_every_figure_is_enclosed_and_classified_as_recorded(part: str) -> None:
    found = reproduced(part)
    assert [item.figure.printed for item in found.figures if not item.agrees] == []
    assert found.agrees


def test_enclosures_hold_independent_values() -> None:
    seen = set()
    for part in ("example-4.8", "c.4", "c.5"):
        for item in reproduced(part).figures:
            if item.figure.printed in INDEPENDENT:
                digits = INDEPENDENT[item.figure.printed]
                value, unit = printed_value(digits)
                assert abs(item.enclosure.lower - value) <= unit
                assert abs(item.enclosure.upper - value) <= unit
                seen.add(item.figure.printed)
    assert seen == set(INDEPENDENT)


@pytest.mark.parametrize(("mu", "admissible", "passing"), [("0.01", 1319, 519), ("0.001", 16148, 6079)])
def test_first_counts_are_proved_from_both_sides(mu: str, admissible: int, passing: int) -> None:
    found = first_counts(mu)
    assert (found.admissible, found.passing, found.is_proved) == (admissible, passing, True)
    assert admissible - 1 < found.threshold.lower <= found.threshold.upper <= admissible
    assert found.delta.upper <= Fraction(1, 10**7) < found.delta_before.lower
    covered = [count for part in found.excluded for count in range(part.lower, part.upper + 1)]
    assert covered == list(range(1, passing))


def test_a_gap_in_the_ranges_is_not_a_proof() -> None:
    found = first_counts("0.001")
    assert not replace(found, excluded=found.excluded[:-1]).is_proved
    assert not replace(found, excluded=found.excluded[1:]).is_proved
    assert not replace(found, excluded=found.excluded[:1] + found.excluded[2:]).is_proved
    assert not replace(found, excluded=()).is_proved
    assert not replace(found, admissible=None).is_proved
    assert not replace(found, passing=None).is_proved


@pytest.mark.parametrize(
    "changed",
    [
        {"recorded": Classification(("nearest", "up"), "safe")},
        {"recorded": Classification(("nearest", "down"), "unsafe")},
        {"printed": "1.75463334e-8"},
        {"source": lambda digits: unbounded(f"left open at {digits} digits")},
        {"source": lambda digits: exactly(Fraction(digits, 10**9))},
    ],
)
def test_a_false_record_exits_1(
    changed: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = appendix_c5.FIGURES
    mutated: Figure = replace(first, **changed)  # type: ignore[arg-type]
    monkeypatch.setattr(appendix_c5, "FIGURES", (mutated, *others))
    code, text = status(capsys, "c.5")
    assert code == 1
    assert "DISAGREES" in text
    assert "1 of 2 figures" in text
    code, text = status(capsys, "c.5", "--format", "json")
    document = json.loads(text)
    assert (code, document["status"]) == (1, 1)
    assert [item["agrees"] for item in document["figures"]] == [False, True]


def test_an_unproved_first_count_exits_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    open_count = replace(first_counts("0.01"), passing=None)
    monkeypatch.setattr(reproduce, "first_counts", lambda mu: open_count if mu else None)
    code, text = status(capsys, "example-4.8")
    assert code == 1
    assert "NOT PROVED" in text
    assert "A first count is not proved." in text


def test_no_figures_is_no_success() -> None:
    assert not replace(reproduced("c.5"), figures=()).agrees


def test_text_of_all_parts(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = status(capsys)
    assert code == 0
    assert max(len(line) for line in text.splitlines()) <= 116
    assert "519 is the first N that passes Theorem C.13: every N <= 518 is proved to fail" in text
    assert "6079 is the first N that passes Theorem C.13: every N <= 6078 is proved to fail" in text
    assert "5.16e-8 (delta(1) (10), N = 1500) is printed as an upper bound and is below the proved value" in text
    assert "figures enclosed and classified as recorded." in text.splitlines()[-1]


def test_json_of_one_part(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = status(capsys, "c.4", "--format", "json")
    document = json.loads(text)
    assert (code, document["schema"], document["status"]) == (0, "certify/reproduce/v1", 0)
    for item in document["figures"]:
        assert set(item) == {
            "part", "where", "printed", "quantity", "role", "enclosure", "cut", "bound", "recorded", "agrees"
        }  # fmt: skip
        assert item["part"] == "c.4"
        assert item["recorded"] == {"cut": item["cut"], "bound": item["bound"]}
        assert Fraction(item["enclosure"]["lower"]) <= Fraction(item["enclosure"]["upper"])
    small, large = document["first_counts"]
    assert (small["first_passing"], large["first_passing"]) == (519, 6079)
    assert (small["least_meeting_threshold"], large["least_meeting_threshold"]) == (1319, 16148)
    assert large["excluded_ranges"][-1][1] == 6078
    assert small["proved"] is large["proved"] is True


def test_an_unknown_part_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "c.6"]) == 2
    assert "example-4.8, c.4, c.5, ball-dp, all" in capsys.readouterr().err


def test_a_figure_that_misses_its_hypotheses_is_not_enclosed() -> None:
    (early,) = figures("nowhere", ("5.16e-8", "below (7)", PLAIN, "nearest down", "n/a", theorem_41("delta", 1318)))
    found = judged(early)
    assert not found.agrees
    assert "threshold (7)" in (found.enclosure.reason or "")
