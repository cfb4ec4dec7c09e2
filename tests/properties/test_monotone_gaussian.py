"""Monotonicity of tails, the Gaussian mechanism, transfer and reconstruction, through ``certify.evaluate``."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from tests.properties.declared import prop
from tests.properties.drawn import (
    BASELINE,
    DELTA,
    EPSILON,
    FACTOR,
    MILD_BASELINE,
    MILD_DELTA,
    MILD_EPSILON,
    MILD_RATIO,
    RATIO,
    SMALL,
    scaled,
)
from tests.properties.ends import apart, in_order, value
from tests.properties.monotone import Moves

_TAIL, _PROFILE, _SIGMA, _TRANSFER = "tails.chi", "gaussian.profile", "gaussian.sigma", "ball.transfer"
_ONE = Fraction(1)
_MILD_TRANSFER = {"epsilon": MILD_EPSILON, "delta": MILD_DELTA, "factor": scaled(-1, 1), "epsilon_t": MILD_EPSILON}


def _without(draws: dict[str, object], name: str) -> dict[str, object]:
    return {key: drawn for key, drawn in draws.items() if key != name}


ROWS = (
    Moves("tails.q", ("q",), "t", False, scaled(-3, 4), {}),
    Moves("tails.q1", ("q1",), "t", False, scaled(-3, 4), {}),
    Moves(
        _TAIL,
        ("bound", "paper"),
        "radius",
        False,
        scaled(0, 2),
        {"dimension": st.integers(1, 60), "sigma": scaled(-1, 1)},
        strict=False,
    ),
    Moves(
        _TAIL,
        ("bound", "paper"),
        "sigma",
        True,
        scaled(-1, 1),
        {"dimension": st.integers(1, 60), "radius": scaled(0, 2)},
        strict=False,
    ),
    Moves(
        _TAIL,
        ("bound", "paper"),
        "dimension",
        True,
        st.integers(1, 300).map(Fraction),
        {"radius": scaled(0, 2), "sigma": scaled(-1, 1)},
        strict=False,
        whole=True,
    ),
    Moves(
        _PROFILE,
        ("delta",),
        "ratio",
        True,
        RATIO,
        {"epsilon": EPSILON},
        strict=False,
        label=", whole range",
    ),
    Moves(
        _PROFILE,
        ("delta",),
        "epsilon",
        False,
        EPSILON,
        {"ratio": RATIO},
        strict=False,
        label=", whole range",
    ),
    Moves(_PROFILE, ("delta",), "ratio", True, MILD_RATIO, {"epsilon": MILD_EPSILON}),
    Moves(_PROFILE, ("delta",), "epsilon", False, MILD_EPSILON, {"ratio": MILD_RATIO}),
    Moves(_PROFILE, ("delta",), "sigma", False, scaled(0, 2), {"epsilon": MILD_EPSILON, "sensitivity": SMALL}),
    Moves(_PROFILE, ("delta",), "sensitivity", True, SMALL, {"epsilon": MILD_EPSILON, "sigma": scaled(0, 2)}),
    Moves(_SIGMA, ("sigma",), "epsilon", False, EPSILON, {"delta": DELTA, "sensitivity": SMALL}, strict=False),
    Moves(
        _SIGMA,
        ("sigma",),
        "epsilon",
        False,
        MILD_EPSILON,
        {"delta": MILD_DELTA, "sensitivity": SMALL},
        label=", strictly",
    ),
    Moves(_SIGMA, ("sigma",), "delta", False, DELTA, {"epsilon": EPSILON, "sensitivity": SMALL}, strict=False),
    Moves(
        _SIGMA,
        ("sigma",),
        "delta",
        False,
        MILD_DELTA,
        {"epsilon": MILD_EPSILON, "sensitivity": SMALL},
        label=", strictly",
    ),
    Moves(_SIGMA, ("sigma",), "sensitivity", True, scaled(-6, 6), {"epsilon": EPSILON, "delta": DELTA}),
    Moves("gaussian.epsilon", ("epsilon",), "delta", False, DELTA, {"ratio": RATIO}, strict=False),
    Moves("gaussian.epsilon", ("epsilon",), "ratio", True, RATIO, {"delta": DELTA}, strict=False),
    Moves("gaussian.epsilon", ("epsilon",), "ratio", True, scaled(0, 2), {"delta": MILD_DELTA}, label=", strictly"),
    Moves("gaussian.epsilon", ("epsilon",), "delta", False, MILD_DELTA, {"ratio": scaled(0, 2)}, label=", strictly"),
    Moves(
        "gaussian.classic",
        ("sigma",),
        "epsilon",
        False,
        scaled(-6, -1),
        {"delta": scaled(-300, -1), "sensitivity": SMALL},
        most=Fraction(99, 100),
    ),
    Moves(
        "gaussian.classic",
        ("sigma",),
        "delta",
        False,
        scaled(-300, -2),
        {"epsilon": scaled(-6, 0).map(lambda x: x / 10), "sensitivity": SMALL},
    ),
    Moves("gaussian.compose", ("delta",), "epsilon", False, MILD_EPSILON, {"ratios": st.just("1/3,1/2,1/7")}),
    Moves(_TRANSFER, ("delta_t",), "factor", True, scaled(-1, 1), _without(_MILD_TRANSFER, "factor")),
    Moves(_TRANSFER, ("delta_t",), "epsilon", True, MILD_EPSILON, _without(_MILD_TRANSFER, "epsilon")),
    Moves(_TRANSFER, ("delta_t",), "delta", True, MILD_DELTA, _without(_MILD_TRANSFER, "delta")),
    Moves(_TRANSFER, ("delta_t",), "epsilon_t", False, MILD_EPSILON, _without(_MILD_TRANSFER, "epsilon_t")),
    Moves("rero.dp", ("success",), "epsilon", True, EPSILON, {"delta": DELTA, "baseline": BASELINE}, strict=False),
    Moves("rero.dp", ("success",), "delta", True, MILD_DELTA, {"epsilon": SMALL, "baseline": MILD_BASELINE}),
    Moves("rero.dp", ("success",), "baseline", True, MILD_BASELINE, {"epsilon": SMALL, "delta": MILD_DELTA}, most=_ONE),
    Moves("rero.rdp", ("success",), "ratio", True, RATIO, {"baseline": BASELINE}, strict=False),
    Moves(
        "rero.rdp",
        ("success",),
        "ratio",
        True,
        RATIO,
        {"baseline": BASELINE, "order": scaled(0, 3).map(lambda x: 1 + x)},
        strict=False,
        label=", any order",
    ),
    Moves("rero.rdp", ("success",), "baseline", True, BASELINE, {"ratio": RATIO}, strict=False, most=_ONE),
    Moves("rero.gaussian", ("success",), "ratio", True, RATIO, {"baseline": BASELINE}, strict=False),
    Moves("rero.gaussian", ("success",), "baseline", True, BASELINE, {"ratio": RATIO}, strict=False, most=_ONE),
    Moves("rero.gaussian", ("success",), "ratio", True, MILD_RATIO, {"baseline": MILD_BASELINE}, label=", strictly"),
    Moves(
        "rero.gaussian",
        ("success",),
        "baseline",
        True,
        MILD_BASELINE,
        {"ratio": MILD_RATIO},
        most=_ONE,
        label=", strictly",
    ),
)
PROPERTIES = {row.name: row.declare() for row in ROWS}


@pytest.mark.parametrize("name", PROPERTIES)
def test_moves(name: str) -> None:
    PROPERTIES[name].check()


@prop(10, distances=st.lists(MILD_RATIO, min_size=2, max_size=5), place=st.integers(0, 4), factor=FACTOR)
def test_support_rises_in_every_distance(distances: list[Fraction], place: int, factor: Fraction) -> None:
    moved = list(distances)
    moved[place % len(moved)] *= factor
    before, after = (value("rero.support", "success", {"distances": at}) for at in (distances, moved))
    assert in_order(before, after)
    if factor >= Fraction(3, 2):
        assert apart(before, after)


@prop(10, ratios=st.lists(MILD_RATIO, min_size=1, max_size=5), more=MILD_RATIO, epsilon=MILD_EPSILON)
def test_composition_rises_with_every_release(ratios: list[Fraction], more: Fraction, epsilon: Fraction) -> None:
    before, after = (
        value("gaussian.compose", "delta", {"ratios": at, "epsilon": epsilon}) for at in (ratios, [*ratios, more])
    )
    assert apart(before, after)
