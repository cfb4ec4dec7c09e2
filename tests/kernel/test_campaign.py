"""Soundness against Arb, in three sizes, and proof that the campaign catches a wrong bound."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from mpmath import libmp

from . import campaign

_NAMES = ("exp", "log", "upper_tail", "mills", "q1", "quantile", "chi", "power", "wide", "arithmetic", "traps")


def held(size: int, name: str, seed: int) -> int:
    """Run the share of one function; every verdict must be that the enclosure holds."""
    counts: Counter[str] = Counter()
    for job in campaign.jobs(size, seed):
        if job[0] == name:
            counts += campaign.verdicts(job)[1]
    assert set(counts) == {"held"}
    return counts["held"]


@pytest.mark.parametrize("name", _NAMES)
def test_no_miss(name: str) -> None:
    """A hundredth of the full campaign."""
    assert held(campaign.FULL // 100, name, seed=1) >= 100


@pytest.mark.slow
@pytest.mark.parametrize("name", _NAMES)
def test_no_miss_in_a_tenth_of_the_full_campaign(name: str) -> None:
    """A tenth of the full campaign, with another seed."""
    assert held(campaign.FULL // 10, name, seed=2) >= 1000


def test_a_small_campaign_runs_in_processes() -> None:
    """The counts do not depend on the number of processes."""
    counts = campaign.run(100, seed=3, workers=2)
    assert counts == campaign.run(100, seed=3)
    assert campaign.total(counts) == campaign.total(counts, "held") > 8000


@pytest.mark.parametrize("name", ["exp", "log", "upper_tail", "mills", "q1", "quantile"])
@pytest.mark.parametrize("side", [0, 1])
def test_an_end_off_by_one_unit_is_caught(name: str, side: int) -> None:
    """Move one end inward by a unit of its last place: the campaign proves misses."""

    def shifted(x: campaign.Point, bits: int) -> campaign.Ends:
        ends = list(campaign.KERNEL[name](x, bits))
        unit = libmp.from_man_exp(1, ends[side][2] + ends[side][3] - bits)
        ends[side] = libmp.mpf_sub(ends[side], unit) if side else libmp.mpf_add(ends[side], unit)
        return ends[0], ends[1]

    assert "miss" in set(campaign.points(name, 40, random.Random(4), shifted))


def test_the_interval_exponential_of_mpmath_is_caught() -> None:
    """mpmath's own interval exponential misses (issue 1181), and the traps show it."""

    def borrowed(x: campaign.Point, bits: int) -> campaign.Ends:
        low, high = (
            (libmp.from_rational(x.numerator, x.denominator, bits, r) for r in "fc")
            if not isinstance(x, tuple)
            else (x, x)
        )
        return libmp.mpi_exp((low, high), bits)

    assert Counter(campaign.traps(borrowed))["miss"] > 8000


def test_an_open_comparison_is_not_counted_as_held() -> None:
    """Where no precision decides, the verdict says so."""
    third = campaign.Fraction(1, 3)
    point = libmp.from_rational(1, 3, 53, "f")
    parts = lambda: (campaign.ball(third), campaign.flint.arb(0) + campaign.flint.arb(0, 1e-9))  # noqa: E731
    assert campaign.judge((point, libmp.finf), parts, 53) == "undecided"
