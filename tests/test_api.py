"""The Python face: the names, errors and values of the command line, exact ends, and an import that costs nothing."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import certify
from certify.cli import main
from certify.report import CheckedFile, render

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples" / "claims").glob("*.toml"))
LAMBDA: dict[str, Any] = {"lambda": "0.1"}
SIGMA: dict[str, Any] = {"epsilon": "2", "delta": "1e-6", "sensitivity": "1"}


def mapping(**model: object) -> dict[str, Any]:
    """A claim that certifies."""
    return {
        "release": {"mechanism": "gaussian-output-perturbation", "sigma": "0.0151"},
        "model": {
            "head": "binary-logistic",
            "n": 25_000,
            "regularization": "0.01",
            "feature_bound": 1,
            "public": ["feature_bound", "radius", "n"],
            **model,
        },
        "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": "0.7"},
        "claim": [{"kind": "differential-privacy", "epsilon": 2, "delta": "1e-6"}],
    }


def command(*words: str) -> str:
    """Standard output of one run of the command."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(words)
    return out.getvalue()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_check_is_what_the_command_prints(path: Path) -> None:
    """By path or text of the path; the same document."""
    verdicts = certify.check(path)
    assert certify.check(str(path)) == verdicts
    checked = CheckedFile(verdicts[0].file, verdicts[0].sha256, tuple(verdicts))
    assert render("json", [checked], 12) == command("check", "--format", "json", str(path)).rstrip("\n")


def test_check_takes_a_mapping() -> None:
    """With exact numbers of every kind."""
    [found] = certify.check(mapping())
    assert found.verdict is certify.Verdict.CERTIFIED
    assert found.file == "<dict>" and found.line is None
    for value in (Fraction(1, 100), Decimal("0.01"), "1/100", "1e-2"):
        [same] = certify.check(mapping(regularization=value))
        assert same.bound == found.bound


def test_floats_are_refused() -> None:
    """Unless their exact value is asked for."""
    with pytest.raises(certify.UnusableInput, match="exact_double") as refusal:
        certify.check(mapping(regularization=0.01))
    assert refusal.value.field == "model.regularization"
    with pytest.raises(certify.UnusableInput, match="exact_double") as refusal:
        certify.evaluate("gaussian.sigma", epsilon=2.0, delta="1e-6", sensitivity=1)
    assert refusal.value.field == "epsilon"
    tenth = certify.exact_double(0.1, "epsilon")
    assert tenth == Fraction(3602879701896397, 36028797018963968) > Fraction(1, 10)
    assert certify.evaluate("gaussian.sigma", epsilon=tenth, delta="1e-5", sensitivity=1)["sigma"].upper > 30
    for wrong in (float("nan"), float("inf"), 1, "0.1", True):
        with pytest.raises(certify.UnusableInput):
            certify.exact_double(wrong, "epsilon")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [True, None, 1j, [1], b"1", float("nan"), object()])
def test_what_is_not_a_number_is_refused(value: object) -> None:
    """With the name of the input."""
    with pytest.raises(certify.UnusableInput) as refusal:
        certify.evaluate("gaussian.sigma", **{**SIGMA, "epsilon": value})
    assert refusal.value.field == "epsilon"


def test_evaluate_is_what_the_command_prints() -> None:
    """The same names, values and hypotheses."""
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("gaussian.sigma", SIGMA),
        ("gaussian.classic", {**SIGMA, "epsilon": "3"}),
        ("gd.constants", {"loss": "logistic", "mu": "0.01", "n": 10**6}),
        ("head.softmax", {"feature_bound": 1, "lambda": "0.01", "classes": 10}),
        ("gaussian.compose", {"ratios": "1/2,1/3", "epsilon": 1}),
    )
    for statement, inputs in asked:
        found = certify.evaluate(statement, **inputs)
        words = [f"{name}={value}" for name, value in inputs.items()]
        document = json.loads(command("eval", statement, *words, "--format", "json"))
        for name, value in document["values"].items():
            assert found[name].text(12) == (value["lower"], value["upper"])
        assert list(found) == list(document["values"])
        assert [item.text for item in found.hypotheses] == [item["text"] for item in document["hypotheses"]]
        assert found.hold == all(item["holds"] for item in document["hypotheses"])


def test_a_failed_hypothesis_is_said() -> None:
    """The values are there, and ``hold`` is false."""
    found = certify.evaluate("gaussian.classic", epsilon=8, delta="1e-6", sensitivity=1)
    assert not found.hold and set(found) == {"sigma", "delta"}
    assert certify.evaluate("gaussian.classic", epsilon="1/2", delta="1e-6", sensitivity=1).hold


