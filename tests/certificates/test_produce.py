"""Certificates as they are produced: one for each claim, canonical, the same each time, and what each one says."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from certify.certificates.files import write_atomically
from certify.certificates.names import file_name
from certify.certificates.produce import Produced, certificates
from certify.checker.strict_json import canonical, read
from certify.checker.verify import digest
from certify.claims import load, loads
from certify.errors import UnusableInput
from certify.kernel.loop import Limits
from certify.statements import assumptions
from certify.verdicts import check_file
from certify.version import VERSION
from tests.attacks.sound import EXAMPLES, document, genuine

RIDGE = EXAMPLES / "ridge-prototype.toml"


def made(path: Path, limits: Limits = Limits()) -> list[Produced]:
    """The certificates of a claim file."""
    claims = load(path)
    found = certificates(claims, check_file(claims, limits, repairs=False), limits)
    return [item for item in found if isinstance(item, Produced)]


def test_a_certificate_says_everything() -> None:
    first = document(made(RIDGE)[0].data)
    assert first["schema"] == "certify/certificate/v1" and first["maker"]["certify"] == VERSION
    assert set(first["maker"]["trusted"]) == {"errors.py", "trusted.py", "kernel", "statements", "verdicts", "checker"}
    assert first["claim"]["release"]["sigma"] == "0.0018" and first["claim"]["claim"]["epsilon"] == "2"
    assert first["verdict"] == "certified" and first["proof"]["statement"] == "B5 with H4"
    texts = {item["text"]: item["asserted_by"] for item in first["assumptions"]}
    assert texts[assumptions.REPLACE_ONE.text] == "the claim file"
    assert texts[assumptions.STANDING[0].text] == "whoever relies on this certificate"
    for condition in first["proof"]["conditions"]:
        assert set(condition) == {"text", "role", "relation", "decision", "bits", "left", "right"}
    assert [item["name"] for item in first["proof"]["quantities"]] == ["sensitivity", "ratio mu = sensitivity/sigma"]
    assert first["claim_sha256"] == digest(first["claim"])
    assert first["sha256"] == digest({key: value for key, value in first.items() if key != "sha256"})


def test_a_refutation_carries_its_witness() -> None:
    second = document(made(RIDGE)[1].data)
    assert second["verdict"] == "refuted" and "two data sets that differ in one record" in second["proof"]["words"]


def test_intermediate_quantities_are_named() -> None:
    """epsilon0 and tau* for Theorem 4.1, alpha and s_N for C.13, the minimisers' radius and L_z for a head."""
    names = {
        item["name"].split(" ")[0]
        for data in genuine().values()
        for item in (document(data)["proof"] or {"quantities": []})["quantities"]
    }
    assert {"epsilon0", "tau*", "threshold", "alpha", "s_N", "tau", "radius", "sensitivity", "optimization"} <= names


def test_equal_claims_give_equal_bytes(tmp_path: Path) -> None:
    """Whatever the file's name, form and order of fields, in another process with other hash seeds too."""
    again = loads(RIDGE.read_text(encoding="utf-8").replace('radius = "0.14"', "radius = 0.140"))
    found = certificates(again, check_file(again, repairs=False), Limits())
    assert [item.data for item in found if isinstance(item, Produced)] == [item.data for item in made(RIDGE)]
    command = [sys.executable, "-O", "-m", "certify", "check", str(RIDGE), "--certificates", str(tmp_path)]
    subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, check=False)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        item.name: item.data for item in made(RIDGE)
    }


def test_no_time_place_or_library_is_in_a_certificate() -> None:
    for data in genuine().values():
        text = data.decode()
        assert str(Path.cwd()) not in text and "mpmath" not in text and "python" not in text.lower()
        assert canonical(read(data)) == data


def test_a_claim_that_the_limits_cut_off_has_no_certificate() -> None:
    """The reason is told, and a claim that is not certified loses nothing by it."""
    claims, limits = load(EXAMPLES / "example-4.8.toml"), Limits(max_evaluations=1)
    found = list(certificates(claims, check_file(claims, limits, repairs=False), limits))
    assert not any(isinstance(item, Produced) for item in found)
    assert all("limits" in item[1] for item in found if not isinstance(item, Produced))


@pytest.mark.parametrize(
    ("identity", "source", "name"),
    [
        ("IMDB logistic/q50", "x.toml", "imdb-logistic-q50-1-0123456789ab.json"),
        ("", "/a/b/My Claim.toml", "my-claim-1-0123456789ab.json"),
        ("../../etc/passwd", "x", "etc-passwd-1-0123456789ab.json"),
        ("\u4f60\u597d", "x", "claim-1-0123456789ab.json"),
        ("a" * 200, "x", "a" * 60 + "-1-0123456789ab.json"),
    ],
)
def test_names_are_names_on_every_file_system(identity: str, source: str, name: str) -> None:
    assert file_name(identity, source, 1, "0123456789abcdef") == name


def test_files_are_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced in one step; where that fails, the old one stands and nothing is left beside it."""
    path = tmp_path / "x.json"
    write_atomically(path, b"old", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(UnusableInput, match="exists already"):
        write_atomically(path, b"new", replace=False)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnusableInput, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old" and [item.name for item in tmp_path.iterdir()] == ["x.json"]


def test_json_reads_it_too() -> None:
    """Any JSON reader does."""
    assert json.loads(made(RIDGE)[0].data)["verdict"] == "certified"
