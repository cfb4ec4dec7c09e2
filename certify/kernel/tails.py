"""Normal tails at a point: density, Mills ratio, Q, Q1, the quantile, and Poisson sums, as proved pairs of ends.

Write phi for the standard normal density, Q(x) for its upper tail, M(x) = Q(x)/phi(x) for the Mills ratio and
Q1(x) = integral of Q over [x, infinity) = phi(x) - x Q(x).

Continued fraction. Put J_0 = phi, J_k(x) = integral over s > x of (s-x)^(k-1)/(k-1)! phi(s) ds for k >= 1, so J_1 = Q, J_2 = Q1, and every
J_k > 0. Integration by parts (phi' = -s phi) gives J_k = x J_{k+1} + (k+1) J_{k+2}. With c_k = J_k/J_{k+1}, for x > 0:
c_k = x + (k+1)/c_{k+1} and x < c_k < x + (k+1)/x. So M = 1/c_0 = c_1/(x c_1 + 1) and Q1/phi = 1/(x c_1 + 1).

Series. For x >= 0: M(x) = sqrt(pi/2) e^(x^2/2) - S(x) with S(x) = sum of x^(2k+1)/(2k+1)!!, from integrating (Q/phi)' = x Q/phi - 1.
"""

from __future__ import annotations

import math
from fractions import Fraction

from mpmath.libmp import (
    fone,
    from_int,
    fzero,
    mpf_add,
    mpf_div,
    mpf_ge,
    mpf_gt,
    mpf_le,
    mpf_mul,
    mpf_neg,
    mpf_shift,
    mpf_sqrt,
    mpf_sub,
    round_ceiling,
    round_floor,
)
from mpmath.libmp.libmpi import mpi_add, mpi_div, mpi_mul, mpi_neg, mpi_pow_int, mpi_sub

from certify.kernel.elementary import (
    Ends,
    Mpf,
    Point,
    exp_ends,
    floored,
    is_negative,
    log_ends,
    magnitude,
    raised_quotient,
    root_two_pi,
    rounded,
)

_ONE: Ends = (fone, fone)
_GUARD = 16
_MAX_DEPTH = 1 << 16
MAX_COUNT = 10_000


def _opposite(x: Point) -> Point:
    return -x if isinstance(x, Fraction) else mpf_neg(x)


def _half_square(x: Point) -> Point:
    """x^2/2, exactly."""
    if isinstance(x, Fraction):
        return x * x / 2
    return mpf_shift(mpf_mul(x, x), -1)  # type: ignore[no-any-return]


def as_ends(x: Point, bits: int) -> Ends:
    """The point as a pair of ends."""
    if isinstance(x, Fraction):
        n, d = from_int(x.numerator), from_int(x.denominator)
        return mpf_div(n, d, bits, round_floor), mpf_div(n, d, bits, round_ceiling)
    return x, x


def density_ends(x: Point, bits: int) -> Ends:
    """phi(x) = e^(-x^2/2)/sqrt(2 pi)."""
    working = bits + 8
    return mpi_div(exp_ends(_opposite(_half_square(x)), working), root_two_pi(working), bits)  # type: ignore[no-any-return]


def _by_series(x: Point, bits: int) -> bool:
    """Whether the series is used at x >= 0: below about sqrt(bits/3), where it costs less than the fraction."""
    return magnitude(x) <= 20 and 3 * floored(x, 8) ** 2 <= (bits + _GUARD) << 16


def _odd_series(x: Point, working: int) -> tuple[int, int]:
    """S(x), the sum of x^(2k+1)/(2k+1)!!, in fixed point for x >= 0.

    Stops once the terms at least halve; the terms left out then stay below the last raised term.
    """
    low = floored(x, working)
    high = low + 1
    square = _half_square(x)
    square_low = floored(square, working + 1)
    square_high = square_low + 1
    lower, upper, j = low, high, 3
    while low or 2 * square_high > (j << working):
        low = (low * square_low) // (j << working)
        high = raised_quotient(high * square_high, j << working)
        lower += low
        upper += high
        j += 2
    return lower, upper + high


