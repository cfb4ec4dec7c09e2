"""exp, log, pi and normal tails at a point, in Python's integers: spans (low, high, e), low 2^e <= value <= high 2^e.

Continued fractions are evaluated backward from an interval that contains the true tail, one side floored, the other
raised at every step, so that neither rounding nor convergence needs a further proof: too few steps only widen.
A point is (n, d, e), the number n/d 2^e with d > 0.
"""

from __future__ import annotations

from functools import cache
from math import isqrt

Span = tuple[int, int, int]
Point = tuple[int, int, int]
FAR = 1 << 40
_GUARD = 24


def up(n: int, d: int) -> int:
    """n/d for d > 0, raised to a whole number."""
    return -(-n // d)


def floored(x: Point, bits: int) -> int:
    """The greatest integer v with v 2^-bits <= x."""
    n, d, e = x
    return n << e + bits if d == 1 and e + bits >= 0 else (n << max(e + bits, 0)) // (d << max(-e - bits, 0))


def magnitude(x: Point) -> int:
    """m with |x| < 2^m, at most two above the least such; for x = 0 far below."""
    return x[0].bit_length() - x[1].bit_length() + x[2] + 1 if x[0] else -FAR


@cache
def log_two(bits: int) -> int:
    """l with l <= 2^bits log 2 < l + 2: log 2 = sum of 2/((2k+1) 3^(2k+1)), floored with 32 bits to spare.

    Of fewer than bits + 32 terms, each floored twice, and a tail below the last term, less than 2^32 units are lost.
    """
    total, term, k = 0, (2 << bits + 32) // 3, 1
    while term:
        total, term, k = total + term // k, term // 9, k + 2
    return total >> 32


@cache
def root_two_pi(bits: int) -> Span:
    """sqrt(2 pi), with pi = 4 (4 atan(1/5) - atan(1/239)) from alternating sums (errors counted as for ``log_two``)."""
    wide = bits + 64
    total = 0
    for factor, q in ((16, 5), (-4, 239)):
        term, k = (factor << wide) // q, 1
        while term not in (0, -1):
            total, term, k = total + (term // k if k % 4 == 1 else -(term // k)), term // (q * q), k + 2
    pi_low, pi_high = (total >> 32) - 1, (total >> 32) + 2
    return isqrt(pi_low << wide - 31), isqrt((pi_high << wide - 31) - 1) + 1, -(wide - 32)


def pi(bits: int) -> Span:
    """pi = (2 pi)/2."""
    low, high, e = root_two_pi(bits + 8)
    return low * low, high * high, 2 * e - 1


def exp(x: Point, bits: int) -> Span:
    """e^x for x = n log 2 + r, 0 <= r < 0.7 up to the error of log 2, which is carried in two ends of r.

    e^r = (c + r)/(c - r) with c = r coth(r/2) = 2 + r^2/(6 + r^2/(10 + ...)) (Lambert), whose tail from 4k + 2 on lies
    in [4k + 2, 4k + 3], as r^2 < 1. Beyond |x| = 2^40 only e^-|x| < 2^-(2^40) is said (None above).
    """
    size = max(magnitude(x), 0)
    if size > 40:
        return (0, 1, -FAR) if x[0] < 0 else (1, 0, FAR)
    w = bits + size + _GUARD
    low, v = log_two(w), floored(x, w)
    n = v // low
    least, most = (v - n * (low + 2), v + 1 - n * low) if n >= 0 else (v - n * low, v + 1 - n * (low + 2))
    below, above = _small_exp(least, w), _small_exp(most, w)
    return below[0], above[1], n - w


def _small_exp(r: int, w: int) -> tuple[int, int]:
    """e^r in fixed point for -0.1 < r/2^w < 0.8."""
    square, steps, gained = r * r, 1, 4
    while gained < w:
        steps, gained = steps + 1, gained + 2 * steps.bit_length() + 2
    low, high = (4 * steps + 2) << w, (4 * steps + 3) << w
    for k in range(steps - 1, -1, -1):
        low, high = ((4 * k + 2) << w) + square // high, ((4 * k + 2) << w) + up(square, low)
    return ((low + r) << w) // (high - r), up((high + r) << w, low - r)


def log(x: Point, bits: int) -> Span:
    """log x for x > 0: x = 2^e a/b with 2/3 <= a/b <= 4/3 and z = (a - b)/(a + b), |z| <= 1/5.

    log(a/b) = 2z/(1 - z^2/(3 - 4z^2/(5 - 9z^2/(7 - ...)))) (Gauss): t_k = 2k + 1 - (k + 1)^2 z^2/t_{k+1} rises in
    t_{k+1}, and every t_k lies in [k + 1/2, 2k + 1], since t_{k+1} >= k + 3/2 gives t_k >= 2k + 1 - (k + 1)/25.
    """
    a, b, e = x
    shift = a.bit_length() - b.bit_length()
    a, b, e = a << max(-shift, 0), b << max(shift, 0), e + shift
    if 3 * a > 4 * b:
        b, e = 2 * b, e + 1
    elif 3 * a < 2 * b:
        a, e = 2 * a, e - 1
    w = bits + _GUARD
    top, bottom = (a - b) * (a - b), (a + b) * (a + b)
    square_low = (top << 2 * w) // bottom
    steps = w // 6 + 2
    low, high = (2 * steps + 1) << w - 1, (2 * steps + 1) << w
    for k in range(steps - 1, -1, -1):
        move = (k + 1) * (k + 1)
        low, high = (
            ((2 * k + 1) << w) - up(move * (square_low + 1), low),
            ((2 * k + 1) << w) - move * square_low // high,
        )
    if e == 0:  # relative accuracy is kept: 2z is scaled before it is divided
        scale = 2 * w + max(0, (a + b).bit_length() - abs(a - b).bit_length())
        least, most = (low, high) if a < b else (high, low)
        return ((a - b) << scale + 1) // ((a + b) * least), up((a - b) << scale + 1, (a + b) * most), w - scale
    ends = [((a - b) << 2 * w + 1) // ((a + b) * t) for t in (low, high)]
    whole = sorted((e * log_two(w + 64), e * (log_two(w + 64) + 2)))
    return min(ends) + (whole[0] >> 64), max(ends) + 1 + up(whole[1], 1 << 64), -w


def fraction_steps(t: Point, bits: int) -> int | None:
    """About the steps of Laplace's fraction that give ``bits`` bits at t, where they are fewer than the series needs.

    The step at k gains about log2(t^2/k) bits as long as k < t^2, and about (3/2) t/sqrt(k) from there on.
    """
    if t[0] <= 0 or floored(t, 0) < 1:
        return None
    fixed, wanted = floored(t, 16), bits + _GUARD
    far = max(1, 2 * (fixed.bit_length() - 17) - wanted.bit_length() // 2)
    steps = (wanted * wanted << 28) // (fixed * fixed) + wanted // far + 8
    return steps if steps <= 2 * bits + 60 else None


def fraction_tails(t: Point, steps: int, bits: int) -> tuple[Span, Span]:
    """x_0 = t + 1/x_1 and x_1 = t + 2/(t + 3/(t + ...)) of Laplace's fraction, t > 0: Q/phi = 1/x_0 (Mills ratio).

    The tail x_k = t + (k + 1)/x_{k+1} lies in [t, t + (k + 1)/t].
    """
    w = bits + _GUARD
    least = floored(t, w)
    high = least + 1 + up((steps + 1) << 2 * w, least)
    low = least
    after = (low, high)
    for k in range(steps, 0, -1):
        after = (low, high)
        low, high = least + (k << 2 * w) // high, least + 1 + up(k << 2 * w, low)
    return (low, high, -w), (*after, -w)


def upper_tail_series(t: Point, bits: int) -> Span:
    """Q(t) = 1/2 - S/sqrt(2 pi), S = sum of (-1)^k t^(2k+1)/(2^k k! (2k+1)), for 0 <= t where the sum is not long.

    The sum alternates and its terms fall from k = t^2/2 on, so what is left out is at most the first term left out.
    """
    square = floored(t, 16)
    square = (square * square >> 32) + 1
    w = bits + _GUARD + 2 * square
    n, d, e = t
    y_low = floored((n * n, 2 * d * d, 2 * e), w)
    low = floored(t, w)
    high, lower, upper, k = low + 1, 0, 0, 0
    while low or 2 * k <= square:
        least, most = low // (2 * k + 1), up(high, 2 * k + 1)
        lower, upper = (lower + least, upper + most) if k % 2 == 0 else (lower - most, upper - least)
        k += 1
        low, high = (low * y_low >> w) // k, up((high * (y_low + 1) >> w) + 1, k)
    root_low, root_high, root_e = root_two_pi(w)
    lower, upper = lower - high, upper + high
    below = up(upper << -root_e, root_low if upper >= 0 else root_high)
    above = (lower << -root_e) // (root_high if lower >= 0 else root_low)
    return (1 << w - 1) - below, (1 << w - 1) - above, -w
