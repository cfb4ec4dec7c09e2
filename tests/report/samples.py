"""Verdicts built by hand: one of each kind, with conditions that hold, fail and are undecided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.kernel.loop import Decided
from certify.report import CheckedFile
from certify.statements.assumptions import ANY_RECORD, FEATURE_BOUND, REPLACE_ONE, STANDING
from certify.verdicts.model import ClaimVerdict, Missing, Note, Repair, Verdict

SHA = "ab" * 32
RADICAL = Enclosure.of(Intervals(64).sqrt(Intervals(64)(2)))


def number(text: str | int | Fraction) -> Enclosure:
    """The enclosure of an exact number."""
    return Enclosure(Fraction(text), Fraction(text))


def span(lower: str, upper: str) -> Enclosure:
    """The enclosure between two exact numbers."""
    return Enclosure(Fraction(lower), Fraction(upper))


def condition(text: str, decision: Decision, left: Enclosure, right: Enclosure, **changes: Any) -> Decided:
    """A conclusion decided at 64 bits."""
    return replace(Decided(text, "conclusion", "<=", decision, left, right, 64), **changes)


HOLDS = condition("epsilon >= 0", Decision.PROVED, number(0), number(2), role="hypothesis")
MET = condition("delta(epsilon; Delta/sigma) <= delta", Decision.PROVED, span("9.41e-7", "9.42e-7"), number("1e-6"))
MISSED = condition("delta(sigma) <= delta", Decision.DISPROVED, span("3.21e-5", "3.22e-5"), number("1e-6"))
OPEN = condition("Delta <= 1", Decision.UNDECIDED, span("0.99", "1.01"), number(1), bits=4096)

CERTIFIED = ClaimVerdict(
    file="claims/digits.toml",
    sha256=SHA,
    id="digits-q80",
    index=1,
    line=20,
    kind="differential-privacy",
    sentence="for any two data sets that differ in one record, the release is (2, 1e-6)-differentially private",
    verdict=Verdict.CERTIFIED,
    statement="B5",
    source="Ball-DP, Theorem 3",
    quantity="delta",
    bound=span("9.41e-7", "9.42e-7"),
    claimed="1e-6",
    conditions=(HOLDS, MET),
    assumptions=(REPLACE_ONE, FEATURE_BOUND, *STANDING),
    missing=(),
    repairs=(),
    notes=(),
    witness=None,
    reason="every hypothesis holds",
)
REFUTED = replace(
    CERTIFIED,
    index=2,
    line=25,
    verdict=Verdict.REFUTED,
    bound=span("3.21e-5", "3.22e-5"),
    conditions=(HOLDS, condition("delta < delta(sigma)", Decision.PROVED, number("1e-6"), span("3.21e-5", "3.22e-5"))),
    repairs=(Repair("", "sigma", "0.0036", (MET,)), Repair("", "n", "3600", (MET,))),
    witness="two records at distance 0.28 in the smallest class attain the sensitivity",
    reason="the claim is false",
)
UNPROVED = replace(
    CERTIFIED,
    index=3,
    line=None,
    verdict=Verdict.NOT_CERTIFIED,
    conditions=(HOLDS, MISSED, OPEN),
    assumptions=(REPLACE_ONE, ANY_RECORD, *STANDING),
    missing=(Missing("the claim names no adjacency", 'adjacency = "replace-one"   # under [policy]'),),
    repairs=(Repair("", "theorem", "C.13", (MET,)),),
    notes=(Note("delta-at-least-1/n", "delta is at least 1/n"),),
    reason="the bound is not met",
)
UNCOVERED = replace(UNPROVED, bound=None, statement="", source="", conditions=(), missing=(), repairs=(), notes=())

ALL = CheckedFile("claims/digits.toml", SHA, (CERTIFIED, REFUTED, UNPROVED))
GOOD = CheckedFile("claims/digits.toml", SHA, (CERTIFIED,))


def hostile(text: str, verdict: ClaimVerdict = REFUTED) -> CheckedFile:
    """A verdict with the text wherever something from outside may stand."""
    claim = replace(
        verdict,
        id=text,
        kind=text,
        sentence=text,
        statement=text,
        source=text,
        quantity=text,
        claimed=text,
        witness=text,
        missing=(Missing(text, text),),
        repairs=(Repair(text, "theorem", text, ()),),
        notes=(Note(text, text),),
        conditions=(*verdict.conditions, condition(text, Decision.UNDECIDED, number(0), RADICAL)),
        assumptions=(replace(REPLACE_ONE, text=text),),
        bound=replace(RADICAL, reason=text),
    )
    return CheckedFile(text, text, (claim, replace(claim, index=9, assumptions=())))
