"""`certify reproduce`: the figures that the papers print, beside proved enclosures of what they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from certify.errors import UnusableInput
from certify.reproduce.counts import FirstCounts, first_counts
from certify.reproduce.cut import Judged, judged
from certify.reproduce.figure import Figure

_MODULES = {"example-4.8": "example_48", "c.4": "appendix_c4", "c.5": "appendix_c5", "ball-dp": "ball_dp"}
_STRENGTHS = {"example-4.8": ("0.01",), "c.4": ("0.01", "0.001")}


@dataclass(frozen=True)
class Reproduction:
    """One part: its figures judged, and its first counts proved."""

    part: str
    figures: tuple[Judged, ...]
    counts: tuple[FirstCounts, ...]

    @property
    def agrees(self) -> bool:
        """Whether every figure is enclosed and classified as recorded, and every first count is proved to be first."""
        return (
            bool(self.figures)
            and all(item.agrees for item in self.figures)
            and all(item.is_proved for item in self.counts)
        )


def parts() -> tuple[str, ...]:
    """The parts in order."""
    return tuple(_MODULES)


def printed_figures(part: str) -> tuple[Figure, ...]:
    """The figures of one part, as recorded."""
    if part not in _MODULES:
        raise UnusableInput(f"{part!r} is not a part; accepted: {', '.join(parts())}, all", field="part")
    found: tuple[Figure, ...] = import_module(f"certify.reproduce.{_MODULES[part]}").FIGURES
    return found


def reproduced(part: str) -> Reproduction:
    """Every figure of one part enclosed and classified, with its first counts."""
    figures = tuple(judged(figure) for figure in printed_figures(part))
    return Reproduction(part, figures, tuple(first_counts(mu) for mu in _STRENGTHS.get(part, ())))
