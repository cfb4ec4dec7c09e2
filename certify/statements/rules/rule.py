"""How a claim is decided, in any arithmetic: the rules that show or refute it, what it must declare, what it assumes.

A rule is one theorem applied to one claim. All its conditions proved, and nothing missing, the claim is certified (or
refuted, as the rule ``shows``). A rule may use witnesses, exact numbers that somebody found: any witness is safe, a bad
one proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, TypeAlias, TypeVar

from certify.statements.assumptions import Assumption
from certify.statements.language import Conditions, Reals, X, at_most

Witnesses: TypeAlias = Mapping[str, Fraction]
T = TypeVar("T")


class Conditioned(Protocol):
    """The conditions of a rule, in order: hypotheses, then the conclusion."""

    def __call__(self, R: Reals[X], found: Witnesses, /) -> Conditions[X]: ...


class Bounded(Protocol):
    """What the theorem proves of the claim's quantity where its hypotheses hold."""

    def __call__(self, R: Reals[X], found: Witnesses, /) -> X: ...


class Quantified(Protocol):
    """The named intermediate quantities."""

    def __call__(self, R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]: ...


class Evaluated(Protocol):
    """A quantity of the claim in any arithmetic."""

    def __call__(self, R: Reals[X], /) -> X: ...


class Memory(Protocol):
    """The value of ``compute(R)``, which depends on the key and on R only; an arithmetic's owner may keep it."""

    def __call__(self, key: Hashable, R: Reals[X], compute: Callable[[Reals[X]], T], /) -> T: ...


def no_memory(key: Hashable, R: Reals[X], compute: Callable[[Reals[X]], T], /) -> T:
    """Nothing is kept."""
    del key
    return compute(R)


def no_quantities(R: Reals[X], found: Witnesses, /) -> Iterator[tuple[str, X]]:
    """No intermediate quantity."""
    del R, found
    return iter(())


@dataclass(frozen=True)
class Rule:
    """One theorem applied to one claim; ``name`` tells it from the claim's other rules.

    ``statement`` is the spec number, ``source`` the paper and number, ``words`` what shows a claim false. ``witnesses``
    names the numbers that the rule needs found for it, ``counts`` those that are whole and not negative.
    """

    name: str
    statement: str
    source: str
    shows: Literal["certified", "refuted"]
    conditions: Conditioned
    bound: Bounded
    quantities: Quantified = no_quantities
    witnesses: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    words: str | None = None


@dataclass(frozen=True)
class Missing:
    """A declaration that the theorem needs and the claim file lacks, and the line to add."""

    text: str
    line_to_add: str


@dataclass(frozen=True)
class Case:
    """One claim: what it says in words, what it bounds and by how much, and everything that decides it."""

    sentence: str
    quantity: str
    claimed: Fraction
    rules: tuple[Rule, ...]
    missing: tuple[Missing, ...]
    assumptions: tuple[Assumption, ...]

    def rule(self, name: str) -> Rule | None:
        """The rule of that name."""
        return next((rule for rule in self.rules if rule.name == name), None)


def trivial(statement: str, quantity: str, claimed: Fraction) -> tuple[Rule, ...]:
    """The rule of a claim that a probability is at most 1 or more: every release meets it, whatever was trained."""
    if claimed < 1:
        return ()

    def conditions(R: Reals[X], _: Witnesses, /) -> Conditions[X]:
        yield at_most(f"1 <= {quantity}, which every release meets", R(1), R(claimed), "conclusion")

    def bound(R: Reals[X], _: Witnesses, /) -> X:
        return R(1)

    return (Rule("every release", statement, "a probability is at most 1", "certified", conditions, bound),)
