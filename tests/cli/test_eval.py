"""`certify eval`: every entry's example, statuses, input errors, and what the values promise."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from typing import Any

import pytest

from certify.evaluation import FAMILIES, entries, entry_named, names
from certify.evaluation.entries import Entry

from .runs import refused, run

ENTRIES = [entry for family in FAMILIES for entry in entries(family)]
DESCENT = "n=1000000 d=10000 mu=0.01 loss=logistic sigma_over_G=5 u=6"


def evaluated(text: str) -> tuple[int, dict[str, Any]]:
    """The status and the document of one evaluation."""
    ran = run("eval", "--format", "json", *shlex.split(text))
    assert ran.err == ""
    return ran.status, json.loads(ran.out)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_example_answers(entry: Entry) -> None:
    """With the values that the entry names, in both formats, as tight as promised."""
    found = entry_named(entry.name)
    assert found == entry
    status, document = evaluated(f"{found.name} {found.example}")
    assert status == 0
    assert set(document) == {"statement", "source", "inputs", "values", "hypotheses"}
    assert document["statement"] == found.name and document["source"]
    values = document["values"]
    assert isinstance(values, dict) and tuple(values) == found.values
    for value in values.values():
        if isinstance(value, dict):
            lower, upper = Fraction(value["lower"]), Fraction(value["upper"])
            assert 0 <= upper - lower <= Fraction(10) ** -11 * max(abs(lower), abs(upper))
            if lower == upper == 0:
                assert value["lower"] == value["upper"] == "0"
    text = run("eval", found.name, *shlex.split(found.example))
    assert text.status == 0 and all(name in text.out for name in values)


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("gaussian.classic epsilon=1 delta=1e-6 sensitivity=1", "epsilon < 1"),
        ("gaussian.classic epsilon=8 delta=1e-6 sensitivity=1", "epsilon < 1"),
        (f"gd.theorem-4.1 {DESCENT} iterations=1318 epsilon=1", "threshold (7) <= N"),
        (f"gd.theorem-4.1 {DESCENT} iterations=1500 epsilon=0.01", "epsilon0 (9) <= epsilon"),
        (f"gd.theorem-c13 {DESCENT} iterations=3 epsilon=1", "alpha"),
        (f"gd.theorem-4.1 {DESCENT} iterations=1500 epsilon=1 step_size=8", "eta <= 1/L"),
        ("gd.benchmark ratio=2 epsilon=1", "ratio^2/2 <= epsilon"),
    ],
)
def test_a_failed_hypothesis_is_status_1_with_values(text: str, fails: str) -> None:
    """The formula's values are still given; the hypothesis is named."""
    status, document = evaluated(text)
    assert status == 1
    assert document["values"]
    failing = [item["text"] for item in document["hypotheses"] if not item["holds"]]
    assert any(fails in words for words in failing), failing
    shown = run("eval", *shlex.split(text))
    assert shown.status == 1 and "FAILS" in shown.out


