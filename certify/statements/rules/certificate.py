"""What a certificate says apart from numbers: the claim and the rule in words, the parts that need no arithmetic."""

from __future__ import annotations

from fractions import Fraction

from certify.statements.rules.claim import Claim, ClaimFile
from certify.statements.rules.numbers import decimal_number, exact_number, exact_text
from certify.statements.rules.rule import Case, Rule, Witnesses
from certify.statements.rules.written import claim_object

SCHEMA = "certify/certificate/v1"
DIGITS, BITS = 12, 64
PRINTED_BITS = (64, 128, 256, 512, 1024)
"""An enclosure is printed to 12 digits at 64 bits; where these do not show a decision, to 24 at 128 bits, and so on."""

_ASSERTED = {"declared": "the claim file", "standing": "whoever relies on this certificate"}


def frame(claims: ClaimFile, claim: Claim, case: Case) -> dict[str, object]:
    """What is said of the claim: in exact numbers and in words, with what it lacks and what is taken on trust."""
    return {
        "schema": SCHEMA,
        "claim": claim_object(claims, claim),
        "says": case.sentence,
        "quantity": case.quantity,
        "claimed": exact_text(case.claimed),
        "missing": [missing.text for missing in case.missing],
        "assumptions": [
            {"name": item.name, "text": item.text, "asserted_by": _ASSERTED[item.kind]} for item in case.assumptions
        ],
    }


def name_of(claims: ClaimFile, claim: Claim) -> str:
    """The release's id, where it has one, and the number of the claim."""
    return f"{claims.id}, claim {claim.index}" if claims.id else f"claim {claim.index}"


def proof_frame(rule: Rule, witnesses: Witnesses) -> dict[str, object]:
    """What is said of the rule: its name, number and source, and the witnesses it is given."""
    return {
        "rule": rule.name,
        "statement": rule.statement,
        "source": rule.source,
        "words": rule.words,
        "witnesses": {name: exact_text(witnesses[name]) for name in (*rule.witnesses, *rule.counts)},
    }


def has_proof(case: Case) -> bool:
    """Whether a certificate has a proof part: nothing is shown where a declaration is missing or no rule certifies."""
    return not case.missing and any(rule.shows == "certified" for rule in case.rules)


class Printed:
    """A printed enclosure: its decimals (None: infinite), and its ends as a value, twice the number if it is exact."""

    def __init__(self, shown: object) -> None:
        told = shown if isinstance(shown, dict) else {}
        lower, upper, exact = (told.get(key) for key in ("lower", "upper", "exact"))
        self.low, self.high, number = (decimal_number(str(lower)), decimal_number(str(upper)), exact_number(str(exact)))
        self.ends: tuple[Fraction, Fraction] | None = None
        if number is not None:
            self.ends = number, number
        elif self.low is not None and self.high is not None:
            self.ends = self.low, self.high
        self.is_number = self.ends is not None and self.ends[0] == self.ends[1]
        is_known = (lower == "-inf" or self.low is not None) and (upper == "inf" or self.high is not None)
        is_text = isinstance(lower, str) and isinstance(upper, str)
        self.is_readable = is_known and is_text and set(told) <= {"lower", "upper", "exact", "wide"}


def is_narrow(low: Fraction, high: Fraction, digits: int) -> bool:
    """Whether two printed ends are at most one unit apart, of the last of so many digits of the larger one."""
    size = max(abs(low), abs(high))
    return low == high or (high - low) * Fraction(10) ** (digits - 1 - _leading_place(size)) <= 1


def _leading_place(size: Fraction) -> int:
    """The place of the first digit of size > 0: 10^k <= size < 10^(k + 1)."""
    k = (size.numerator.bit_length() - size.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** (k + 1) <= size:
        k += 1
    while Fraction(10) ** k > size:
        k -= 1
    return k
