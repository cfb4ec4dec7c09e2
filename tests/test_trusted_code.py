"""The trusted folders keep to a small part of Python and mpmath: read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "certify"
INDEX = ROOT / "statements" / "table.py"  # lists the statements for `certify explain`; computes nothing
TRUSTED = [
    path
    for folder in ("kernel", "statements", "checker")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path != INDEX
]

STANDARD = {
    "__future__",
    "collections",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "math",
    "re",
    "time",
    "types",
    "typing",
}
CHECKER_ONLY = {"hashlib", "json", "sys"}  # to read a file and its digest
OWN = {
    "kernel": ("certify.errors", "certify.kernel", "mpmath"),
    "statements": ("certify.statements",),
    "checker": ("certify.statements", "certify.checker", "certify.trusted"),
}
MATH = {"comb", "factorial", "gcd", "isqrt", "lcm"}
# + - x / root and integer power; rounding, exact shifts and signs; comparisons; conversions from integers; constants.
LIBMP = {
    *("mpi_add", "mpi_mul", "mpi_div", "mpi_sqrt", "mpi_pow_int", "mpf_sub", "mpf_mul", "mpf_div"),
    *("mpf_pos", "mpf_shift", "mpf_neg", "mpf_abs"),
    *("mpf_sign", "mpf_cmp", "mpf_lt", "mpf_le", "mpf_gt", "mpf_ge"),
    *("from_int", "from_man_exp"),
    *("fzero", "fone", "fhalf", "finf", "fninf"),
}
BANNED_CALLS = {"float", "complex", "eval", "exec", "compile", "__import__"}


def offences(source: str, folder: str) -> Iterator[str]:
    """Every use in the source of what trusted code does without."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert():
                yield f"line {node.lineno}: assert, which python -O drops"
            case ast.Constant(value=float() | complex() as value):
                yield f"line {node.lineno}: the literal {value}"
            case ast.Call(func=ast.Name(id=name)) if name in BANNED_CALLS:
                yield f"line {node.lineno}: a call of {name}"
            case ast.Import(names=names):
                for alias in names:
                    yield from _imported(alias.name, [], folder, node.lineno)
            case ast.ImportFrom(module=module, names=names, level=level):
                if level:
                    yield f"line {node.lineno}: a relative import"
                yield from _imported(module or "", [alias.name for alias in names], folder, node.lineno)
            case ast.Attribute(value=ast.Name(id="libmp"), attr=name) if name not in LIBMP:
                yield f"line {node.lineno}: libmp.{name}"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in MATH:
                yield f"line {node.lineno}: math.{name}"


def _imported(module: str, names: list[str], folder: str, line: int) -> Iterator[str]:
    top = module.partition(".")[0]
    own = any(module == allowed or module.startswith(allowed + ".") for allowed in OWN[folder])
    allowed_here = STANDARD | (CHECKER_ONLY if folder == "checker" else set())
    if top not in allowed_here and not own:
        yield f"line {line}: import of {module}"
    if top == "mpmath" and own:
        allowed = {"mpmath": {"libmp"}, "mpmath.libmp": LIBMP}.get(module, set())
        yield from (f"line {line}: {module}.{name}" for name in names or ["*"] if name not in allowed)
    if module == "math":
        yield from (f"line {line}: math.{name}" for name in names if name not in MATH)


@pytest.mark.parametrize("path", TRUSTED, ids=lambda path: str(path.relative_to(ROOT)))
def test_trusted_code_keeps_to_its_part_of_the_language(path: Path) -> None:
    """Allowed imports, integer functions only, no float, no assert."""
    assert list(offences(path.read_text(encoding="utf-8"), path.relative_to(ROOT).parts[0])) == []


def test_the_trusted_folders_are_read() -> None:
    """The list above is not empty by mistake."""
    assert {"exact.py", "interval.py", "tails.py", "language.py"} <= {path.name for path in TRUSTED}


@pytest.mark.parametrize(
    ("snippet", "says"),
    [
        ("assert x", "assert"),
        ("x = 0.5", "literal 0.5"),
        ("x = 1e-9", "literal 1e-09"),
        ("x = 2j", "literal 2j"),
        ("x = float(y)", "call of float"),
        ("x = complex(y)", "call of complex"),
        ("eval('1')", "call of eval"),
        ("import numpy", "import of numpy"),
        ("from scipy import stats", "import of scipy"),
        ("import mpmath", "mpmath.*"),
        ("from mpmath import mp", "mpmath.mp"),
        ("from mpmath import iv", "mpmath.iv"),
        ("from mpmath.libmp import mpi_exp", "mpi_exp"),
        ("from mpmath.libmp.libmpi import mpi_add", "libmpi.mpi_add"),
        ("libmp.mpf_exp(x)", "libmp.mpf_exp"),
        ("libmp.mpf_add(x, y)", "libmp.mpf_add"),
        ("libmp.from_float(x)", "libmp.from_float"),
        ("import math\nmath.exp(1)", "math.exp"),
        ("from math import sqrt", "math.sqrt"),
        ("from certify.search import gaussian", "import of certify.search"),
        ("from . import tails", "relative"),
    ],
)
def test_each_rule_can_fail(snippet: str, says: str) -> None:
    """A snippet that breaks a rule is found."""
    assert any(says in offence for offence in offences(snippet, "kernel"))


@pytest.mark.parametrize("module", ["certify.kernel.interval", "mpmath", "numpy", "certify.errors", "certify.claims"])
def test_the_checker_sees_the_statements_only(module: str) -> None:
    """It re-establishes a certificate without anything that made it."""
    assert list(offences(f"import {module}", "checker")) == [f"line 1: import of {module}"]


def test_the_checker_is_short() -> None:
    """At most 500 lines of code beyond the statements: no blank lines, comments or docstrings among them."""
    counts = {path.name: code_lines(path.read_text(encoding="utf-8")) for path in (ROOT / "checker").glob("*.py")}
    assert 300 < sum(counts.values()) <= 500, counts


def code_lines(source: str) -> int:
    """The lines that hold code."""
    quoted: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            quoted.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and at not in quoted for at, line in lines)


@pytest.mark.parametrize("module", ["certify.kernel.interval", "mpmath", "certify.errors"])
def test_statements_do_not_see_the_kernel(module: str) -> None:
    """A statement is written without its arithmetic."""
    assert list(offences(f"import {module}", "statements")) == [f"line 1: import of {module}"]
