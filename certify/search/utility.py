"""The least count from a start on at which something settles, by doubling and bisection."""

from __future__ import annotations

from collections.abc import Callable


def least_count(settles: Callable[[int], bool], start: int, most: int) -> int | None:
    """The least N in [start, most] with ``settles(N)``, a property that stays once it holds; None where none has it."""
    if settles(start):
        return start
    low, step = start, 1
    while low + step <= most and not settles(low + step):
        low, step = low + step, 2 * step
    high = low + step
    if high > most:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if settles(middle) else (middle, high)
    return high
