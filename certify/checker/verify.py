"""Re-establish a certificate: decide every condition again from the exact claim and the witnesses, and compare.

The file must be its canonical form and carry the digest of it. Then everything in it that follows from the claim, the
rule's name and the witnesses is derived again and must be the same text. The numbers are evaluated in this folder's
arithmetic: each printed enclosure must contain what is found and be no wider than one unit of its last digit, the
sides of a decided condition must show the decision as printed, and the decision must be the one found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from certify.checker.real import Reals as Integers
from certify.checker.real import TooMuchWork, Work
from certify.checker.strict_json import Refused, canonical, read
from certify.checker.trusted import maker
from certify.statements.language import Condition, Real, Reals
from certify.statements.rules.case import case_of
from certify.statements.rules.certificate import BITS, DIGITS, SCHEMA, frame, has_proof, is_narrow, proof_frame
from certify.statements.rules.numbers import decimal_number, exact_number, exact_text
from certify.statements.rules.rule import Case, Rule, Witnesses
from certify.statements.rules.written import Unreadable, read_claim

_LADDER = (96, 192, 384, 768, 1536, 3072, 4096)
_BITS = tuple(BITS << step for step in range(7))
_WORK = 30_000
_MOST_BITS = 50_000
_KEYS = {"schema", "maker", "claim", "claim_sha256", "says", "quantity", "claimed", "missing", "assumptions", "verdict"}
_KEYS |= {"proof", "sha256"}
_PROOF = {"rule", "statement", "source", "words", "witnesses", "conditions", "quantities", "bound"}
Ends = tuple[Fraction | None, Fraction | None]


class Enclosed(Real, Protocol):
    """A value of an engine: its outward rational ends (None: infinite), and itself where it is a known rational."""

    @property
    def exact(self) -> Fraction | None: ...
    @property
    def ends(self) -> Ends: ...


V = TypeVar("V", bound=Enclosed)
Engine = Callable[[int, Work], Reals[V]]


@dataclass(frozen=True)
class Checked:
    """What a certificate that was re-established says."""

    verdict: str
    says: str
    id: str
    index: int
    document: dict[str, Any]


def digest(value: object) -> str:
    """SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(value)).hexdigest()


def verify(data: bytes, engine: Engine[Any] = Integers) -> Checked:
    """What the certificate says, re-established. Raises Refused, naming the first wrong place, for anything else."""
    document = read(data)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise Refused("schema", f"{SCHEMA} is needed")
    if set(document) != _KEYS:
        raise Refused("keys", f"the keys {', '.join(sorted(_KEYS))} are needed, and no other")
    if document["sha256"] != digest({key: value for key, value in document.items() if key != "sha256"}):
        raise Refused("sha256", "it is not the digest of the rest of the file: something was changed")
    _same("maker", document["maker"], maker())
    kept: dict[Hashable, Any] = {}

    def memory(key: Hashable, R: Reals[Any], compute: Callable[[Reals[Any]], Any], /) -> Any:
        place = (key, id(R))
        if place not in kept:
            kept[place] = compute(R)
        return kept[place]

    try:
        claims, claim = read_claim(document["claim"])
        case = case_of(claims, claim, memory)
        verdict, proof = _proof(case, document["proof"], engine, kept)
    except Unreadable as error:
        raise Refused(str(error).partition(": ")[0], str(error).partition(": ")[2]) from None
    except TooMuchWork:
        raise Refused("proof", "it takes more work than a certificate needs") from None
    expected = {**frame(claims, claim, case), "maker": maker(), "verdict": verdict, "proof": proof}
    expected["claim_sha256"] = digest(expected["claim"])
    _same("", document, {**expected, "sha256": document["sha256"]})
    return Checked(verdict, case.sentence, claims.id, claim.index, document)


