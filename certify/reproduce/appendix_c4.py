"""Appendix C.4 of the GD paper: the finite-iteration certificates at the fixed radii, its text and its table."""

from __future__ import annotations

from certify.reproduce.figure import FAILING, LOWER, PLAIN, UPPER, Figure, figures
from certify.reproduce.setting import constant, first_passing, least_admissible, theorem_c13

_TEXT = figures(
    "GD paper, Appendix C.4, text",
    ("3.843548916", "alpha (47), N = 519", LOWER, "nearest up", "unsafe", theorem_c13("alpha_bar", 519)),
    ("0.05209595621", "s_N, N = 519", UPPER, "nearest down", "unsafe", theorem_c13("s", 519)),
    ("5.20352425e-5", "G(1-rho^N)/(mu alpha)", UPPER, "nearest up", "safe", theorem_c13("radius_need", 519)),
    ("1.04e-4", "r' - r", LOWER, "exact", "safe", theorem_c13("radius_gap", 519)),
    ("9.89505873e-8", "delta(1) (50), N = 519", UPPER, "up", "safe", theorem_c13("delta", 519)),
    ("1.01736108e-7", "delta(1) (50), N = 518", FAILING, "nearest up", "unsafe", theorem_c13("delta", 518)),
    ("519", "first N, Theorem C.13", PLAIN, "exact", "n/a", first_passing()),
)

_TABLE = figures(
    "GD paper, Appendix C.4, table",
    ("26", "kappa, mu = 0.01", PLAIN, "exact", "n/a", constant("kappa")),
    ("1319", "least N meeting (7)", PLAIN, "exact", "n/a", least_admissible()),
    ("519", "first N, Theorem C.13", PLAIN, "exact", "n/a", first_passing()),
    ("9.89506e-8", "delta(1) (50), N = 519", UPPER, "nearest up", "safe", theorem_c13("delta", 519)),
    ("251", "kappa, mu = 0.001", PLAIN, "exact", "n/a", constant("kappa", "0.001")),
    ("16148", "least N meeting (7)", PLAIN, "exact", "n/a", least_admissible("0.001")),
    ("6079", "first N, Theorem C.13", PLAIN, "exact", "n/a", first_passing(mu="0.001")),
    ("9.99539e-8", "delta(1) (50), N = 6079", UPPER, "nearest up", "safe", theorem_c13("delta", 6079, "0.001")),
)

FIGURES: tuple[Figure, ...] = (*_TEXT, *_TABLE)
