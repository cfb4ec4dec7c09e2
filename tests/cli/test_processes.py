"""The command as a process: streams that close, fill up or are ASCII, signals, start-up, -O."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .runs import CORPUS, EXAMPLES, ROOT

EXAMPLE = str(EXAMPLES / "c4-519.toml")
FALSE = str(CORPUS / "refuted" / "ridge-sigma-0.0016.toml")
MALFORMED = str(CORPUS / "malformed" / "sigma-nan.toml")


def process(*words: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """One run of `python -m certify`, with redirections where asked."""
    command = ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, "-m", "certify", *words]
    return subprocess.run(
        command, capture_output=True, cwd=ROOT, env={**os.environ, **environment}, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("check", EXAMPLE), 0),
        (("check", FALSE), 1),
        (("check", EXAMPLE, FALSE), 1),
        (("check", MALFORMED), 2),
        (("check", "--format", "json", MALFORMED), 2),
        (("check", "/nonexistent"), 2),
        (("eval", "gaussian.sigma", "epsilon=2", "delta=1e-6", "sensitivity=1"), 0),
        (("eval", "gaussian.classic", "epsilon=2", "delta=1e-6", "sensitivity=1"), 1),
        (("eval", "gaussian.sigma", "epsilon=2"), 2),
        (("calibrate", EXAMPLE), 2),
        ((), 2),
        (("--version",), 0),
        (("check", "--help"), 0),
    ],
)
def test_statuses(words: tuple[str, ...], status: int) -> None:
    """The same as in process, and never a traceback."""
    ran = process(*words)
    assert ran.returncode == status
    assert b"Traceback" not in ran.stderr
    assert (ran.stderr == b"") == (status != 2)


def test_optimised_python_changes_nothing() -> None:
    """-O: same bytes, same status, errors and explanations included; verdicts are compared in tests/verdicts."""
    for words in (("check", MALFORMED), ("eval", "gaussian.classic", "epsilon=2", "delta=1e-6", "sensitivity=1")):
        plain, *others = (
            subprocess.run(
                [sys.executable, *options, "-m", "certify", *words], capture_output=True, cwd=ROOT, check=False
            )
            for options in ((), ("-O",))
        )
        for other in others:
            assert (other.returncode, other.stdout, other.stderr) == (plain.returncode, plain.stdout, plain.stderr)


def test_a_closed_pipe_is_quiet() -> None:
    """`certify explain | head -1`, also where nothing is read at all."""
    for reader in ("head -1", "true"):
        ran = process("explain", shell=f"| {reader}")
        assert ran.stderr == b"" and ran.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_no_success() -> None:
    """The verdict could not be told, so the status is not 0."""
    ran = process("check", EXAMPLE, shell="> /dev/full")
    assert ran.returncode == 3
    assert ran.stderr.startswith(b"certify: input or output failed") and ran.stderr.count(b"\n") == 1


def test_closed_streams() -> None:
    """A gate may close what it does not read: the status is told all the same."""
    assert process("check", EXAMPLE, shell=">&-").returncode == 0
    assert process("check", FALSE, shell=">&- 2>&-").returncode == 1
    assert process("check", MALFORMED, shell="2>&-").returncode == 2
    assert process("check", MALFORMED, shell="2>&-").stdout == b""


def test_ascii_streams(tmp_path: Path) -> None:
    """A character that the stream lacks is escaped, not a fault."""
    named = tmp_path / "Prüfung-ε.toml"
    named.write_bytes(Path(EXAMPLE).read_bytes())
    ran = process("check", str(named), PYTHONIOENCODING="ascii")
    assert ran.returncode == 0 and b"Pr\\xfcfung-\\u03b5" in ran.stdout
    ran = process("check", str(named) + "x", PYTHONIOENCODING="ascii")
    assert ran.returncode == 2 and ran.stderr.startswith(b"certify: ")


def test_interrupt() -> None:
    """Ctrl-C: status 130, one line."""
    code = (
        "import os, signal, sys, threading\n"
        "from certify.cli import main\n"
        "import certify.commands.check as check\n"
        "check.load = lambda path: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(main(['check', 'x']))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
    assert ran.returncode == 130 and ran.stderr == b"certify: interrupted\n"


def test_start_up_imports_nothing_heavy() -> None:
    """`--version` loads no mpmath; `check` loads no numpy, scipy or sympy."""
    for words, absent in (
        (["--version"], ("mpmath", "certify.kernel", "numpy")),
        (["check", EXAMPLE], ("numpy", "scipy", "sympy", "yaml", "jsonschema", "flint")),
        (["eval", "gaussian.sigma", "epsilon=2", "delta=1e-6", "sensitivity=1"], ("numpy", "scipy", "sympy")),
    ):
        code = (
            "import sys\nfrom certify.cli import main\n"
            f"status = main({words!r})\n"
            f"print([name for name in {absent!r} if name in sys.modules], status, file=sys.stderr)"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
        assert ran.stderr == b"[] 0\n", ran.stderr
