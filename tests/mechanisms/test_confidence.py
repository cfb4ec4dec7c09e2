"""Clopper-Pearson limits against the binomial law that they invert, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from certify.mechanisms.confidence import clopper_pearson


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (3, 10), (1, 1000), (0, 1), (5000, 10**6)])
@pytest.mark.parametrize("level", [0.5, 0.99, 0.999])
def test_the_limits_invert_the_binomial(successes: int, trials: int, level: float) -> None:
    found, miss = clopper_pearson(successes, trials, level), (1 - level) / 2
    if successes:
        assert binom.sf(successes - 1, trials, found.low) == pytest.approx(miss)
    else:
        assert found.low == 0
    if successes < trials:
        assert binom.cdf(successes, trials, found.high) == pytest.approx(miss)
    else:
        assert found.high == 1


@pytest.mark.parametrize("p", [0.01, 0.3, 0.5, 0.97])
def test_each_side_misses_no_more_than_it_may(p: float) -> None:
    """Over the exact law of 40 trials, no sampling."""
    limits = [clopper_pearson(k, 40, 0.9) for k in range(41)]
    law = binom.pmf(np.arange(41), 40, p)
    assert law[[found.low > p for found in limits]].sum() <= 0.05
    assert law[[found.high < p for found in limits]].sum() <= 0.05


@pytest.mark.parametrize("given", [(-1, 5, 0.9), (6, 5, 0.9), (0, 0, 0.9), (1, 5, 1.0), (1, 5, 0.0)])
def test_what_is_no_binomial_observation(given: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match="no binomial observation"):
        clopper_pearson(*given)
