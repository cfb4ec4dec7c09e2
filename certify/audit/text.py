"""The audit for a terminal: what was checked, what was measured beside what is certified, and what that means."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.audit.measured import Audit, AuditedClaim, Control, Measurement
from certify.kernel.enclosure import Enclosure
from certify.report.printable import visible
from certify.report.text import wrapped
from certify.statements.rules.numbers import exact_text
from certify.verdicts.model import Verdict

_DIGITS = 3
"""Printed outward, like every enclosure: one more is shown."""
_PRIVATE = "This check reads the private records: what it finds is not private. Keep it with the data."
_PASS = (
    "An audit proves nothing. Limits below the bounds are what a true claim gives; a false one may give them too, "
    "since this attack is one of many."
)
_SUSPECTS = (
    "An empirical lower limit is above a certified bound. The bound is a theorem under the claim's assumptions, so one "
    "of them is false here, or an event of probability at most {miss} happened. Suspects: the noise (its scale, its "
    "sampler, its independence of the data), metadata declared public (n, class counts, feature_bound, radius), the "
    "solver's gradient_tolerance, the regularised intercept, or an implementation that is not the mechanism the claim "
    "names."
)
_CONTRADICTED = (
    "An empirical lower limit is above what the claim says, which no theorem certifies here: the claim is false on "
    "these data, or an event of probability at most {miss} happened."
)
_BROKEN = (
    "The audit itself is at fault: a control without any signal came out above its baseline, or a success that is "
    "known exactly lies outside of its interval. Disregard the measurements; run it again with another --seed, and "
    "report it if it persists."
)


def render(audit: Audit) -> str:
    """The whole answer."""
    lines = [*_heading(audit), *_records(audit)]
    for claim in audit.claims:
        lines += ["", *_claim(claim)]
    if audit.claims:
        lines += ["", *_conclusion(audit)]
    return "\n".join(lines)


def _heading(audit: Audit) -> Iterator[str]:
    yield f"audit of {visible(audit.file)} on {visible(audit.data)}"
    yield f"  claim file sha256 {audit.file_sha256}"
    yield f"  data sha256       {audit.data_sha256}"
    names = ", ".join(visible(name) for name in audit.labels[:12]) + (", ..." if len(audit.labels) > 12 else "")
    yield from wrapped("  ", f"labels in order: {names}; seed {audit.seed}")
    yield from wrapped("  ", f"public preprocessing: {audit.preprocessing}, of every record")


def _records(audit: Audit) -> Iterator[str]:
    yield ""
    if audit.checked.faults:
        yield "The data contradict the claim; no release was made."
        for fault in audit.checked.faults:
            yield from wrapped("  - ", visible(fault))
    else:
        yield "Records: every one meets what the claim says of the data (exact arithmetic)."
    for remark in audit.checked.remarks:
        yield from wrapped("  - ", visible(remark))
    yield from wrapped("  ", _PRIVATE)
    if audit.gradient_norm is not None:
        yield from wrapped("  ", f"Trained to a gradient norm of {audit.gradient_norm:.2g}, in double precision.")


def _claim(audited: AuditedClaim) -> Iterator[str]:
    claim = audited.claim
    yield from wrapped(
        f"claim {claim.index}: ", f"{visible(claim.sentence)} [{claim.verdict.value}, {claim.statement}]"
    )
    if audited.not_measured:
        yield from wrapped("  ", f"not measured: {audited.not_measured}")
    for found in audited.measurements:
        yield from _measurement(found, "once what is missing is declared" if claim.missing else "")
    for control in audited.controls:
        yield from _control(control)


def _measurement(found: Measurement, proviso: str) -> Iterator[str]:
    empirical = f"at least {_down(found.low)}" + ("" if found.high is None else f", at most {_up(found.high)}")
    parts = [f"{empirical} ({100 * found.level:.10g} % confidence, {found.trials} trials)"]
    if found.estimate is not None:
        parts[0] = f"{found.estimate:.4g}, {parts[0]}"
    if found.bound is not None:
        word = "EXCEEDS the certified bound" if found.exceeds else "certified bound"
        parts.append(f"{word} {found.bound.text(_DIGITS)[1]}" + (f" {proviso}" if proviso else ""))
    elif found.expected is None and not found.remark:
        parts.append("no theorem bounds it")
    if found.contradicts:
        parts.append(f"ABOVE the claimed {exact_text(found.claimed)}")
    if found.baseline is not None:
        parts.append(f"baseline {exact_text(found.baseline)}")
    if found.expected is not None:
        parts.append(f"{'MISSES the' if found.misses else 'holds the'} exact value {found.expected:.4g}")
    if found.remark:
        parts.append(found.remark)
    yield from wrapped(f"  {found.name}: ", "; ".join(parts), hanging=6)


def _down(limit: float) -> str:
    return Enclosure(Fraction(limit), Fraction(limit)).text(_DIGITS)[0]


def _up(limit: float) -> str:
    return Enclosure(Fraction(limit), Fraction(limit)).text(_DIGITS)[1]


def _control(control: Control) -> Iterator[str]:
    word = "ABOVE" if control.broken else "not above"
    sure = f"{100 * control.level:.10g} % confidence, {control.trials} trials"
    text = f"at least {_down(control.low)}, {word} the baseline {exact_text(control.baseline)} ({sure})"
    yield from wrapped(f"  control, {control.name}: ", text, hanging=6)


def _conclusion(audit: Audit) -> Iterator[str]:
    if any(claim.broken for claim in audit.claims):
        yield from wrapped("", _BROKEN)
    elif any(claim.exceeded for claim in audit.claims):
        yield from wrapped("", _SUSPECTS.format(miss=f"{1 - audit.level:.2g}"))
    elif audit.status:
        yield from wrapped("", _CONTRADICTED.format(miss=f"{1 - audit.level:.2g}"))
    else:
        yield "No empirical lower limit exceeds a certified bound; every control is at its baseline."
        yield from wrapped("", _PASS)
    for verdict in (claim.claim for claim in audit.claims):
        if verdict.verdict is not Verdict.CERTIFIED:
            why = f": {visible(verdict.reason)}" if verdict.bound is None else ""
            said = f"Claim {verdict.index} is {verdict.verdict.value} by `certify check`, whatever was measured{why}."
            yield from wrapped("", said, hanging=6)
