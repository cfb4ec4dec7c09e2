"""Gradient-descent problems whose hypotheses hold more often than not, as inputs of ``certify.evaluate``."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.properties.drawn import counts, scaled
from tests.properties.ends import evaluated

LOGISTIC: dict[str, SearchStrategy[object]] = {
    "n": counts(4, 7),
    "d": counts(0, 4),
    "mu": scaled(-3, 0),
    "loss": st.just("logistic"),
    "sigma_over_G": scaled(0, 1),
    "u": st.integers(3, 8),
}
CLASS: dict[str, SearchStrategy[object]] = {
    **{name: drawn for name, drawn in LOGISTIC.items() if name != "loss"},
    "zeta": scaled(-1, 1),
    "L1": scaled(-1, 1),
    "L2": scaled(-1, 1),
    "L3": st.one_of(st.just(Fraction(0)), scaled(-2, 0)),
}
"""The class of all losses with the stated constants."""


def problem(draws: dict[str, SearchStrategy[object]]) -> SearchStrategy[dict[str, object]]:
    """A problem of the kind drawn."""
    return st.fixed_dictionaries(draws)


ANY = st.one_of(problem(LOGISTIC), problem(CLASS))
N_EPSILON = scaled(-2, 1)


def threshold_count(given: dict[str, object]) -> int:
    """The least N that meets (7)."""
    return int(evaluated("gd.threshold", given)["iterations"].lower)
