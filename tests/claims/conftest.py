"""Fixtures: copies of the sample mappings to edit, and the example files."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from .samples import BALL, DESCENT, EXAMPLES


@pytest.fixture
def ball() -> dict[str, Any]:
    """Output perturbation of a logistic head, as a mapping to edit."""
    return copy.deepcopy(BALL)


@pytest.fixture
def descent() -> dict[str, Any]:
    """Gradient descent on a perturbed objective, as a mapping to edit."""
    return copy.deepcopy(DESCENT)


@pytest.fixture(params=sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def example(request: pytest.FixtureRequest) -> Path:
    """Each of the example claim files."""
    path: Path = request.param
    return path
