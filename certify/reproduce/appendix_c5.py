"""Appendix C.5 of the GD paper: the exact Gaussian benchmark at sigma/G = 5, epsilon = 1."""

from __future__ import annotations

from certify.reproduce.figure import FLOOR, UPPER, Figure, Source, figures
from certify.reproduce.sources import evaluated


def _benchmark(value: str) -> Source:
    return evaluated("gd.benchmark", value, {"ratio": "1/5", "epsilon": "1"})


FIGURES: tuple[Figure, ...] = figures(
    "GD paper, Appendix C.5, text",
    ("1.75463333e-8", "delta_G(1), exact profile", FLOOR, "nearest down", "safe", _benchmark("profile")),
    ("3.63850762e-8", "integrated-tail certificate", UPPER, "nearest down", "unsafe", _benchmark("certificate")),
)
