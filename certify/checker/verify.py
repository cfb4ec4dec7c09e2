"""Re-establish a certificate: derive again, from its claim and its witnesses, everything that it says, and compare.

The file must be its canonical form and carry its own digest. Every text in it must be the one that follows from the
claim, the rule's name and the witnesses. Every printed enclosure must contain the value that this folder's arithmetic
finds and be no wider than one unit of its last digit; every decision must be the one found, and be shown by the printed
sides. The precision grows until all that is so, or something is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from certify.checker.functions import Pair
from certify.checker.real import Reals as Rationals
from certify.checker.real import TooMuchWork, Work, holds
from certify.checker.strict_json import Refused, canonical, read
from certify.checker.trusted import maker
from certify.statements.language import Reals
from certify.statements.rules import certificate as form
from certify.statements.rules.case import case_of
from certify.statements.rules.numbers import decimal_number, exact_number, exact_text
from certify.statements.rules.rule import Case, Rule, Witnesses
from certify.statements.rules.written import Unreadable, read_claim

_LADDER = (96, 192, 384, 768, 1536)
_WORK = 30_000
_MOST_BITS = 50_000
_WORDS = {True: "proved", False: "disproved", None: "undecided"}
Engine = Callable[[int, Work], Reals[Any]]
"""An arithmetic at so many bits. Its values have ``ends``: two outward rationals, equal where the number is known."""


@dataclass(frozen=True)
class Checked:
    """What a certificate that was re-established says."""

    verdict: str
    says: str
    id: str
    index: int


@dataclass(frozen=True)
class _Enclosure:
    """Where a certificate prints a value: the value, and the digits to print."""

    value: Any
    digits: int


@dataclass(frozen=True)
class _Undecided:
    """Where a certificate says what a comparison shows and these bits do not tell; they may be enough to say so."""

    is_enough: bool


def digest(value: object) -> str:
    """SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(value)).hexdigest()


def verify(data: bytes, engine: Engine = Rationals) -> Checked:
    """What the certificate says, re-established. Raises Refused, naming the first wrong place, for anything else."""
    document = read(data)
    if _at(document, "schema") != form.SCHEMA:
        raise Refused("schema", f"{form.SCHEMA} is needed")
    rest = {key: value for key, value in document.items() if key != "sha256"}
    if document.get("sha256") != digest(rest):
        raise Refused("sha256", "it is not the digest of the rest of the file: something was changed")
    kept: dict[Hashable, Any] = {}

    def memory(key: Hashable, R: Reals[Any], compute: Callable[[Reals[Any]], Any], /) -> Any:
        if key not in kept:
            kept[key] = compute(R)
        return kept[key]

    try:
        claims, claim = read_claim(rest.get("claim"))
        case = case_of(claims, claim, memory)
        expected = {**form.frame(claims, claim, case), "maker": maker(), "claim_sha256": digest(rest["claim"])}
        verdict, work = "not-certified", Work(_WORK)
        if not form.has_proof(case):
            list(_differences("", rest, {**expected, "verdict": verdict, "proof": None}))
            return Checked(verdict, case.sentence, claims.id, claim.index)
        rule, witnesses = _rule(case, rest.get("proof"))
        for bits in _LADDER:
            kept.clear()
            verdict, proof = _proof(rule, witnesses, rest["proof"], bits, engine(bits, work))
            open_places = list(_differences("", rest, {**expected, "verdict": verdict, "proof": proof}))
            if not open_places:
                return Checked(verdict, case.sentence, claims.id, claim.index)
    except Unreadable as fault:
        raise Refused(fault.place, fault.message) from None
    except TooMuchWork:
        raise Refused("proof", "it takes more work than a certificate needs") from None
    raise Refused(open_places[0], "it is not re-established")


def _at(value: Any, *keys: str | int) -> Any:
    """What stands at a place of an unchecked document, None where there is no such place."""
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _rule(case: Case, proof: object) -> tuple[Rule, Witnesses]:
    """The rule that the proof names, and the witnesses that it is given."""
    found = [rule for rule in case.rules if rule.name == _at(proof, "rule")]
    if not found:
        raise Refused("proof.rule", "the claim has no such rule")
    witnesses = {}
    for name in (*found[0].witnesses, *found[0].counts):
        text = _at(proof, "witnesses", name)
        value = exact_number(text) if isinstance(text, str) else None
        if value is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise Refused(f"proof.witnesses.{name}", "an exact number in its one form is needed, as text")
        if name in found[0].counts and (value < 0 or value.denominator != 1):
            raise Refused(f"proof.witnesses.{name}", "a whole number from 0 is needed")
        witnesses[name] = value
    return found[0], witnesses


