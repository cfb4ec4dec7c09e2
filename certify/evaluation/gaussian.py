"""`certify eval gaussian.*`: profile, tight epsilon, calibration, classic formula, composition (G1-G5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from certify.errors import UnusableInput
from certify.evaluation.entries import NOT_TIGHT, Answer, Entry, Input, Inputs, Task, exactly, formula, unbounded
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.search.gaussian import epsilon_for, ratio_for, widened
from certify.statements import gaussian
from certify.statements.language import Conditions, at_most

_WIDENINGS, _COARSE_BITS = 15, 512
_EPSILON = Input("epsilon", ">= 0", meaning="privacy parameter")
_DELTA = Input("delta", ">= 0", meaning="privacy parameter")
_SENSITIVITY = Input("sensitivity", ">= 0", meaning="l2 sensitivity Delta")


def ratio_of(R: Intervals, given: Inputs) -> Interval:
    """mu = Delta/sigma, given as such or as its two parts."""
    ratio, sensitivity, sigma = given.optional("ratio"), given.optional("sensitivity"), given.optional("sigma")
    if ratio is not None and sensitivity is None and sigma is None:
        return R(ratio)
    if ratio is None and sensitivity is not None and sigma is not None:
        return R(sensitivity) / R(sigma)
    raise UnusableInput("give ratio, or sensitivity and sigma, and not both", field="ratio")


def _profile(R: Intervals, given: Inputs) -> dict[str, Interval]:
    return {"delta": gaussian.profile(R, R(given.number("epsilon")), ratio_of(R, given))}


def sigma_enclosure(task: Task, epsilon: Fraction, delta: Fraction, sensitivity: Fraction) -> Enclosure:
    """G3 enclosed: the upper end is proved to suffice and the lower end is proved not to."""
    if sensitivity == 0:
        return exactly(0, "the sensitivity is 0: every sigma > 0 suffices")
    if delta >= 1:
        return exactly(0, "delta >= 1 is met by every release: every sigma > 0 suffices")
    if delta == 0:
        return unbounded("delta = 0: no finite sigma makes a Gaussian release (epsilon, 0)-private")

    def conditions(R: Intervals, lower: Interval, upper: Interval) -> Conditions[Interval]:
        return gaussian.analytic_sigma(R, R(epsilon), R(delta), R(sensitivity), lower, upper)

    return _bracketed(task, lambda digits: sensitivity / ratio_for(epsilon, delta, digits), conditions)


def epsilon_enclosure(task: Task, delta: Fraction, ratio: Fraction) -> Enclosure:
    """G2 enclosed; where delta(0; mu) - delta cannot be signed, [0, upper] with upper proved to suffice."""
    if ratio == 0:
        return exactly(0, "the ratio is 0: the two laws agree")
    if delta >= 1:
        return exactly(0, "delta >= 1 is met by every release")
    if delta == 0:
        return unbounded("delta = 0: no finite epsilon makes a Gaussian release of positive ratio (epsilon, 0)-private")
    at_zero, *_ = task.decide(
        lambda R: [at_most("delta(0; mu) <= delta", gaussian.total_variation(R, R(ratio)), R(delta))]
    )
    if at_zero.decision is Decision.PROVED:
        return exactly(0, "the total variation distance 2 Phi(mu/2) - 1 is at most delta")

    def conditions(R: Intervals, lower: Interval, upper: Interval) -> Conditions[Interval]:
        return gaussian.tight_epsilon(R, R(delta), R(ratio), lower, upper)

    return _bracketed(task, lambda digits: epsilon_for(delta, ratio, digits), conditions)


def _bracketed(
    task: Task,
    guess: Callable[[int], Fraction],
    conditions: Callable[[Intervals, Interval, Interval], Conditions[Interval]],
) -> Enclosure:
    """A bracket of a positive quantity: the first condition shows the upper end, the second the lower end.

    Guesses of growing accuracy are tried, a narrow bracket around each; then ever wider ones around the last. An end
    that no bracket shows is 0 or infinite.
    """
    last, extra = Fraction(1), 1
    while extra < 4 * task.digits + 8 and not task.is_spent():
        last, extra = guess(task.digits + extra), 2 * extra + 7
        lower, upper = widened(last, task.digits + 1)
        above, below = _sides(task, conditions, lower, upper)
        if above and below:
            return Enclosure(lower, upper)
    low, high = Fraction(0), None
    coarse = replace(task, limits=replace(task.limits, max_bits=min(task.limits.max_bits, _COARSE_BITS)))
    for doubling in range(_WIDENINGS):
        factor = Fraction(2) ** (1 << doubling)
        above, below = _sides(coarse, conditions, last / factor, last * factor)
        low = last / factor if below and not low else low
        high = last * factor if above and high is None else high
        if low and high is not None:
            break
    if high is None:
        return unbounded(NOT_TIGHT, low)
    return Enclosure(low, high, NOT_TIGHT)


def _sides(
    task: Task,
    conditions: Callable[[Intervals, Interval, Interval], Conditions[Interval]],
    lower: Fraction,
    upper: Fraction,
) -> tuple[bool, bool]:
    """Whether the upper end and the lower end are proved."""
    decided = task.decide(lambda R: conditions(R, R(lower), R(upper)))
    shown = [item.decision is Decision.PROVED for item in decided if item.role == "conclusion"]
    if len(shown) != 2 or not all(item.decision is Decision.PROVED for item in decided if item.role == "hypothesis"):
        return False, False
    return shown[0], shown[1]


def _sigma(task: Task, given: Inputs) -> Answer:
    numbers = (given.number(name) for name in ("epsilon", "delta", "sensitivity"))
    return Answer({"sigma": sigma_enclosure(task, *numbers)})


def _epsilon(task: Task, given: Inputs) -> Answer:
    return Answer({"epsilon": epsilon_enclosure(task, given.number("delta"), given.number("ratio"))})


def _classic(R: Intervals, given: Inputs) -> dict[str, Interval]:
    epsilon, sensitivity = R(given.number("epsilon")), R(given.number("sensitivity"))
    sigma = gaussian.classic_sigma(R, epsilon, R(given.number("delta")), sensitivity)
    return {"sigma": sigma, "delta": gaussian.profile(R, epsilon, sensitivity / sigma)}


def _compose(R: Intervals, given: Inputs) -> dict[str, Interval]:
    ratio = gaussian.composed_ratio(R, [R(mu) for mu in given.numbers("ratios")])
    return {"ratio": ratio, "delta": gaussian.profile(R, R(given.number("epsilon")), ratio)}


ENTRIES = (
    Entry(
        "gaussian.profile",
        (
            _EPSILON,
            Input("ratio", ">= 0", "", meaning="mu = Delta/sigma"),
            Input("sensitivity", ">= 0", "", meaning="with sigma, instead of ratio"),
            Input("sigma", "> 0", "", meaning="standard deviation"),
        ),
        formula(_profile),
        "epsilon=1 ratio=1/2",
        ("delta",),
    ),
    Entry(
        "gaussian.epsilon",
        (_DELTA, Input("ratio", ">= 0", meaning="mu = Delta/sigma")),
        _epsilon,
        "delta=1e-5 ratio=2",
        ("epsilon",),
    ),
    Entry("gaussian.sigma", (_EPSILON, _DELTA, _SENSITIVITY), _sigma, "epsilon=2 delta=1e-6 sensitivity=1", ("sigma",)),
    Entry(
        "gaussian.classic",
        (Input("epsilon", "> 0"), Input("delta", "(0, 1)"), Input("sensitivity", "> 0")),
        formula(_classic, lambda R, given: [gaussian.classic_range(R, R(given.number("epsilon")))]),
        "epsilon=1/2 delta=1e-6 sensitivity=1",
        ("sigma", "delta"),
    ),
    Entry(
        "gaussian.compose",
        (Input("ratios", ">= 0", kind="list", meaning="comma list of mu_i"), _EPSILON),
        formula(_compose),
        "ratios=1/2,1/2 epsilon=1",
        ("ratio", "delta"),
    ),
)
