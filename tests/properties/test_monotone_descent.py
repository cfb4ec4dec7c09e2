"""Monotonicity of the gradient-descent and utility bounds, where the theorems have it, through ``certify.evaluate``.

Theorem 4.1 falls in sigma, n, epsilon, N and mu on its whole range. Theorem C.13 does so in epsilon, and in sigma, n
and N for losses with L3 = 0: its Jacobian correction grows with sigma.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from tests.properties.declared import prop
from tests.properties.drawn import FACTOR, MILD_DELTA, counts, scaled
from tests.properties.ends import apart, evaluated, in_order
from tests.properties.monotone import Draws, Moves
from tests.properties.problems import LOGISTIC, problem, threshold_count

_COUNT = counts(4, 6)
_FIXED = {"n": counts(4, 7), "d": counts(0, 4), "mu": scaled(-2, 0), "sigma": scaled(-5, -2), "u": st.integers(3, 8)}
_LOSS = {"loss": st.just("logistic")}
_NO_CURVATURE = {"L1": st.just(1), "L2": scaled(-1, 1), "L3": st.just(0)}
_LOGISTIC = {**_FIXED, **_LOSS}
_FLAT = {**_FIXED, **_NO_CURVATURE, "iterations": _COUNT, "epsilon": scaled(-1, 1)}
_PAPER = {**_LOGISTIC, "iterations": _COUNT, "epsilon": scaled(-1, 1)}
# Problems so small and so noisy that the count of steps shows in the digits.
_SOON = st.integers(20, 400).map(Fraction)
_QUICK = {
    "n": counts(1, 3),
    "d": counts(0, 2),
    "mu": scaled(-1, 1),
    "sigma": scaled(-1, 1),
    "u": st.integers(3, 8),
    "epsilon": scaled(1, 3),
}
_RISK = {**{name: drawn for name, drawn in _LOGISTIC.items() if name != "u"}, "iterations": counts(0, 4)}


def _but(draws: Draws, *names: str) -> Draws:
    return {key: drawn for key, drawn in draws.items() if key not in names}


def _whole(draws: Draws, name: str) -> st.SearchStrategy[object]:
    return draws[name].map(Fraction)


ROWS = (
    Moves("gd.threshold", ("threshold", "iterations"), "mu", False, scaled(-4, 0), _but(_LOGISTIC, "mu"), strict=False),
    Moves("gd.threshold", ("threshold",), "u", True, scaled(0, 1), _but(_LOGISTIC, "u")),
    Moves("gd.theorem-4.1", ("delta", "epsilon0"), "sigma", False, scaled(-5, -2), _but(_PAPER, "sigma"), strict=False,
          examples=12),
    Moves("gd.theorem-4.1", ("delta", "epsilon0"), "n", False, _whole(_PAPER, "n"), _but(_PAPER, "n"), whole=True,
          strict=False, examples=12),
    Moves("gd.theorem-4.1", ("epsilon0",), "mu", False, scaled(-2, 0), _but(_PAPER, "mu")),
    Moves("gd.theorem-4.1", ("delta",), "epsilon", False, scaled(-1, 1), _but(_PAPER, "epsilon"), strict=False),
    Moves("gd.theorem-4.1", ("delta", "epsilon0", "tau_star"), "iterations", False, _SOON, {**_QUICK, **_LOSS},
          whole=True, strict=False),
    Moves("gd.theorem-c13", ("delta", "s"), "sigma", False, scaled(-5, -2), _but(_FLAT, "sigma"), strict=False,
          examples=12),
    Moves("gd.theorem-c13", ("delta", "s"), "n", False, _whole(_FLAT, "n"), _but(_FLAT, "n"), whole=True, strict=False),
    Moves("gd.theorem-c13", ("delta", "s"), "iterations", False, _SOON, {**_QUICK, **_NO_CURVATURE}, whole=True,
          strict=False),
    Moves("gd.theorem-c13", ("delta",), "epsilon", False, scaled(-1, 1), _but(_PAPER, "epsilon"), strict=False),
    *(Moves("gd.limit", ("epsilon_limit",), name, False, _whole(_LOGISTIC, name), _but(_LOGISTIC, name),
            whole=name == "n", strict=name == "mu") for name in ("sigma", "mu", "n")),
    Moves("gd.benchmark", ("profile", "certificate"), "ratio", True, scaled(-1, 0), {"epsilon": scaled(0, 1)}),
    Moves("gd.benchmark", ("profile", "certificate"), "epsilon", False, scaled(0, 1), {"ratio": scaled(-1, 0)}),
    Moves("gd.diffeomorphism", ("alpha",), "radius", False, scaled(-3, 1),
          {"n": counts(1, 7), "mu": scaled(-1, 1), "iterations": st.integers(5, 60), **_LOSS}, strict=False),
    *(Moves("utility.empirical", ("perturbation", "optimization", "bound"), name, True, _whole(_RISK, name),
            _but(_RISK, name), whole=name == "d", strict=False) for name in ("sigma", "d")),
    Moves("utility.empirical", ("optimization", "bound"), "iterations", False, _whole(_RISK, "iterations"),
          _but(_RISK, "iterations"), whole=True, strict=False),
    *(Moves("utility.population", ("sample", "bound"), name, False, drawn,
            {**_but(_RISK, name), "delta_S": scaled(-9, -1)} if name == "n" else _RISK, whole=name == "n", strict=False)
      for name, drawn in (("n", _whole(_RISK, "n")), ("delta_S", scaled(-9, -2)))),
    Moves("utility.population", ("sample",), "delta_S", False, scaled(-9, -2), _RISK, label=", strictly"),
    Moves("utility.unregularized", ("bound",), "comparator_norm", True, scaled(0, 2),
          {**_RISK, "delta_S": scaled(-9, -1)}, strict=False),
    Moves("utility.single-release", ("empirical", "bound"), "beta", False, scaled(-9, -2),
          {**_RISK, "delta_S": scaled(-9, -1)}, strict=False),
    Moves("utility.single-release", ("empirical", "bound"), "sigma", True, scaled(-5, -2),
          {**_but(_RISK, "sigma"), "beta": scaled(-9, -1), "delta_S": scaled(-9, -1)}, strict=False),
    *(Moves("utility.calibrate", ("sigma", "mu"), name, False, drawn,
            {"n": counts(4, 7), "d": counts(0, 3), "loss": st.just("logistic"), "delta_S": scaled(-3, -1),
             "comparator_norm": scaled(-1, 1), **{key: value for key, value in others.items() if key != name}},
            strict=False, most=Fraction(1, 2))
      for others in ({"epsilon": scaled(-2, 0).map(lambda x: x / 10), "delta": MILD_DELTA},)
      for name, drawn in others.items()),
)  # fmt: skip
PROPERTIES = {row.name: row.declare() for row in ROWS}


@pytest.mark.parametrize("name", PROPERTIES)
def test_moves(name: str) -> None:
    PROPERTIES[name].check()


@prop(3, given=problem(LOGISTIC), delta=MILD_DELTA, epsilon=scaled(-1, 0), factor=FACTOR, which=st.booleans())
def test_first_count_falls_with_the_budget(
    given: dict[str, object], delta: Fraction, epsilon: Fraction, factor: Fraction, which: bool
) -> None:
    wider = {"epsilon": epsilon, "delta": delta * factor} if which else {"epsilon": epsilon * factor, "delta": delta}
    tight = evaluated("gd.first-count", {**given, "epsilon": epsilon, "delta": delta})
    loose = evaluated("gd.first-count", {**given, **wider})
    assume("iterations" in tight)
    assert "iterations" in loose
    assert in_order(loose["iterations"], tight["iterations"])


@prop(4, given=problem(LOGISTIC), epsilon=scaled(0, 1), factor=st.sampled_from([Fraction(11, 10), Fraction(2)]))
def test_sharp_delta_falls_in_epsilon(given: dict[str, object], epsilon: Fraction, factor: Fraction) -> None:
    at = {**given, "iterations": threshold_count(given), "variant": "sharp"}
    near, far = (evaluated("gd.theorem-c13", {**at, "epsilon": budget}) for budget in (epsilon, factor * epsilon))
    assume("delta" in near and near.hold)
    assert far.hold
    assert in_order(far["delta"], near["delta"])
    if near["delta"].upper > Fraction(1, 10**6):
        assert apart(far["delta"], near["delta"])
