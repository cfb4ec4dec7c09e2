"""Softmax head with regularised intercepts: minimisers, record-Lipschitz constant, gradient caps (H3, B7).

Loss l(W; (x, y)) = -s_y + log sum of e^{s_c} with scores s = W x~, x~ = (x, 1), K >= 2 classes, ||x|| <= B, B~ =
sqrt(B^2 + 1); grad l = (p - e_y) x~^T with p = softmax(s). The objective is mean loss + (lambda/2) ||W||_F^2, the
intercepts included; nothing here applies where they are not regularised. Norms of W and of gradients are Frobenius
norms.
"""

from __future__ import annotations

from certify.statements.augmented import augmented_bound, margin_maximum, midpoint_bound, unit_pair_bound
from certify.statements.language import Reals, X


def paper_radius(R: Reals[X], feature_bound: X, regularization: X) -> X:
    """H3, paper. Every minimiser has ||W|| <= sqrt(2) B~/lambda.

    Proof: lambda W = -mean of grad l_i, each of norm ||p - e_y|| ||x~|| <= sqrt(2) B~. Hypotheses: lambda > 0.
    Source: Ball-DP Proposition 12, Section 12.3.
    """
    return unit_pair_bound(R, feature_bound) / regularization


def sharp_radius(R: Reals[X], feature_bound: X, regularization: X, classes: X) -> X:
    """H3, sharp. With T(R) = sqrt(K/(K-1)) B~ R and omega = W0((K-1)/e), every minimiser has ||W|| <=
    sqrt(omega/lambda) if T(sqrt(omega/lambda)) >= 1 + omega; else it is at most the unique R > 0 with lambda R^2 =
    T(R)/(1 + e^{T(R)}/(K-1)).

    Proof: stationarity and an inner product with W give lambda ||W||^2 = mean of s_y - sum of p_c s_c. With q the
    softmax of the scores off y, H(q) its entropy and x = s_y - sum of q_c s_c, one term is (1 - p_y) x, and as log
    sum_{c != y} e^{s_c} = sum of q_c s_c + H(q), it is x/(1 + e^{x - H(q)}). Since H(q) <= log(K-1) this is at most
    x/(1 + e^x/(K-1)) for x >= 0 (and x <= 0 gives at most 0), which is at most omega (``margin_maximum``): the first
    bound. q gives larger scores larger weight, so x <= s_y - mean over c != y of s_c = <e_y - mean of e_c, W x~> <=
    sqrt(1 + 1/(K-1)) ||W x~|| <= T(||W||). In the second case T(||W||) <= 1 + omega, where x/(1 + e^x/(K-1))
    increases, so lambda ||W||^2 <= T/(1 + e^T/(K-1)) at T = T(||W||). Divided by R, lambda R - sqrt(K/(K-1)) B~/(1 +
    e^{T(R)}/(K-1)) increases, from below 0 at R = 0 to a value >= 0 at sqrt(omega/lambda): ||W|| is at most its root.
    At the tie the root is sqrt(omega/lambda).
    Attained: the second case always (all records equal, aligned, ||x|| = B). Otherwise valid, not always attained.
    Hypotheses: lambda > 0, K >= 2. Source: new, from Ball-DP Section 12.3.
    """
    rivals = classes - 1
    slope, omega = R.sqrt(classes / rivals) * augmented_bound(R, feature_bound), margin_maximum(R, rivals)
    largest = R.sqrt(omega / regularization)
    return R.choose(
        1 + omega,
        "<=",
        slope * largest,
        lambda: largest,
        lambda: R.root(lambda r: regularization * r - slope / (1 + R.exp(slope * r) / rivals), R(0), largest),
    )


def lipschitz(R: Reals[X], feature_bound: X, minimiser_radius: X) -> X:
    """H3. L_z(R) = sqrt(2) + B~ R/2: x -> grad l is Lipschitz on ||x|| <= B at every ||W|| <= R.

    Proof: with a = p - e_y, a x~^T - a' x~'^T = a (x~ - x~')^T + (a - a') x~'^T; ||a|| <= sqrt(2), and softmax is
    1/2-Lipschitz.
    Source: Ball-DP Proposition 12, Section 12.3.
    """
    return R.sqrt(R(2)) + augmented_bound(R, feature_bound) * minimiser_radius / 2


def paper_lipschitz(R: Reals[X], feature_bound: X, regularization: X) -> X:
    """H3, paper. ``lipschitz`` at ``paper_radius``: sqrt(2) (1 + (B^2 + 1)/(2 lambda)). [Ball-DP Proposition 12,
    Section 12.3]"""
    return R.sqrt(R(2)) * (1 + (feature_bound**2 + 1) / (2 * regularization))


def gradient_bound(R: Reals[X], feature_bound: X) -> X:
    """B7. g = sqrt(2) B~ bounds ||grad l|| = ||p - e_y|| ||x~|| over all records, any label, at every W. [Ball-DP
    Section 12.3]"""
    return unit_pair_bound(R, feature_bound)


def midpoint_difference(R: Reals[X], feature_bound: X, minimiser_radius: X, radius: X) -> X:
    """H3, sharp D(r). sqrt(2) r + min(R r/2, sqrt(2)) sqrt(B~^2 - r^2/4) bounds the gradient difference, r <= 4
    B~/sqrt(5).

    Proof: with a = p - e_y, a x~^T - a' x~'^T = ((a + a')/2)(x~ - x~')^T + (a - a')((x~ + x~')/2)^T; let d = ||x -
    x'|| <= r. ||(a + a')/2|| <= sqrt(2), and a - a' = p - p' has norm <= min(R d/2, sqrt(2)), softmax being
    1/2-Lipschitz and both probability vectors. min(R d/2, sqrt(2)) <= sqrt(2), so ``where_midpoint_grows`` applies.
    Hypotheses: 0 <= r <= min(2B, 4 B~/sqrt(5)), equal labels, ||W|| <= R. Source: new.
    """
    root_two = R.sqrt(R(2))
    turn = R.minimum(minimiser_radius * radius / 2, root_two)
    return root_two * radius + turn * midpoint_bound(R, feature_bound, radius)
