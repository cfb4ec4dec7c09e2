"""exp, log, pi and the square root of 2 pi at a point, as proved pairs of ends.

A *point* is an exact number: a Fraction or an mpf tuple of mpmath.libmp. Series are summed in fixed point with Python's
integers: an integer v at ``bits`` stands for v / 2^bits. Each quantity is kept as a pair, one side floored and the other
raised at every step, so that rounding needs no further bound; only the tail of a series does, and it is proved in place.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from mpmath.libmp import finf, fone, from_int, from_man_exp, fzero, round_ceiling, round_floor
from mpmath.libmp.libmpi import mpi_add, mpi_div, mpi_mul, mpi_sqrt

Mpf: TypeAlias = tuple[int, int, int, int]
Ends: TypeAlias = tuple[Mpf, Mpf]
Point: TypeAlias = Fraction | Mpf

# Beyond e^(2^64) only the order of magnitude is enclosed: the exponent alone would fill the memory.
_HUGE = 64
_FAR_UP: Mpf = from_man_exp(1, 2**_HUGE)
_FAR_DOWN: Mpf = from_man_exp(1, -(2**_HUGE))
_GUARD = 16


def raised_quotient(numerator: int, denominator: int) -> int:
    """The least integer at or above numerator/denominator, for denominator > 0."""
    return -(-numerator // denominator)


def floored(x: Point, bits: int) -> int:
    """The floor of x * 2^bits."""
    if isinstance(x, Fraction):
        if bits >= 0:
            return (x.numerator << bits) // x.denominator
        return x.numerator // (x.denominator << -bits)
    sign, mantissa, exponent, _ = x
    signed = -int(mantissa) if sign else int(mantissa)
    shift = exponent + bits
    return signed << shift if shift >= 0 else signed >> -shift


def magnitude(x: Point) -> int:
    """An m with |x| < 2^m (and |x| >= 2^(m-2) unless x = 0)."""
    if isinstance(x, Fraction):
        return abs(x.numerator).bit_length() - x.denominator.bit_length() + 1
    return int(x[2]) + int(x[3])


def is_negative(x: Point) -> bool:
    """Whether x < 0."""
    return x < 0 if isinstance(x, Fraction) else bool(x[0])


def rounded(lower: int, upper: int, exponent: int, bits: int) -> Ends:
    """The pair lower * 2^exponent, upper * 2^exponent, rounded outward to ``bits`` bits."""
    return (
        from_man_exp(lower, exponent, bits, round_floor),
        from_man_exp(upper, exponent, bits, round_ceiling),
    )


def _in_steps(bits: int) -> int:
    """A precision at or above ``bits`` from a short list, so that cached constants are few."""
    return -(-bits // 64) * 64


@lru_cache(maxsize=256)
def _log_two(bits: int) -> tuple[int, int]:
    """log 2 in fixed point, from log 2 = 2 atanh(1/3) = sum of 2/((2k+1) 3^(2k+1)).

    Tail: each term is less than a ninth of the one before, so the terms left out stay below the last one kept.
    """
    lower = upper = 0
    low, high = (2 << bits) // 3, raised_quotient(2 << bits, 3)
    k = 0
    while low:
        lower += low // (2 * k + 1)
        upper += raised_quotient(high, 2 * k + 1)
        low, high = low // 9, raised_quotient(high, 9)
        k += 1
    return lower, upper + 2 * high


def _arctangent(q: int, bits: int) -> tuple[int, int]:
    """atan(1/q) in fixed point, q >= 2, by its alternating series.

    Tail: the terms fall in size and alternate, so the sum lies within the first term left out.
    """
    lower = upper = 0
    low, high = (1 << bits) // q, raised_quotient(1 << bits, q)
    k = 0
    while low:
        if k % 2 == 0:
            lower += low // (2 * k + 1)
            upper += raised_quotient(high, 2 * k + 1)
        else:
            lower -= raised_quotient(high, 2 * k + 1)
            upper -= low // (2 * k + 1)
        low, high = low // (q * q), raised_quotient(high, q * q)
        k += 1
    return lower - high, upper + high


@lru_cache(maxsize=256)
def _pi_at(bits: int) -> tuple[int, int]:
    """pi in fixed point, by Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    (a, b), (c, d) = _arctangent(5, bits), _arctangent(239, bits)
    return 16 * a - 4 * d, 16 * b - 4 * c


def pi_ends(bits: int) -> Ends:
    """pi to ``bits`` bits."""
    working = _in_steps(bits + _GUARD)
    return rounded(*_pi_at(working), -working, bits)


@lru_cache(maxsize=256)
def root_two_pi(bits: int) -> Ends:
    """The square root of 2 pi, the constant of the normal density."""
    return mpi_sqrt(mpi_mul((from_int(2), from_int(2)), pi_ends(bits + 4), bits + 4), bits)  # type: ignore[no-any-return]


