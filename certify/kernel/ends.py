"""Pairs of mpf ends: the operations of mpmath.libmp that the kernel stands on, rounded outward to a given precision.

A pair (a, b) encloses a number x when a <= x <= b; a < +inf and b > -inf always. Products, quotients, square roots and
integer powers are libmp's. Sums are not used as they are: mpf_add (mpmath 1.3.0 and 1.4.1), asked for fewer bits than
an operand has, may stand a nudge of the last place in for the other operand and so round the wrong way. With at least
as many bits as the wider operand the nudge is sound: the other operand is then below 1/16 of a unit in the last place.

A *point* is an exact number: a Fraction or an mpf tuple.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from mpmath import libmp
from mpmath.libmp import finf, fninf, fone, fzero

Mpf: TypeAlias = tuple[int, int, int, int]
Ends: TypeAlias = tuple[Mpf, Mpf]
Point: TypeAlias = Fraction | Mpf

DOWN, UP = "f", "c"
LINE: Ends = (fninf, finf)
ZERO: Ends = (fzero, fzero)
ONE: Ends = (fone, fone)

# Beyond 2^(2^63) only the order of magnitude is enclosed: the exponent alone would fill the memory.
HUGE = 64
FAR_UP: Mpf = libmp.from_man_exp(1, 1 << (HUGE - 1))
FAR_DOWN: Mpf = libmp.from_man_exp(1, -(1 << (HUGE - 1)))


def add(s: Ends, t: Ends, bits: int) -> Ends:
    """s + t, formed with at least the bits of the widest operand and then rounded."""
    wide: int = max(bits, s[0][3], s[1][3], t[0][3], t[1][3])
    ends: Ends = libmp.mpi_add(s, t, wide)
    return ends if wide == bits else cut(ends, bits)


def sub(s: Ends, t: Ends, bits: int) -> Ends:
    """s - t."""
    return add(s, neg(t), bits)


def mul(s: Ends, t: Ends, bits: int) -> Ends:
    """s t."""
    ends: Ends = libmp.mpi_mul(s, t, bits)
    return ends


def div(s: Ends, t: Ends, bits: int) -> Ends:
    """s / t, the line where t may be 0."""
    if libmp.mpf_sign(t[0]) <= 0 <= libmp.mpf_sign(t[1]):
        return LINE
    ends: Ends = libmp.mpi_div(s, t, bits)
    return ends


def sqrt(s: Ends, bits: int) -> Ends:
    """The square root of s >= 0."""
    ends: Ends = libmp.mpi_sqrt(s, bits)
    return ends


def neg(s: Ends) -> Ends:
    """-s, exactly."""
    return libmp.mpf_neg(s[1]), libmp.mpf_neg(s[0])


def doubled(s: Ends, times: int) -> Ends:
    """2^times s, exactly."""
    return libmp.mpf_shift(s[0], times), libmp.mpf_shift(s[1], times)


def power(s: Ends, n: int, bits: int) -> Ends:
    """s^n for an integer n >= 0, with ends beyond 2^(+-2^63) replaced by less exact ones."""
    low, high = libmp.mpi_pow_int(s, n, bits)
    return _saturated(low), neg((_saturated(libmp.mpf_neg(high)),) * 2)[0]


def _saturated(low: Mpf) -> Mpf:
    """A lower bound of a number that is at least ``low``, with a bounded exponent."""
    size = magnitude(low)
    if size > 1 << HUGE:
        return fninf if low[0] else FAR_UP
    if size < -(1 << HUGE):
        return neg((FAR_DOWN, FAR_DOWN))[0] if low[0] else fzero
    return low


def cut(s: Ends, bits: int) -> Ends:
    """The same ends, rounded outward to ``bits`` bits."""
    return libmp.mpf_pos(s[0], bits, DOWN), libmp.mpf_pos(s[1], bits, UP)


def scaled(lower: int, upper: int, exponent: int, bits: int) -> Ends:
    """The pair lower 2^exponent, upper 2^exponent, rounded outward."""
    return libmp.from_man_exp(lower, exponent, bits, DOWN), libmp.from_man_exp(upper, exponent, bits, UP)


def integer(n: int) -> Ends:
    """n, exactly."""
    return (libmp.from_int(n),) * 2


def as_ends(x: Point, bits: int) -> Ends:
    """The point as a pair of ends; of a fraction n/d, from the floor of n 2^s/d and whether anything is left."""
    if not isinstance(x, Fraction):
        return x, x
    n, d = x.numerator, x.denominator
    shift = bits + 2 - n.bit_length() + d.bit_length()
    whole, rest = divmod(n << max(shift, 0), d << max(-shift, 0))
    return scaled(whole, whole + (rest > 0), -shift, bits)


def floored(x: Point, bits: int) -> int:
    """The floor of x 2^bits, for bits >= 0; the caller sees to it that x is not of huge magnitude."""
    if isinstance(x, Fraction):
        return (x.numerator << bits) // x.denominator
    signed = -int(x[1]) if x[0] else int(x[1])
    shift = x[2] + bits
    return signed << shift if shift >= 0 else signed >> min(-shift, signed.bit_length() + 1)


def raised_quotient(numerator: int, denominator: int) -> int:
    """The least integer at or above numerator/denominator, for denominator > 0."""
    return -(-numerator // denominator)


def magnitude(x: Point) -> int:
    """An m with |x| < 2^m, and |x| >= 2^(m-2) unless x = 0."""
    if isinstance(x, Fraction):
        return x.numerator.bit_length() - x.denominator.bit_length() + 1
    return x[2] + x[3]


def sign(x: Point) -> int:
    """-1, 0 or 1."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    return int(libmp.mpf_sign(x))


def opposite(x: Point) -> Point:
    """-x, exactly."""
    return -x if isinstance(x, Fraction) else libmp.mpf_neg(x)


def half_square(x: Point) -> Point:
    """x^2/2, exactly."""
    return x * x / 2 if isinstance(x, Fraction) else libmp.mpf_shift(libmp.mpf_mul(x, x), -1)
