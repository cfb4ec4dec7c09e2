"""exp, log, pi and normal tails at a rational point, in Python's integers: pairs of rationals around the value.

Fixed point: v at ``w`` stands for v/2^w. Continued fractions are evaluated backward from an interval that contains the
true tail, one side floored and the other raised at every step, so that neither rounding nor convergence needs a further
proof: too few steps only widen. Each value is good to about ``bits`` bits, relative.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt

Pair = tuple[Fraction, Fraction]
FAR = 150_000
_GUARD = 24


def up(n: int, d: int) -> int:
    """n/d for d > 0, raised to a whole number."""
    return -(-n // d)


def down(x: Fraction, bits: int) -> Fraction:
    """x cut downward to ``bits`` bits; below 2^-FAR in size to 0 or -2^-FAR."""
    n, d = x.numerator, x.denominator
    shift = bits - n.bit_length() + d.bit_length()
    if shift > FAR + bits:
        return Fraction(0) if n >= 0 else Fraction(-1, 1 << FAR)
    return Fraction((n << shift) // d, 1 << shift) if shift > 0 else Fraction(n // (d << -shift) << -shift)


def _pair(low: int, high: int, w: int, bits: int) -> Pair:
    """The fixed-point numbers as rationals, cut outward."""
    scale = Fraction(1 << max(-w, 0), 1 << max(w, 0))
    return down(low * scale, bits + 8), -down(-high * scale, bits + 8)


@cache
def log_two(w: int) -> int:
    """l with l <= 2^w log 2 < l + 2: log 2 = sum of 2/((2k+1) 3^(2k+1)), with 32 bits to spare for its floors."""
    total, term, k = 0, (2 << w + 32) // 3, 1
    while term:
        total, term, k = total + term // k, term // 9, k + 2
    return total >> 32


@cache
def pi(w: int) -> int:
    """v with v <= 2^w pi < v + 3: pi = 16 atan(1/5) - 4 atan(1/239), with 32 bits to spare for the floors."""
    total = 0
    for factor, q in ((16, 5), (-4, 239)):
        term, k = (factor << w + 32) // q, 1
        while term not in (0, -1):
            total, term, k = total + (term // k if k % 4 == 1 else -(term // k)), term // (q * q), k + 2
    return (total >> 32) - 1


@cache
def root_two_pi(bits: int) -> Pair:
    """sqrt(2 pi)."""
    w = bits + _GUARD
    return _pair(isqrt(pi(w) << w + 1), isqrt(pi(w) + 3 << w + 1) + 1, w, bits)


def exp(x: Fraction, bits: int) -> Pair | None:
    """e^x for x = n log 2 + r, 0 <= r < 0.7 up to the error of log 2, which is carried in two ends of r.

    None where it is above 2^FAR; below 2^-FAR only that is said.
    """
    if abs(x) * 10 > 6 * FAR:  # e^(6/10) < 2
        return (Fraction(0), Fraction(1, 1 << FAR * 6 // 10)) if x < 0 else None
    w = bits + _GUARD + abs(x.numerator // x.denominator).bit_length()
    low, v = log_two(w), (x.numerator << w) // x.denominator
    n = v // low
    least, most = (v - n * (low + 2), v + 1 - n * low) if n >= 0 else (v - n * low, v + 1 - n * (low + 2))
    return _pair(_small_exp(least, w)[0], _small_exp(most, w)[1], w - n, bits)


def _small_exp(r: int, w: int) -> tuple[int, int]:
    """e^r in fixed point for -0.1 < r < 0.8: (c + r)/(c - r), c = r coth(r/2) = 2 + r^2/(6 + r^2/(10 + ...)) (Lambert).

    The tail from 4k + 2 on lies in [4k + 2, 4k + 3], as r^2 < 1.
    """
    square, steps, gained = r * r, 1, 4
    while gained < w:
        steps, gained = steps + 1, gained + 2 * steps.bit_length() + 2
    low, high = (4 * steps + 2) << w, (4 * steps + 3) << w
    for k in range(steps - 1, -1, -1):
        low, high = ((4 * k + 2) << w) + square // high, ((4 * k + 2) << w) + up(square, low)
    return ((low + r) << w) // (high - r), up((high + r) << w, low - r)


def log(x: Fraction, bits: int) -> Pair:
    """log x for x > 0: x = 2^e a/b with 2/3 <= a/b <= 4/3 and z = (a - b)/(a + b), |z| <= 1/5.

    log(a/b) = 2z/(1 - z^2/(3 - 4z^2/(5 - 9z^2/(7 - ...)))) (Gauss): t_k = 2k + 1 - (k + 1)^2 z^2/t_{k+1} rises in
    t_{k+1}, and every t_k lies in [k + 1/2, 2k + 1], since t_{k+1} >= k + 3/2 gives t_k >= 2k + 1 - (k + 1)/25.
    """
    a, b = x.numerator, x.denominator
    e = a.bit_length() - b.bit_length()
    a, b = a << max(-e, 0), b << max(e, 0)
    if 3 * a > 4 * b:
        b, e = 2 * b, e + 1
    elif 3 * a < 2 * b:
        a, e = 2 * a, e - 1
    w = bits + _GUARD
    square = ((a - b) ** 2 << 2 * w) // (a + b) ** 2
    steps = w // 6 + 2
    low, high = (2 * steps + 1) << w - 1, (2 * steps + 1) << w
    for k in range(steps - 1, -1, -1):
        base, factor = (2 * k + 1) << w, (k + 1) ** 2
        low, high = base - up(factor * (square + 1), low), base - factor * square // high
    z = Fraction((a - b) << w + 1, a + b)  # 2z 2^w, to be divided by t_0 2^w
    least, most = sorted((z / low, z / high))
    whole = sorted((e * log_two(w), e * (log_two(w) + 2)))
    return down(least + Fraction(whole[0], 1 << w), bits + 8), -down(-most - Fraction(whole[1], 1 << w), bits + 8)


def fraction_tails(t: Fraction, bits: int) -> tuple[Pair, Pair] | None:
    """x_0 = t + 1/x_1 and x_1 = t + 2/(t + 3/(t + ...)) of Laplace's fraction: Q/phi = 1/x_0 (Mills ratio).

    The tail x_k = t + (k + 1)/x_{k+1} lies in [t, t + (k + 1)/t]. The step at k gains about log2(t^2/k) bits as long as
    k < t^2, and about (3/2) t/sqrt(k) from there on. None where t < 1, or where the series needs fewer terms.
    """
    fixed, w = int(t * (1 << 16)), bits + _GUARD
    gain = max(1, 2 * (fixed.bit_length() - 17) - w.bit_length() // 2)
    steps = (w * w << 28) // max(fixed * fixed, 1) + w // gain + 8
    if t < 1 or steps > 2 * bits + 60:
        return None
    least = (t.numerator << w) // t.denominator
    low, high = least, least + 1 + up((steps + 1) << 2 * w, least)
    after = (low, high)
    for k in range(steps, 0, -1):
        after = (low, high)
        low, high = least + (k << 2 * w) // high, least + 1 + up(k << 2 * w, low)
    return _pair(low, high, w, bits), _pair(*after, w, bits)


def upper_tail_series(t: Fraction, bits: int) -> Pair:
    """Q(t) = 1/2 - S/sqrt(2 pi), S = sum of (-1)^k t^(2k+1)/(2^k k! (2k+1)), for t >= 0 where the sum is not long.

    The sum alternates and its terms fall from k = t^2/2 on, so what is left out is at most the first term left out.
    """
    square = int(t * t) + 1
    w = bits + _GUARD + 2 * square
    y, low = int(t * t * (1 << w - 1)), int(t * (1 << w))
    high, lower, upper, k = low + 1, 0, 0, 0
    while low or 2 * k <= square:
        least, most = low // (2 * k + 1), up(high, 2 * k + 1)
        lower, upper = (lower + least, upper + most) if k % 2 == 0 else (lower - most, upper - least)
        k += 1
        low, high = (low * y >> w) // k, up((high * (y + 1) >> w) + 1, k)
    root = root_two_pi(w)
    below, above = (lower - high) / root[lower >= high], (upper + high) / root[0]
    half, scale = Fraction(1, 2), 1 << w
    return down(half - above / scale, bits + 8), -down(below / scale - half, bits + 8)
