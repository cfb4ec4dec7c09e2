"""Which records the attacker has to tell apart: same-label candidates far from one another in the policy's ball.

Source: Ball-DP Section 5.6. Candidates are public records where the ball holds enough, else drawn in the ball: nothing
about the other private records enters them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.audit.mechanism import Record
from certify.errors import CertifyError
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.candidates import farthest_point_candidates
from certify.mechanisms.neighbours import in_ball

_DRAWN = 12
"""Drawn points for each candidate chosen."""


class TooFewCandidates(CertifyError):
    """A ball without as many distinct records as the attack needs."""


@dataclass(frozen=True)
class Ball:
    """The protected replacements: within ``radius`` of a record, same label; any record where radius is None."""

    radius: float | None
    bound: float


def support(
    generator: np.random.Generator, data: Data, index: int, ball: Ball, count: int, public: Data | None
) -> list[Record]:
    """``count`` candidates for the record ``index``: what may stand in its place. Raises TooFewCandidates."""
    centre, label = data.features[index], int(data.labels[index])
    radius = 2 * ball.bound if ball.radius is None else ball.radius
    pool = _public_pool(public, label, centre, radius, ball.bound, count)
    if pool is None:
        pool = np.array([in_ball(generator, centre, radius, ball.bound) for _ in range(_DRAWN * count)])
    try:
        # Rounding may put a drawn point a unit outside of the ball; it is drawn to be inside.
        chosen = farthest_point_candidates(pool, centre, radius * (1 + 1e-12), count)
    except ValueError as error:
        raise TooFewCandidates(str(error)) from None
    if ball.radius is not None:
        return [(x, label) for x in chosen]
    names = np.unique(data.labels)
    return [(x, int(names[at % len(names)])) for at, x in enumerate(chosen)]


def _public_pool(
    public: Data | None, label: int, centre: Array, radius: float, bound: float, count: int
) -> Array | None:
    """The public records that may stand in the centre's place; None where they are fewer than ``count``."""
    if public is None:
        return None
    # No private record is longer than the bound, so neither is a candidate; a unit of rounding aside.
    fit = (public.labels == label) & (np.linalg.norm(public.features, axis=1) <= bound * (1 + 1e-12))
    same = public.features[fit]
    inside = np.unique(same[np.linalg.norm(same - centre, axis=1) <= radius], axis=0)
    return inside if len(inside) >= count else None
