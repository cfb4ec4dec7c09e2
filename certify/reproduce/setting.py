"""The setting of Example 4.8, which Appendix C.4 keeps: n = 10^6, d = 10^4, zeta = 1, sigma = 5G, u = 6, logistic."""

from __future__ import annotations

from certify.reproduce.figure import Source
from certify.reproduce.sources import evaluated

_OBJECTIVE = {"n": "1000000", "zeta": "1", "loss": "logistic"}
_RELEASE = {"d": "10000", "sigma_over_G": "5", "u": "6"}
TARGET = {"epsilon": "1", "delta": "1e-7"}


def setting(mu: str = "0.01") -> dict[str, str]:
    """The inputs that the gd.* and utility.* statements share."""
    return {**_OBJECTIVE, **_RELEASE, "mu": mu}


def constant(name: str, mu: str = "0.01", multiple: int = 1) -> Source:
    """A constant of the objective."""
    return evaluated("gd.constants", name, {**_OBJECTIVE, "mu": mu}, multiple)


def theorem_41(value: str, count: int) -> Source:
    """A value of Theorem 4.1 at epsilon = 1."""
    return evaluated("gd.theorem-4.1", value, {**setting(), "iterations": str(count), "epsilon": "1"})


def theorem_c13(value: str, count: int, mu: str = "0.01") -> Source:
    """A value of Theorem C.13 at the fixed radii and epsilon = 1."""
    return evaluated("gd.theorem-c13", value, {**setting(mu), "iterations": str(count), "epsilon": "1"})


def least_admissible(mu: str = "0.01") -> Source:
    """The least integer that meets threshold (7)."""
    return evaluated("gd.threshold", "iterations", setting(mu))


def threshold(mu: str = "0.01") -> Source:
    """The right side of threshold (7)."""
    return evaluated("gd.threshold", "threshold", setting(mu))


def first_passing(value: str = "iterations", mu: str = "0.01") -> Source:
    """The first count that certifies (1, 10^-7) by Theorem C.13 at the fixed radii, every smaller one excluded."""
    return evaluated("gd.first-count", value, {**setting(mu), **TARGET})
