"""The folder is the verdict: every claim of every file, and the verdicts that the examples state of themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.kernel.decision import Decision
from certify.verdicts.model import Verdict

from .corpus import EXAMPLES, files, name, verdicts

ALL = [path for verdict in Verdict for path in files(verdict)]


@pytest.mark.parametrize("path", ALL, ids=name)
def test_every_claim_has_the_verdict_of_the_folder(path: Path) -> None:
    """And what is said agrees with it."""
    for claim in verdicts(path):
        assert claim.verdict.value == path.parent.name, claim.reason
        all_proved = bool(claim.conditions) and all(item.decision is Decision.PROVED for item in claim.conditions)
        if claim.verdict is Verdict.NOT_CERTIFIED:
            assert claim.missing or not all_proved
        else:
            assert all_proved
            assert not claim.missing
        assert (claim.witness is not None) == (claim.verdict is Verdict.REFUTED)
        assert claim.reason and claim.sentence


@pytest.mark.parametrize("verdict", list(Verdict), ids=lambda verdict: verdict.value)
def test_there_are_files_enough(verdict: Verdict) -> None:
    """A dozen at least of each kind."""
    assert len(files(verdict)) >= 12


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_have_the_verdicts_that_their_first_line_states(path: Path) -> None:
    """'# expected: certified, refuted (why)'."""
    stated = path.read_text().splitlines()[0].removeprefix("# expected: ").split("(")[0]
    found = [claim.verdict.value for claim in verdicts(path)]
    assert found == [word.strip() for word in stated.split(",")]


def test_ridge_example_at_a_smaller_sigma_is_refuted(tmp_path: Path) -> None:
    """With sigma = "0.0016" both claims are false."""
    changed = tmp_path / "ridge.toml"
    changed.write_text((EXAMPLES / "ridge-prototype.toml").read_text().replace('"0.0018"', '"0.0016"'))
    assert [claim.verdict for claim in verdicts(changed)] == [Verdict.REFUTED, Verdict.REFUTED]


def test_logistic_example_with_the_papers_constants(tmp_path: Path) -> None:
    """None of its three claims is certified, and none is refuted."""
    changed = tmp_path / "logistic.toml"
    changed.write_text((EXAMPLES / "ball-logistic.toml").read_text().replace('"sharp"', '"paper"'))
    assert {claim.verdict for claim in verdicts(changed)} == {Verdict.NOT_CERTIFIED}


def test_a_missed_theorem_says_by_how_much_and_what_repairs_it() -> None:
    """N = 1318 misses threshold (7); Theorem C.13 certifies the same claim, and so do 1319 steps."""
    [path] = [path for path in files(Verdict.NOT_CERTIFIED) if path.stem == "descent-1318"]
    [claim] = verdicts(path, repairs=True)
    assert [repair.text for repair in claim.repairs] == ['theorem = "C.13"', "iterations = 1319"]
    assert claim.bound is None, "a theorem whose hypothesis fails bounds nothing"
    [failing] = [item for item in claim.conditions if item.decision is not Decision.PROVED]
    assert failing.role == "hypothesis" and failing.text == "threshold (7) <= N"
    assert failing.left.text(6)[0].startswith("1318.904")


def test_518_steps_are_repaired_by_the_sharp_variant_or_519() -> None:
    """Fixed radii pass from 519 steps on."""
    [path] = [path for path in files(Verdict.NOT_CERTIFIED) if path.stem == "descent-518"]
    [claim] = verdicts(path, repairs=True)
    assert {'variant = "sharp"', "iterations = 519"} <= {repair.text for repair in claim.repairs}