def _mills_series(x: Point, bits: int) -> Ends:
    """M(x) for 0 <= x <= sqrt(bits) or so; M >= 1/(x+1), so an absolute error of 2^-bits/(x+1) is enough."""
    growth = (floored(_half_square(x), 0) * 3) // 2 + 4
    working = bits + _GUARD
    lower, upper = _odd_series(x, working + growth)
    series = (
        rounded(lower, lower, -working - growth, working + growth)[0],
        rounded(upper, upper, -working - growth, working + growth)[1],
    )
    peak = mpi_mul(root_two_pi(working + growth), exp_ends(_half_square(x), working + growth), working + growth)
    half = (mpf_shift(peak[0], -1), mpf_shift(peak[1], -1))
    return mpi_sub(half, series, bits)  # type: ignore[no-any-return]


def _fraction(x: Point, bits: int) -> tuple[int, int, int]:
    """Fixed-point bounds of c_1(x) for x >= 1, and their precision.

    Backwards from x < c_k < x + (k+1)/x at k = depth; every step keeps c_k between x + (k+1)/upper and x + (k+1)/lower. Any depth gives
    an enclosure; the depth is doubled until the width is at most 2^-bits of the value, or the cap is met.
    """
    working = bits + 8
    low = floored(x, working)
    high = low + 1
    double = 2 * working
    depth = 4 + (bits * bits) // (6 * max(1, floored(_half_square(x), 0)))
    while True:
        lower = low
        upper = high + raised_quotient((depth + 1) << double, low)
        for k in range(depth, 1, -1):
            lower, upper = low + (k << double) // upper, high + raised_quotient(k << double, lower)
        if (upper - lower) << bits <= lower or depth > _MAX_DEPTH:
            return lower, upper, working
        depth *= 2


def mills_ends(x: Point, bits: int) -> Ends:
    """M(x) = Q(x)/phi(x), any x. For x < 0: sqrt(2 pi) e^(x^2/2) - M(-x), a difference of which the first is at least twice the second."""
    working = bits + 8
    if is_negative(x):
        peak = mpi_mul(root_two_pi(working), exp_ends(_half_square(x), working), working)
        return _positive(mpi_sub(peak, mills_ends(_opposite(x), working), bits))
    if _by_series(x, bits):
        return _positive(_mills_series(x, bits))
    lower, upper, fixed = _fraction(x, working)
    c = rounded(lower, upper, -fixed, working + 8)
    return mpi_div(_ONE, mpi_add(as_ends(x, working), mpi_div(_ONE, c, working), working), bits)  # type: ignore[no-any-return]


def upper_tail_ends(x: Point, bits: int) -> Ends:
    """Q(x), any x; for x < 0 it is 1 - Q(-x)."""
    working = bits + 8
    if is_negative(x):
        return mpi_sub(_ONE, upper_tail_ends(_opposite(x), working), bits)  # type: ignore[no-any-return]
    return mpi_mul(density_ends(x, working), mills_ends(x, working), bits)  # type: ignore[no-any-return]


def q1_ends(x: Point, bits: int) -> Ends:
    """Q1(x), any x. For x >= 0 it is phi (1 - x M) or phi/(x c_1 + 1); for x < 0 a sum of positive terms, phi + |x| Q(x)."""
    working = bits + 8
    if is_negative(x):
        reach = mpi_mul(as_ends(_opposite(x), working), upper_tail_ends(x, working), working)
        return mpi_add(density_ends(x, working), reach, bits)  # type: ignore[no-any-return]
    if _by_series(x, bits):
        finer = working + 2 * max(0, magnitude(x)) + 8
        product = mpi_mul(as_ends(x, finer), mills_ends(x, finer), finer)
        return mpi_mul(density_ends(x, working), _positive(mpi_sub(_ONE, product, working)), bits)  # type: ignore[no-any-return]
    lower, upper, fixed = _fraction(x, working)
    product = mpi_mul(as_ends(x, working), rounded(lower, upper, -fixed, working + 8), working)
    return mpi_div(density_ends(x, working), mpi_add(product, _ONE, working), bits)  # type: ignore[no-any-return]


def _positive(ends: Ends) -> Ends:
    """The same ends for a quantity known to be positive."""
    return (ends[0] if mpf_gt(ends[0], fzero) else fzero, ends[1])


