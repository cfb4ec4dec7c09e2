"""Normal tails at a point: Mills ratio, Q, Q1, the quantile, and Poisson sums, as proved pairs of ends.

phi is the standard normal density, Q(x) its upper tail, M(x) = Q(x)/phi(x) the Mills ratio and Q1(x) the integral of Q
over [x, infinity), which is phi(x) - x Q(x). The peak 1/phi(x) is sqrt(2 pi) e^(x^2/2).

Continued fraction. Put J_0 = phi and, for k >= 1, J_k(x) = integral over s > x of (s-x)^(k-1)/(k-1)! phi(s) ds > 0, so
that J_1 = Q and J_2 = Q1. Integration by parts (phi' = -s phi) gives J_k = x J_{k+1} + (k+1) J_{k+2}. So c_k =
J_k/J_{k+1} satisfies c_k = x + (k+1)/c_{k+1}, and x < c_k < x + (k+1)/x for x > 0. With c = c_1, M = 1/c_0 = c/(x c +
1), and Q1/phi = 1/(c_0 c_1) = 1/(x c + 1).

Series. Put T(x) = sum over k >= 0 of x^(2k)/(2k+1)!!. As (x T)' = 1 + x (x T) and M' = x M - 1, M + x T solves y' = x
y, so M(x) = M(0) e^(x^2/2) - x T(x), M(0) = sqrt(pi/2); and 1/2 - Q(x) = phi(x) x T(x).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from mpmath import libmp
from mpmath.libmp import fone, fzero

from certify.kernel.elementary import exp_ends, log_ends, root_two_pi
from certify.kernel.ends import (
    HUGE,
    ONE,
    ZERO,
    Ends,
    Mpf,
    Point,
    add,
    as_ends,
    div,
    doubled,
    floored,
    half_square,
    integer,
    magnitude,
    mul,
    neg,
    opposite,
    power,
    raised_quotient,
    scaled,
    sign,
    sqrt,
    sub,
)  # fmt: skip

_GUARD = 16
_MAX_DEPTH = 1 << 16
_GUESS_BITS = 72
MAX_COUNT = 10_000


def _peak(x: Point, bits: int) -> Ends:
    """1/phi(x) = sqrt(2 pi) e^(x^2/2)."""
    return mul(root_two_pi(bits + 2), exp_ends(half_square(x), bits + 6), bits)


def _by_series(x: Point, bits: int) -> bool:
    """Whether the series is used at x >= 0: for 4 x^2 <= max(bits, 16), where it costs less than the fraction."""
    return magnitude(x) <= 20 and 4 * floored(x, 8) ** 2 <= max(bits, 16) << 16


def _odd_series(x: Point, working: int) -> Ends:
    """T(x), the sum of x^(2k)/(2k+1)!!, for x >= 0.

    Stops once the next term is at most half the last one, and so is each after it: together those left out stay below
    the last raised term.
    """
    square = half_square(x)
    square_low = floored(square, working + 1)
    square_high = square_low + 1
    lower = upper = low = high = 1 << working
    j = 3
    while low or 2 * square_high > j << working:
        low = (low * square_low // j) >> working
        high = -(-high * square_high // (j << working))
        lower, upper, j = lower + low, upper + high, j + 2
    return scaled(lower, upper + high, -working, working)


def _series(x: Point, bits: int) -> tuple[Ends, Ends]:
    """The peak and M, where ``_by_series`` allows it.

    M = peak/2 - x T loses log2 of peak (x + 1) bits, since M >= 1/(x + 1): 1.5 floor(x^2/2) + 4 and the guard cover
    them.
    """
    working = bits + _GUARD + floored(half_square(x), 0) * 3 // 2 + 4
    peak = _peak(x, working)
    product = mul(as_ends(x, working), _odd_series(x, working), working)
    return peak, _positive(sub(doubled(peak, -1), product, bits))


def _fraction(x: Point, bits: int) -> Ends:
    """c_1(x) for x > 1, such as ``_by_series`` leaves.

    Backwards from the bounds of c_k at k = depth; each step keeps c_{k-1} between x + k/upper and x + k/lower. Any
    depth gives an enclosure; it is doubled until the width is at most 2^-bits of the value, or the cap is met. For huge
    x the bounds of c_1 are close enough as they stand.
    """
    working = bits + 8
    if magnitude(x) > working:
        ends = as_ends(x, working)
        return ends[0], add(ends, div(integer(2), ends, working), working)[1]
    low = floored(x, working)
    high, square = low + 1, 2 * working
    depth = 4 + (bits * bits) // (6 * floored(half_square(x), 0) + 3)
    while True:
        lower, upper = low, high + raised_quotient((depth + 1) << square, low)
        for k in range(depth, 1, -1):
            term = k << square
            lower, upper = low + term // upper, high - (-term // lower)
        if (upper - lower) << bits <= lower or depth > _MAX_DEPTH:
            return scaled(lower, upper, -working, working)
        depth *= 2


def mills_ends(x: Point, bits: int) -> Ends:
    """M(x), any x. For x < 0, M(x) = peak - M(-x), since Q(x) = 1 - Q(-x); the peak is at least 2 M(-x)."""
    working = bits + 8
    if sign(x) < 0:
        return _positive(sub(_peak(x, working), mills_ends(opposite(x), working), bits))
    if _by_series(x, bits):
        return _series(x, bits)[1]
    c = _fraction(x, working)
    return div(ONE, add(as_ends(x, working), div(ONE, c, working), working), bits)


def upper_tail_ends(x: Point, bits: int) -> Ends:
    """Q(x) = M/peak, any x; for x < 0 it is 1 - Q(-x)."""
    working = bits + 8
    if sign(x) < 0:
        return sub(ONE, upper_tail_ends(opposite(x), working), bits)
    peak, mills = _series(x, working) if _by_series(x, bits) else (_peak(x, working), mills_ends(x, working))
    return div(mills, peak, bits)


def q1_ends(x: Point, bits: int) -> Ends:
    """Q1(x), any x: (1 - x M)/peak or 1/((x c_1 + 1) peak) for x >= 0, and Q1(-x) + |x| for x < 0.

    The last holds since Q1(x) - Q1(-x) = -x (Q(x) + Q(-x)). As 1 - x M > 1/(x + 1)^2, the series is given the bits
    lost.
    """
    working = bits + 8
    if sign(x) < 0:
        return add(as_ends(opposite(x), working), q1_ends(opposite(x), working), bits)
    if _by_series(x, bits):
        finer = working + 2 * max(0, magnitude(x)) + 8
        peak, mills = _series(x, finer)
        return div(_positive(sub(ONE, mul(as_ends(x, finer), mills, finer), working)), peak, bits)
    product = mul(as_ends(x, working), _fraction(x, working), working)
    return div(ONE, mul(add(product, ONE, working), _peak(x, working), working), bits)


def _positive(ends: Ends) -> Ends:
    """The same ends for a quantity known to be positive."""
    return (ends[0] if libmp.mpf_gt(ends[0], fzero) else fzero, ends[1])


def quantile_ends(q: Point, bits: int) -> Ends:
    """The t with Q(t) = q, for 0 < q < 1; above one half by symmetry, t(q) = -t(1 - q).

    From a point t >= 0, meant to be good to half the bits, with the excess s = (Q(t) - q)/phi(t): let r = 2 |s| and v =
    r (t + r/2). Within r of t, log phi moves by at most v, so that phi lies between phi(t) (1 - v) and phi(t)/(1 - v).
    If v <= 1/2, Q moves by at least r phi(t)/2 = |Q(t) - q| from t to t - r and t + r, so the quantile is within r of
    t, and by the mean value theorem it lies in t + s [1 - v, 1/(1 - v)]. If v > 1/2, which a useful t excludes, the
    answer is [0, sqrt(2 log(1/q))], by Q(t) <= e^(-t^2/2).
    """
    gap = _gap(q)
    if gap is not None and sign(gap) <= 0:
        above = 1 - q if isinstance(q, Fraction) else libmp.mpf_sub(fone, q)
        return neg(quantile_ends(above, bits)) if sign(gap) < 0 else ZERO
    working = bits + _GUARD
    t = _guess(q, gap) if bits <= _GUESS_BITS else quantile_ends(q, bits // 2 + 8)[0]
    s = _excess(q, gap, t, working)
    size = (fzero, s[1] if libmp.mpf_gt(s[1], neg(s)[1]) else neg(s)[1])
    v = doubled(mul(size, add((t, t), size, working), working), 1)[1]
    if libmp.mpf_gt(v, libmp.fhalf):
        return fzero, _reach(q, bits)
    least = sub(ONE, (v, v), working)
    factor = least[0], div(ONE, least, working)[1]
    return _positive(add((t, t), mul(s, factor, working), bits))


def _gap(q: Point) -> Point | None:
    """1/2 - q, exactly, where q >= 1/4 or so; None for smaller q."""
    if magnitude(q) < -1:
        return None
    return Fraction(1, 2) - q if isinstance(q, Fraction) else libmp.mpf_sub(libmp.fhalf, q)


def _excess(q: Point, gap: Point | None, t: Mpf, bits: int) -> Ends:
    """(Q(t) - q)/phi(t) = M(t) - q peak = gap peak - t T(t), t >= 0; the last keeps relative accuracy near one half."""
    if gap is None:
        return sub(mills_ends(t, bits), mul(as_ends(q, bits), _peak(t, bits), bits), bits)
    return sub(mul(as_ends(gap, bits), _peak(t, bits), bits), mul((t, t), _odd_series(t, bits), bits), bits)


def _reach(q: Point, bits: int) -> Mpf:
    """An upper bound of sqrt(2 log(1/q))."""
    return sqrt(doubled(neg(log_ends(q, bits)), 1), bits)[1]


def _guess(q: Point, gap: Point | None) -> Mpf:
    """The quantile of 0 < q < 1/2 to about 35 bits, unproved.

    A rational function (Abramowitz and Stegun 26.2.23, off by 0.00045), or sqrt(2 pi) gap near one half; then one step
    of the inverse's Taylor series, in Q or, for small q, in log Q.
    """
    bits = 48
    if gap is not None and magnitude(gap) < -4:
        t = mul(root_two_pi(bits), as_ends(gap, bits), bits)[0]
    else:
        u = floored(_reach(q, bits), 32)
        top = (2515517 << 64) + (802853 * u << 32) + 10328 * u**2
        bottom = (1000000 << 96) + (1432788 * u << 64) + (189269 * u**2 << 32) + 1308 * u**3
        t = libmp.from_man_exp(max(0, u - (top << 64) // bottom), -32)
    if gap is None:
        mills, below = mills_ends(t, bits), mul(as_ends(q, bits), _peak(t, bits), bits)
        if below[1] == libmp.finf:
            return t
        m, d = mills[0], log_ends(div(mills, below, bits)[0], bits)[0]
        bend = sub(mul((t, t), (m, m), bits), ONE, bits)
        step = mul(mul((m, m), (d, d), bits), add(ONE, doubled(mul(bend, (d, d), bits), -1), bits), bits)
    else:
        e = _excess(q, gap, t, bits)
        square = mul(e, e, bits)
        step = add(e, doubled(mul((t, t), square, bits), -1), bits)
        cube = mul(mul(e, square, bits), add(ONE, doubled(mul((t, t), (t, t), bits), 1), bits), bits)
        step = add(step, div(cube, integer(6), bits), bits)
    return _positive(add((t, t), step, bits))[0]


def poisson_ends(count: int, y: Point, bits: int) -> Ends:
    """e^(-y) times the sum of y^j/j! over 0 <= j < count, for y >= 0; [0, 1] beyond MAX_COUNT terms or y >= 2^63.

    With m the lesser of count - 1 and floor(y), the largest term y^m/m! leads. Down from it the terms are its multiples
    by m/y, m/y (m-1)/y, ..., up from it by y/(m+1), y/(m+1) y/(m+2), ...: products of factors that fall and are at most
    1.
    """
    if count > MAX_COUNT or magnitude(y) > HUGE:
        return fzero, fone
    if count < 1:
        return ZERO
    m = min(count - 1, floored(y, 0))
    working = bits + _GUARD + 2 * count.bit_length()
    low, high = floored(y, working), floored(y, working) + 1
    one = 1 << (2 * working)
    down = _products(((one * j // high, raised_quotient(one * j, low)) for j in range(m, 0, -1)), working)
    up = _products(((low // j, raised_quotient(high, j)) for j in range(m + 1, count)), working)
    lead = mul(exp_ends(opposite(y), working), power(as_ends(y, working), m, working), working)
    lead = div(lead, integer(math.factorial(m)), working)
    total = scaled(down[0] + up[0] + (1 << working), down[1] + up[1] + (1 << working), -working, working)
    lower, upper = mul(lead, total, bits)
    return lower, upper if libmp.mpf_lt(upper, fone) else fone


def _products(factors: Iterable[tuple[int, int]], working: int) -> tuple[int, int]:
    """The sum of the products of the first 1, 2, ... factors, which fall and are at most 1, in fixed point.

    Stops where the products vanish and the factor is at most 1/2: those left out stay below the last raised product.
    """
    lower = upper = 0
    low = high = 1 << working
    for least, most in factors:
        low = (low * least) >> working
        high = ((high * most) >> working) + 1
        lower, upper = lower + low, upper + high
        if low == 0 and 2 * most <= 1 << working:
            return lower, upper + high
    return lower, upper