def test_ends_are_exact_rationals() -> None:
    """And enclose: the profile at the upper end of sigma meets delta, at the lower end it does not."""
    sigma = certify.evaluate("gaussian.sigma", **SIGMA)["sigma"]
    assert isinstance(sigma, certify.Enclosure)
    assert isinstance(sigma.lower, Fraction) and isinstance(sigma.upper, Fraction)
    assert 0 < sigma.upper - sigma.lower <= sigma.lower / 10**11
    at = [certify.evaluate("gaussian.profile", epsilon=2, ratio=1 / end)["delta"] for end in (sigma.upper, sigma.lower)]
    assert at[0].upper <= Fraction(1, 10**6) < at[1].lower
    assert certify.evaluate("ball.sensitivity", lipschitz=1, radius=1, n=10, **LAMBDA)["sensitivity"] == (
        certify.Enclosure(Fraction(1), Fraction(1))
    )


def test_whole_numbers_are_enclosures() -> None:
    """With ends that agree."""
    common: dict[str, Any] = {"n": 10**6, "d": 10**4, "mu": "0.01", "loss": "logistic", "sigma_over_G": 5, "u": 6}
    found = certify.evaluate("gd.threshold", **common)
    assert found["iterations"].lower == found["iterations"].upper == 1319
    assert 1318 < found["threshold"].lower < 1319


def test_digits_and_limits() -> None:
    """More digits are tighter; limits leave a value open with a reason, and a claim undecided."""
    tight = certify.evaluate("gaussian.sigma", digits=40, **SIGMA)["sigma"]
    assert tight.upper - tight.lower <= tight.lower / 10**39
    open_value = certify.evaluate("gaussian.sigma", limits=certify.Limits(max_evaluations=0), **SIGMA)["sigma"]
    assert not open_value.is_bounded and open_value.reason
    [found] = certify.check(mapping(), limits=certify.Limits(max_evaluations=0))
    assert found.verdict is certify.Verdict.NOT_CERTIFIED
    assert certify.Decision.UNDECIDED in {item.decision for item in found.conditions}
    for digits in (0, -1, 1001):
        with pytest.raises(certify.UnusableInput, match="digits"):
            certify.evaluate("gaussian.sigma", digits=digits, **SIGMA)


def test_errors_are_those_of_the_command() -> None:
    """Same message; one tree."""
    for raised, words in (
        (lambda: certify.check("no-such-file.toml"), ("check", "no-such-file.toml")),
        (lambda: certify.evaluate("gaussian.sigme"), ("eval", "gaussian.sigme")),
        (lambda: certify.evaluate("gaussian.sigma", epsilon="1"), ("eval", "gaussian.sigma", "epsilon=1")),
    ):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            assert main(words) == 2
        with pytest.raises(certify.UnusableInput) as refusal:
            raised()
        assert err.getvalue() == f"certify: {refusal.value}\n"
    assert issubclass(certify.UnusableInput, certify.CertifyError)
    assert issubclass(certify.MissingExtra, certify.CertifyError)


def test_malformed_mappings_are_refused() -> None:
    """With the field, and no other exception."""
    broken: list[dict[Any, Any]] = [
        {},
        {"claim": []},
        {**mapping(), "claim": {"kind": "differential-privacy"}},
        {**mapping(), "claim": [None]},
        {**mapping(), 3: 4},
        {**mapping(), "release": None},
        {**mapping(), "model": [1]},
        mapping(n=0),
        mapping(n="25000.5"),
        mapping(nn=3),
        mapping(public="n"),
    ]
    for fields in broken:
        with pytest.raises(certify.UnusableInput):
            certify.check(fields)


def test_a_mapping_is_not_changed() -> None:
    """Nor held on to."""
    fields = mapping()
    certify.check(fields)
    assert fields == mapping()


def test_import_is_lazy() -> None:
    """`import certify` loads neither mpmath nor numpy nor any module of its own but the version."""
    code = (
        "import sys, certify; "
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('certify', 'mpmath', 'numpy', 'scipy')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stdout.strip() == "['certify', 'certify.version']"


def test_public_names() -> None:
    """Each is there, documented, listed by dir; nothing else is."""
    for name in certify.__all__:
        value = getattr(certify, name)
        assert name in dir(certify)
        assert isinstance(value, str) or value.__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = certify.nothing


def test_documentation_examples() -> None:
    """The docstring of the package runs."""
    assert doctest.testmod(certify).failed == 0
    assert doctest.testmod(certify).attempted >= 2