def exp_ends(x: Point, bits: int) -> Ends:
    """e^x at a point, with relative width below 2^(4 - bits) for |x| < 2^64.

    x = n log 2 + r with 0 <= r < log 2 up to the error of log 2, which is carried along in the two ends of r. Each end
    goes through e^r = (e^(r/2^k))^(2^k): Taylor's series for the small argument, then k squarings. The lower end is
    floored throughout and the upper one raised. Beyond 2^64 only [2^(2^64), inf] or [0, 2^-(2^64)] is returned.
    """
    size = max(magnitude(x), 0)
    if size > _HUGE:
        return (fzero, _FAR_DOWN) if is_negative(x) else (_FAR_UP, finf)
    halvings = max(4, bits.bit_length() * 2 - 6)
    working = _in_steps(bits + size + halvings + _GUARD)
    low, high = _log_two(working)
    scaled = floored(x, working)
    n = scaled // low
    remainder_low = scaled - n * (high if n > 0 else low)
    remainder_high = scaled + 1 - n * (low if n > 0 else high)
    lower = _small_exp(remainder_low >> halvings, working)[0]
    upper = _small_exp((remainder_high >> halvings) + 1, working)[1]
    for _ in range(halvings):
        lower = (lower * lower) >> working
        upper = ((upper * upper) >> working) + 1
    return rounded(lower, upper, n - working, bits)


def _small_exp(y: int, working: int) -> tuple[int, int]:
    """e^y in fixed point for -1/16 <= y/2^working <= 1/8: a lower and an upper bound.

    Taylor's series. A negative y only arises from the error of log 2; then 1 + y <= e^y <= 1. For y >= 0 all terms are positive;
    each is at most an eighth of the one before, so those left out stay below the last raised term.
    """
    one = 1 << working
    if y < 0:
        return one + y, one
    lower = upper = low = high = one
    j = 1
    while low:
        low = (low * y) // (j << working)
        high = raised_quotient(high * y, j << working)
        lower += low
        upper += high
        j += 1
    return lower, upper + high


def log_ends(x: Point, bits: int) -> Ends:
    """log x at a point x > 0, with relative width below 2^(4 - bits).

    x = 2^e a/b with integers 2/3 <= a/b <= 4/3, and log x = e log 2 + 2 atanh(z), z = (a - b)/(a + b), |z| <= 1/5:
    2 atanh(z) = 2 z S with S = sum of z^(2k)/(2k+1), which lies in [1, 25/24]. So relative accuracy is kept near x = 1. No cancellation
    otherwise: for e != 0, |e| log 2 >= 0.69 exceeds |log(a/b)| <= 0.41.
    Tail of S: each term is below a twenty-fifth of the one before, so those left out stay below the last raised term.
    """
    if isinstance(x, Fraction):
        a, b = x.numerator, x.denominator
        e = 0
    else:
        a, b, e = int(x[1]), 1, int(x[2])
    shift = a.bit_length() - b.bit_length()
    e += shift
    a, b = (a, b << shift) if shift >= 0 else (a << -shift, b)
    if 3 * a > 4 * b:
        b, e = 2 * b, e + 1
    elif 3 * a < 2 * b:
        a, e = 2 * a, e - 1
    working = bits + _GUARD
    small = mpi_div((from_int(a - b),) * 2, (from_int(a + b),) * 2, working)
    series = rounded(*_atanh_series(a - b, a + b, working), 1 - working, working)
    near = mpi_mul(small, series, working)
    if e == 0:
        return rounded_ends(near, bits)
    steps = _in_steps(working)
    whole = mpi_mul((from_int(e), from_int(e)), rounded(*_log_two(steps), -steps, working), working)
    return mpi_add(whole, near, bits)  # type: ignore[no-any-return]


def _atanh_series(numerator: int, denominator: int, working: int) -> tuple[int, int]:
    """The sum of z^(2k)/(2k+1) in fixed point, z = numerator/denominator, |z| <= 1/5."""
    square, below = (numerator * numerator) << working, denominator * denominator
    square_low, square_high = square // below, raised_quotient(square, below)
    lower = upper = low = high = 1 << working
    k = 1
    while low:
        low = (low * square_low) >> working
        high = ((high * square_high) >> working) + 1
        lower += low // (2 * k + 1)
        upper += raised_quotient(high, 2 * k + 1)
        k += 1
    return lower, upper + high


def rounded_ends(ends: Ends, bits: int) -> Ends:
    """The same ends, rounded outward to ``bits`` bits."""
    return mpi_mul(ends, (fone, fone), bits)  # type: ignore[no-any-return]
