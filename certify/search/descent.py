"""A guess at the first passing count, by doubling and bisection. Nothing depends on it."""

from __future__ import annotations

from collections.abc import Callable

LARGEST = 10**18


def first_not_failing(fails: Callable[[int], bool], hopeless: Callable[[int], bool], lower: int) -> tuple[int, bool]:
    """A count N >= lower: not failing where N - 1 fails (or N = lower), with False; or with hopeless(N), and True.

    Where every count tried up to 10^18 fails and none is hopeless, 10^18 + 1 with False.
    """
    step, below = 1, lower - 1
    while below + step <= LARGEST:
        count = below + step
        if hopeless(count):
            return count, True
        if not fails(count):
            return _bisected(fails, below, count), False
        below, step = count, 2 * step
    return LARGEST + 1, False


def _bisected(fails: Callable[[int], bool], failing: int, passing: int) -> int:
    while passing - failing > 1:
        middle = (failing + passing) // 2
        if fails(middle):
            failing = middle
        else:
            passing = middle
    return passing
