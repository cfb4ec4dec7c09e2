"""Ball-ReRo: bounds on the success of an informed adversary who reconstructs the one unknown record (R1-R5).

The hidden record has a prior supported in the ball B_d(u, r): one common label, ||u|| <= B (else project u onto the
ball, distances do not grow). ``baseline`` is kappa, the best success probability without the release. The comparison
world hides u itself, so the sensitivity in mu = Delta/sigma is the one at radius r, not 2r. With no centre known, take
a candidate as u and r = the largest distance to it. Every bound holds against every adversary, whatever it computes.
"""

from __future__ import annotations

from collections.abc import Callable

from certify.statements.language import Reals, X


def from_privacy(R: Reals[X], epsilon: X, delta: X, baseline: X) -> X:
    """R1. (r, epsilon, delta)-Ball-DP gives success <= e^epsilon kappa + delta, and <= 1.

    Proof: the event "the guess is right", for each hidden record, against the world with hidden record u, where its
    probability averages to at most kappa over the prior.
    Hypotheses: epsilon >= 0, delta >= 0, 0 <= kappa <= 1. Source: Ball-DP Theorem 6.
    """
    return R.minimum(R(1), R.exp(epsilon) * baseline + delta)


def renyi_divergence(order: X, ratio: X) -> X:
    """R2. The Renyi divergence of order alpha between the two releases is alpha mu^2/2 (natural logarithm).

    Hypotheses: alpha > 1, mu = Delta/sigma >= 0. Source: Ball-DP Lemma 1.
    """
    return order * ratio**2 / 2


def from_renyi(R: Reals[X], order: X, ratio: X, baseline: X) -> X:
    """R2. Success <= (kappa e^{alpha mu^2/2})^{(alpha-1)/alpha}, and <= 1, for a Gaussian release and a given order
    alpha.

    Closed cases: kappa = 0 gives 0; mu = 0 gives kappa, as the release is independent of the hidden record.
    Hypotheses: alpha > 1, mu >= 0, 0 <= kappa <= 1. Source: Ball-DP Theorem 7, Lemma 1.
    """
    return _closed(R, ratio, baseline, lambda: R.minimum(R(1), R.exp(_renyi_exponent(R, order, ratio, baseline))))


def _renyi_exponent(R: Reals[X], order: X, ratio: X, baseline: X) -> X:
    return (order - 1) / order * (R.log(baseline) + renyi_divergence(order, ratio))


def from_best_renyi(R: Reals[X], ratio: X, baseline: X) -> X:
    """R2. The least of ``from_renyi`` over alpha > 1: exp(-(sqrt(log(1/kappa)) - mu/sqrt 2)_+^2).

    Proof: with l = log(1/kappa) the exponent is alpha mu^2/2 + l/alpha - mu^2/2 - l, least at alpha* = sqrt(2 l)/mu,
    where it is -(sqrt l - mu/sqrt 2)^2. If alpha* <= 1, that is sqrt l <= mu/sqrt 2, it increases on alpha > 1 from 0,
    and the bound is 1; both agree at alpha* = 1.
    Closed cases: kappa = 0 gives 0, mu = 0 gives kappa.
    Hypotheses: mu >= 0, 0 <= kappa <= 1. Source: Ball-DP Theorem 7; the best order is new.
    """

    def best() -> X:
        gap = R.sqrt(-R.log(baseline)) - ratio / R.sqrt(R(2))
        return R.minimum(R.exp(-(R.maximum(R(0), gap) ** 2)), R(1))

    return _closed(R, ratio, baseline, best)


def from_gaussian(R: Reals[X], ratio: X, baseline: X) -> X:
    """R3. Success <= Phi(Phi^{-1}(kappa) + mu) for a Gaussian release of ratio mu.

    Statement: among events of probability kappa under N(0, 1), this is the most that N(mu, 1) gives (Neyman-Pearson).
    A uniform prior on m candidates has kappa = 1/m, a general finite prior kappa = max pi_i.
    Computed as Q(Q^{-1}(kappa) - mu) for kappa <= 1/2, else as 1 - Q(Q^{-1}(1 - kappa) + mu), so that neither a small
    kappa nor a small 1 - kappa is lost. Closed cases: kappa = 0 gives 0, kappa = 1 gives 1, mu = 0 gives kappa.
    Hypotheses: mu >= 0, 0 <= kappa <= 1. Source: Ball-DP Theorem 8, Corollary 1.
    """

    def tested() -> X:
        return R.choose(
            2 * baseline,
            "<=",
            R(1),
            lambda: R.upper_tail(R.upper_quantile(baseline) - ratio),
            lambda: 1 - R.upper_tail(R.upper_quantile(1 - baseline) + ratio),
        )

    return R.choose(R(1), "<=", baseline, lambda: R(1), lambda: _closed(R, ratio, baseline, tested))


def _closed(R: Reals[X], ratio: X, baseline: X, otherwise: Callable[[], X]) -> X:
    """0 for kappa = 0, kappa for mu = 0, else the bound."""
    return R.choose(
        baseline,
        "<=",
        R(0),
        lambda: R(0),
        lambda: R.choose(ratio, "<=", R(0), lambda: baseline, otherwise),
    )
