"""`certify eval utility.*`: excess risk of gradient descent on a perturbed objective, and its calibration (U1-U6)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from certify.evaluation.descent_counts import least_admissible
from certify.evaluation.descent_inputs import (
    DIMENSION,
    ITERATIONS,
    NOISE,
    OBJECTIVE,
    UNUSED_TRUNCATION,
    read_descent,
    read_objective,
)
from certify.evaluation.entries import MAX_COUNT, Answer, Entry, Input, Inputs, Task
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import proved
from certify.search.utility import least_count
from certify.statements import utility, utility_calibration
from certify.statements.descent.constants import Descent, Objective, objective, release_hypotheses
from certify.statements.language import Conditions
from certify.statements.utility_calibration import Calibration, Target

_SAMPLE_FAILURE = Input("delta_S", "(0, 1)", meaning="probability that the sample is a bad one")
_COMPARATOR = Input("comparator_norm", ">= 0", meaning="bound on the norm of the comparator")
_COMMON = (*OBJECTIVE, DIMENSION, *NOISE, UNUSED_TRUNCATION, ITERATIONS)
_EXAMPLE = "n=1000000 d=10000 mu=0.01 loss=logistic sigma_over_G=5 iterations=1500"

Values = Callable[[Intervals, Descent[Interval], Interval], dict[str, Interval]]


def _answered(task: Task, given: Inputs, values: Values) -> Answer:
    """Values and hypotheses of a bound on the excess risk at the given count."""
    N = given.count("iterations")

    def failure(R: Intervals, name: str) -> Interval | None:
        number = given.optional(name)
        return None if number is None else R(number)

    def hypotheses(R: Intervals) -> Conditions[Interval]:
        sample, release = failure(R, "delta_S"), failure(R, "beta")
        p = read_descent(R, given)
        return utility.hypotheses(R, p, R(N), sample_failure=sample, release_failure=release)

    decided = task.decide(hypotheses)
    if any(item.text == "eta mu < 1" and item.decision is not Decision.PROVED for item in decided):
        return Answer({}, decided)
    return Answer(task.enclose(lambda R: values(R, read_descent(R, given), R(N))), decided)


def _empirical(task: Task, given: Inputs) -> Answer:
    def values(R: Intervals, p: Descent[Interval], N: Interval) -> dict[str, Interval]:
        return {**_parts(R, p, N), "bound": utility.empirical(R, p, N)}

    return _answered(task, given, values)


def _parts(R: Intervals, p: Descent[Interval], N: Interval) -> dict[str, Interval]:
    return {"perturbation": utility.perturbation(p), "optimization": utility.optimization(R, p, N)}


def _population(task: Task, given: Inputs) -> Answer:
    def values(R: Intervals, p: Descent[Interval], N: Interval) -> dict[str, Interval]:
        failure = R(given.number("delta_S"))
        bound = utility.population(R, p, N, failure)
        return {**_parts(R, p, N), "sample": utility.sample(R, p, failure), "bound": bound}

    return _answered(task, given, values)


def _unregularized(task: Task, given: Inputs) -> Answer:
    def values(R: Intervals, p: Descent[Interval], N: Interval) -> dict[str, Interval]:
        failure, norm = R(given.number("delta_S")), R(given.number("comparator_norm"))
        bound = utility.unregularized(R, p, N, failure, norm)
        return {**_parts(R, p, N), "sample": utility.sample(R, p, failure), "bound": bound}

    return _answered(task, given, values)


def _single_release(task: Task, given: Inputs) -> Answer:
    sample_failure = given.optional("delta_S")

    def values(R: Intervals, p: Descent[Interval], N: Interval) -> dict[str, Interval]:
        beta = R(given.number("beta"))
        found = {"empirical": utility.single_release(R, p, N, beta)}
        if sample_failure is not None:
            found["sample"] = utility.sample(R, p, R(sample_failure))
            found["bound"] = utility.single_release_population(R, p, N, beta, R(sample_failure))
        return found

    return _answered(task, given, values)


def _calibrate(task: Task, given: Inputs) -> Answer:
    def target(R: Intervals) -> Target[Interval]:
        return Target(*(R(given.number(name)) for name in ("epsilon", "delta", "delta_S", "comparator_norm")))

    def found(R: Intervals) -> Calibration[Interval]:
        return utility_calibration.calibration(R, target(R), given.count("d"), lambda mu: _objective_at(R, given, mu))

    def hypotheses(R: Intervals, N: int) -> Conditions[Interval]:
        return utility_calibration.hypotheses(R, target(R), found(R).release, R(N))

    def chosen(R: Intervals) -> dict[str, Interval]:
        p = found(R).release
        u = R(0) if p.u is None else p.u
        return {"u": u, "sigma": p.sigma, "mu": p.mu, "L": p.L, "M": p.M, "step_size": p.eta}

    def settles(N: int) -> bool:
        return proved(task.decide(lambda R: utility_calibration.settled(R, target(R), found(R).release, R(N))))

    values: dict[str, Enclosure | int] = dict(task.enclose(chosen))
    iterations = None
    if proved(task.decide(lambda R: release_hypotheses(R, found(R).release))):
        first = least_admissible(task, lambda R: found(R).release)
        iterations = None if first is None else least_count(settles, first, MAX_COUNT)
    if iterations is None:
        return Answer(values, task.decide(lambda R: hypotheses(R, 1)))
    W = given.number("comparator_norm")
    risk = task.enclose(lambda R: {"bound": utility_calibration.excess_risk(R, found(R), R(iterations), R(W))})
    return Answer({**values, "iterations": iterations, **risk}, task.decide(lambda R: hypotheses(R, iterations)))


def _objective_at(R: Intervals, given: Inputs, mu: Interval) -> Objective[Interval]:
    """The objective that is given, at another mu."""
    read = read_objective(R, Inputs({**given.given, "mu": Fraction(1)}))
    stated = {name: getattr(read, name) for name in ("L", "M", "eta") if name not in read.defaults}
    return objective(R, read.n, mu, read.zeta, (read.L1, read.L2, read.L3), **stated)


_RISKS = ("perturbation", "optimization", "sample", "bound")

ENTRIES = (
    Entry("utility.empirical", _COMMON, _empirical, _EXAMPLE, ("perturbation", "optimization", "bound")),
    Entry("utility.population", (*_COMMON, _SAMPLE_FAILURE), _population, f"{_EXAMPLE} delta_S=0.01", _RISKS),
    Entry(
        "utility.unregularized",
        (*_COMMON, _SAMPLE_FAILURE, _COMPARATOR),
        _unregularized,
        f"{_EXAMPLE} delta_S=0.01 comparator_norm=1",
        _RISKS,
    ),
    Entry(
        "utility.single-release",
        (
            *_COMMON,
            Input("beta", "(0, 1)", meaning="probability that the perturbation is a bad one"),
            Input("delta_S", "(0, 1)", "", meaning="left out: the empirical risk only"),
        ),
        _single_release,
        f"{_EXAMPLE} beta=0.001 delta_S=0.01",
        ("empirical", "sample", "bound"),
    ),
    Entry(
        "utility.calibrate",
        (
            *(item for item in OBJECTIVE if item.name != "mu"),
            DIMENSION,
            Input("epsilon", "> 0", meaning="privacy parameter, at most 1"),
            Input("delta", "(0, 1)", meaning="privacy parameter"),
            _SAMPLE_FAILURE,
            Input("comparator_norm", "> 0", meaning="W, bound on the norm of the comparator"),
        ),
        _calibrate,
        "n=1000000 d=100 loss=logistic epsilon=1 delta=1e-7 delta_S=0.01 comparator_norm=1",
        ("u", "sigma", "mu", "L", "M", "step_size", "iterations", "bound"),
    ),
)
