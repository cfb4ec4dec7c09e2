"""`certify eval tails.*`: the normal tail, its integral, the chi tail (T1, T3)."""

from __future__ import annotations

from certify.evaluation.entries import Entry, Input, Inputs, formula
from certify.kernel.interval import Interval, Intervals
from certify.statements import tails

_T = Input("t", meaning="any real number")


def _q(R: Intervals, given: Inputs) -> dict[str, Interval]:
    return {"q": R.upper_tail(R(given.number("t")))}


def _q1(R: Intervals, given: Inputs) -> dict[str, Interval]:
    return {"q1": tails.integrated_tail(R, R(given.number("t")))}


def _chi(R: Intervals, given: Inputs) -> dict[str, Interval]:
    place = given.count("dimension"), R(given.number("radius")), R(given.number("sigma"))
    return {"bound": tails.chi_tail(R, *place), "paper": tails.concentration_tail(R, *place)}


ENTRIES = (
    Entry("tails.q", (_T,), formula(_q), "t=3", ("q",)),
    Entry("tails.q1", (_T,), formula(_q1), "t=40", ("q1",)),
    Entry(
        "tails.chi",
        (
            Input("dimension", kind="count", meaning="dimension of the normal vector, or a bound on it"),
            Input("radius", ">= 0"),
            Input("sigma", "> 0", meaning="standard deviation of each coordinate"),
        ),
        formula(_chi),
        "dimension=10000 radius=106 sigma=1",
        ("bound", "paper"),
    ),
)