def _proof(case: Case, given: object, engine: Engine[Any], kept: dict[Hashable, Any]) -> tuple[str, object]:
    if not has_proof(case):
        return "not-certified", None
    told = _object(given, "proof", _PROOF)
    rule = case.rule(told["rule"]) if isinstance(told["rule"], str) else None
    if rule is None:
        raise Refused("proof.rule", "the claim has no such rule")
    witnesses = _witnesses(rule, told["witnesses"])
    work = Work(_WORK)
    for bits in _LADDER:
        kept.clear()
        pending, proof = _Pending(bits), proof_frame(rule, witnesses)
        R = engine(bits, work)
        conditions = list(_conditions(rule.conditions(R, witnesses), told["conditions"], pending))
        proof |= {"conditions": conditions, "quantities": [], "bound": None}
        if all(item["decision"] == "proved" for item in conditions if item["role"] == "hypothesis"):
            proof["quantities"] = list(_quantities(rule.quantities(R, witnesses), told["quantities"], pending))
            proof["bound"] = _real(rule.bound(R, witnesses), told["bound"], DIGITS, "proof.bound", pending)
        if not pending.places:
            proved = bool(conditions) and all(item["decision"] == "proved" for item in conditions)
            if not proved and rule.shows == "refuted":
                raise Refused("proof.rule", "it would refute the claim, and does not")
            return rule.shows if proved else "not-certified", proof
    raise Refused(pending.places[0], "it is not re-established")


