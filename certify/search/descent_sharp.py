"""Witnesses for the sharp certificate of gradient descent (D8): the radii, the splits, and a count that passes.

The best r balances the tail, which falls in r, against s, which rises: golden section on log delta, infinite where
(47) has no solution. The r' that goes out is raised until (47) holds in intervals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.errors import CertifyError
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals, compare
from certify.search.sharp_scales import (
    Guess,
    Problem,
    Scales,
    domain_at,
    least_domain,
    log_divergence,
    number,
    priced,
    scales,
)
from certify.statements.descent.radii import Radii
from certify.statements.descent.sharp import Witness, certificate

_GOLDEN = (math.sqrt(5) - 1) / 2
_NARROW = 1e-8
_SPARE = 40.0
_BITS = 128
_RAISES = 40
_DIGITS = 6
_DIGITS_OF_RADIUS = 12
_MOST_ITERATIONS = 10**18
_BEYOND_FLOATS = (CertifyError, OverflowError, ValueError, ZeroDivisionError)


@dataclass(frozen=True)
class Found:
    """A witness in exact numbers: r, r' - r, and the splits."""

    radius: Fraction
    gap: Fraction
    splits: tuple[int, int]

    def at(self, R: Intervals) -> Witness[Interval]:
        """The witness in an arithmetic."""
        return Witness(Radii(R(self.radius), R(self.gap)), self.splits)


def witness(problem: Problem, iterations: int, epsilon: Fraction) -> Found | None:
    """The radii and splits of least delta at the budget epsilon; None where the search finds none."""
    try:
        q = scales(problem, iterations)
        guess = best_guess(q, float(epsilon))
        return None if guess is None else witness_at(problem, iterations, _few_digits(q, guess.radius))
    except _BEYOND_FLOATS:
        return None


def witness_at(
    problem: Problem, iterations: int, radius: Fraction, domain_radius: Fraction | None = None
) -> Found | None:
    """The splits, and r' unless it is given, for a radius r that is given; None where the search finds none."""
    try:
        q = scales(problem, iterations)
        if domain_radius is not None:
            gap = domain_radius - radius
            return Found(radius, gap, domain_at(q, float(radius), float(gap)).splits)
        domain = least_domain(q, float(radius))
        if domain is None:
            return None
        return _raised(problem, iterations, Found(radius, rounded_up(Fraction(domain.gap)), domain.splits))
    except _BEYOND_FLOATS:
        return None


def splits_at(problem: Problem, iterations: int, radii: Radii[Interval]) -> tuple[int, int]:
    """The best splits at r and r' - r."""
    try:
        return domain_at(scales(problem, iterations), number(radii.inner), number(radii.gap)).splits
    except _BEYOND_FLOATS:
        return 0, 0


def passing_count(problem: Problem, epsilon: Fraction, delta: Fraction) -> int | None:
    """A guess at the least N that some witness certifies for (epsilon, delta); None where none is in sight."""
    try:
        target = math.log(delta.numerator) - math.log(delta.denominator)
        return _passing_count(problem, float(epsilon), target)
    except _BEYOND_FLOATS:
        return None


def _passing_count(problem: Problem, epsilon: float, target: float) -> int | None:
    q = scales(problem, 1)
    excess = epsilon - (q.G / q.sigma) ** 2 / 2 - q.reference
    if excess <= 0 or log_divergence(q, excess) >= target:  # what is left of delta as N grows
        return None

    def passes(iterations: int) -> bool:
        guess = best_guess(replace(q, iterations=iterations), epsilon)
        return guess is not None and guess.log_delta <= target

    high = 1
    while not passes(high):
        high *= 2
        if high > _MOST_ITERATIONS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def best_guess(q: Scales, epsilon: float) -> Guess | None:
    """The guess of least delta over r; None where no r is feasible."""
    floor = (q.G / q.sigma) ** 2 / 2
    if floor >= epsilon:
        return None
    reach = math.sqrt(2 * max(0.0, _SPARE - log_divergence(q, epsilon - floor)))
    low, high = 0.0, math.sqrt(q.d_star) + reach

    def at(ratio: float) -> Guess | None:
        return priced(q, epsilon, ratio * q.sigma)

    def cost(guess: Guess | None) -> float:
        return math.inf if guess is None else guess.log_delta

    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    near, far = at(inner), at(outer)
    while high - low > _NARROW * high:
        flat = far is not None and far.log_delta >= 0  # the tail bound is still 1: the better radius is further out
        if cost(near) <= cost(far) and not flat:
            high, outer, far = outer, inner, near
            inner = high - _GOLDEN * (high - low)
            near = at(inner)
        else:
            low, inner, near = inner, outer, far
            outer = low + _GOLDEN * (high - low)
            far = at(outer)
    return min(near, far, key=cost)


def _few_digits(q: Scales, radius: float) -> Fraction:
    """sigma (sqrt(d*) + u) near r, with u to three places.

    The best radius is flat, so u is all that the proof needs; and a root, a sum and a product of doubles are the same
    on every machine, where the logarithms that led to r are not.
    """
    u = round(radius / q.sigma - math.sqrt(q.d_star), 3)
    return rounded_up(Fraction(q.sigma * (math.sqrt(q.d_star) + u)), _DIGITS_OF_RADIUS)


def _raised(problem: Problem, iterations: int, found: Found) -> Found | None:
    """The same radius with r' raised until (47) holds; None where alpha is not positive on the way."""
    R = Intervals(_BITS)
    p, loss = problem(R)
    for _ in range(_RAISES):
        values = certificate(R, p, iterations, loss, found.at(R))
        if compare(R(0), "<", values.alpha_bar) is not Decision.PROVED:
            return None
        if compare(values.radius_need, "<=", values.radius_gap) is Decision.PROVED:
            return found
        found = Found(found.radius, rounded_up(Enclosure.of(values.radius_need).upper), found.splits)
    return None


def rounded_up(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """A positive number of about so many digits, a little above x > 0: few, so that every machine finds the same."""
    place = digits - len(str(math.floor(x))) if x >= 1 else digits + len(str(math.floor(1 / x)))
    scale = Fraction(10) ** place
    return Fraction(math.floor(x * scale) + 1) / scale
