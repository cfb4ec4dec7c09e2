"""The gradient-descent constants of a claim file, in any precision, and untrusted guesses about them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from certify.claims.model import ClaimFile
from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import midpoint
from certify.statements.descent.constants import Descent, logistic_constants, objective, released
from certify.statements.descent.sharp_trajectory import Loss, any_loss, logistic_loss

Problem: TypeAlias = Callable[[Intervals], Descent[Interval]]
_BITS = 96


def problem_of(claims: ClaimFile, u: Fraction | None = None) -> Problem:
    """The constants and the release that a claim file states, with truncation parameter u."""
    model = claims.model

    def chosen(R: Intervals, value: Fraction | None) -> Interval | None:
        return None if value is None else R(value)

    def problem(R: Intervals) -> Descent[Interval]:
        if model.loss == "logistic":
            losses = logistic_constants(R)
        else:
            losses = (R(model.L1 or 0), R(model.L2 or 0), R(model.L3 or 0))
        constants = objective(
            R,
            model.n,
            R(model.regularization),
            R(model.feature_bound),
            losses,
            L=chosen(R, model.L),
            M=chosen(R, model.M),
            eta=chosen(R, model.step_size),
        )
        return released(constants, model.d or 1, R(claims.release.sigma), chosen(R, u))

    return problem


def loss_of(claims: ClaimFile, R: Intervals, p: Descent[Interval]) -> Loss[Interval]:
    """What the sharp variant may use of the loss: nothing beyond L1, L2, L3 where it is not named."""
    return _logistic(R.bits) if claims.model.loss == "logistic" else any_loss(p)


@lru_cache(maxsize=16)
def _logistic(bits: int) -> Loss[Interval]:
    """The logistic loss's own constants, evaluated once for each precision."""
    return logistic_loss(Intervals(bits))


def with_iterations(claims: ClaimFile, iterations: int) -> ClaimFile:
    """The same claim file at another count."""
    return replace(claims, release=replace(claims.release, iterations=iterations))


def truncations(delta: Fraction) -> tuple[Fraction, ...]:
    """Guesses at a truncation parameter u: exp(-u^2/2) about a tenth and about half of delta."""
    if not 0 < delta < 1:
        return (Fraction(6),)
    size = math.log(delta.denominator) - math.log(delta.numerator)
    return tuple(Fraction(math.ceil(100 * math.sqrt(2 * (size + math.log(k)))), 100) for k in (10, 2))


def middle(problem: Problem, quantity: Callable[[Intervals, Descent[Interval]], Interval]) -> Fraction | None:
    """A rational near a quantity of the problem."""
    R = Intervals(_BITS)
    return midpoint(quantity(R, problem(R)))
