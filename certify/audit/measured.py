"""What an audit answers: for each claim the empirical limits beside the certified bound and the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.audit.records import Checked
from certify.kernel.enclosure import Enclosure
from certify.verdicts.model import ClaimVerdict

_FAR = 100_000


def upper_end(bound: Enclosure) -> Fraction:
    """The upper end; 10^-400 or 10^400 in place of one too small or too large to be written out."""
    if isinstance(bound.high, Fraction):
        return bound.high
    _, _, exponent, bits = bound.high
    if abs(exponent + bits) > _FAR:
        return Fraction(10) ** (400 if exponent > 0 else -400)
    return bound.upper


@dataclass(frozen=True)
class Measurement:
    """One measured quantity: its estimate and limits, beside what bounds it.

    ``low`` and ``high`` are confidence limits (None: not estimated). ``bound`` is the certified bound, None where no
    theorem gives one, ``claimed`` what the claim says. ``expected`` is an exactly known value that the interval has to
    hold (the canary's). ``level`` is the confidence of this one statement.
    """

    name: str
    low: float
    high: float | None
    trials: int
    level: float
    claimed: Fraction
    bound: Enclosure | None = None
    baseline: Fraction | None = None
    expected: float | None = None
    estimate: float | None = None
    remark: str = ""

    @property
    def exceeds(self) -> bool:
        """Whether the lower limit is above the certified bound, compared exactly."""
        if self.bound is None or not self.bound.is_bounded:
            return False
        return Fraction(self.low) > upper_end(self.bound)

    @property
    def contradicts(self) -> bool:
        """Whether the lower limit is above what the claim says."""
        return Fraction(self.low) > self.claimed

    @property
    def misses(self) -> bool:
        """Whether the interval leaves out the value that it must hold: the audit itself is then at fault."""
        if self.expected is None or self.high is None:
            return False
        return not self.low <= self.expected <= self.high


@dataclass(frozen=True)
class Control:
    """A measurement without any signal: it must come out at or below ``baseline``."""

    name: str
    low: float
    baseline: Fraction
    trials: int
    level: float

    @property
    def broken(self) -> bool:
        """Whether the attack finds a signal where there is none."""
        return Fraction(self.low) > self.baseline


@dataclass(frozen=True)
class AuditedClaim:
    """A claim's certify verdict, what was measured, and the controls beside it."""

    claim: ClaimVerdict
    measurements: tuple[Measurement, ...]
    controls: tuple[Control, ...]
    not_measured: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether some empirical lower limit is above a certified bound."""
        return any(found.exceeds for found in self.measurements)

    @property
    def contradicted(self) -> bool:
        """Whether some empirical lower limit is above what the claim says."""
        return any(found.contradicts for found in self.measurements)

    @property
    def broken(self) -> bool:
        """Whether a control or a canary shows the audit itself to be at fault."""
        return any(item.broken for item in self.controls) or any(item.misses for item in self.measurements)


@dataclass(frozen=True)
class Audit:
    """The whole answer; ``claims`` is empty where the data contradict the claim file."""

    file: str
    file_sha256: str
    data: str
    data_sha256: str
    preprocessing: str
    labels: tuple[str, ...]
    seed: int
    level: float
    checked: Checked
    gradient_norm: float | None
    claims: tuple[AuditedClaim, ...]

    @property
    def status(self) -> int:
        """1 where the data contradict a claim, a limit exceeds a bound or a claim, or the audit is at fault; else 0."""
        wrong = (claim.exceeded or claim.contradicted or claim.broken for claim in self.claims)
        return int(bool(self.checked.faults) or any(wrong))
