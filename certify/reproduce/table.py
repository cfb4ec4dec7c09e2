"""A reproduction as text: one table for each part, then what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from certify.kernel.enclosure import Enclosure
from certify.reproduce import Reproduction
from certify.reproduce.counts import FirstCounts
from certify.reproduce.cut import Judged
from certify.reproduce.figure import Classification, Figure, printed_digits

_HEADINGS = ("printed", "enclosure of the true value", "cut", "as bound", "quantity")
_TAKEN_FOR = {
    "upper bound": "an upper bound and is below",
    "lower bound": "a lower bound and is above",
    "floor": "a floor and is above",
    "failing value": "evidence of failure and is above",
}


def text_table(found: Sequence[Reproduction], status: int) -> str:
    """The parts one after the other, and a last line with the outcome."""
    blocks = [block for part in found for block in _blocks(part)]
    figures = [item for part in found for item in part.figures]
    agreeing = sum(item.agrees for item in figures)
    outcome = f"{agreeing} of {len(figures)} figures enclosed and classified as recorded."
    if status and agreeing == len(figures):
        outcome += " A first count is not proved."
    return "\n\n".join((*blocks, outcome))


def _blocks(part: Reproduction) -> Iterator[str]:
    """A table for each place of a part, then the lines on its counts and findings, where there are any."""
    rows = [(item, _row(item)) for item in part.figures]
    widths = [max(len(cells[i]) for cells in (_HEADINGS, *(row for _, row in rows))) for i in range(4)]
    for where, group in groupby(rows, lambda row: row[0].figure.where):
        yield "\n".join((where, _line(_HEADINGS, widths), *(_line(cells, widths) for _, cells in group)))
    lines = [line for counts in part.counts for line in _counts(counts)]
    lines += [line for item in part.figures for line in _findings(item)]
    if lines:
        yield "\n".join(lines)


def _row(item: Judged) -> tuple[str, ...]:
    figure, found = item.figure, item.found
    return figure.printed, _shown(item.enclosure, _digits(figure)), ", ".join(found.cut), found.bound, figure.quantity


def _digits(figure: Figure) -> int:
    return max(7, printed_digits(figure.printed) + 1)


def _shown(value: Enclosure, digits: int) -> str:
    lower, upper = value.text(digits)
    return f"= {lower}" if lower == upper else f"[{lower}, {upper}]"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=False))
    return "  " + "  ".join((*padded, cells[-1]))


def _counts(item: FirstCounts) -> Iterator[str]:
    at = f"- mu = {item.mu}:"
    if not item.is_proved or item.passing is None:
        yield f"{at} NOT PROVED: a first count was left open."
        return
    below = item.passing - 1
    yield f"{at} {item.admissible} is the least N meeting (7), whose right side is in {_shown(item.threshold, 12)}."
    yield f"{at} {item.passing} is the first N that passes Theorem C.13: every N <= {below} is proved to fail, on"
    yield f"  {len(item.excluded)} ranges of counts; delta(1) at N = {below} is in {_shown(item.delta_before, 9)}."


def _findings(item: Judged) -> Iterator[str]:
    figure, found = item.figure, item.found
    named = f"{figure.printed} ({figure.quantity})"
    if found.bound == "unsafe":
        yield f"- {named} is printed as {_TAKEN_FOR[figure.role]} the proved value: unsafe."
    if found.bound == "n/a" and not {"nearest", "exact", "undecided"} & set(found.cut):
        yield f"- {named} is not the value rounded to nearest: see its enclosure."
    if not item.agrees:
        reason = item.enclosure.reason if not item.enclosure.is_bounded else None
        yield f"- DISAGREES: {named} is {reason or _words(found)}; on record: {_words(figure.recorded)}."


def _words(found: Classification) -> str:
    return f"{', '.join(found.cut)}; {found.bound}"
