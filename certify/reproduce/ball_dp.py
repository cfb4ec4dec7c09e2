"""Facts stated with the Ball-DP statements: transfer, classic formula, heads, reconstruction. None is a bound.

The Ball-DP paper prints no such figure; these are the reference values of the statements that restore its theorems.
"""

from __future__ import annotations

from fractions import Fraction

from certify.kernel.interval import Interval, Intervals
from certify.reproduce.ball_heads import PAPER, SHARP
from certify.reproduce.figure import PLAIN, Figure, Source, figures
from certify.reproduce.sources import computed, evaluated, through
from certify.statements.gaussian import classic_sigma, profile
from certify.statements.reconstruction import from_gaussian

_BASELINE = Fraction(1, 10)


def _transfer(factor: str) -> Source:
    return evaluated("ball.transfer", "delta_t", {"epsilon": "2", "delta": "1e-6", "factor": factor})


def classic_failure(R: Intervals, delta: Interval) -> Interval:
    """The epsilon from which on the classic formula's profile exceeds delta.

    At sigma_c = c/epsilon, c = sqrt(2 log(1.25/delta)), the profile is g(epsilon) = Q(a) - e^epsilon Q(b) with
    a = c - epsilon/2c, b = c + epsilon/2c and e^epsilon phi(b) = phi(a), so g' = phi(a) (1/c - M(b)) > 0, as the Mills
    ratio M(b) < 1/b <= 1/c. g(0) = 0 < delta, and for c >= 1 g(4 c^2) = Q(-c) - phi(c) M(3c) > 0.84 - 0.25/3 > delta
    for delta < 3/4: the root is unique and lies in between.
    """
    one = R(1)
    scale = classic_sigma(R, one, delta, one)
    return R.root(lambda epsilon: profile(R, epsilon, epsilon / scale) - delta, R(0), 4 * scale**2)


def _classic(delta: Fraction) -> Source:
    return computed(lambda R: classic_failure(R, R(delta)))


def _calibrated(epsilon: str) -> Source:
    """The ratio mu = Delta/sigma at sigma = AGM(epsilon, 1e-6, Delta)."""
    sigma = evaluated("gaussian.sigma", "sigma", {"epsilon": epsilon, "delta": "1e-6", "sensitivity": "1"})
    return through(sigma, lambda R, value: R(1) / value)


def _tested(epsilon: str) -> Source:
    """R3 at that ratio, kappa = 1/10."""
    return through(_calibrated(epsilon), lambda R, ratio: from_gaussian(R, ratio, R(_BASELINE)))


def _privacy() -> Source:
    """R1 at epsilon = 2, delta = 1e-6, kappa = 1/10."""
    return evaluated("rero.dp", "success", {"epsilon": "2", "delta": "1e-6", "baseline": "1/10"})


_GAUSSIAN = figures(
    "Reference values, Ball-DP Section 3.2 (transfer of (2, 1e-6) at AGM; classic formula)",
    ("5.0710e-6", "delta at 2r and 2 epsilon", PLAIN, "nearest down", "n/a", _transfer("2")),
    ("1.565e-4", "delta at 5r and 5 epsilon", PLAIN, "nearest down", "n/a", _transfer("5")),
    ("8.8", "classic fails from, delta 1e-6", PLAIN, "nearest up", "n/a", _classic(Fraction(1, 10**6))),
    ("8.4198", "classic fails from, delta 1e-5", PLAIN, "nearest up", "n/a", _classic(Fraction(1, 10**5))),
)

_RECONSTRUCTION = figures(
    "Reference values, Ball-DP Section 4 (m = 10, delta = 1e-6, sigma = AGM)",
    ("0.448334740395", "mu, epsilon = 2", PLAIN, "nearest down", "n/a", _calibrated("2")),
    ("0.2023612276", "R3, epsilon = 2", PLAIN, "nearest up", "n/a", _tested("2")),
    ("0.73890661", "R1, epsilon = 2", PLAIN, "nearest up", "n/a", _privacy()),
    ("0.837858757090", "mu, epsilon = 4", PLAIN, "nearest up", "n/a", _calibrated("4")),
    ("0.3286323478", "R3, epsilon = 4", PLAIN, "nearest up", "n/a", _tested("4")),
    ("1.53154511757", "mu, epsilon = 8", PLAIN, "nearest up", "n/a", _calibrated("8")),
    ("0.5987038325", "R3, epsilon = 8", PLAIN, "nearest up", "n/a", _tested("8")),
)

FIGURES: tuple[Figure, ...] = (*_GAUSSIAN, *PAPER, *SHARP, *_RECONSTRUCTION)
