"""The wheel, installed into an empty environment and run from another folder, does what the checkout does."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from certify.version import VERSION

ROOT = Path(__file__).parents[2]
PACKAGES = ("certify", "proofs_numeric")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
CLAIMS = tuple(sorted(path.name for path in (ROOT / "examples" / "claims").iterdir() if path.suffix == ".toml"))
SIGMA = ("eval", "gaussian.sigma", "epsilon=2", "delta=1e-6", "sensitivity=1")

pytestmark = pytest.mark.slow


def run(*command: str, folder: Path, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """One command in ``folder``, without the variables that would lead Python to the checkout."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "PYTEST", "PIP_"))
    }
    kept |= {name: value for name, value in os.environ.items() if name in ("PIP_INDEX_URL", "PIP_CONFIG_FILE")}
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def done(*command: str, folder: Path) -> None:
    """One command that has to succeed."""
    finished = run(*command, folder=folder)
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing left over in the checkout can get into it."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in PACKAGES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy(ROOT / name, source)
    done(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(built), ".", folder=source)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that holds the wheel and what it requires."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=True)
    programs = environment / "bin"
    done(str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel), folder=environment)
    return programs


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder away from the checkout, with copies of the example claim files."""
    for name in CLAIMS:
        shutil.copy(ROOT / "examples" / "claims" / name, tmp_path)
    return tmp_path


def test_holds_the_package_and_nothing_else(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == expected


def test_version(installed: Path, elsewhere: Path) -> None:
    for command in ([str(installed / "certify")], [str(installed / "python"), "-m", "certify"]):
        finished = run(*command, "--version", folder=elsewhere)
        assert finished.stdout == f"certify {VERSION}\n"
        assert finished.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        *(("check", "-vv", name) for name in CLAIMS),
        *(("check", "--format", form, *CLAIMS) for form in ("json", "sarif", "junit", "markdown", "github")),
        ("check", "missing.toml"),
        SIGMA,
        (*SIGMA, "--format", "json"),
        ("eval", "gaussian.sigma", "epsilon=x"),
        ("schema",),
        ("explain",),
        ("explain", "D1"),
        ("explain", "Theorem 4.1"),
        ("reproduce", "all"),
        ("reproduce", "ball-dp", "--format", "json"),
        ("--help",),
        ("check", "--help"),
    ],
    ids=" ".join,
)
def test_answers_as_the_checkout_does(installed: Path, elsewhere: Path, arguments: tuple[str, ...]) -> None:
    here = run(str(installed / "certify"), *arguments, folder=elsewhere)
    there = run(sys.executable, "-m", "certify", *arguments, folder=elsewhere, environment={"PYTHONPATH": str(ROOT)})
    assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)
    assert here.returncode in (0, 1, 2)
    assert here.stdout or here.returncode == 2
    assert str(ROOT) not in here.stdout + here.stderr


def test_trust_lists_the_files_of_the_checkout(installed: Path, elsewhere: Path) -> None:
    finished = run(str(installed / "certify"), "trust", "--format", "json", folder=elsewhere)
    assert finished.returncode == 0, finished.stderr
    files = json.loads(finished.stdout)["files"]
    assert len(files) > 10
    for file in files:
        content = (ROOT / "certify" / file["file"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()


def test_from_python(installed: Path, elsewhere: Path) -> None:
    program = (
        "import certify\n"
        'print([verdict.verdict.value for verdict in certify.check("ridge-prototype.toml")])\n'
        'print(certify.evaluate("gaussian.sigma", epsilon="2", delta="1e-6", sensitivity="1")["sigma"].text(12))\n'
        "print(certify.__file__)\n"
    )
    finished = run(str(installed / "python"), "-c", program, folder=elsewhere)
    verdicts, sigma, place = finished.stdout.splitlines()
    assert verdicts == "['certified', 'refuted']"
    assert sigma == "('2.230476271186', '2.230476271187')"
    assert Path(place).is_relative_to(installed.parent)
    assert (Path(place).parent / "py.typed").is_file()


def test_yaml_without_its_library_says_what_to_install(installed: Path, elsewhere: Path) -> None:
    (elsewhere / "claim.yaml").write_text("release: {}\n", encoding="utf-8")
    finished = run(str(installed / "certify"), "check", "claim.yaml", folder=elsewhere)
    assert finished.returncode == 2
    assert "[yaml]" in finished.stderr
