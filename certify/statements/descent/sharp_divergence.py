"""D8 (e): for a loss whose derivative has one sign, the divergence term is half of the one for any loss."""

from __future__ import annotations

from certify.statements.language import Reals, X
from certify.statements.tails import folded_tail, integrated_tail


def divergence(R: Reals[X], ratio: X, threshold: X, *, one_signed: bool) -> X:
    """A bound on E(1 - e^{-(G/sigma)(T - t)})_+, ratio = G/sigma, threshold = t >= 0.

    Statement: 2 (G/sigma) Q1(t) for any loss (Lemma C.12); (G/sigma) Q1(t) if l'(., y) has one sign for each y.
    Proof: the divergence of S against S' asks for an upper bound of the loss only, in which the perturbation enters
    through <Z, g>/sigma^2, g = (l'(<x, w>, y) x - l'(<x', w>, y') x')/n at the released w = w_N, (x, y) and (x', y')
    the two records that differ (Proposition C.3). Let s and s' be the signs of l'(., y) and l'(., y'): known before w
    is. Then l' <x, Z> = |l'| s <x, Z> <= L1 (s <x, Z>)_+, and so
    <Z, g> <= (L1/n)((s <x, Z>)_+ + (-s' <x', Z>)_+) = G sigma (a W_+ + a' W'_+)/2 = G sigma T
    with G = 2 L1 zeta/n, a = |x|/zeta and a' = |x'|/zeta in [0, 1], and standard normals W, W' that do not depend on w.
    By convexity (T - t)_+ <= ((a W_+ - t)_+ + (a' W'_+ - t)_+)/2, by t >= 0 and a <= 1 (a W_+ - t)_+ <= (W_+ - t)_+,
    and E(W_+ - t)_+ is the integral of Q over [t, infinity), Q1(t): half of E(|W| - t)_+. So E(T - t)_+ <= Q1(t)
    whatever the joint law, and (1 - e^{-v})_+ <= v_+ ends it as in Lemma C.12. All else in (34) and (42) stays.
    Holds in Theorem 4.1 and Theorem C.13, for both orders of the pair: exchanging them exchanges the two signs.
    Hypotheses: one_signed holds of the loss; logistic: the sign of -y; linear l = -ty: the same. The class of losses
    with given L1, L2, L3 does not have it.
    """
    return ratio * integrated_tail(R, threshold) if one_signed else folded_tail(R, ratio, threshold)
