"""Binary logistic head with regularised intercept: minimisers, record-Lipschitz constant, gradient caps (H2, B7).

Loss l(theta; (x, y)) = log(1 + e^{-m}) with the margin m = y <theta, x~>, x~ = (x, 1), theta = (w, b), y = +-1, ||x||
<= B, so ||x~|| <= B~ = sqrt(B^2 + 1). grad l = -y a x~ with a = 1/(1 + e^m). The objective is mean loss + (lambda/2)
||theta||^2, the intercept b included; nothing here applies where it is not regularised.
"""

from __future__ import annotations

from certify.statements.augmented import augmented_bound, margin_maximum, midpoint_bound
from certify.statements.language import Reals, X


def paper_radius(R: Reals[X], feature_bound: X, regularization: X) -> X:
    """H2, paper. Every minimiser has ||theta|| <= B~/lambda.

    Proof: lambda theta = -mean of grad l_i, each of norm <= B~. Hypotheses: lambda > 0.
    Source: Ball-DP Proposition 12, Section 12.2.
    """
    return augmented_bound(R, feature_bound) / regularization


def sharp_radius(R: Reals[X], feature_bound: X, regularization: X) -> X:
    """H2, sharp. Every minimiser has ||theta|| <= sqrt(omega/lambda) if B~ sqrt(omega/lambda) >= 1 + omega; else it is
    at most the unique root R of lambda R = B~/(1 + e^{B~ R}).

    Proof: stationarity and an inner product with theta give lambda ||theta||^2 = mean of m_i/(1 + e^{m_i}) <= omega
    (``margin_maximum``), the first bound. In the second case |m_i| <= B~ ||theta|| <= 1 + omega, where m/(1 + e^m)
    increases, so lambda ||theta||^2 <= B~ ||theta||/(1 + e^{B~ ||theta||}): ||theta|| is at most the root, as lambda R
    - B~/(1 + e^{B~ R}) increases, from -B~/2 at 0 to a value >= 0 at sqrt(omega/lambda). At the tie the root is
    sqrt(omega/lambda).
    Attained: the second case always (all records equal, aligned, ||x|| = B); the first when B >= 1 and n is even, or
    when lambda (1 + omega)^2/omega lies in [1, B~^2]. Otherwise valid, not always attained.
    Hypotheses: lambda > 0. Source: new, from Ball-DP Section 12.2.
    """
    bound, omega = augmented_bound(R, feature_bound), margin_maximum(R, R(1))
    largest = R.sqrt(omega / regularization)
    return R.choose(
        1 + omega,
        "<=",
        bound * largest,
        lambda: largest,
        lambda: R.root(lambda r: regularization * r - bound / (1 + R.exp(bound * r)), R(0), largest),
    )


def paper_lipschitz(feature_bound: X, regularization: X) -> X:
    """H2, paper. L_z = 1 + B~ R/4 at R = B~/lambda, that is 1 + (B^2 + 1)/(4 lambda): x -> grad l is Lipschitz on
    ||x|| <= B.

    Proof: a x~ - a' x~' = a (x~ - x~') + (a - a') x~' with a <= 1, and a is 1/4-Lipschitz in the margin.
    Source: Ball-DP Proposition 12, Section 12.2.
    """
    return 1 + (feature_bound**2 + 1) / (4 * regularization)


def sharp_lipschitz(R: Reals[X], feature_bound: X, minimiser_radius: X) -> X:
    """H2, sharp. L_z(R) = max over a in [0, a_max] of a + c a (1 - a), with c = B~ R and a_max = 1/(1 + e^{-c}).

    Proof: the derivative of grad l in x is -y a I + a (1 - a) x~ w^T (I with a zero row below), of norm at most
    a + a (1 - a) B~ ||w||, ||w|| <= R; as |m| <= c, a <= a_max. The ball ||x|| <= B is convex, so this bounds the
    Lipschitz constant. The concave function of a has its maximum at a = (1 + c)/(2c), with value (1 + c)^2/(4c), if
    that is <= a_max, and at a_max else. It is nondecreasing in c.
    Source: new, from Ball-DP Section 12.2.
    """

    def largest(c: X) -> X:
        odds = R.exp(-c)
        share = 1 / (1 + odds)
        return R.choose(
            1 + c,
            "<=",
            2 * c * share,
            lambda: (1 + c) ** 2 / (4 * c),
            lambda: share + c * share * odds * share,
        )

    return R.increasing(largest, augmented_bound(R, feature_bound) * minimiser_radius)


def gradient_bound(R: Reals[X], feature_bound: X, minimiser_radius: X) -> X:
    """B7. g = B~/(1 + e^{-B~ R}) bounds ||grad l|| = a ||x~|| over all records, any label, at every ||theta|| <= R.
    [new]"""
    bound = augmented_bound(R, feature_bound)
    return bound / (1 + R.exp(-(bound * minimiser_radius)))


def midpoint_difference(R: Reals[X], feature_bound: X, minimiser_radius: X, radius: X) -> X:
    """H2, sharp D(r). a_max r + tanh(R r/4) sqrt(B~^2 - r^2/4) bounds the gradient difference, for r <= 4 B~/sqrt(5).

    Proof: a x~ - a' x~' = ((a + a')/2)(x~ - x~') + (a - a')(x~ + x~')/2; let d = ||x - x'|| <= r. (a + a')/2 <= a_max,
    the midpoint has squared norm <= B~^2 - d^2/4, and margins at most R d apart give |a - a'| <= tanh(R d/4), the
    difference of the logistic function at +-R d/2. As d <= 2 B~, tanh(R d/4) <= tanh(B~ R/2) = 2 a_max - 1 <= a_max,
    so ``where_midpoint_grows`` applies.
    Hypotheses: 0 <= r <= min(2B, 4 B~/sqrt(5)), ||theta|| <= R. Source: new.
    """
    bound = augmented_bound(R, feature_bound)
    share = 1 / (1 + R.exp(-(bound * minimiser_radius)))
    return share * radius + _tanh(R, minimiser_radius * radius / 4) * midpoint_bound(R, feature_bound, radius)


def _tanh(R: Reals[X], x: X) -> X:
    """tanh x for x >= 0; it is at most x, which keeps the upper end good where 1 - e^{-2x} cancels."""
    decay = R.exp(-2 * x)
    return R.minimum(x, (1 - decay) / (1 + decay))
