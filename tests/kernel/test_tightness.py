"""At p bits the enclosure of a function at a point has a relative width of at most 2^(8-p)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import libmp

from certify.kernel import elementary, tails
from certify.kernel.interval import Intervals
from certify.statements.rules.numbers import exact_text

BITS = (64, 80, 128, 256, 1024)
_F = Fraction
EXPONENTS = [s * x for x in (_F(1, 10**30), _F(1, 3), _F(7), _F(1000, 3), _F(10**6), _F(5 * 10**7)) for s in (1, -1)]
LOGARITHMS = [_F(2), _F(1, 3), 1 + _F(1, 10**40), 1 - _F(1, 10**40), _F(10**4000), _F(1, 10**4000), _F(4, 3), _F(2, 3)]
ARGUMENTS = [
    s * x
    for x in (_F(1, 10**20), _F(1, 3), _F(2), _F(37, 10), _F(5), _F(20), _F(39), _F(700, 3), _F(10**4))
    for s in (1, -1)
]
LEVELS = [_F(1, 10**k) for k in (1, 5, 20, 300, 4000)] + [_F(1, 2) - _F(1, 10**k) for k in (1, 2, 9, 100, 4000)]
LEVELS += [_F(1, 3), _F(1, 4), _F(1, 8), 1 - _F(1, 10**18), 1 - _F(1, 10**300), _F(1, 2) + _F(1, 10**9), _F(2, 3)]
COUNTS = [(1, _F(1, 2)), (5, _F(3)), (50, _F(60)), (50, _F(20)), (500, _F(501)), (1000, _F(5000)), (10, _F(1, 10**9))]
LARGE = [(10_000, _F(10_100)), (10_000, _F(30_000)), (10_000, _F(9_000))]


def excess_bits(ends: tuple[tuple[int, int, int, int], tuple[int, int, int, int]], bits: int) -> int:
    """The k with a relative width of about 2^(k - bits)."""
    width = libmp.mpf_sub(ends[1], ends[0], 53, "c")
    if width == libmp.fzero:
        return -100
    least = min(elementary.magnitude(ends[0]), elementary.magnitude(ends[1]))
    return elementary.magnitude(width) - (least - 1) + bits


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (elementary.exp_ends, EXPONENTS),
        (elementary.log_ends, LOGARITHMS),
        (tails.upper_tail_ends, ARGUMENTS),
        (tails.q1_ends, ARGUMENTS),
        (tails.mills_ends, ARGUMENTS),
        (tails.quantile_ends, LEVELS),
    ],
)
def test_functions_are_tight(function, arguments: list[Fraction], bits: int) -> None:  # type: ignore[no-untyped-def]
    """exp to +-5e7, log near 1, tails to +-10^4, quantiles down to 1e-4000, near one half and near 1."""
    loose = {exact_text(x): excess_bits(function(x, bits), bits) for x in arguments}
    assert {x: k for x, k in loose.items() if k > 8} == {}


def test_exp_just_below_a_multiple_of_log_two() -> None:
    """Where the reduced argument may be negative, by the error of log 2."""
    for multiple in (1, 2, 7):
        x = _F(multiple * elementary._log_two(128)[0], 1 << 128)
        low, high = elementary.exp_ends(x, 64)
        assert excess_bits((low, high), 64) <= 8
        finer = elementary.exp_ends(x, 300)
        assert libmp.mpf_le(low, finer[0])
        assert libmp.mpf_le(finer[1], high)


@pytest.mark.parametrize("bits", BITS)
def test_pi_and_chi_tails_are_tight(bits: int) -> None:
    """pi, and e^(-y) times partial sums on both sides of their largest term; dimension 20,000 is 10,000 terms."""
    assert excess_bits(elementary.pi_ends(bits), bits) <= 8
    cases = COUNTS + (LARGE if bits in (64, 256) else [])
    loose = {case: excess_bits(tails.poisson_ends(*case, bits), bits) for case in cases}
    assert {case: k for case, k in loose.items() if k > 8} == {}


@pytest.mark.parametrize("bits", BITS)
def test_powers_are_tight(bits: int) -> None:
    """Powers of inexact bases, with integer and other exponents."""
    R = Intervals(bits)
    base = R.sqrt(R(Fraction(9, 10)))
    point = Intervals(bits + 64).sqrt(R(Fraction(9, 10)))
    for value in (R.power(point, R(Fraction(10**6 + 1, 2))), R.power(R(Fraction(9, 10)), R(Fraction(10**9 + 1, 3)))):
        assert excess_bits(value.ends, bits) <= 8
    assert excess_bits((base**2).ends, bits) <= 8