class _Pending:
    """The places that this precision has not settled."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.places: list[str] = []


def _witnesses(rule: Rule, given: object) -> Witnesses:
    told = _object(given, "proof.witnesses", {*rule.witnesses, *rule.counts})
    found = {name: exact_number(text) if isinstance(text, str) else None for name, text in told.items()}
    for name, value in found.items():
        if value is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise Refused(f"proof.witnesses.{name}", "an exact number in its one form is needed, as text")
        if name in rule.counts and (value.denominator != 1 or value < 0):
            raise Refused(f"proof.witnesses.{name}", "a whole number from 0 is needed")
    return {name: value for name, value in found.items() if value is not None}


def _conditions(stated: Iterator[Condition[V]], given: object, pending: _Pending) -> Iterator[dict[str, Any]]:
    """Each condition as it should stand, with the printed enclosures once they are found to contain the sides."""
    listed, count = given if isinstance(given, list) else [], 0
    for count, item in enumerate(stated, 1):
        place = f"proof.conditions[{count}]"
        keys = {"text", "role", "relation", "decision", "bits", "left", "right"}
        told = _object(listed[count - 1] if count <= len(listed) else None, place, keys)
        bits, decision, found = told["bits"], told["decision"], _decision(item.left, item.relation, item.right)
        if bits not in _BITS:
            raise Refused(f"{place}.bits", "one of 64, 128, ... 4096 is needed")
        digits = DIGITS if decision == "undecided" else DIGITS * bits // BITS
        left, right = (
            _real(value, told[side], digits, f"{place}.{side}", pending)
            for side, value in (("left", item.left), ("right", item.right))
        )
        if found is not None and found != decision:
            raise Refused(f"{place}.decision", f"it is {found}: {item.text}")
        if found is None and (decision != "undecided" or pending.bits < bits):
            pending.places.append(f"{place}.decision")
        if found is not None and printed_decision(left, item.relation, right) != found:
            raise Refused(place, f"the printed sides do not show that it is {found}")
        shown = {"text": item.text, "role": item.role, "relation": item.relation, "left": left, "right": right}
        yield {**shown, "decision": found or "undecided", "bits": bits}
    if count != len(listed):
        raise Refused("proof.conditions", f"{count} conditions are needed")


def _quantities(stated: Iterator[tuple[str, V]], given: object, pending: _Pending) -> Iterator[dict[str, Any]]:
    listed, count = given if isinstance(given, list) else [], 0
    for count, (name, value) in enumerate(stated, 1):
        place = f"proof.quantities[{count}]"
        told = _object(listed[count - 1] if count <= len(listed) else None, place, {"name", "value"})
        yield {"name": name, "value": _real(value, told["value"], DIGITS, place, pending)}
    if count != len(listed):
        raise Refused("proof.quantities", f"{count} quantities are needed")


def printed_decision(left: dict[str, Any], relation: str, right: dict[str, Any]) -> str | None:
    """What two printed enclosures show of an inequality."""
    return _decision(_Printed(left), relation, _Printed(right))


class _Printed:
    """A printed enclosure as a value: its ends, and itself where it is one number."""

    def __init__(self, shown: dict[str, Any]) -> None:
        low, high = (None if "inf" in shown[end] else decimal_number(shown[end]) for end in ("lower", "upper"))
        self.exact = exact_number(shown["exact"]) if "exact" in shown else low if low == high else None
        self.ends = (low, high)


def _decision(left: Any, relation: str, right: Any) -> str | None:
    """proved or disproved where that is certain for every point of both sides, else None."""
    if left.exact is not None and right.exact is not None:
        holds = left.exact <= right.exact if relation == "<=" else left.exact < right.exact
        return "proved" if holds else "disproved"
    (least, most), (low, high) = left.ends, right.ends
    if most is not None and low is not None and (most <= low if relation == "<=" else most < low):
        return "proved"
    if high is not None and least is not None and (high < least if relation == "<=" else high <= least):
        return "disproved"
    return None


def _real(value: Enclosed, given: object, digits: int, place: str, pending: _Pending) -> dict[str, Any]:
    """The printed enclosure, found to contain the value and to be no wider than one unit of its last digit."""
    told = given if isinstance(given, dict) else {}
    if not {"lower", "upper"} <= set(told) <= {"lower", "upper", "exact", "wide"} or told.get("wide", True) is not True:
        raise Refused(place, "an enclosure with lower and upper is needed")
    low, high = _end(told["lower"], "-inf", place), _end(told["upper"], "inf", place)
    if value.exact is not None:
        short = decimal_number(exact_text(value.exact)) is not None
        if told.get("exact", told["lower"]) != exact_text(value.exact) or short == ("exact" in told):
            raise Refused(place, f"it is exactly {exact_text(value.exact)[:80]}")
    elif "exact" in told:
        raise Refused(place, "it is not known as a rational")
    (least, most), narrow = value.ends, low is not None and high is not None
    if low is not None and high is not None:
        narrow = is_narrow(low, high, digits)
        if low > high or (most is not None and most < low) or (least is not None and least > high):
            raise Refused(place, "the printed enclosure does not contain the value")
    if narrow == ("wide" in told):
        raise Refused(place, f"its width is not that of {digits} digits" if not narrow else "it is not wide")
    if (low is not None and (least is None or least < low)) or (high is not None and (most is None or most > high)):
        pending.places.append(place)
    return told


def _end(text: object, infinite: str, place: str) -> Fraction | None:
    value = decimal_number(text) if isinstance(text, str) else None
    if value is None and text != infinite:
        raise Refused(place, "a decimal in its one form is needed")
    return value


def _object(given: object, place: str, keys: set[str]) -> dict[str, Any]:
    if not isinstance(given, dict) or set(given) != keys:
        raise Refused(place, f"an object with the keys {', '.join(sorted(keys))} is needed")
    return given


def _same(place: str, given: object, expected: object) -> None:
    """Refuse at the first place where two documents differ."""
    if type(given) is not type(expected):
        raise Refused(place or "file", f"it must be {_brief(expected)}")
    if isinstance(given, dict) and isinstance(expected, dict) and set(given) == set(expected):
        for key in sorted(given):
            _same(f"{place}.{key}" if place else key, given[key], expected[key])
    elif isinstance(given, list) and isinstance(expected, list) and len(given) == len(expected):
        for position, pair in enumerate(zip(given, expected, strict=True), 1):
            _same(f"{place}[{position}]", *pair)
    elif given != expected:
        raise Refused(place or "file", f"it must be {_brief(expected)}")


def _brief(value: object) -> str:
    shown = canonical(value).decode().strip().replace("\n", " ")
    return shown if len(shown) <= 120 else shown[:120] + "..."
