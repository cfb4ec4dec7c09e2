"""From a verdict to its certificate: printed enclosures, re-established by the checker before anybody gets the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from certify.checker.strict_json import Refused, canonical

from certify.certificates.names import file_name
from certify.checker.trusted import maker
from certify.checker.verify import digest, printed_decision, verify
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure, rounded_down, rounded_up
from certify.kernel.interval import Interval, Intervals, WorkExhausted
from certify.kernel.loop import Decided, Limits, precisions
from certify.statements.rules.case import case_of
from certify.statements.rules.certificate import BITS, DIGITS, frame, has_proof, is_narrow, proof_frame
from certify.statements.rules.claim import Claim, ClaimFile
from certify.statements.rules.numbers import decimal_number, exact_text
from certify.verdicts.memory import remembered
from certify.verdicts.model import ClaimVerdict, Verdict

_EXPONENT = re.compile(r"e(-?)([0-9]+)$")
_MOST_EXPONENT = 300_000
Shown = dict[str, object]


class NotWritten(Exception):
    """There is no certificate of this verdict, and why."""


@dataclass(frozen=True)
class Produced:
    """One certificate: its file name and its bytes."""

    name: str
    data: bytes


def produced(claims: ClaimFile, claim: Claim, verdict: ClaimVerdict, limits: Limits) -> Produced:
    """The certificate of a verdict, which the checker has re-established. Raises NotWritten where there is none.

    There is none where the limits cut the evaluation off, or where a number is beyond the checker's reach.
    """
    case = case_of(claims, claim, remembered)
    document = frame(claims, claim, case)
    proof = _Proof(verdict, limits).shown() if has_proof(case) else None
    document |= {"maker": maker(), "verdict": verdict.verdict.value, "proof": proof}
    document["claim_sha256"] = digest(document["claim"])
    document["sha256"] = digest(document)
    data = canonical(document)
    try:
        verify(data)
    except Refused as refusal:
        raise NotWritten(f"the checker does not re-establish it: {refusal}") from None
    return Produced(file_name(claims.id, claims.source, claim.index, str(document["claim_sha256"])), data)


class _Proof:
    """The proof part of a certificate, evaluated at growing precision until every enclosure is narrow."""

    def __init__(self, verdict: ClaimVerdict, limits: Limits) -> None:
        if verdict.rule is None:
            raise NotWritten("no rule was tried")
        self.verdict, self.limits, self.rule = verdict, limits, verdict.rule
        self.is_proved = verdict.verdict is not Verdict.NOT_CERTIFIED
        self.applies = all(item.decision is Decision.PROVED for item in verdict.conditions if item.role == "hypothesis")

    def shown(self) -> Shown:
        """The proof, or NotWritten where the limits do not reach it."""
        best: Shown | None = None
        allowance = self.limits.allowance()
        for bits in (*precisions(self.limits), 2 * self.limits.max_bits):
            if bits <= BITS:
                continue
            try:
                best, narrow = self._at(Intervals(bits, allowance), bits)
            except WorkExhausted:
                break
            if narrow:
                return best
        if best is None:
            raise NotWritten("the limits do not reach it")
        return best

    def _at(self, R: Intervals, bits: int) -> tuple[Shown, bool]:
        """The proof at one precision, and whether all of it is as narrow as it is printed."""
        found = self.verdict.witnesses
        stated = list(self.rule.conditions(R, found))
        if len(stated) != len(self.verdict.conditions):
            raise NotWritten("the limits cut the evaluation off")
        conditions = [
            _condition(item.left, item.right, decided, bits)
            for item, decided in zip(stated, self.verdict.conditions, strict=True)
        ]
        proof: Shown = {**proof_frame(self.rule, found), "conditions": conditions, "quantities": [], "bound": None}
        numbers = [condition[side] for condition in conditions for side in ("left", "right")]
        if self.applies:
            quantities = [(name, _real(value, DIGITS)) for name, value in self.rule.quantities(R, found)]
            bound = _real(self.rule.bound(R, found), DIGITS)
            proof["quantities"] = [{"name": name, "value": value} for name, value in quantities]
            proof["bound"] = bound
            numbers += [*(value for _, value in quantities), bound]
        return proof, not any(isinstance(number, dict) and "wide" in number for number in numbers)


def _condition(left: Interval, right: Interval, decided: Decided, bits: int) -> Shown:
    """A condition with its sides printed to the fewest digits that show the decision."""
    shown: Shown = {"text": decided.text, "role": decided.role, "relation": decided.relation}
    shown["decision"] = decided.decision.value
    if decided.decision is Decision.UNDECIDED:
        return {**shown, "bits": decided.bits, "left": _real(left, DIGITS), "right": _real(right, DIGITS)}
    printed = BITS
    while True:
        digits = DIGITS * printed // BITS
        sides = _real(left, digits), _real(right, digits)
        if printed_decision(sides[0], decided.relation, sides[1]) == decided.decision.value or 2 * printed > bits:
            return {**shown, "bits": printed, "left": sides[0], "right": sides[1]}
        printed *= 2


def _real(value: Interval, digits: int) -> Shown:
    """A value printed to so many digits, outward; ``wide`` where it is not known to one unit of the last."""
    if value.exact is not None:
        text = exact_text(value.exact)
        if decimal_number(text) is not None:
            return {"lower": text, "upper": text}
        lower, upper = rounded_down(value.exact, digits), rounded_up(value.exact, digits)
        return {"lower": lower, "upper": upper, "exact": text}
    low, high = Enclosure.of(value).low, Enclosure.of(value).high
    lower, upper = _within(rounded_down(low, digits), up=False), _within(rounded_up(high, digits), up=True)
    least, most = decimal_number(lower), decimal_number(upper)
    if least is None or most is None or not is_narrow(least, most, digits):
        return {"lower": lower, "upper": upper, "wide": True}
    return {"lower": lower, "upper": upper}


def _within(text: str, *, up: bool) -> str:
    """A printed end with its exponent in range, moved outward where it was not."""
    found = _EXPONENT.search(text)
    if found is None or int(found[2]) <= _MOST_EXPONENT:
        return text
    negative, small = text.startswith("-"), found[1] == "-"
    if up == negative:  # towards zero is outward
        return "0" if small else ("-" if negative else "") + f"1e{_MOST_EXPONENT}"
    sign = "-" if negative else ""
    return f"{sign}1e-{_MOST_EXPONENT}" if small else f"{sign}inf"


def certificates(
    claims: ClaimFile, verdicts: tuple[ClaimVerdict, ...], limits: Limits
) -> Iterator[Produced | tuple[ClaimVerdict, str]]:
    """The certificate of every claim of a file, or the verdict with the reason why it has none."""
    for claim, verdict in zip(claims.claims, verdicts, strict=True):
        try:
            yield produced(claims, claim, verdict, limits)
        except NotWritten as reason:
            yield verdict, str(reason)
