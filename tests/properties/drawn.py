"""What is drawn: exact numbers on a logarithmic scale over the ranges that the product promises."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Numbers = SearchStrategy[Fraction]


def scaled(lowest: int, highest: int) -> Numbers:
    """A three-digit decimal m 10^k, 1 <= m < 10, lowest <= k < highest."""
    return st.builds(
        lambda digits, place: Fraction(digits, 100) * Fraction(10) ** place,
        st.integers(100, 999),
        st.integers(lowest, highest - 1),
    )


def counts(lowest: int, highest: int) -> SearchStrategy[int]:
    """A whole number of three leading digits, 10^lowest <= n < 10^highest."""
    return scaled(lowest, highest).map(int)


EPSILON: Numbers = scaled(-9, 6)
DELTA: Numbers = st.one_of(
    scaled(-20, 0).map(lambda x: x / 10),
    scaled(-4000, -1),
    scaled(-20, -1).map(lambda x: 1 - x),
)
RATIO: Numbers = scaled(-6, 3)
BASELINE: Numbers = st.one_of(
    scaled(-300, -1), scaled(-3, 0).map(lambda x: x / 10), scaled(-18, -1).map(lambda x: 1 - x)
)

MILD_EPSILON: Numbers = scaled(-2, 1)
MILD_DELTA: Numbers = scaled(-12, -2)
MILD_RATIO: Numbers = scaled(-1, 0)
MILD_BASELINE: Numbers = scaled(-6, -1)
SMALL: Numbers = scaled(-3, 0)

_STEPS = ["3/2", "20", "1.001", "3/2", "20", "1.000000000000000000000000000001", "1"]
FACTOR: Numbers = st.sampled_from([Fraction(step) for step in _STEPS])
"""How much larger the larger input is: mostly clearly, also beyond the digits shown, also not at all."""
CLEAR = Fraction(1001, 1000)
"""From this factor on the two values must be told apart, where the function is not flat."""
