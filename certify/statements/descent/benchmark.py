"""Appendix C.5 (D7): the exact Gaussian benchmark, a floor under every class-level certificate.

Statement: for linear losses l(t, y) = -L1 t y with ridge, w_N = -((1 - rho^N)/mu)(b_S + Z) for every N >= 1, an
invertible rescaling of a Gaussian mechanism. Two data sets that differ in the label of one record with |x| = zeta have
|b_S - b_S'| = G, so the release has exactly the profile delta(epsilon; G/sigma) for that pair. This loss has |l'| = L1
and l'' = 0: it lies in the class of every (L1, zeta, L2, L3), so a claim over a class with a smaller delta is false. It
is not the logistic loss: a claim on that loss is not refuted this way.
The certificate of the same release by Lemma C.12 is 2 ratio Q1((epsilon - ratio^2/2)/ratio), for epsilon >= ratio^2/2.
Hypotheses: ratio = G/sigma > 0, epsilon >= 0, mu <= L, 0 < eta, eta mu < 1.
Source: GD paper, Appendix C.5; Balle and Wang 2018, Theorem 8, for the profile.
"""

from __future__ import annotations

from certify.statements.descent.constants import Descent
from certify.statements.gaussian import profile
from certify.statements.language import Condition, Conditions, Reals, X, at_most, below


def certificate(R: Reals[X], epsilon: X, ratio: X) -> X:
    """2 ratio Q1((epsilon - ratio^2/2)/ratio), the integrated-tail bound with no determinant term. [Lemma C.12]"""
    return 2 * ratio * R.q1(epsilon / ratio - ratio / 2)


def certificate_range(epsilon: X, ratio: X) -> Condition[X]:
    """Lemma C.12 needs its threshold to be nonnegative."""
    return at_most("ratio^2/2 <= epsilon", ratio**2 / 2, epsilon)


def class_floor(R: Reals[X], p: Descent[X], epsilon: X) -> X:
    """delta(epsilon; G/sigma), at most the delta of every true claim over the class."""
    return profile(R, epsilon, p.G / p.sigma)


def hypotheses(R: Reals[X], p: Descent[X], epsilon: X) -> Conditions[X]:
    """What makes the linear loss a member of the class, and its release a Gaussian mechanism."""
    yield at_most("0 <= epsilon", R(0), epsilon)
    yield at_most("mu <= L (the linear loss has smoothness mu)", p.mu, p.L)
    yield below("0 < eta", R(0), p.eta)
    yield below("eta mu < 1", p.eta * p.mu, R(1))


def refutation(R: Reals[X], p: Descent[X], epsilon: X, delta_claimed: X) -> Conditions[X]:
    """The claim (epsilon, delta) over the class of (L1, zeta, L2, L3) is false."""
    yield from hypotheses(R, p, epsilon)
    yield below("delta < delta(epsilon; G/sigma)", delta_claimed, class_floor(R, p, epsilon), "conclusion")


def pure_refutation(R: Reals[X], p: Descent[X], epsilon: X) -> Conditions[X]:
    """The claim (epsilon, 0) over the class is false: delta(epsilon; ratio) > 0 for every ratio > 0."""
    yield from hypotheses(R, p, epsilon)
    yield below(
        "0 < G/sigma (no Gaussian release of two data sets apart has delta = 0)", R(0), p.G / p.sigma, "conclusion"
    )
