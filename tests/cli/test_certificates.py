"""`check --certificates`, `verify`, `keygen`, `sign` and `python -m certify.checker` as they are typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from certify.cli import main
from tests.attacks.sound import EXAMPLES

CERTIFIED, MIXED = str(EXAMPLES / "c4-519.toml"), str(EXAMPLES / "ridge-prototype.toml")
HEAVY = ("certify.kernel", "mpmath", "numpy", "scipy", "sympy", "certify.claims", "certify.verdicts", "certify.search")


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder of the certificates of both example files."""
    assert main(["check", CERTIFIED, MIXED, "--certificates", str(tmp_path / "out")]) == 1
    assert "3 certificates in" in capsys.readouterr().err
    return tmp_path / "out"


def one(folder: Path, start: str) -> str:
    """The file of a name that starts so."""
    (found,) = folder.glob(f"{start}*.json")
    return str(found)


def test_the_statuses_are_those_of_the_worst_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, refuted = one(folder, "appendix-c4-519-1"), one(folder, "digits-prototype-q80-2")
    assert main(["verify", good]) == 0
    assert capsys.readouterr().out == (
        f"{good}: certified: appendix-c4-519, claim 1: the iterate released after 519 steps is (1, 1e-7)-private for "
        "replacing any one record\n"
    )
    assert main(["verify", good, refuted]) == 1
    assert "refuted: digits-prototype-q80, claim 2: " in capsys.readouterr().out
    Path(good).write_bytes(Path(good).read_bytes().replace(b"519", b"518"))
    assert main(["verify", good, refuted]) == 2
    assert capsys.readouterr().out.startswith(f"{good}: refused: sha256: it is not the digest of the rest of the file")
    assert main(["verify", str(folder / "none.json")]) == 2
    assert "refused: file: No such file or directory" in capsys.readouterr().out


def test_a_folder_stands_for_its_certificates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder)]) == 1
    assert capsys.readouterr().out.count("\n") == 3
    (folder / "empty").mkdir()
    assert main(["verify", str(folder / "empty")]) == 2
    assert "there is no certificate (*.json) in this folder" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["arb", "both"])
def test_other_engines_agree(engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--engine", engine, str(folder)]) == 1
    assert capsys.readouterr().out.count("certified: ") == 2


def test_an_engine_that_disagrees_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from certify.certificates import arb_engine

    right = arb_engine.Balls.exp
    monkeypatch.setattr(arb_engine.Balls, "exp", lambda self, x: right(self, x) * 2)
    assert main(["verify", "--engine", "both", one(folder, "appendix")]) == 2
    assert "(engine arb)" in capsys.readouterr().out


def test_json_for_machines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--format", "json", str(folder)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "certify/verification/v1" and found["status"] == 1 and len(found["files"]) == 3
    assert all(item["established"] for item in found["files"])


def test_signing_from_keys_to_refusals(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, other, weights = str(tmp_path / "a"), str(tmp_path / "b"), tmp_path / "w.bin"
    weights.write_bytes(b"weights")
    assert main(["keygen", "-o", key]) == main(["keygen", "-o", other]) == 0
    assert "keep it secret" in capsys.readouterr().out
    assert main(["keygen", "-o", key]) == 2 and "is not replaced" in capsys.readouterr().err
    good = one(folder, "appendix-c4-519-1")
    assert main(["sign", good, "--key", f"{key}.key", "--weights", str(weights)]) == 0
    envelope = capsys.readouterr().out.strip()
    assert envelope == good.replace(".json", ".dsse.json")
    assert main(["verify", "--key", f"{key}.pub", "--weights", str(weights), envelope]) == 0
    assert "; signed by " in capsys.readouterr().out
    assert main(["verify", "--key", f"{key}.pub", str(folder)]) == 0
    for arguments, says in (
        (["--key", f"{other}.pub", envelope], "none is by a key that was given"),
        (["--key", f"{key}.pub", good], "not signed, and a signature is required"),
        (["--key", f"{key}.pub", "--weights", good, envelope], "not about these weights"),
        ([envelope], "a signed envelope: give --key"),
    ):
        capsys.readouterr()
        assert main(["verify", *arguments]) == 2
        assert says in capsys.readouterr().out
    assert main(["verify", "--weights", str(weights), good]) == 2
    assert "give --key too" in capsys.readouterr().err


def test_only_what_holds_is_signed(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = one(folder, "appendix-c4-519-1")
    Path(good).write_bytes(Path(good).read_bytes().replace(b"519", b"518"))
    main(["keygen", "-o", str(tmp_path / "a")])
    assert main(["sign", good, "--key", str(tmp_path / "a.key")]) == 2
    assert "it is not signed: sha256" in capsys.readouterr().err
    assert not list(folder.glob("*.dsse.json"))


def test_the_checker_runs_by_itself(folder: Path) -> None:
    """It imports neither the kernel nor what makes certificates, and gives the same answers."""
    program = (
        "import runpy, sys\n"
        "try:\n    runpy.run_module('certify.checker', run_name='__main__', alter_sys=True)\n"
        "except SystemExit as end:\n    print(end.code, sorted(sys.modules))\n"
    )
    for file, status in ((one(folder, "appendix"), "0"), (one(folder, "digits-prototype-q80-2"), "1")):
        command = [sys.executable, "-c", program, file]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        told, modules = done.stdout.splitlines()
        assert told.startswith(f"{file}: ") and modules.startswith(f"{status} ")
        assert not [name for name in HEAVY if f"'{name}" in modules]
    done = subprocess.run([sys.executable, "-m", "certify.checker"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "usage" in done.stderr


def test_a_verdict_that_the_checker_disputes_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the kernel to certify what the checker does not re-establish, nothing is written and the status is 3."""
    from certify.checker import functions

    right = functions._small_exp
    monkeypatch.setattr(functions, "_small_exp", lambda r, w: tuple(v + (1 << w - 20) for v in right(r, w)))
    assert main(["check", CERTIFIED, "--certificates", str(tmp_path)]) == 3
    assert "no certificate is written: the checker does not re-establish it" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert main(["check", CERTIFIED, "--certificates", str(tmp_path / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_two_processes_write_the_same_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "certify", "check", CERTIFIED, MIXED, "--certificates", str(tmp_path)]
    running = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ.copy())
        for _ in range(3)
    ]
    assert [process.wait(timeout=120) for process in running] == [1, 1, 1]
    assert main(["verify", str(tmp_path)]) == 1
    assert len(list(tmp_path.iterdir())) == 3
