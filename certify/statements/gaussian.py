"""The Gaussian mechanism: exact privacy profile, tight epsilon, calibration, classic formula, composition (G1-G5).

Throughout mu = Delta/sigma is the ratio of l2 sensitivity to noise scale, sigma a standard deviation, and phi, Q the
standard normal density and upper tail. Adjacency is the caller's: the profile is exact for one pair of outputs at
distance Delta.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.statements.language import Condition, Conditions, Reals, X, at_most, below

_SMALL = Fraction(1, 1 << 16)


def profile(R: Reals[X], epsilon: X, ratio: X) -> X:
    """G1. The privacy profile of one Gaussian release.

    Statement: x -> x + N(0, sigma^2 I) has, for a pair at distance Delta and mu = Delta/sigma, the exact profile
    delta(epsilon; mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu); it is 0 at mu = 0.
    Computed as phi(a) (M(a) - M(b)) with a = epsilon/mu - mu/2, b = a + mu and the Mills ratio M = Q/phi, the same
    value since e^epsilon phi(b) = phi(a); for a <= 0 as Q(a) - phi(a) M(b). For small mu, where that cancels, it is
    cut to its bounds mu e^epsilon Q1(b) <= delta <= mu Q1(a): M' = -Q1/phi, and Q1/phi decreases, so M(a) - M(b) lies
    between mu Q1(b)/phi(b) and mu Q1(a)/phi(a). Always cut to [0, 1].
    Strictly increasing in mu, so an uncertain mu is evaluated at its ends.
    Hypotheses: epsilon >= 0, mu >= 0.
    Source: Ball-DP Section 3.2, Theorem 3; Balle and Wang 2018, Theorem 8.
    """

    def at(mu: X) -> X:
        near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
        peak = density(R, near)
        difference = R.choose(
            near,
            "<=",
            R(0),
            lambda: R.upper_tail(near) - peak * R.mills(far),
            lambda: peak * (R.mills(near) - R.mills(far)),
        )

        def cut() -> X:
            most, least = mu * R.q1(near), mu * R.exp(epsilon) * R.q1(far)
            return R.maximum(R.minimum(difference, most), least)

        value = R.choose(mu, "<=", R(_SMALL), cut, lambda: difference)
        return R.maximum(R.minimum(value, R(1)), R(0))

    def curve(mu: X) -> X:
        return R.choose(mu, "<=", R(0), lambda: R(0), lambda: at(mu))

    return R.increasing(curve, ratio)


def density(R: Reals[X], t: X) -> X:
    """phi(t) = exp(-t^2/2)/sqrt(2 pi)."""
    return R.exp(-(t**2) / 2) / R.sqrt(2 * R.pi)


def total_variation(R: Reals[X], ratio: X) -> X:
    """delta(0; mu) = 2 Phi(mu/2) - 1, the total variation distance of the pair. [Balle and Wang 2018]"""
    return profile(R, R(0), ratio)


def tight_epsilon(R: Reals[X], delta: X, ratio: X, lower: X, upper: X) -> Conditions[X]:
    """G2. The least epsilon at which a Gaussian release is (epsilon, delta)-private lies in [lower, upper].

    Statement: the profile is strictly decreasing in epsilon, so delta(upper; mu) <= delta and delta(lower; mu) >
    delta enclose the root. Closed cases: 0 if 2 Phi(mu/2) - 1 <= delta, delta >= 1 or mu = 0; no finite epsilon if
    delta = 0 < mu.
    Hypotheses: 0 < delta < 1, mu > 0; lower and upper are witnesses, and lower = 0 needs no proof.
    Source: Ball-DP Section 3.2; Balle and Wang 2018, Theorem 8.
    """
    yield at_most("0 <= upper", R(0), upper)
    yield at_most("delta(upper; mu) <= delta", profile(R, upper, ratio), delta, "conclusion")
    yield below("delta < delta(lower; mu)", delta, profile(R, lower, ratio), "conclusion")


def analytic_sigma(R: Reals[X], epsilon: X, delta: X, sensitivity: X, lower: X, upper: X) -> Conditions[X]:
    """G3. Analytic Gaussian calibration: AGM(epsilon, delta, Delta) lies in [lower, upper].

    Statement: AGM = inf {sigma > 0 : delta(epsilon; Delta/sigma) <= delta}. The profile decreases in sigma, so it is
    enclosed by sigma = upper with delta(epsilon; Delta/upper) <= delta and sigma = lower with delta(epsilon;
    Delta/lower) > delta.
    Closed cases: 0 if Delta = 0 or delta >= 1; no finite sigma if delta = 0 < Delta; epsilon = 0 is allowed.
    Hypotheses: epsilon >= 0, 0 < delta < 1, Delta > 0; lower and upper are witnesses.
    Units: sigma is a standard deviation in the units of Delta.
    Source: Ball-DP Theorem 3; Balle and Wang 2018, Theorem 8.
    """
    yield below("0 < upper", R(0), upper)
    yield below("0 < lower", R(0), lower)
    yield at_most("delta(epsilon; Delta/upper) <= delta", profile(R, epsilon, sensitivity / upper), delta, "conclusion")
    yield below("delta < delta(epsilon; Delta/lower)", delta, profile(R, epsilon, sensitivity / lower), "conclusion")


def classic_sigma(R: Reals[X], epsilon: X, delta: X, sensitivity: X) -> X:
    """G4. The classic calibration sigma_c = (Delta/epsilon) sqrt(2 log(1.25/delta)).

    Statement: (epsilon, delta)-DP at sigma_c is proved for 0 < epsilon < 1 only; beyond, the profile at sigma_c
    decides.
    Hypotheses: 0 < epsilon < 1, 0 < delta < 1, Delta > 0 (``classic_range`` states the first).
    Source: Dwork and Roth 2014, Theorem A.1; Ball-DP Section 3.2 states the formula with no range.
    """
    return sensitivity / epsilon * R.sqrt(2 * R.log(R(5) / 4 / delta))


def classic_range(R: Reals[X], epsilon: X) -> Condition[X]:
    """The range in which the classic calibration is a theorem, 0 < epsilon < 1. [Dwork and Roth 2014, Theorem A.1]"""
    return below("epsilon < 1 (Dwork and Roth, Theorem A.1, proves the classic formula only there)", epsilon, R(1))


def composed_ratio(R: Reals[X], ratios: Sequence[X]) -> X:
    """G5. Composition of Gaussian releases: one Gaussian release of ratio sqrt(sum of mu_i^2).

    Statement: k Gaussian releases of ratios mu_i on the same adjacency, adaptive or not, have exactly the profile of
    one release with mu = sqrt(sum of mu_i^2).
    Hypotheses: mu_i >= 0, the same adjacency throughout.
    Source: Ball-DP Section 3.2; Dong, Roth and Su 2022 (Gaussian differential privacy), Corollary 3.3.
    """
    total = R(0)
    for ratio in ratios:
        total = total + ratio**2
    return R.sqrt(total)
