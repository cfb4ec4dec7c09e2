"""The first counts that the papers print, proved from both sides.

The least integer that meets threshold (7): it meets it, and the integer below does not. The first count that passes
Theorem C.13 at the fixed radii for (1, 10^-7): it passes, and every smaller count is proved to fail, by adjoining
ranges from 1 on, each excluded by one evaluation on the interval of all its counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from certify.evaluation import entry_named, read_inputs
from certify.evaluation.descent_counts import first_passing
from certify.evaluation.descent_inputs import read_descent
from certify.evaluation.entries import Task
from certify.kernel.cover import Range
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Limits
from certify.reproduce.cut import FIRST_DIGITS
from certify.reproduce.setting import TARGET, least_admissible, setting, theorem_c13, threshold


@dataclass(frozen=True)
class FirstCounts:
    """The two counts at one strength mu of the regularization; None where one was not proved."""

    mu: str
    threshold: Enclosure
    admissible: int | None
    passing: int | None
    excluded: tuple[Range, ...]
    delta: Enclosure
    delta_before: Enclosure

    @property
    def is_proved(self) -> bool:
        """Whether both counts are first, the ranges reaching from 1 to the count below the passing one."""
        if self.admissible is None or self.passing is None or not self.excluded:
            return False
        follows = all(a.upper + 1 == b.lower for a, b in zip(self.excluded, self.excluded[1:], strict=False))
        return follows and self.excluded[0].lower == 1 and self.excluded[-1].upper + 1 == self.passing


@lru_cache(maxsize=8)
def first_counts(mu: str) -> FirstCounts:
    """The counts of the setting of Example 4.8 at this mu."""
    given = read_inputs(entry_named("gd.first-count"), {**setting(mu), **TARGET})
    limits = Limits()
    task = Task(FIRST_DIGITS, limits, limits.allowance())
    found = first_passing(
        task, lambda R: read_descent(R, given), Fraction(TARGET["epsilon"]), Fraction(TARGET["delta"])
    )
    least = least_admissible(mu)(FIRST_DIGITS)
    count = 1 if found.count is None else found.count
    return FirstCounts(
        mu,
        threshold(mu)(FIRST_DIGITS),
        int(least.lower) if least.is_bounded else None,
        found.count,
        found.excluded,
        theorem_c13("delta", count, mu)(FIRST_DIGITS),
        theorem_c13("delta", max(1, count - 1), mu)(FIRST_DIGITS),
    )
