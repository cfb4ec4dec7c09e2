"""Squared hinge without intercept: radius of the minimisers, record-Lipschitz constant, gradient caps (H1, B7).

Loss l(w; (x, y)) = max(0, 1 - y <w, x>)^2 with y = +-1 and ||x|| <= B, so grad l = -2 y h x with h = max(0, 1 - m) and
the margin m = y <w, x>. The objective is mean loss + (lambda/2) ||w||^2. "Minimiser" is that of any data set of any
size.
"""

from __future__ import annotations

from certify.statements.language import Reals, X


def paper_radius(R: Reals[X], regularization: X) -> X:
    """H1, paper. Every minimiser has ||w|| <= sqrt(2/lambda).

    Proof: (lambda/2) ||w||^2 <= F(w) <= F(0) = 1.
    Hypotheses: lambda > 0. Source: Ball-DP Proposition 12, Section 12.1.
    """
    return R.sqrt(2 / regularization)


def sharp_radius(R: Reals[X], feature_bound: X, regularization: X) -> X:
    """H1, sharp. Every minimiser has ||w|| <= 1/sqrt(2 lambda) if 2B^2 >= lambda, else <= 2B/(lambda + 2B^2).

    Proof: stationarity is lambda w = mean of 2 y_i h_i x_i. Taking the inner product with w,
    lambda ||w||^2 = mean of 2 (1 - m_i)_+ m_i. The function 2 (1 - m)_+ m of one margin is at most 1/2, at m = 1/2,
    which gives ||w|| <= 1/sqrt(2 lambda). Hence m_i <= B ||w|| <= B/sqrt(2 lambda), and if 2B^2 < lambda this is below
    1/2, where the function increases; so lambda ||w||^2 <= 2 B ||w|| (1 - B ||w||), that is ||w|| <= 2B/(lambda +
    2B^2). At lambda = 2B^2 both are 1/(2B).
    Attained: always, by equal records with y = 1 and ||x|| = sqrt(lambda/2) in the large branch, ||x|| = B in the
    small one.
    Hypotheses: lambda > 0, B >= 0. Source: new, from Ball-DP Section 12.1.
    """
    twice_square = 2 * feature_bound**2
    return R.choose(
        regularization,
        "<=",
        twice_square,
        lambda: 1 / R.sqrt(2 * regularization),
        lambda: 2 * feature_bound / (regularization + twice_square),
    )


def lipschitz(feature_bound: X, minimiser_radius: X) -> X:
    """H1. L_z(R) = 2 + 4 B R: x -> grad l(w; (x, y)) is Lipschitz on ||x|| <= B at every ||w|| <= R.

    Proof: h x - h' x' = h (x - x') + (h - h') x' with h <= 1 + B R and |h - h'| <= R ||x - x'||.
    Source: Ball-DP Proposition 12, Section 12.1.
    """
    return 2 + 4 * feature_bound * minimiser_radius


def gradient_bound(feature_bound: X, minimiser_radius: X) -> X:
    """B7. g = 2 B (1 + B R) bounds ||grad l|| = 2 h ||x|| over all records, any label, at every ||w|| <= R. [new]"""
    return 2 * feature_bound * (1 + feature_bound * minimiser_radius)


def midpoint_difference(R: Reals[X], feature_bound: X, minimiser_radius: X, radius: X) -> X:
    """H1, sharp D(r). 2r + 4R (r sqrt(B^2 - r^2/4) if r <= sqrt(2) B, else B^2) bounds the gradient difference.

    Proof: let d = ||x - x'|| <= r and s = ||(x + x')/2||, so s^2 <= B^2 - d^2/4. If neither hinge is zero, then
    h x - h' x' = ((h + h')/2)(x - x') + (h - h')(x + x')/2 with (h + h')/2 = 1 - y <w, (x + x')/2> <= 1 + R s and
    |h - h'| <= R d; twice the norm is at most f(d) = 2d + 4 R d sqrt(B^2 - d^2/4). If one hinge is zero, say that of
    x', move x' towards x until its hinge is just zero: the gradients stay as they are and d does not grow, so f of a
    smaller distance bounds it. d sqrt(B^2 - d^2/4) increases to its maximum B^2 at d = sqrt(2) B, so the supremum of f
    over d <= r is at most the value stated, which is nondecreasing in r. (If both are zero the difference is 0.)
    Hypotheses: 0 <= r <= 2B, ||w|| <= R. Source: new.
    """
    square = radius**2
    product = R.choose(
        square,
        "<=",
        2 * feature_bound**2,
        lambda: radius * R.sqrt(feature_bound**2 - square / 4),
        lambda: feature_bound**2,
    )
    return 2 * radius + 4 * minimiser_radius * product
