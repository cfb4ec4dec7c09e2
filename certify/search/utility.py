"""The least count from a start on at which something settles, by doubling and bisection."""

from __future__ import annotations

from collections.abc import Callable


def least_count(settles: Callable[[int], bool], start: int, most: int) -> int | None:
    """The least N in [start, most] with ``settles(N)``, a property that stays once it holds; None where none has it."""
    if settles(start):
        return start
    low, high, step = start, start, 1
    while high < most:
        low, high, step = high, min(high + step, most), 2 * step
        if settles(high):
            break
    else:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if settles(middle) else (middle, high)
    return high