def _proof(rule: Rule, witnesses: Witnesses, told: Any, bits: int, R: Reals[Any]) -> tuple[str, dict[str, object]]:
    """The verdict and the proof as they should stand; what is told is taken from the file only where it is compared."""
    conditions: list[dict[str, Any]] = []
    for position, stated in enumerate(rule.conditions(R, witnesses)):
        given = _at(told, "conditions", position)
        printed = _at(given, "bits") if _at(given, "bits") in form.PRINTED_BITS else form.BITS
        found = holds(stated.left, stated.relation, stated.right)
        if found is not None and _at(given, "decision") == _WORDS[found]:
            sides = (Printed(_at(given, side)) for side in ("left", "right"))
            if holds(next(sides), stated.relation, next(sides)) is not found:
                raise Refused(f"proof.conditions[{position + 1}]", f"the printed sides do not show: {stated.text}")
        digits = form.DIGITS if _at(given, "decision") == "undecided" else form.DIGITS * printed // form.BITS
        conditions.append(
            {
                "text": stated.text,
                "role": stated.role,
                "relation": stated.relation,
                "bits": printed,
                "decision": _Undecided(bits >= printed) if found is None else _WORDS[found],
                **{side: _Enclosure(getattr(stated, side), digits) for side in ("left", "right")},
            }
        )
    decided = [_at(told, "conditions", position, "decision") == "proved" for position in range(len(conditions))]
    proof = {**form.proof_frame(rule, witnesses), "conditions": conditions, "quantities": [], "bound": None}
    if all(is_proved or item["role"] != "hypothesis" for is_proved, item in zip(decided, conditions, strict=True)):
        quantities = rule.quantities(R, witnesses)
        proof["quantities"] = [{"name": name, "value": _Enclosure(value, form.DIGITS)} for name, value in quantities]
        proof["bound"] = _Enclosure(rule.bound(R, witnesses), form.DIGITS)
    if decided and all(decided):
        return rule.shows, proof
    if rule.shows == "refuted":
        raise Refused("proof.rule", "it would refute the claim, and it does not")
    return "not-certified", proof


class Printed:
    """A printed enclosure as a value: its ends, twice the number itself where that is printed."""

    def __init__(self, shown: Any) -> None:
        low, high, exact = (_at(shown, key) for key in ("lower", "upper", "exact"))
        number = exact_number(exact) if isinstance(exact, str) else None
        self.low, self.high = (decimal_number(text) if isinstance(text, str) else None for text in (low, high))
        self.ends: Pair | None = None
        if number is not None:
            self.ends = number, number
        elif self.low is not None and self.high is not None:
            self.ends = self.low, self.high
        readable = (self.low is not None or low == "-inf") and (self.high is not None or high == "inf")
        self.is_readable = readable and set(shown) <= {"lower", "upper", "exact", "wide"}


def _differences(place: str, given: Any, expected: Any) -> Iterator[str]:
    """The places that these bits do not settle; Refused at the first that is not as expected."""
    if isinstance(expected, _Undecided) and given in _WORDS.values():
        if given != "undecided" or not expected.is_enough:
            yield place
    elif isinstance(expected, _Enclosure) and isinstance(given, dict):
        if not _is_within(place, given, expected):
            yield place
    elif isinstance(expected, dict) and isinstance(given, dict) and set(given) == set(expected):
        for key in sorted(expected):
            yield from _differences(f"{place}.{key}" if place else key, given[key], expected[key])
    elif isinstance(expected, list) and isinstance(given, list) and len(given) == len(expected):
        for position, pair in enumerate(zip(given, expected, strict=True), 1):
            yield from _differences(f"{place}[{position}]", *pair)
    elif type(given) is not type(expected) or given != expected or isinstance(expected, dict | list):
        raise Refused(place or "file", f"it must be {_brief(expected)}")


def _is_within(place: str, given: dict[str, Any], expected: _Enclosure) -> bool:
    """Whether the printed enclosure contains the value; Refused where it cannot, or is too wide."""
    printed, ends = Printed(given), expected.value.ends
    low, high = printed.low, printed.high
    if not printed.is_readable or given.get("wide", True) is not True:
        raise Refused(place, "an enclosure with lower and upper is needed, in decimals of one form")
    if "exact" in given and (ends is None or ends[0] != ends[1] or given["exact"] != exact_text(ends[0])):
        raise Refused(place, "it is not exactly that")
    if (low is not None and high is not None and form.is_narrow(low, high, expected.digits)) is ("wide" in given):
        raise Refused(place, f"its width is not that of {expected.digits} digits")
    if ends is None:
        return low is None and high is None
    if (low is not None and ends[1] < low) or (high is not None and ends[0] > high):
        raise Refused(place, "the printed enclosure does not contain the value")
    return (low is None or low <= ends[0]) and (high is None or ends[1] <= high)


def _brief(value: object) -> str:
    if isinstance(value, _Enclosure | _Undecided | dict | list):
        return "otherwise: the keys or the length are not those of a certificate"
    return canonical(value).decode().strip()[:200]
