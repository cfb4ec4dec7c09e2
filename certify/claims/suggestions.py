"""Near misses: "did you mean ..." for names that are not known."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60


def suggestion(given: str, accepted: Iterable[str]) -> str:
    """A phrase with the nearest accepted name, or nothing when none is near."""
    import difflib

    lowered = {name.lower(): name for name in accepted}
    near = difflib.get_close_matches(given[:_LONGEST].lower().replace(" ", "-"), lowered, n=1, cutoff=0.6)
    return f' (did you mean "{lowered[near[0]]}"?)' if near else ""
