"""The operations on pairs of ends, against exact rationals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import libmp

from certify.kernel import ends as pairs

Mpf = tuple[int, int, int, int]


def rational(x: Mpf) -> Fraction:
    """The value of a finite mpf."""
    return Fraction(-int(x[1]) if x[0] else int(x[1])) * Fraction(2) ** x[2]


def mpfs(bits: int = 300) -> st.SearchStrategy[Mpf]:
    """Finite mpf numbers, with many set bits or few."""
    mantissas = st.one_of(
        st.integers(-(1 << bits), 1 << bits),
        st.tuples(st.sampled_from((-1, 1)), st.integers(1, bits), st.integers(-2, 2)).map(
            lambda t: t[0] * ((1 << t[1]) + t[2])
        ),
    )
    return st.builds(libmp.from_man_exp, mantissas, st.integers(-400, 400))


def test_a_sum_of_wide_operands_is_enclosed_where_libmp_alone_misses() -> None:
    """mpf_add to 128 bits of 136 ones and 1.5 units more rounds up to less than the sum."""
    s, t = libmp.from_man_exp((1 << 136) - 1, 0), libmp.from_man_exp((3 << 126) + 1, -127)
    truth = rational(s) + rational(t)
    assert rational(libmp.mpf_add(s, t, 128, "c")) < truth
    low, high = pairs.add((s, s), (t, t), 128)
    assert rational(low) <= truth <= rational(high)
    low, high = pairs.sub((s, s), (libmp.mpf_neg(t),) * 2, 128)
    assert rational(low) <= truth <= rational(high)


@given(mpfs(), mpfs(), st.integers(2, 320))
def test_each_operation_encloses(x: Mpf, y: Mpf, bits: int) -> None:
    """Sums, products, quotients and roots, to fewer or more bits than the operands have."""
    p, q = rational(x), rational(y)
    found = [(pairs.add, p + q), (pairs.sub, p - q), (pairs.mul, p * q)] + ([(pairs.div, p / q)] if q else [])
    for operation, truth in found:
        low, high = operation((x, x), (y, y), bits)
        assert rational(low) <= truth <= rational(high)
        assert max(low[3], high[3]) <= bits
    low, high = pairs.sqrt((libmp.mpf_abs(x),) * 2, bits)
    assert rational(low) ** 2 <= abs(p) <= rational(high) ** 2


@given(mpfs(80), st.integers(0, 40), st.integers(2, 100))
def test_integer_powers_enclose(x: Mpf, n: int, bits: int) -> None:
    """x^n against the exact power."""
    low, high = pairs.power((x, x), n, bits)
    assert rational(low) <= rational(x) ** n <= rational(high)


@pytest.mark.parametrize("sign", [1, -1])
def test_far_powers_keep_bounded_exponents(sign: int) -> None:
    """Ends beyond 2^(+-2^64) are replaced by less exact ones on their safe side."""
    big, small = libmp.from_man_exp(3 * sign, 1 << 60), libmp.from_man_exp(3 * sign, -(1 << 60))
    low, high = pairs.power((big, big), 1001, 53)
    assert {low, high} == ({pairs.FAR_UP, libmp.finf} if sign > 0 else {libmp.fninf, libmp.mpf_neg(pairs.FAR_UP)})
    low, high = pairs.power((small, small), 1001, 53)
    assert {low, high} == {libmp.fzero, pairs.FAR_DOWN if sign > 0 else libmp.mpf_neg(pairs.FAR_DOWN)}


@given(st.one_of(mpfs(100), st.fractions()), st.integers(0, 200))
def test_points_are_read_exactly(x: pairs.Point, bits: int) -> None:
    """Floors, magnitudes, signs, opposites and half squares of points."""
    value = x if isinstance(x, Fraction) else rational(x)
    assert pairs.floored(x, bits) == value * 2**bits // 1
    assert abs(value) < Fraction(2) ** pairs.magnitude(x) <= 4 * abs(value) or value == 0
    assert pairs.sign(x) == (value > 0) - (value < 0)
    for derived, truth in ((pairs.opposite(x), -value), (pairs.half_square(x), value**2 / 2)):
        assert (derived if isinstance(derived, Fraction) else rational(derived)) == truth
    low, high = pairs.as_ends(x, 64)
    assert rational(low) <= value <= rational(high)
