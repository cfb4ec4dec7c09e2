"""A printed figure as it stands in a paper: its digits, the quantity it stands for, and the classification on record.

A figure is printed to a unit, one in its last digit. ``role`` says what a reader takes it for: an upper bound, a lower
bound, a floor, evidence that something fails (a value that must not be overstated), or a plain value that bounds
nothing. ``source`` encloses the true value to any number of digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from certify.errors import CertifyError
from certify.kernel.enclosure import Enclosure
from certify.kernel.exact import exact

Role = Literal["upper bound", "lower bound", "floor", "failing value", "plain value"]
Word = Literal["nearest", "up", "down", "exact", "none", "undecided"]
Bound = Literal["safe", "unsafe", "n/a", "undecided"]
Source = Callable[[int], Enclosure]

PLAIN: Role = "plain value"
UPPER: Role = "upper bound"
LOWER: Role = "lower bound"
FLOOR: Role = "floor"
FAILING: Role = "failing value"

_WORDS: tuple[Word, ...] = ("nearest", "up", "down", "exact", "none")
_TERM = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:e(-?[0-9]+))?")


@dataclass(frozen=True)
class Classification:
    """How a figure was cut (every word that holds, "exact" where all do) and whether it is safe as the bound it is."""

    cut: tuple[Word, ...]
    bound: Bound


@dataclass(frozen=True)
class Figure:
    """One printed figure; ``where`` names paper and place, ``quantity`` what was printed."""

    where: str
    printed: str
    quantity: str
    role: Role
    source: Source
    recorded: Classification


Row = tuple[str, str, Role, str, Bound, Source]


def figures(where: str, *rows: Row) -> tuple[Figure, ...]:
    """The figures of one place; a row is printed text, quantity, role, recorded cut ("nearest up"), bound, source."""
    return tuple(
        Figure(where, printed, quantity, role, source, Classification(_words(cut), bound))
        for printed, quantity, role, cut, bound, source in rows
    )


def _words(cut: str) -> tuple[Word, ...]:
    words = tuple(word for word in _WORDS if word in cut.split())
    if not words or " ".join(words) != cut:
        raise CertifyError(f"{cut!r} is not a cut; accepted words, in this order: {', '.join(_WORDS)}")
    return words


def printed_value(text: str) -> tuple[Fraction, Fraction]:
    """The number printed and its unit, one in the last digit; of a sum of decimals, the least unit of the terms.

    A printed fraction such as "1/2" has no last digit: its unit is 0, and only equality is left to ask.

    >>> printed_value("0.0200 + 2.5e-5")
    (Fraction(801, 40000), Fraction(1, 1000000))
    """
    if "/" in text:
        return exact(text, "printed"), Fraction(0)
    terms = text.split(" + ")
    return sum((exact(term, "printed") for term in terms), Fraction(0)), min(_unit(term) for term in terms)


def printed_digits(text: str) -> int:
    """How many significant digits a printed figure shows (a sum: from its first digit to its last)."""
    value, unit = printed_value(text)
    return len(str(int(value / unit))) if unit else 1


def _unit(term: str) -> Fraction:
    """One in the last digit of a decimal.

    >>> _unit("9.90e-8")
    Fraction(1, 10000000000)
    """
    parts = _TERM.fullmatch(term)
    if parts is None:
        raise CertifyError(f"{term!r} is not a printed decimal")
    return Fraction(10) ** (int(parts[3] or 0) - len(parts[2] or ""))
