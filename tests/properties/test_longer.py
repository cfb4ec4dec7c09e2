"""Every property on six times as many draws."""

from __future__ import annotations

import pytest

from tests.properties import (  # noqa: F401 (each registers its properties)
    test_consistency,
    test_consistency_descent,
    test_inversion,
    test_monotone_descent,
    test_monotone_gaussian,
    test_monotone_heads,
    test_monotone_verdicts,
    test_witnesses,
)
from tests.properties.declared import PROPERTIES, Property, names_in

TIMES = 6


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(names_in("tests.properties")))
def test_property_on_more_draws(name: str) -> None:
    found = PROPERTIES[name]
    assert isinstance(found, Property)
    found.check(TIMES)
