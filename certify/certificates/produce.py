"""From a verdict to its certificate: printed enclosures, re-established by the checker before anybody gets the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from certify.certificates.names import file_name
from certify.checker.real import holds
from certify.checker.strict_json import canonical
from certify.checker.verify import digest, verify
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure, rounded_down, rounded_up
from certify.kernel.interval import Interval, Intervals, WorkExhausted
from certify.kernel.loop import Decided, Limits
from certify.statements.rules.case import case_of
from certify.statements.rules.certificate import (
    BITS,
    DIGITS,
    PRINTED_BITS,
    Printed,
    frame,
    has_proof,
    is_narrow,
    proof_frame,
)
from certify.statements.rules.claim import Claim, ClaimFile
from certify.statements.rules.numbers import MOST_EXPONENT, decimal_number, exact_text
from certify.statements.rules.written import Refused
from certify.trusted import maker
from certify.verdicts.memory import remembered
from certify.verdicts.model import ClaimVerdict, Verdict

_EXPONENT = re.compile(r"e(-?)([0-9]+)$")
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
        """The proof, or NotWritten where the limits or the longest printed decimals do not reach it."""
        allowance = self.limits.allowance()
        for printed in PRINTED_BITS:
            try:
                proof, is_narrow, shows_all = self._at(Intervals(2 * printed, allowance), printed)
            except WorkExhausted:
                raise NotWritten("the limits do not reach it") from None
            if is_narrow and shows_all:
                return proof
        if self.is_proved and not shows_all:
            raise NotWritten("its numbers are beyond what a certificate prints")
        return proof

    def _at(self, R: Intervals, most: int) -> tuple[Shown, bool, bool]:
        """The proof at one precision; whether all of it is as narrow as it is printed, and shows every decision."""
        found = self.verdict.witnesses
        stated = list(self.rule.conditions(R, found))
        if len(stated) != len(self.verdict.conditions):
            raise NotWritten("the limits cut the evaluation off")
        conditions = [
            _condition(item.left, item.right, decided, most)
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
        shows_all = all(
            condition["decision"] == decided.decision.value
            for condition, decided in zip(conditions, self.verdict.conditions, strict=True)
        )
        return proof, not any(_may_narrow(number) for number in numbers), shows_all


def _condition(left: Interval, right: Interval, decided: Decided, most: int) -> Shown:
    """A condition with its sides printed to the fewest digits that show the decision.

    It is left undecided where none do: a tie, or a positive number below every decimal.
    """
    shown: Shown = {"text": decided.text, "role": decided.role, "relation": decided.relation}
    for printed in PRINTED_BITS[: PRINTED_BITS.index(most) + 1]:
        digits = DIGITS * printed // BITS
        sides = {"left": _real(left, digits), "right": _real(right, digits)}
        found = holds(Printed(sides["left"]), Printed(sides["right"]), decided.relation)
        if found is not None and found is (decided.decision is Decision.PROVED):
            return {**shown, **sides, "decision": decided.decision.value, "bits": printed}
    sides = {"left": _real(left, DIGITS), "right": _real(right, DIGITS)}
    return {**shown, **sides, "decision": "undecided", "bits": PRINTED_BITS[-1]}


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


def _may_narrow(shown: object) -> bool:
    """Whether more bits may bring the ends of a wide enclosure closer: not where one is out of any decimal's range."""
    if not isinstance(shown, dict) or "wide" not in shown:
        return False
    ends = {str(shown["lower"]).lstrip("-"), str(shown["upper"]).lstrip("-")}
    return not ends & {"inf", f"1e{MOST_EXPONENT}", f"1e-{MOST_EXPONENT}"}


def _within(text: str, *, up: bool) -> str:
    """A printed end with its exponent in range, moved outward where it was not."""
    found = _EXPONENT.search(text)
    if found is None or int(found[2]) <= MOST_EXPONENT:
        return text
    negative, small = text.startswith("-"), found[1] == "-"
    if up == negative:  # towards zero is outward
        return "0" if small else ("-" if negative else "") + f"1e{MOST_EXPONENT}"
    sign = "-" if negative else ""
    return f"{sign}1e-{MOST_EXPONENT}" if small else f"{sign}inf"


def certificates(
    claims: ClaimFile, verdicts: tuple[ClaimVerdict, ...], limits: Limits
) -> Iterator[Produced | tuple[ClaimVerdict, str]]:
    """The certificate of every claim of a file, or the verdict with the reason why it has none."""
    for claim, verdict in zip(claims.claims, verdicts, strict=True):
        try:
            yield produced(claims, claim, verdict, limits)
        except NotWritten as reason:
            yield verdict, str(reason)
