"""A claim as a certificate writes it: every claim of the corpus there and back, and nothing but that form is read."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import fractions, integers

from certify.claims import load
from certify.errors import CertifyError
from certify.statements.rules.case import case_of
from certify.statements.rules.numbers import decimal_number, exact_number, exact_text
from certify.statements.rules.written import Refused, claim_object, read_claim

CORPUS = Path(__file__).parents[1] / "corpus"
RIDGE = CORPUS / "certified" / "ridge-public-counts.toml"
DESCENT = CORPUS / "certified" / "theorem-4.1.toml"


def written(path: Path) -> dict[str, Any]:
    """The first claim of a file, as JSON gives it back."""
    claims = load(path)
    found: dict[str, Any] = json.loads(json.dumps(claim_object(claims, claims.claims[0])))
    return found


def test_every_claim_there_and_back() -> None:
    count = 0
    for path in sorted(CORPUS.glob("*/*.*")):
        try:
            claims = load(path)
        except CertifyError:
            continue
        for claim in claims.claims:
            again, same = read_claim(json.loads(json.dumps(claim_object(claims, claim))))
            assert same == claim and again.id == claims.id
            assert (again.release, again.model, again.policy) == (claims.release, claims.model, claims.policy)
            count += 1
    assert count > 120


PRIOR = {"kind": "reconstruction", "success": "0.9", "prior": ["0.5", "0.25", "0.25"], "radius": "0.14"}
LARGE = [f"1/{2**4000 + k}" for k in (1, 3, 5)]


@pytest.mark.parametrize(
    ("path", "place", "value", "says"),
    [
        (RIDGE, ("release", "sigma"), "0.0", "claim.release.sigma: an exact number in its one form"),
        (RIDGE, ("release", "sigma"), 1, "claim.release.sigma: an exact number"),
        (RIDGE, ("release", "sigma"), "-1", "claim.release.sigma: it is out of range"),
        (RIDGE, ("release", "sigma"), "1e-16000", "claim.release.sigma: an exact number"),
        (RIDGE, ("release", "sigma"), "NaN", "claim.release.sigma: an exact number"),
        (RIDGE, ("release", "iterations"), "1", "claim.release: it has a field that does not belong there"),
        (RIDGE, ("release", "mechanism"), "laplace", "claim.release.mechanism: it must be"),
        (RIDGE, ("release", "mechanism"), None, "claim.release.mechanism: it must be"),
        (RIDGE, ("release",), None, "claim.release: an object is needed"),
        (RIDGE, ("release",), {}, "claim.release.mechanism: it is missing"),
        (RIDGE, ("model", "n"), "1.5", "claim.model.n: it is out of range"),
        (RIDGE, ("model", "n"), "1" + "0" * 19, "claim.model.n: it is out of range"),
        (RIDGE, ("model", "n"), "1", "no data set has this"),
        (RIDGE, ("model", "public"), "n", "claim.model.public: a list is needed"),
        (RIDGE, ("model", "public"), ["n", "n"], "none twice"),
        (RIDGE, ("model", "public"), ["weights"], "names of fields"),
        (RIDGE, ("policy", "metric"), "any-record", "a radius has no meaning"),
        (RIDGE, ("claim", "kind"), "secrecy", "claim.claim: it has a field that does not belong there"),
        (RIDGE, ("claim",), {**PRIOR, "prior": ["0.5", "0.25"]}, "sum to exactly 1"),
        (RIDGE, ("claim",), {**PRIOR, "prior": ["-0.5", "1.5"]}, "sum to exactly 1"),
        (RIDGE, ("claim",), {**PRIOR, "prior": []}, "sum to exactly 1"),
        (RIDGE, ("claim",), {**PRIOR, "prior": LARGE}, "over 8192 bits"),
        (RIDGE, ("claim",), {**PRIOR, "candidates": "3"}, "exactly one of candidates, baseline, prior"),
        (RIDGE, ("index",), 0, "claim.index: a whole number from 1"),
        (RIDGE, ("index",), True, "claim.index: a whole number from 1"),
        (RIDGE, ("index",), "1", "claim.index: a whole number from 1"),
        (RIDGE, ("id",), "a\nb", "claim.id: a text"),
        (RIDGE, ("id",), "a" * 201, "claim.id: a text"),
        (RIDGE, ("id",), 3, "claim.id: a text"),
        (DESCENT, ("model", "L1"), "1", "the loss is given twice"),
        (DESCENT, ("policy", "metric"), "label-preserving-euclidean", "protect the replacement of any record"),
        (DESCENT, ("claim", "variant"), "sharp", "Theorem 4.1 has no variants"),
    ],
)
def test_what_no_claim_says_is_refused(path: Path, place: tuple[str, ...], value: object, says: str) -> None:
    changed = written(path)
    inside = changed
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    with pytest.raises(Refused) as refusal:
        read_claim(changed)
    assert says in str(refusal.value) and "\n" not in str(refusal.value)


def test_keys_are_the_ones_written() -> None:
    for changed in ({**written(RIDGE), "more": 1}, {"id": ""}, [], None, "x"):
        with pytest.raises(Refused, match="claim: an object with the keys"):
            read_claim(changed)
    changed = copy.deepcopy(written(RIDGE))
    changed["claim"]["prior"] = ["1"]
    with pytest.raises(Refused, match="does not belong"):
        read_claim(changed)


def test_a_prior_is_read() -> None:
    changed = {**written(RIDGE), "claim": PRIOR}
    _, claim = read_claim(changed)
    assert getattr(claim, "prior") == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))  # noqa: B009


def test_a_kind_is_one_of_those_known() -> None:
    changed = {**written(RIDGE), "claim": {"kind": "secrecy"}}
    with pytest.raises(Refused, match=r"claim\.claim\.kind: it must be"):
        read_claim(changed)


def test_prototypes_without_a_radius_have_no_certifying_rule() -> None:
    """Any-record privacy (B7) is not stated for them, nor reconstruction."""
    changed = {**written(RIDGE), "claim": {"kind": "reconstruction", "success": "0.9", "candidates": "10"}}
    changed["policy"] = {"adjacency": "replace-one", "metric": "any-record"}
    case = case_of(*read_claim(changed))
    assert case.missing and [rule.name for rule in case.rules] == ["guessing"]
    assert case.rule("reconstruction") is None


@given(fractions())
def test_numbers_have_one_text(x: Fraction) -> None:
    text = exact_text(x)
    assert exact_number(text) == x
    assert decimal_number(text) in (x, None)


@given(integers(-(10**40), 10**40), integers(-60, 60))
def test_decimals_of_any_size_have_one_text(mantissa: int, exponent: int) -> None:
    x = mantissa * Fraction(10) ** exponent
    assert exact_number(exact_text(x)) == x


@pytest.mark.parametrize(
    "text",
    *[
        [
            *("1.0", "01", "1e0", "2/4", "1/0", "+1", "0.10", "\u0661", "1e999999", "-0", "1.5e3", "", "-", "e5", "1/"),
            *("/2", "1/-3", "1/1", "0.000001", "1e5", "10/5", " 1", "1 ", "1_0", "0x1", "inf", "nan", "1" * 40_000),
        ]
    ],
)
def test_other_texts_are_no_numbers(text: str) -> None:
    assert exact_number(text) is None and decimal_number(text) is None


def test_long_decimals_are_read_as_decimals_only() -> None:
    """More than 20 digits are an enclosure's end, not a number of a claim."""
    text = "1." + "3" * 200
    assert decimal_number(text) == Fraction(10**200 + int("3" * 200), 10**200)
    assert exact_number(text) is None
    assert decimal_number("-1.25e-7") == Fraction(-1, 8 * 10**6)
