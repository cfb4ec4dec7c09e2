"""What the heads with a regularised intercept share: the augmented features x~ = (x, 1), ||x|| <= B, B~ = sqrt(B^2 +
1)."""

from __future__ import annotations

from certify.statements.language import Reals, X


def augmented_bound(R: Reals[X], feature_bound: X) -> X:
    """B~ = sqrt(B^2 + 1), the bound on ||x~||. [Ball-DP Section 6.2]"""
    return R.sqrt(feature_bound**2 + 1)


def unit_pair_bound(R: Reals[X], feature_bound: X) -> X:
    """sqrt(2) B~ = sqrt(2 (B^2 + 1)), the bound on ||a|| ||x~|| for a = p - e_y. [Ball-DP Section 12.3]"""
    return R.sqrt(2 * (feature_bound**2 + 1))


def midpoint_bound(R: Reals[X], feature_bound: X, radius: X) -> X:
    """sqrt(B~^2 - r^2/4), the bound on ||(x~ + x~')/2|| for ||x - x'|| = r <= 2B (parallelogram identity). [new]"""
    return R.sqrt(feature_bound**2 + 1 - radius**2 / 4)


def where_midpoint_grows(R: Reals[X], feature_bound: X, radius: X, midpoint: X, otherwise: X) -> X:
    """``midpoint`` for r <= 4 B~/sqrt(5), ``otherwise`` beyond, where the midpoint forms of H2 and H3 may fall in r.

    Proof of the range: both forms are f(d) = p d + g(d) s with s = sqrt(B~^2 - d^2/4), g >= 0 nondecreasing and g <=
    p, so f' >= p - g d/(4s) >= p (1 - d/(4s)), and d <= 4s is 5 d^2 <= 16 B~^2. So f(r) bounds every f(d), d <= r.
    [new]
    """
    return R.choose(5 * radius**2, "<=", 16 * (feature_bound**2 + 1), lambda: midpoint, lambda: otherwise)


def margin_maximum(R: Reals[X], rivals: X) -> X:
    """omega = W0(rivals/e), the maximum over x of x/(1 + e^x/rivals); rivals = 1 for the logistic loss, K - 1 for
    softmax.

    Proof: the derivative has the sign of 1 + (1 - x) e^x/rivals, which is positive below the x with (x - 1) e^x =
    rivals and negative above. With x = 1 + omega that is omega e^omega = rivals/e, and the value is (1 + omega)/(1 +
    1/omega) = omega. omega is the root of w e^{1+w} - rivals, which increases from -rivals at w = 0; at w = log(1 +
    rivals/e) it is (e + rivals) w - rivals >= 0, since log(1 + v) >= v/(1 + v).
    Hypotheses: rivals >= 1. At rivals = 1, omega = 0.27846454... Source: new.
    """
    upper = R.log(1 + rivals / R.exp(R(1)))
    return R.root(lambda w: w * R.exp(1 + w) - rivals, R(0), upper)
