"""What a command imports: the answer to a small question starts nothing large."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIM = str(ROOT / "examples" / "claims" / "ball-logistic.toml")
HEAVY = ("numpy", "scipy", "sympy", "pandas", "matplotlib", "flint", "hypothesis", "pytest", "jsonschema", "yaml")
PROGRAM = """
import contextlib, io, json, sys
from certify.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    try:
        main(sys.argv[1:])
    except SystemExit:
        pass
print(json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def imported(*arguments: str) -> set[str]:
    """The top-level modules in memory after one command."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("check", CLAIM),
        ("check", "--format", "json", CLAIM),
        ("eval", "gaussian.sigma", "epsilon=2", "delta=1e-6", "sensitivity=1"),
        ("schema",),
        ("explain", "D1"),
        ("trust",),
        ("reproduce", "c.5"),
    ],
    ids=lambda arguments: " ".join(Path(word).name for word in arguments),
)
def test_no_command_imports_a_large_library(arguments: tuple[str, ...]) -> None:
    assert not imported(*arguments).intersection(HEAVY)


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_no_arithmetic_for_a_line_of_text(option: str) -> None:
    assert not imported(option).intersection({"mpmath", "tomllib", "hashlib", "fractions", "decimal"})


def test_the_package_itself_imports_nothing_large() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import certify, sys; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {name.split(".")[0] for name in done.stdout.split()}.intersection({*HEAVY, "mpmath"})