def quantile_ends(q: Point, bits: int) -> Ends:
    """The t with Q(t) = q, for 0 < q < 1, bracketed: Q(lower) >= q >= Q(upper) is proved at the ends returned.

    Above one half by symmetry, t(q) = -t(1 - q). Otherwise a guess is widened until both inequalities are proved. A guess that never leads
    there leaves [0, sqrt(2 log(1/q))], by Q(t) <= e^(-t^2/2).
    """
    half = Fraction(1, 2)
    gap = half - q if isinstance(q, Fraction) else mpf_sub(mpf_shift(fone, -1), q)
    if gap in (0, fzero):
        return fzero, fzero
    if is_negative(gap):
        return mpi_neg(quantile_ends(1 - q if isinstance(q, Fraction) else mpf_sub(fone, q), bits))  # type: ignore[no-any-return]
    working = bits + _GUARD + max(0, 4 - magnitude(gap))
    target = as_ends(q, working)
    guess = _newton(q, working)
    for widening in range(4, bits + 8, 3):
        spread = mpf_shift(guess, widening - bits - 3)
        lower = _nonnegative(mpf_sub(guess, spread, bits + 6, round_floor))
        upper = mpf_add(guess, spread, bits + 6, round_ceiling)
        above = lower == fzero or mpf_ge(upper_tail_ends(lower, working)[0], target[1])
        if above and mpf_le(upper_tail_ends(upper, working)[1], target[0]):
            return lower, upper
    return fzero, _reach(q, working, 0)


def _reach(q: Point, bits: int, doublings: int) -> Mpf:
    """An upper bound of sqrt(-2 log(2^doublings q)), or 0 where the square is negative."""
    scaled = q * 2**doublings if isinstance(q, Fraction) else mpf_shift(q, doublings)
    return mpf_sqrt(_nonnegative(mpf_shift(mpf_neg(log_ends(scaled, bits)[0]), 1)), bits, round_ceiling)  # type: ignore[no-any-return]


def _nonnegative(x: Mpf) -> Mpf:
    return x if mpf_gt(x, fzero) else fzero


def _newton(q: Point, working: int) -> Mpf:
    """A guess at the quantile of 0 < q < 1/2: Newton's method on log Q, which is concave, from sqrt(-2 log 2q) on its right."""
    t = _reach(q, working, 1)
    target = log_ends(q, working)[0]
    for _ in range(100):
        tail = log_ends(upper_tail_ends(t, working)[0], working)[0]
        step = mpf_mul(mpf_sub(tail, target, working, round_floor), mills_ends(t, working)[0], working, round_floor)
        t = _nonnegative(mpf_add(t, step, working, round_floor))
        if step == fzero or magnitude(step) < magnitude(t) - working // 2 - 4:
            break
    return t


def poisson_ends(count: int, y: Point, bits: int) -> Ends:
    """e^(-y) times the sum of y^j/j! over 0 <= j < count, for y > count - 1; [0, 1] for smaller y >= 0
    and beyond MAX_COUNT terms.

    The last term leads: the sum is e^(-y) y^(a-1)/(a-1)! times the sum over i < a of prod_{m<=i} (a-m)/y, a = count, and all factors (a-m)/y < 1.
    """
    if count < 1:
        return fzero, fzero
    if count > MAX_COUNT:
        return fzero, fone
    below = floored(y, 0) < count - 1 or (isinstance(y, Fraction) and y <= count - 1)
    if below or (not isinstance(y, Fraction) and mpf_le(y, from_int(count - 1))):
        return fzero, fone
    size = max(0, magnitude(y))
    working = bits + _GUARD + 2 * count.bit_length()
    sum_lower = sum_upper = low = high = 1 << working
    inverse = mpi_div(_ONE, as_ends(y, working + 8), working + 8)
    inverse_low, inverse_high = floored(inverse[0], working), floored(inverse[1], working) + 1
    for j in range(count - 1, 0, -1):
        low = (low * j * inverse_low) >> working
        high = ((high * j * inverse_high) >> working) + 1
        sum_lower += low
        sum_upper += high
        if low == 0 and 2 * j * inverse_high <= 1 << working:
            sum_upper += high  # the terms left out halve at least, so they stay below the last one
            break
    fine = bits + _GUARD + 2 * size + count.bit_length()
    lead = mpi_mul(exp_ends(_opposite(y), fine), mpi_pow_int(as_ends(y, fine), count - 1, fine), fine)
    factorial = from_int(math.factorial(count - 1))
    lead = mpi_div(lead, (factorial, factorial), working)
    lower, upper = mpi_mul(lead, rounded(sum_lower, sum_upper, -working, working), bits)
    return lower, upper if mpf_le(upper, fone) else fone
