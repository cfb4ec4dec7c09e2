"""Monotonicity of sensitivities and of the heads' constants, through ``certify.evaluate``."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from tests.properties.drawn import counts, scaled
from tests.properties.monotone import Moves

_CONSTANT = st.sampled_from(["sharp", "paper"])
_B, _LAMBDA, _RADIUS = scaled(-2, 1), scaled(-5, 2), scaled(-3, 1)
_SENSITIVITY = {
    "difference": scaled(-3, 3),
    "lambda": _LAMBDA,
    "n": counts(1, 9),
    "gradient_tolerance": scaled(-12, -1),
}
_PROTOTYPE = {"radius": _RADIUS, "lambda": _LAMBDA, "n": counts(3, 9), "min_class_count": st.integers(1, 400)}
_HEADS = ("squared-hinge", "binary-logistic", "softmax")
_CONSTANTS = ("radius", "lipschitz", "any_record", "difference")


def _but(draws: dict[str, object], name: str) -> dict[str, object]:
    return {key: drawn for key, drawn in draws.items() if key != name}


def _head(head: str) -> dict[str, object]:
    common = {"feature_bound": _B, "lambda": _LAMBDA, "constant": _CONSTANT, "ball_radius": _RADIUS}
    return {**common, "classes": st.integers(2, 200)} if head == "softmax" else common


ROWS = (
    *(Moves("ball.sensitivity", ("sensitivity",), name, True, _SENSITIVITY[name], _but(_SENSITIVITY, name),
            strict=name == "difference") for name in ("difference", "gradient_tolerance")),
    *(Moves("ball.sensitivity", ("sensitivity",), name, False, _SENSITIVITY[name].map(Fraction),
            {**_but(_SENSITIVITY, name), "gradient_tolerance": st.just(0)}, whole=name == "n", strict=name != "n")
      for name in ("lambda", "n")),
    Moves("ball.sensitivity", ("sensitivity",), "radius", True, _RADIUS,
          {"lipschitz": scaled(-2, 3), "lambda": _LAMBDA, "n": counts(1, 9)}),
    Moves("head.ridge-prototype", ("sensitivity",), "radius", True, _RADIUS, _but(_PROTOTYPE, "radius")),
    Moves("head.ridge-prototype", ("sensitivity",), "lambda", False, _LAMBDA, _but(_PROTOTYPE, "lambda")),
    Moves("head.ridge-prototype", ("sensitivity",), "n", False, _PROTOTYPE["n"].map(Fraction),
          _but(_PROTOTYPE, "n"), whole=True, strict=False),
    Moves("head.ridge-prototype", ("sensitivity",), "min_class_count", False, st.integers(1, 45).map(Fraction),
          _but(_PROTOTYPE, "min_class_count"), whole=True),
    *(Moves(f"head.{head}", _CONSTANTS, "lambda", False, _LAMBDA, _but(_head(head), "lambda"), strict=False)
      for head in _HEADS),
    *(Moves(f"head.{head}", ("difference",), "ball_radius", True, _RADIUS, _but(_head(head), "ball_radius"),
            strict=False, examples=12) for head in _HEADS),
    # Beyond B = 2 a ball may be too wide for the midpoint form of D(r) at B and not at a larger B.
    *(Moves(f"head.{head}", _CONSTANTS, "feature_bound", True, _B, _but(_head(head), "feature_bound"), strict=False,
            most=Fraction(2)) for head in _HEADS),
    *(Moves(f"head.{head}", ("radius", "lipschitz", "any_record"), "feature_bound", True, _B,
            _but(_but(_head(head), "feature_bound"), "ball_radius"), strict=False, label=", any B") for head in _HEADS),
    Moves("head.softmax", _CONSTANTS, "classes", True, st.integers(2, 200).map(Fraction),
          _but(_head("softmax"), "classes"), strict=False, whole=True),
    *(Moves(f"head.{head}", ("radius", "lipschitz"), "lambda", False, scaled(-5, -2),
            {**_but(_head(head), "lambda"), "feature_bound": st.just(1)}, label=", strictly")
      for head in ("squared-hinge", "softmax")),
)  # fmt: skip
PROPERTIES = {row.name: row.declare() for row in ROWS}


@pytest.mark.parametrize("name", PROPERTIES)
def test_moves(name: str) -> None:
    PROPERTIES[name].check()
