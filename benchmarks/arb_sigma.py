"""The calibration of `certify eval gaussian.sigma` in python-flint: a secant search, both ends proved, 12 digits.

Not used by certify; it is what speed.py measures certify against. The bracket by decades and the search on log delta
are those of dp_accounting's ``get_sigma_gaussian``; Arb's balls take the place of doubles, so the ends can be proved.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, ctx, fmpq, fmpz

BITS = 128
_WIDTH = fmpq(1, 10**13)
_CLOSE = arb("1e-14")
"""On log delta; that this finds sigma within _WIDTH is then proved at both ends."""


def sigma_bracket(epsilon: fmpq, delta: fmpq) -> tuple[fmpq, fmpq]:
    """Rationals lower < upper, a relative 2e-13 apart, with delta(lower) > delta >= delta(upper), both proved."""
    ctx.prec = BITS
    target = arb(delta).log()

    def gap(sigma: arb) -> arb:
        return _profile(epsilon, sigma).log() - target

    low, high = arb(1) / 10, arb(1)
    while gap(low) < 0:
        low, high = low / 10, low
    while gap(high) > 0:
        low, high = high, high * 10
    root = _root(gap, low, high)
    sigma = fmpq(*_rational(root))
    lower, upper = sigma * (1 - _WIDTH), sigma * (1 + _WIDTH)
    if not (_profile(epsilon, arb(lower)) > arb(delta) and _profile(epsilon, arb(upper)) <= arb(delta)):
        raise ArithmeticError(f"the ends around sigma = {root} are not proved at {BITS} bits")
    return lower, upper


def _profile(epsilon: fmpq, sigma: arb) -> arb:
    """delta(epsilon; sigma) at sensitivity 1."""
    scale = arb(2).sqrt()
    near, far = sigma * epsilon - 1 / (2 * sigma), sigma * epsilon + 1 / (2 * sigma)
    return ((near / scale).erfc() - arb(epsilon).exp() * (far / scale).erfc()) / 2


def _root(gap: Callable[[arb], arb], low: arb, high: arb) -> arb:
    """The root of a decreasing function by the Illinois variant of the secant method, to about 15 digits."""
    at_low, at_high = gap(low).mid(), gap(high).mid()
    last = 0
    while True:
        middle = ((low * at_high - high * at_low) / (at_high - at_low)).mid()
        value = gap(middle).mid()
        if abs(value) < _CLOSE:
            return middle
        side = 1 if value > 0 else -1
        if value > 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side == last else at_high
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side == last else at_low
        last = side


def _rational(x: arb) -> tuple[fmpz, fmpz]:
    mantissa, exponent = x.mid().man_exp()
    shift = int(exponent)
    return (mantissa << shift, fmpz(1)) if shift >= 0 else (mantissa, fmpz(1) << -shift)
