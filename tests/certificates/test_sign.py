"""`certify sign` as it is typed: where envelopes go, and that all or none are written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from certify.cli import main
from tests.attacks.sound import genuine


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two certificates and a key."""
    for number, data in enumerate(list(genuine().values())[:2], 1):
        (tmp_path / f"{number}.json").write_bytes(data)
    assert main(["keygen", "-o", str(tmp_path / "a")]) == 0
    capsys.readouterr()
    return tmp_path


def sign(folder: Path, *arguments: str) -> int:
    """Run `certify sign` with this key on files in this folder."""
    return main(["sign", "--key", str(folder / "a.key"), *arguments])


def envelopes(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.dsse.json"))


def test_envelopes_go_beside_their_certificates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sign(folder, str(folder / "1.json"), str(folder / "2.json")) == 0
    assert capsys.readouterr().out == f"{folder / '1.dsse.json'}\n{folder / '2.dsse.json'}\n"
    first = (folder / "1.dsse.json").read_bytes()
    assert sign(folder, str(folder / "1.json")) == 0
    assert (folder / "1.dsse.json").read_bytes() == first
    assert not [path for path in folder.iterdir() if path.name.startswith(".certify-")]


def test_an_envelope_goes_where_it_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sign(folder, str(folder / "1.json"), "-o", str(folder / "x.dsse.json")) == 0
    assert envelopes(folder) == ["x.dsse.json"]
    assert main(["verify", "--key", str(folder / "a.pub"), str(folder / "x.dsse.json")]) in (0, 1)
    assert "; signed by " in capsys.readouterr().out
    assert sign(folder, str(folder / "1.json"), "-o", str(folder / "none" / "x.json")) == 2
    assert "cannot be written: No such file" in capsys.readouterr().err


def test_no_file_is_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither what is read nor another envelope."""
    (folder / "w").write_bytes(b"weights")
    shutil.copy(folder / "2.json", folder / "1.txt")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    first = str(folder / "1.json")
    for arguments, says in (
        ((first, "-o", first), "it is named twice"),
        ((first, "-o", str(folder / "." / "a.key")), "it is named twice"),
        ((first, "--weights", str(folder / "w"), "-o", str(folder / "w")), "it is named twice"),
        ((first, str(folder / "1.txt")), "1.dsse.json: it is named twice"),
        ((first, first), "1.dsse.json: it is named twice"),
        ((first, str(folder / "2.json"), "-o", str(folder / "x.json")), "--output: one file takes one envelope"),
    ):
        assert sign(folder, *arguments) == 2
        assert says in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_nothing_is_signed_unless_everything_is_re_established(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "2.json").write_bytes((folder / "2.json").read_bytes()[:-1])
    for bad in ("2.json", "a.pub", "none.json", "."):
        assert sign(folder, str(folder / "1.json"), str(folder / bad)) == 2
        assert "it is not signed: " in capsys.readouterr().err
        assert envelopes(folder) == []


def test_an_envelope_is_not_signed_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sign(folder, str(folder / "1.json")) == 0
    assert sign(folder, str(folder / "1.dsse.json")) == 2
    assert "it is not signed: schema: " in capsys.readouterr().err


def test_keys_and_weights_that_cannot_be_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = str(folder / "1.json")
    (folder / "p").write_bytes(b"secret\n")
    for arguments, says in (
        (("--key", str(folder / "a.pub"), first), "not a private key in PEM"),
        (("--key", str(folder / "none"), first), "cannot be read: No such file"),
        (("--passphrase-file", str(folder / "p"), first), "has no passphrase: leave it out"),
        (("--weights", str(folder / "none"), first), "cannot be read: No such file"),
        (("--weights", str(folder), first), "cannot be read: Is a directory"),
        (("--weights", "sha256:12", first), "64 lower-case hexadecimal digits"),
    ):
        assert sign(folder, *arguments) == 2
        assert says in capsys.readouterr().err
    assert envelopes(folder) == []


def test_weights_with_a_hostile_name_are_called_weights(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "w\n\x1b[2J").write_bytes(b"weights")
    weights = str(folder / "w\n\x1b[2J")
    assert sign(folder, str(folder / "1.json"), "--weights", weights) == 0
    command = ["verify", "--key", str(folder / "a.pub"), "--weights", weights, str(folder / "1.dsse.json")]
    assert main(command) in (0, 1)
    assert " about weights " in capsys.readouterr().out
