"""What claims of one file have in common is evaluated once for each precision: a head's constants, the loss's own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeVar, cast

from certify.kernel.interval import Intervals
from certify.statements.language import Reals, X

T = TypeVar("T")
_KEPT = 512


def remembered(key: Hashable, R: Reals[X], compute: Callable[[Reals[X]], T], /) -> T:
    """The value of ``compute`` in the kernel's arithmetic, kept by key and bits.

    It is never charged to an allowance, so that no claim's verdict depends on which others came before.
    """
    if not isinstance(R, Intervals):
        return compute(R)
    place = _place((key, R.bits))
    if not place:
        place.append(compute(cast("Reals[X]", Intervals(R.bits))))
    return cast("T", place[0])


@lru_cache(maxsize=_KEPT)
def _place(key: Hashable) -> list[object]:
    """An empty place for the value of a key, the same one as long as it is kept."""
    del key
    return []
