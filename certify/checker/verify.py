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
from fractions import Fraction
from typing import Any, NamedTuple

from certify.checker.real import Reals as Rationals
from certify.checker.real import TooMuchWork, Work, holds
from certify.checker.strict_json import canonical, read
from certify.statements.language import Reals
from certify.statements.rules import certificate as form
from certify.statements.rules.case import case_of
from certify.statements.rules.numbers import exact_number, exact_text
from certify.statements.rules.rule import Case, Rule, Witnesses
from certify.statements.rules.written import Refused, read_claim
from certify.trusted import maker

_LADDER = (96, 192, 384, 768, 1536)
_SIDES = ("left", "right")
_NONE: dict[str, Any] = {"verdict": "not-certified", "proof": None}
_WORDS = {True: "proved", False: "disproved", None: "undecided"}
# An arithmetic at so many bits. Its values have ``ends``: two outward rationals, equal where the number is known.
Engine = Callable[[int, Work], Reals[Any]]


@dataclass(frozen=True)
class Checked:
    """What a certificate that was re-established says."""

    verdict: str
    says: str
    name: str


class _Enclosure(NamedTuple):
    """Where a certificate prints a value: the value, and the digits to print."""

    value: Any
    digits: int


class _Undecided(NamedTuple):
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
        return kept[key] if key in kept else kept.setdefault(key, compute(R))

    try:
        claims, claim = read_claim(rest.get("claim"))
        case, work, undecided = case_of(claims, claim, memory), Work(30_000), ["proof"]
        expected = {**form.frame(claims, claim, case), "maker": maker(), "claim_sha256": digest(rest["claim"])}
        told = {key: rest.pop(key) for key in ("verdict", "proof") if key in rest}
        list(_differences("", rest, expected))
        rule, witnesses = _rule(case, told.get("proof")) if form.has_proof(case) else (None, {})
        for bits in _LADDER:
            kept.clear()
            found = _NONE if rule is None else _proof(rule, witnesses, told["proof"], bits, engine(bits, work))
            undecided = list(_differences("", told, found))
            if not undecided:
                return Checked(found["verdict"], case.sentence, form.name_of(claims, claim))
    except TooMuchWork:
        raise Refused("proof", "it takes more work than a certificate needs") from None
    raise Refused(undecided[0], "it is not re-established")


def _at(value: Any, *keys: str | int) -> Any:
    """What stands at a place of an unchecked document, None where there is no such place."""
    for key in keys:
        inside = range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
        value = value[key] if key in inside else None
    return value


def _rule(case: Case, proof: object) -> tuple[Rule, dict[str, Fraction]]:
    """The rule that the proof names, and the witnesses that it is given."""
    rule = next((rule for rule in case.rules if rule.name == _at(proof, "rule")), None)
    if rule is None:
        raise Refused("proof.rule", "the claim has no such rule")
    witnesses = {}
    for name in (*rule.witnesses, *rule.counts):
        value = exact_number(str(_at(proof, "witnesses", name)))
        if value is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > 50_000:
            raise Refused(f"proof.witnesses.{name}", "an exact number in its one form is needed, as text")
        if name in rule.counts and (value < 0 or value.denominator != 1):
            raise Refused(f"proof.witnesses.{name}", "a whole number from 0 is needed")
        witnesses[name] = value
    return rule, witnesses


def _proof(rule: Rule, witnesses: Witnesses, told: Any, bits: int, R: Reals[Any]) -> dict[str, Any]:
    """The verdict and the proof as they should stand; what is told counts only where ``_differences`` compares it."""
    proof: dict[str, Any] = {**form.proof_frame(rule, witnesses), "conditions": [], "quantities": [], "bound": None}
    decided = []
    for position, stated in enumerate(rule.conditions(R, witnesses)):
        given = _at(told, "conditions", position)
        decided.append(_at(given, "decision") == "proved")
        printed = _at(given, "bits") if _at(given, "bits") in form.PRINTED_BITS else form.BITS
        found, digits = holds(stated.left, stated.right, stated.relation), form.DIGITS * printed // form.BITS
        if _at(given, "decision") == "undecided":
            printed, digits = form.PRINTED_BITS[-1], form.DIGITS
        left, right = (form.Printed(_at(given, side)) for side in _SIDES)
        printed = form.BITS if left.is_number and right.is_number else printed
        if _at(given, "decision") == _WORDS[found] != "undecided" and holds(left, right, stated.relation) is not found:
            raise Refused(f"proof.conditions[{position + 1}]", f"the printed sides do not show: {stated.text}")
        words: dict[str, Any] = {name: getattr(stated, name) for name in ("text", "role", "relation")}
        words |= {side: _Enclosure(getattr(stated, side), digits) for side in _SIDES}
        decision = _Undecided(bits >= form.PRINTED_BITS[-1]) if found is None else _WORDS[found]
        proof["conditions"].append({**words, "decision": decision, "bits": printed})
    if all(proved or item["role"] != "hypothesis" for proved, item in zip(decided, proof["conditions"], strict=True)):
        quantities = rule.quantities(R, witnesses)
        proof["quantities"] = [{"name": name, "value": _Enclosure(value, form.DIGITS)} for name, value in quantities]
        proof["bound"] = _Enclosure(rule.bound(R, witnesses), form.DIGITS)
    if not (decided and all(decided)) and rule.shows == "refuted":
        raise Refused("proof.rule", "it would refute the claim, and it does not")
    return {"verdict": rule.shows if decided and all(decided) else "not-certified", "proof": proof}


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
        is_plain = expected is None or isinstance(expected, str | int)
        shown = canonical(expected).decode().strip()[:200] if is_plain else "of another form: keys or length are wrong"
        raise Refused(place or "file", f"it must be {shown}")


def _is_within(place: str, given: dict[str, Any], expected: _Enclosure) -> bool:
    """Whether the printed enclosure contains the value; Refused where it cannot, or is too wide."""
    printed, ends = form.Printed(given), expected.value.ends
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