def test_meaningless_values_are_left_out() -> None:
    """delta of gd.theorem-c13 where (47) fails has no meaning."""
    _, document = evaluated(f"gd.theorem-c13 {DESCENT} iterations=3 epsilon=1")
    assert "delta" not in document["values"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gaussian.sigme", "did you mean gaussian.sigma"),
        ("nothing", "`certify explain` lists them all"),
        ("gaussian.sigma", "missing"),
        ("gaussian.sigma epsilon=1 delta=1e-6", "sensitivity"),
        ("gaussian.sigma epsilon=1 delta=1e-6 sensitivty=1", "did you mean sensitivity"),
        ("gaussian.sigma epsilon", "write name=value"),
        ("gaussian.sigma epsilon=1 epsilon=2 delta=1e-6 sensitivity=1", "given twice"),
        ("gaussian.sigma epsilon= delta=1e-6 sensitivity=1", "not an exact number"),
        ("gaussian.sigma epsilon=nan delta=1e-6 sensitivity=1", "not an exact number"),
        ("gaussian.sigma epsilon=inf delta=1e-6 sensitivity=1", "not an exact number"),
        ("gaussian.sigma epsilon=-1 delta=1e-6 sensitivity=1", "out of range"),
        ("gaussian.sigma epsilon=1 delta=1e-6 sensitivity=1/0", "denominator 0"),
        ("gaussian.sigma epsilon=1e10000 delta=1e-6 sensitivity=1", "exponent"),
        ("gaussian.sigma epsilon=1_0 delta=1e-6 sensitivity=1", "not an exact number"),
        ("gaussian.sigma epsilon=１ delta=1e-6 sensitivity=1", "not an exact number"),
        ("gaussian.classic epsilon=0 delta=1e-6 sensitivity=1", "out of range"),
        ("gaussian.classic epsilon=1/2 delta=1 sensitivity=1", "out of range"),
        ("gaussian.profile epsilon=1 ratio=1 sigma=2", "not both"),
        ("gaussian.profile epsilon=1", "ratio"),
        ("gaussian.compose epsilon=1 ratios=1,,2", "not an exact number"),
        ("tails.chi dimension=1.5 radius=1 sigma=1", "whole number"),
        ("tails.chi dimension=0 radius=1 sigma=1", "whole number"),
        ("head.softmax feature_bound=1 lambda=0.01 classes=1", "classes"),
        ("head.squared-hinge feature_bound=1 lambda=0.01 constant=best", "sharp"),
        ("gd.limit n=10 mu=1 sigma=1", "loss"),
        ("gd.limit n=10 mu=1 sigma=1 loss=logistic L1=1", "not both"),
        ("gd.limit n=10 mu=1 loss=logistic", "sigma"),
        ("gd.limit n=10 mu=1 loss=hinge sigma=1", "logistic"),
    ],
)
def test_input_errors(text: str, words: str) -> None:
    """Status 2, one line with what is accepted."""
    assert words in refused("eval", *text.split(" "))


def test_digits_and_limits() -> None:
    """Each is checked; more digits are given where asked."""
    base = ("eval", "gaussian.sigma", "epsilon=1", "delta=1e-5", "sensitivity=1", "--format", "json")
    for digits in (1, 2, 12, 50, 200):
        value = json.loads(run(*base, "--digits", str(digits)).out)["values"]["sigma"]
        lower, upper = Fraction(value["lower"]), Fraction(value["upper"])
        assert 0 < upper - lower <= Fraction(10) ** (1 - digits) * lower
        assert lower <= Fraction("3.730631634815941832251") and upper >= Fraction("3.730631634815941832249")
    for wrong in ("0", "1001", "x"):
        assert "digits" in refused(*base, "--digits", wrong)
    assert "--max-bits" in refused(*base, "--max-bits", "8")
    cut = run(*base, "--max-evaluations", "0")
    assert cut.status == 1
    assert json.loads(cut.out)["values"]["sigma"]["upper"] == "inf"
    assert json.loads(cut.out)["values"]["sigma"]["reason"]


def test_exact_values_print_exactly() -> None:
    """A rational that is a short decimal has equal ends; 0 is "0"."""
    for text, name, expected in (
        ("ball.sensitivity lipschitz=1 radius=1 lambda=0.1 n=10", "sensitivity", "1"),
        ("head.ridge-prototype radius=1 lambda=0.01 n=100 min_class_count=2", "sensitivity", "0.4"),
        ("gaussian.profile epsilon=1 ratio=0", "delta", "0"),
        ("gaussian.sigma epsilon=1 delta=1 sensitivity=1", "sigma", "0"),
        ("gaussian.sigma epsilon=1 delta=1e-5 sensitivity=0", "sigma", "0"),
        ("gaussian.epsilon delta=1/2 ratio=0", "epsilon", "0"),
        ("rero.gaussian ratio=0 baseline=0.1", "success", "0.1"),
        ("rero.gaussian ratio=1 baseline=1", "success", "1"),
        ("rero.gaussian ratio=1 baseline=0", "success", "0"),
        ("rero.dp epsilon=1 delta=1 baseline=0.1", "success", "1"),
    ):
        status, document = evaluated(text)
        assert status == 0, text
        value = document["values"][name]
        assert (value["lower"], value["upper"]) == (expected, expected), text


def test_every_name_is_listed() -> None:
    """The names of the interface, and no name twice."""
    assert len(names()) == len(set(names())) >= 30
