"""Gaussian tails: the integrated tail, the folded-tail bound, the chi tail (T1-T3).

phi and Q are the standard normal density and upper tail, W and W' standard normals.
"""

from __future__ import annotations

from certify.statements.language import Reals, X

SUMMED = 20_000
"""The largest dimension whose chi tail is summed term by term; above it the geometric bound is used."""


def integrated_tail(R: Reals[X], t: X) -> X:
    """T1. Q1(t), the integral of Q over [t, infinity).

    Statement: Q1(t) = phi(t) - t Q(t) for every real t; strictly decreasing, Q1(-t) = t + Q1(t).
    Proof: the derivative of phi(t) - t Q(t) is -t phi(t) - Q(t) + t phi(t) = -Q(t), and both sides vanish at infinity.
    Source: GD paper, (44).
    """
    return R.q1(t)


def folded_tail(R: Reals[X], rate: X, t: X) -> X:
    """T2. A bound on E(1 - e^{-lambda (T - t)})_+ for T = (a|W| + a'|W'|)/2.

    Statement: for a, a' in [0, 1], any coupling of W and W', lambda > 0 and t >= 0 it is at most 2 lambda Q1(t).
    Hypotheses: rate = lambda > 0, t >= 0.
    Source: GD paper, Lemma C.12; the constant is attained as lambda falls to 0, at a = a' = 1 and W = W'.
    """
    return 2 * rate * integrated_tail(R, t)


def chi_tail(R: Reals[X], dimension: int, radius: X, sigma: X) -> X:
    """T3. A bound on Pr(|Z| > r) for Z ~ N(0, sigma^2 I_k), k at most ``dimension``: the lesser of two.

    Hypotheses: dimension >= 1, radius = r >= 0, sigma > 0 (a standard deviation, in the units of r).
    Source: new; GD paper, Corollary E.4, for the cruder of the two.
    """
    return R.minimum(gamma_tail(R, dimension, radius, sigma), concentration_tail(R, dimension, radius, sigma))


def gamma_tail(R: Reals[X], dimension: int, radius: X, sigma: X) -> X:
    """T3. Pr(|Z| > r) at the least even dimension 2a >= k, which is no smaller.

    Statement: with y = r^2/(2 sigma^2), Pr(|Z| > r) <= e^{-y} sum_{j < a} y^j/j!. Used for y > a - 1 only; 1 elsewhere.
    Proof: |Z|^2/(2 sigma^2) has the Gamma(k/2) law, of upper tail Gamma(k/2, y)/Gamma(k/2); it grows with k, since one
    more coordinate only lengthens Z; at k = 2a the incomplete Gamma function is the finite sum, by parts.
    Summed up to dimension SUMMED, bounded by ``geometric_tail`` above it.
    """
    half = (dimension + 1) // 2
    y = (radius / sigma) ** 2 / 2

    def tail() -> X:
        return R.poisson_below(half, y) if dimension <= SUMMED else geometric_tail(R, half, y)

    return R.choose(R(half - 1), "<", y, tail, lambda: R(1))


def geometric_tail(R: Reals[X], half: int, y: X) -> X:
    """T3. A closed bound on e^{-y} sum_{j < a} y^j/j!, for a = ``half`` >= 2 and y > a - 1.

    Statement: with m = a - 1 it is at most e^{-y} (y^m/m!)/(1 - m/y), and
    m! >= sqrt(2 pi m) (m/e)^m e^{1/(12m + 1)} makes this
    exp(m log(y/m) - (y - m) - 1/(12m + 1))/(sqrt(2 pi m) (1 - m/y)).
    Proof: from the last term down each term is the one above it times j/y <= m/y < 1. The bound falls in y: its
    logarithm has the derivative -(y - m)/y - m/(y(y - m)).
    Source: Robbins 1955, "A remark on Stirling's formula", for the factorial, valid for m >= 1.
    """
    m = half - 1

    def bound(y: X) -> X:
        exponent = m * R.log(y / m) - (y - m) - R(1) / (12 * m + 1)
        return R.exp(exponent) / (R.sqrt(2 * m * R.pi) * (1 - m / y))

    return R.decreasing(bound, y)


def concentration_tail(R: Reals[X], dimension: int, radius: X, sigma: X) -> X:
    """Pr(|Z| > r) <= e^{-u^2/2} with u = max(0, r/sigma - sqrt k).

    Source: GD paper, Corollary E.4: |Z|/sigma is 1-Lipschitz in the standard normal vector and of mean at most sqrt k.
    """
    u = R.maximum(R(0), radius / sigma - R.sqrt(R(dimension)))
    return R.exp(-(u**2) / 2)
