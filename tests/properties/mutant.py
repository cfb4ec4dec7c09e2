"""A mutant: a wrong statement put in place of the right one, and the property that has to fail."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from certify import Enclosure

Changed = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Mutant:
    """``name`` of ``module`` (or of a class there) replaced by ``changed`` of it, and the property that shows it."""

    title: str
    module: str
    name: str
    changed: Changed
    caught_by: str
    is_property: bool = False

    def apply(self, patch: pytest.MonkeyPatch) -> None:
        """Put the mutant in place."""
        importlib.import_module(self.module)
        owner: Any = sys.modules[self.module]
        *path, name = self.name.split(".")
        for part in path:
            owner = getattr(owner, part)
        found = getattr(owner, name)
        if self.is_property:
            patch.setattr(owner, name, property(self.changed(found.fget)))
        else:
            patch.setattr(owner, name, self.changed(found))


def times(share: Fraction) -> Changed:
    """The value times a share."""
    return lambda right: lambda *given, **named: right(*given, **named) * share


def times_ends(share: Fraction) -> Changed:
    """The enclosure with both ends times a share, where it is bounded."""

    def changed(right: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(*given: Any) -> Enclosure:
            found: Enclosure = right(*given)
            return Enclosure(found.lower * share, found.upper * share) if found.is_bounded else found

        return wrong

    return changed


def halved(*places: int) -> Changed:
    """The value at arguments of which some are halved."""

    def changed(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: right(*(x / 2 if i in places else x for i, x in enumerate(given)))

    return changed


def instead(wrong: Callable[..., Any]) -> Changed:
    """Another function in its place."""
    return lambda _: wrong
