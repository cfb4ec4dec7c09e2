"""exp, log, powers, pi and the square root of 2 pi at a point, as proved pairs of ends.

Series are summed in fixed point with Python's integers: an integer v at ``bits`` stands for v / 2^bits. Each quantity
is kept as a pair, one side floored and the other raised at every step, so that rounding needs no further bound; only
the tail of a series does, and it is proved in place.
"""

from __future__ import annotations

from functools import lru_cache

from mpmath.libmp import finf, fzero

from certify.kernel.ends import (
    FAR_DOWN,
    FAR_UP,
    HUGE,
    Ends,
    Point,
    add,
    as_ends,
    cut,
    div,
    doubled,
    floored,
    integer,
    magnitude,
    mul,
    raised_quotient,
    scaled,
    sign,
    sqrt,
)  # fmt: skip

_GUARD = 16


def _in_steps(bits: int) -> int:
    """A precision at or above ``bits`` from a short list, so that cached constants are few."""
    return raised_quotient(bits, 64) * 64


@lru_cache(maxsize=256)
def _log_two(bits: int) -> tuple[int, int]:
    """log 2 in fixed point, from log 2 = 2 atanh(1/3) = sum of 2/((2k+1) 3^(2k+1)).

    Tail: each term is less than a ninth of the one before, so the terms left out stay below the first of them, which is
    at most ``high``.
    """
    lower = upper = 0
    low, high = (2 << bits) // 3, raised_quotient(2 << bits, 3)
    k = 1
    while low:
        lower += low // k
        upper += raised_quotient(high, k)
        low, high, k = low // 9, raised_quotient(high, 9), k + 2
    return lower, upper + 2 * high


def _arctangent(q: int, bits: int) -> tuple[int, int]:
    """atan(1/q) in fixed point, q >= 2, by its alternating series.

    Tail: the terms fall in size and alternate, so the sum is off by at most the first term left out.
    """
    lower = upper = 0
    low, high = (1 << bits) // q, raised_quotient(1 << bits, q)
    k = 1
    while low:
        least, most = low // k, raised_quotient(high, k)
        lower, upper = (lower + least, upper + most) if k % 4 == 1 else (lower - most, upper - least)
        low, high, k = low // (q * q), raised_quotient(high, q * q), k + 2
    return lower - high, upper + high


