"""`certify eval ball.*`: sensitivity of regularised minimisers (B4) and exact transfer to another radius (B6)."""

from __future__ import annotations

from fractions import Fraction

from certify.errors import UnusableInput
from certify.evaluation.entries import NOT_TIGHT, Answer, Entry, Input, Inputs, Task, exactly, formula
from certify.evaluation.gaussian import sigma_enclosure
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.statements import ball

REGULARIZATION = Input("lambda", "> 0", meaning="of mean loss + (lambda/2) ||theta||^2")
RECORDS = Input("n", kind="count", meaning="number of records")


def _gradient_difference(R: Intervals, given: Inputs) -> Interval:
    """D(r), given as such or as L_z and r."""
    difference, lipschitz, radius = (given.optional(name) for name in ("difference", "lipschitz", "radius"))
    if difference is not None and lipschitz is None and radius is None:
        return R(difference)
    if difference is None and lipschitz is not None and radius is not None:
        return R(lipschitz) * R(radius)
    raise UnusableInput("give lipschitz and radius, or difference, and not both", field="difference")


def _sensitivity(R: Intervals, given: Inputs) -> dict[str, Interval]:
    regularization, n, tolerance = (R(given.number(name)) for name in ("lambda", "n", "gradient_tolerance"))
    return {"sensitivity": ball.sensitivity(_gradient_difference(R, given), regularization, n, tolerance)}


def _transfer(task: Task, given: Inputs) -> Answer:
    epsilon, delta, factor = (given.number(name) for name in ("epsilon", "delta", "factor"))
    target = given.number("epsilon_t") if "epsilon_t" in given else factor * epsilon
    return Answer({"delta_t": transferred_delta(task, epsilon, delta, factor, target)})


def transferred_delta(task: Task, epsilon: Fraction, delta: Fraction, factor: Fraction, target: Fraction) -> Enclosure:
    """B6 enclosed: the profile at ``target`` of the ratio that is ``factor`` times the largest that (epsilon, delta)
    admits.

    The largest ratio mu is where the profile at epsilon reaches delta; it lies between 1/sigma at the two ends of G3.
    """
    if factor == 0:
        return exactly(0, "radius 0: the two data sets agree")
    if delta >= 1:
        return exactly(1, "delta >= 1 admits every ratio, so no radius is protected")
    if delta == 0:
        return exactly(0, "delta = 0 admits the ratio 0 only: the release is independent of the record")
    if factor == 1 and target == epsilon:
        return exactly(delta, "the same radius and epsilon: the profile of the largest ratio is delta itself")
    found = Enclosure(Fraction(0), Fraction(1), NOT_TIGHT)
    for extra in (4, 16, 64, 256):
        sigma = sigma_enclosure(Task(task.digits + extra, task.limits, task.allowance), epsilon, delta, Fraction(1))
        if not sigma.is_bounded or sigma.lower == 0:
            break
        least, most = 1 / sigma.upper, 1 / sigma.lower

        def values(R: Intervals, least: Fraction = least, most: Fraction = most) -> dict[str, Interval]:
            ratio = R.between(least, most)
            return {"delta_t": ball.transferred_delta(R, R(target), R(factor), ratio)}

        found = task.enclose(values)["delta_t"]
        if found.is_tight(task.digits) or sigma.reason is not None:
            break
    return found


ENTRIES = (
    Entry(
        "ball.sensitivity",
        (
            Input("lipschitz", "> 0", "", meaning="L_z, with radius"),
            Input("radius", ">= 0", "", meaning="ball radius r, with lipschitz"),
            Input("difference", "> 0", "", meaning="D(r), instead of lipschitz and radius"),
            REGULARIZATION,
            RECORDS,
            Input("gradient_tolerance", ">= 0", "0", meaning="gamma: ||grad F_D|| <= gamma at the released parameter"),
        ),
        formula(_sensitivity),
        "lipschitz=1 radius=1 lambda=0.1 n=10",
        ("sensitivity",),
    ),
    Entry(
        "ball.transfer",
        (
            Input("epsilon", ">= 0", meaning="privacy parameter at radius r"),
            Input("delta", ">= 0", meaning="privacy parameter at radius r"),
            Input("factor", ">= 0", meaning="t/r, the target radius over r"),
            Input("epsilon_t", ">= 0", "", meaning="privacy parameter at radius t; factor epsilon if left out"),
        ),
        _transfer,
        "epsilon=2 delta=1e-6 factor=2",
        ("delta_t",),
    ),
)
