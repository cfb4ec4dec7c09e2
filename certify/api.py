"""The Python face: ``check`` and ``evaluate``, with the names and errors of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from certify.claims import from_mapping, load
from certify.evaluation import answer
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Decided, Limits, proved
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict


class Evaluation(dict[str, Enclosure]):
    """The values of a statement by name, with its decided hypotheses: a value means something only where they hold."""

    def __init__(self, values: Mapping[str, Enclosure], hypotheses: tuple[Decided, ...]) -> None:
        super().__init__(values)
        self.hypotheses = hypotheses

    @property
    def hold(self) -> bool:
        """Whether every hypothesis is proved."""
        return not self.hypotheses or proved(self.hypotheses)


def check(
    source: str | Path | Mapping[str, object], *, limits: Limits = Limits(), repairs: bool = True
) -> list[ClaimVerdict]:
    """The verdict on every claim of a claim file, or of a mapping with the same fields.

    Raises UnusableInput for anything that is not a claim file, and MissingExtra for YAML without its library. A false
    claim is a verdict, not an error. Only ``verdict is Verdict.CERTIFIED`` is a pass.
    """
    claims = from_mapping(source) if isinstance(source, Mapping) else load(source)
    return list(check_file(claims, limits, repairs=repairs))


def evaluate(statement: str, /, *, digits: int = 12, limits: Limits = Limits(), **inputs: object) -> Evaluation:
    """The values of one statement, each enclosed to a relative width of 10^(1 - digits) or as the limits allow.

    ``statement`` is an eval name such as "gaussian.sigma"; `certify explain` lists them with their inputs. Whole
    numbers come back as enclosures whose ends agree. Raises UnusableInput for unknown names and for inputs that are
    unknown, missing or out of range.
    """
    _, found = answer(statement, inputs, digits, limits)
    values = {
        name: Enclosure(Fraction(value), Fraction(value)) if isinstance(value, int) else value
        for name, value in found.values.items()
    }
    return Evaluation(values, found.hypotheses)