@lru_cache(maxsize=256)
def _pi_at(bits: int) -> tuple[int, int]:
    """pi in fixed point, by Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    (a, b), (c, d) = _arctangent(5, bits), _arctangent(239, bits)
    return 16 * a - 4 * d, 16 * b - 4 * c


def pi_ends(bits: int) -> Ends:
    """pi to ``bits`` bits."""
    working = _in_steps(bits + _GUARD)
    return scaled(*_pi_at(working), -working, bits)


@lru_cache(maxsize=256)
def root_two_pi(bits: int) -> Ends:
    """The square root of 2 pi, the constant of the normal density."""
    return sqrt(doubled(pi_ends(bits + 4), 1), bits)


def exp_ends(x: Point, bits: int) -> Ends:
    """e^x at a point, with relative width below 2^(4 - bits) for |x| < 2^63.

    x = n log 2 + r with 0 <= r < log 2, up to the error of log 2, which is carried along in the two ends of r: with v =
    floor(x 2^w) and l <= 2^w log 2 <= h, r 2^w lies between v - n h and v + 1 - n l if n >= 0, and between v - n l and
    v + 1 - n h if n < 0. Each end goes through e^r = (e^(r/2^k))^(2^k): Taylor's series for the small argument, then k
    squarings, which multiply the relative error by 2^k; k bits are added for them, and as many for n as x has. Where
    ``magnitude`` is above 64, |x| >= 2^63, so that e^|x| > 2^(2^63), and only this is returned.
    """
    size = max(magnitude(x), 0)
    if size > HUGE:
        return (fzero, FAR_DOWN) if sign(x) < 0 else (FAR_UP, finf)
    halvings = max(4, bits.bit_length() * 2 - 6)
    working = _in_steps(bits + size + halvings + _GUARD)
    low, high = _log_two(working)
    v = floored(x, working)
    n = v // low
    least, most = (v - n * high, v + 1 - n * low) if n >= 0 else (v - n * low, v + 1 - n * high)
    lower = _small_exp(least >> halvings, working)[0]
    upper = _small_exp((most >> halvings) + 1, working)[1]
    for _ in range(halvings):
        lower = (lower * lower) >> working
        upper = ((upper * upper) >> working) + 1
    return scaled(lower, upper, n - working, bits)


def _small_exp(y: int, working: int) -> tuple[int, int]:
    """e^y in fixed point for -1/16 <= y/2^working <= 1/8: a lower and an upper bound.

    A negative y arises only from the error of log 2; then 1 + y <= e^y <= 1. For y >= 0 Taylor's terms are positive and
    each is at most an eighth of the one before, so those left out stay below the last raised term.
    """
    one = 1 << working
    if y < 0:
        return one + y, one
    lower = upper = low = high = one
    j = 1
    while low:
        low = (low * y // j) >> working
        high = -(-high * y // (j << working))
        lower, upper, j = lower + low, upper + high, j + 1
    return lower, upper + high


def log_ends(x: Point, bits: int) -> Ends:
    """log x at a point x > 0, with relative width below 2^(4 - bits).

    x = 2^e a/b with integers 2/3 <= a/b <= 4/3, and log x = e log 2 + 2 z S, z = (a - b)/(a + b), |z| <= 1/5, where
    S = atanh(z)/z = sum of z^(2k)/(2k+1) lies in [1, 25/24]. So relative accuracy is kept near x = 1, where e = 0; and
    for e != 0 little cancels, as |e| log 2 >= 0.69 and |log(a/b)| <= 0.41.
    """
    a, b, e = (int(x[1]), 1, x[2]) if isinstance(x, tuple) else (x.numerator, x.denominator, 0)
    shift = a.bit_length() - b.bit_length()
    e += shift
    a, b = (a, b << shift) if shift >= 0 else (a << -shift, b)
    if 3 * a > 4 * b:
        b, e = 2 * b, e + 1
    elif 3 * a < 2 * b:
        a, e = 2 * a, e - 1
    working = bits + _GUARD
    z = div(integer(a - b), integer(a + b), working)
    near = mul(z, scaled(*_atanh_series(a - b, a + b, working), 1 - working, working), working)
    if e == 0:
        return cut(near, bits)
    steps = _in_steps(working)
    whole = mul(integer(e), scaled(*_log_two(steps), -steps, working), working)
    return add(whole, near, bits)


def _atanh_series(numerator: int, denominator: int, working: int) -> tuple[int, int]:
    """The sum of z^(2k)/(2k+1) in fixed point, z = numerator/denominator, |z| <= 1/5.

    Tail: each term is below a twenty-fifth of the one before, so those left out stay below the last power raised.
    """
    square, below = (numerator * numerator) << working, denominator * denominator
    square_low, square_high = square // below, raised_quotient(square, below)
    lower = upper = low = high = 1 << working
    k = 3
    while low:
        low = (low * square_low) >> working
        high = ((high * square_high) >> working) + 1
        lower, upper, k = lower + low // k, upper + raised_quotient(high, k), k + 2
    return lower, upper + high


def power_ends(base: Point, exponent: Point, bits: int) -> Ends:
    """base^exponent = e^(exponent log base) at points base > 0 and exponent.

    |log base| < |m| + 2 for the magnitude m of the base, so ``size`` bits more keep the product absolutely accurate.
    """
    size = min(max(magnitude(exponent), 0) + (abs(magnitude(base)) + 2).bit_length(), 2 * HUGE)
    working = bits + size + 8
    low, high = mul(as_ends(exponent, working), log_ends(base, working), working)
    return exp_ends(low, bits)[0], exp_ends(high, bits)[1]
