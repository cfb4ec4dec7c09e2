"""The command as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from certify.cli import main
from tests.audit.files import features, labels, written

QUICK = ("--setups", "2", "--supports", "1", "--releases", "5", "--pairs", "200")


def test_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = written(tmp_path)
    assert main(["audit", str(claim), "--data", str(data), *QUICK]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "every one meets what the claim says of the data (exact arithmetic)" in shown.out
    assert "what it finds is not private" in shown.out
    assert "No empirical lower limit exceeds a certified bound" in shown.out
    assert max(map(len, shown.out.splitlines()[1:])) <= 96


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = written(tmp_path)
    assert main(["audit", str(claim), "--data", str(data), *QUICK, "--format", "json", "--seed", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "certify/audit/v1"
    assert found["status"] == 0
    assert found["settings"]["seed"] == 5
    assert set(found["versions"]) == {"certify", "python", "numpy", "scipy"}
    assert [claim["verdict"] for claim in found["claims"]] == ["certified", "certified"]
    (success, canary) = found["claims"][1]["measurements"]
    assert success["baseline"] == "0.25"
    assert float(success["lower_limit"]) <= float(success["certified_bound"]["upper"])
    assert canary["lower_limit"] <= canary["exact_value"] <= canary["upper_limit"]


def test_json_steers_no_runner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id from outside may hold what GitHub's runner reads as a command."""
    claim, data = written(tmp_path)
    claim.write_text(claim.read_text(encoding="utf-8").replace('id = "small"', 'id = "##[error]x"'), encoding="utf-8")
    assert main(["audit", str(claim), "--data", str(data), *QUICK, "--format", "json"]) == 0
    shown = capsys.readouterr().out
    assert "##[" not in shown
    assert json.loads(shown)["claims"][0]["id"] == "##[error]x"


def test_contradicting_data_end_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = written(tmp_path)
    np.savez(data, features=2 * features(), labels=labels())
    assert main(["audit", str(claim), "--data", str(data), *QUICK]) == 1
    assert "The data contradict the claim; no release was made." in capsys.readouterr().out
    assert main(["audit", str(claim), "--data", str(data), "--preprocess", "clip", *QUICK]) == 0
    assert "preprocessing: clip" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--setups", "0"], "--setups: 0 is out of range; 1 to 10000"),
        (["--pairs", "1"], "--pairs: 1 is out of range"),
        (["--level", "1"], "--level: 1.0 is out of range; 0.5 to 0.999999999"),
        (["--level", "nan"], "--level: nan is out of range"),
        (["--seed", "-1"], "--seed: a whole number of at least 0 is needed"),
        (["--plot", "a.gif"], "--plot: 'a.gif' must end in .pdf, .png, .svg"),
        (["--public", "none.csv"], "none.csv: cannot be read"),
        (["--label-column", "z"], "no array named z; it has features, labels"),
    ],
)
def test_usage(given: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = written(tmp_path)
    assert main(["audit", str(claim), "--data", str(data), *QUICK, *given]) == 2
    assert message in capsys.readouterr().err


def test_unusable_input_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, _ = written(tmp_path)
    assert main(["audit", str(claim), "--data", "none.npz", "--format", "json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["file"] == "none.npz"


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_plot(ending: str, tmp_path: Path) -> None:
    claim, data = written(tmp_path)
    figure = tmp_path / f"a.{ending}"
    assert main(["audit", str(claim), "--data", str(data), "--public", str(data), *QUICK, "--plot", str(figure)]) == 0
    content = figure.read_bytes()
    assert content.startswith(b"\x89PNG" if ending == "png" else b"<?xml")
    assert main(["audit", str(claim), "--data", str(data), "--public", str(data), *QUICK, "--plot", str(figure)]) == 0
    assert figure.read_bytes() == content


def test_plot_beside_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = written(tmp_path)
    assert main(["audit", str(claim), "--data", str(data), *QUICK, "--plot", str(tmp_path / "no" / "a.png")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err
