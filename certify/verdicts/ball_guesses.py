"""Untrusted guesses at the change that would certify a claim on Gaussian output perturbation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import epsilon_for, midpoint, ratio_for
from certify.statements import reconstruction
from certify.statements.rules.claim import ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.rule import Evaluated
from certify.statements.rules.sensitivity import radius_of

_DIGITS = 8
_BITS = 96

Guess = Callable[[], Fraction | None]


@dataclass(frozen=True)
class Guesses:
    """Where each knob may begin to certify; each is evaluated when asked."""

    sigma: Guess
    epsilon: Guess
    success: Guess
    radius: Guess
    n: Guess


def guesses(claims: ClaimFile, claim: DifferentialPrivacy | Reconstruction, sensitivity: Evaluated) -> Guesses:
    """From the ratio that the claim allows: sigma = Delta/ratio, and n and radius in the same proportion."""

    def present() -> Fraction | None:
        found = midpoint(sensitivity(Intervals(_BITS)))
        return found if found is not None and found > 0 else None

    def allowed() -> Fraction | None:
        if isinstance(claim, DifferentialPrivacy):
            return ratio_for(claim.epsilon, claim.delta, _DIGITS) if 0 < claim.delta < 1 else None
        return _ratio_for_success(claim.kappa, claim.success)

    def sigma() -> Fraction | None:
        delta, ratio = present(), allowed()
        return delta / ratio if delta and ratio else None

    def shortfall() -> Fraction | None:
        wanted = sigma()
        return wanted / claims.release.sigma if wanted else None

    def epsilon() -> Fraction | None:
        delta = present()
        if not isinstance(claim, DifferentialPrivacy) or delta is None or not 0 < claim.delta < 1:
            return None
        return epsilon_for(claim.delta, delta / claims.release.sigma, _DIGITS)

    def success() -> Fraction | None:
        delta = present()
        if not isinstance(claim, Reconstruction) or delta is None:
            return None
        R = Intervals(_BITS)
        return midpoint(reconstruction.from_gaussian(R, R(delta / claims.release.sigma), R(claim.kappa)))

    def radius() -> Fraction | None:
        factor, now = shortfall(), radius_of(claims, claim)
        return now / factor if factor and now else None

    def n() -> Fraction | None:
        factor = shortfall()
        return claims.model.n * factor if factor else None

    return Guesses(sigma, epsilon, success, radius, n)


def _ratio_for_success(kappa: Fraction, success: Fraction) -> Fraction | None:
    """The ratio at which R3's bound meets the claimed success: Phi^-1(success) - Phi^-1(kappa)."""
    if not (0 < kappa < 1 and 0 < success < 1):
        return None
    R = Intervals(_BITS)
    gap: Interval = R.upper_quantile(R(kappa)) - R.upper_quantile(R(success))
    found = midpoint(gap)
    return found if found is not None and found > 0 else None
