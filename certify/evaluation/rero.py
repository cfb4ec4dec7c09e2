"""`certify eval rero.*`: bounds on reconstruction success (R1-R4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from certify.errors import UnusableInput
from certify.evaluation.entries import Answer, Entry, Input, Inputs, Task, exactly, formula
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import proved
from certify.search.reconstruction import Group, largest_first, levels_for
from certify.statements import reconstruction
from certify.statements.language import Condition
from certify.statements.support import Candidates, slope_turns, support_bound, support_floor, support_slope

FARTHEST = Fraction(200)

_BASELINE = Input("baseline", "[0, 1]", meaning="kappa, the best success without the release")
_RATIO = Input("ratio", ">= 0", meaning="mu = Delta/sigma at radius r")


def _privacy(R: Intervals, given: Inputs) -> dict[str, Interval]:
    epsilon, delta, baseline = (R(given.number(name)) for name in ("epsilon", "delta", "baseline"))
    return {"success": reconstruction.from_privacy(R, epsilon, delta, baseline)}


def _renyi(R: Intervals, given: Inputs) -> dict[str, Interval]:
    ratio, baseline = R(given.number("ratio")), R(given.number("baseline"))
    if given.word("order") == "best":
        return {"success": reconstruction.from_best_renyi(R, ratio, baseline)}
    return {"success": reconstruction.from_renyi(R, R(given.number("order")), ratio, baseline)}


def _gaussian(R: Intervals, given: Inputs) -> dict[str, Interval]:
    return {"success": reconstruction.from_gaussian(R, R(given.number("ratio")), R(given.number("baseline")))}


def _support(task: Task, given: Inputs) -> Answer:
    distances = given.numbers("distances")
    prior = given.numbers("prior") or (Fraction(1, len(distances)),) * len(distances)
    return Answer({"success": support_enclosure(task, distances, prior)})


def support_enclosure(task: Task, distances: Sequence[Fraction], prior: Sequence[Fraction]) -> Enclosure:
    """R4 at its best level, enclosed: above by R4 at a guessed level and by R3, below by the tangent of the convex
    bound.

    The bound grows in every distance, so its floor may be taken with the distances cut to ``FARTHEST``; there R3 is 1
    to more digits than are ever printed.
    """
    if len(prior) != len(distances):
        message = f"{len(prior)} weights for {len(distances)} distances; give one weight for each, or uniform"
        raise UnusableInput(message, field="prior")
    if sum(prior) != 1:
        raise UnusableInput(f"the weights must sum to 1 exactly; they sum to {float(sum(prior)):.6g}", field="prior")
    kept = [(distance, weight) for distance, weight in zip(distances, prior, strict=True) if weight > 0]
    baseline, farthest = max(weight for _, weight in kept), max(distance for distance, _ in kept)
    if len(kept) == 1:
        return exactly(1, "one candidate alone has positive weight")
    if farthest == 0:
        return exactly(baseline, "every distance is 0: the release tells nothing, and the best guess is the likeliest")
    groups = [(count, *group) for group, count in Counter(kept).items()]
    far = farthest > FARTHEST
    near = largest_first([(count, min(distance, FARTHEST), weight) for count, distance, weight in groups])
    limits = replace(task.limits, max_bits=min(task.limits.max_bits, 8 * task.digits + 256))
    capped = Task(task.digits, limits, task.allowance)
    by_test = capped.enclose(lambda R: {"upper": reconstruction.from_gaussian(R, R(farthest), R(baseline))})["upper"]
    found = Enclosure(baseline, by_test.high, "the best level was not enclosed within the limits")
    for lower, upper in levels_for(near, task.digits):

        def turns(R: Intervals, lower: Fraction = lower, upper: Fraction = upper) -> tuple[Condition[Interval], ...]:
            return slope_turns(R, _held(R, near), R(lower), R(upper))

        def values(R: Intervals, lower: Fraction = lower, upper: Fraction = upper) -> dict[str, Interval]:
            level, support = R(lower), _held(R, near)
            bound = support_bound(R, support, level)
            floor = support_floor(bound, support_slope(R, support, level), level, R(upper))
            if far:
                bound = support_bound(R, _held(R, groups), level)
            by_test = reconstruction.from_gaussian(R, R(farthest), R(baseline))
            return {"success": R.hull(R.minimum(R(1), floor), R.minimum(R(1), bound, by_test))}

        if proved(capped.decide(turns)):
            found = capped.enclose(values).get("success", found)
            if found.is_tight(task.digits):
                break
    return found


def _held(R: Intervals, groups: Sequence[Group]) -> list[Candidates[Interval]]:
    return [Candidates(count, R(distance), R(weight)) for count, distance, weight in groups]


ENTRIES = (
    Entry(
        "rero.dp",
        (Input("epsilon", ">= 0"), Input("delta", ">= 0"), _BASELINE),
        formula(_privacy),
        "epsilon=2 delta=1e-6 baseline=1/10",
        ("success",),
    ),
    Entry(
        "rero.rdp",
        (_RATIO, _BASELINE, Input("order", "> 1", "best", words=("best",), meaning="Renyi order alpha > 1, or best")),
        formula(_renyi),
        "ratio=1/2 baseline=1/10",
        ("success",),
    ),
    Entry("rero.gaussian", (_RATIO, _BASELINE), formula(_gaussian), "ratio=1/2 baseline=1/10", ("success",)),
    Entry(
        "rero.support",
        (
            Input("distances", ">= 0", kind="list", meaning="comma list of a_i = ||theta_i - c||/sigma"),
            Input(
                "prior", "[0, 1]", "uniform", kind="list", words=("uniform",), meaning="comma list of pi_i, or uniform"
            ),
        ),
        _support,
        "distances=1/2,1/2,1 prior=1/2,1/4,1/4",
        ("success",),
    ),
)
