"""Untrusted guesses about the gradient-descent problem of a claim file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import midpoint
from certify.statements.descent.constants import Descent
from certify.statements.rules.claim import ClaimFile
from certify.statements.rules.descent_problem import problem_of

_BITS = 96


def with_iterations(claims: ClaimFile, iterations: int) -> ClaimFile:
    """The same claim file at another count."""
    return replace(claims, release=replace(claims.release, iterations=iterations))


def truncations(delta: Fraction) -> tuple[Fraction, ...]:
    """Guesses at a truncation parameter u: exp(-u^2/2) about a tenth and about half of delta."""
    if not 0 < delta < 1:
        return (Fraction(6),)
    size = math.log(delta.denominator) - math.log(delta.numerator)
    return tuple(Fraction(math.ceil(100 * math.sqrt(2 * (size + math.log(k)))), 100) for k in (10, 2))


def middle(
    claims: ClaimFile, u: Fraction | None, quantity: Callable[[Intervals, Descent[Interval]], Interval]
) -> Fraction | None:
    """A rational near a quantity of the problem with truncation parameter u."""
    R = Intervals(_BITS)
    return midpoint(quantity(R, problem_of(R, claims, u)))
