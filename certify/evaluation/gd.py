"""`certify eval gd.*`: gradient descent on a perturbed objective (D1-D7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from certify.errors import UnusableInput
from certify.evaluation.descent_counts import FirstCount, first_passing, least_admissible
from certify.evaluation.descent_inputs import (
    DIMENSION,
    ITERATIONS,
    NOISE,
    OBJECTIVE,
    TRUNCATION,
    UNUSED_DIMENSION,
    UNUSED_NOISE,
    UNUSED_TRUNCATION,
    read_descent,
    read_objective,
    read_sigma,
)
from certify.evaluation.entries import Answer, Entry, Input, Inputs, Task, exactly, unbounded
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Interval, Intervals
from certify.kernel.loop import FIRST_BITS, Decided, Stated
from certify.statements.descent import benchmark, constants, diffeomorphism, limit, theorem_41, theorem_c13
from certify.statements.descent.radii import fixed_radii, fixed_tail
from certify.statements.gaussian import profile
from certify.statements.language import Conditions

_EPSILON = Input("epsilon", ">= 0", meaning="privacy parameter")
_DELTA = Input("delta", ">= 0", meaning="privacy parameter")
_COMMON = (*OBJECTIVE, DIMENSION, *NOISE, TRUNCATION)
_EXAMPLE = "n=1000000 d=10000 mu=0.01 loss=logistic sigma_over_G=5 u=6"

Values = Callable[[Intervals], Mapping[str, Interval]]
Hypotheses = Callable[[Intervals], Iterable[Stated]]


def _answered(task: Task, values: Values, hypotheses: Hypotheses, needs: Mapping[str, tuple[str, ...]]) -> Answer:
    """Values and hypotheses. A value with no bound is left out, and one that needs a hypothesis which is not proved.

    ``needs`` gives, for the opening of a hypothesis's text, the values that have no meaning without it.
    """
    decided = task.decide(hypotheses)
    lost = {
        name
        for item in decided
        if item.decision is not Decision.PROVED
        for opening, names in needs.items()
        if item.text.startswith(opening)
        for name in names
    }
    found = task.enclose(lambda R: {name: value for name, value in values(R).items() if name not in lost})
    return Answer({name: value for name, value in found.items() if value.is_bounded}, decided)


def _constants(task: Task, given: Inputs) -> Answer:
    def values(R: Intervals) -> dict[str, Interval]:
        p = read_objective(R, given)
        found = {"L": p.L, "M": p.M, "G": p.G, "delta_H": p.delta_H, "kappa": p.kappa, "rho": p.rho}
        return {**found, "step_size": p.eta}

    return _answered(task, values, lambda R: constants.hypotheses(R, read_objective(R, given)), {})


def _threshold(task: Task, given: Inputs) -> Answer:
    answer = _answered(
        task,
        lambda R: {"threshold": theorem_41.threshold(R, read_descent(R, given))},
        lambda R: constants.release_hypotheses(R, read_descent(R, given)),
        {"eta mu < 1": ("threshold",)},
    )
    least = least_admissible(task, lambda R: read_descent(R, given)) if "threshold" in answer.values else None
    return answer if least is None else Answer({**answer.values, "iterations": least}, answer.hypotheses)


def _theorem_41(task: Task, given: Inputs) -> Answer:
    N, epsilon = given.count("iterations"), given.number("epsilon")

    def values(R: Intervals) -> dict[str, Interval]:
        p = read_descent(R, given)
        start = theorem_41.epsilon0(R, p, R(N))
        truncation, divergence = fixed_tail(R, p), theorem_41.divergence(R, p, R(epsilon) - start)
        return {
            "threshold": theorem_41.threshold(R, p),
            "tau_star": theorem_41.tau_star(R, p, R(N)),
            "epsilon0": start,
            "truncation": truncation,
            "divergence": divergence,
            "delta": truncation + divergence,
        }

    return _answered(
        task,
        values,
        lambda R: theorem_41.hypotheses(R, read_descent(R, given), R(N), R(epsilon)),
        {
            "eta mu < 1": ("threshold", "tau_star", "epsilon0", "divergence", "delta"),
            "epsilon0 (9) <= epsilon": ("divergence", "delta"),
        },
    )


def _theorem_c13(task: Task, given: Inputs) -> Answer:
    if given.word("variant") == "sharp":
        from certify.evaluation import gd_sharp

        return gd_sharp.answer(task, given)
    for name in ("radius", "domain_radius"):
        if name in given:
            raise UnusableInput("fixed radii are r_u and r_u + 2LG/mu; give it with variant=sharp", field=name)
    if "u" not in given:
        raise UnusableInput("missing; the fixed radii need the truncation parameter u", field="u")
    N, epsilon = given.count("iterations"), given.number("epsilon")

    def values(R: Intervals) -> dict[str, Interval]:
        p = read_descent(R, given)
        radii = fixed_radii(R, p)
        alpha = theorem_c13.alpha_bar(R, p, R(N), radii)
        return {
            "alpha_bar": alpha,
            "tau": theorem_c13.tau(R, p, R(N), radii, alpha),
            "s": theorem_c13.spent(R, p, R(N), radii, alpha),
            "radius_gap": radii.gap,
            "radius_need": theorem_c13.radius_need(R, p, R(N), alpha),
            "delta": theorem_c13.delta(R, p, R(N), R(epsilon), radii, fixed_tail(R, p)),
        }

    def hypotheses(R: Intervals) -> Conditions[Interval]:
        p = read_descent(R, given)
        return theorem_c13.hypotheses(R, p, R(N), R(epsilon), fixed_radii(R, p))

    return _answered(
        task,
        values,
        hypotheses,
        {
            "eta mu < 1": ("alpha_bar", "tau", "s", "radius_need", "delta"),
            "0 < alpha": ("tau", "s", "radius_need", "delta"),
            "(47)": ("delta",),
            "s_N <= epsilon": ("delta",),
        },
    )


def _first_count(task: Task, given: Inputs) -> Answer:
    epsilon, delta = given.number("epsilon"), given.number("delta")
    decided = task.decide(lambda R: constants.release_hypotheses(R, read_descent(R, given)))
    if any(item.decision is not Decision.PROVED for item in decided):
        return Answer({}, decided)
    found = first_passing(task, lambda R: read_descent(R, given), epsilon, delta)
    if found.count is None:
        return Answer({}, (*decided, _none_found(found)))
    values: dict[str, Enclosure | int] = {"iterations": found.count}
    for name, count in (("delta", found.count), ("delta_before", found.count - 1)):
        if count >= 1:
            at = _theorem_c13(task, Inputs({**given.given, "iterations": Fraction(count)}))
            values.update({name: at.values["delta"]} if "delta" in at.values else {})
    return Answer(values, (*found.passing, _excluded(found, found.count)))


def _excluded(found: FirstCount, count: int) -> Decided:
    """The statement that the ranges reach the count below the first one."""
    last = found.excluded[-1].upper if found.excluded else 0
    text = f"every smaller count fails (N <= {last}, excluded on {len(found.excluded)} range(s) of counts)"
    decision = Decision.PROVED if count - 1 <= last else Decision.UNDECIDED
    return Decided(text, "conclusion", "<=", decision, exactly(count - 1), exactly(last), FIRST_BITS)


def _none_found(found: FirstCount) -> Decided:
    """The failed statement that some count passes: disproved where all of them are proved to fail, else undecided."""
    last = found.excluded[-1].upper if found.excluded else 0
    if not found.endless:
        text = f"a first passing count is found within the limits (each N <= {last} fails)"
        return Decided(text, "hypothesis", "<=", Decision.UNDECIDED, exactly(last), unbounded("not found"), FIRST_BITS)
    reason = found.endless[0]
    text = f"some count passes (none does; from N = {last + 1} on: {reason.text})"
    return Decided(text, "hypothesis", "<", Decision.DISPROVED, reason.right, reason.left, reason.bits)


def _diffeomorphism(task: Task, given: Inputs) -> Answer:
    N, radius = given.count("iterations"), given.number("radius")
    return _answered(
        task,
        lambda R: {"alpha": diffeomorphism.alpha(R, read_objective(R, given), R(N), R(radius))},
        lambda R: diffeomorphism.conditions(R, read_objective(R, given), R(N), R(radius)),
        {"eta mu < 1": ("alpha",)},
    )


def _limit(task: Task, given: Inputs) -> Answer:
    def values(R: Intervals) -> dict[str, Interval]:
        p = read_objective(R, given)
        return {"epsilon_limit": limit.epsilon_limit(R, p, read_sigma(R, given, p))}

    return _answered(task, values, lambda R: constants.hypotheses(R, read_objective(R, given)), {})


def _benchmark(task: Task, given: Inputs) -> Answer:
    ratio, epsilon = given.number("ratio"), given.number("epsilon")
    return _answered(
        task,
        lambda R: {
            "profile": profile(R, R(epsilon), R(ratio)),
            "certificate": benchmark.certificate(R, R(epsilon), R(ratio)),
        },
        lambda R: [benchmark.certificate_range(R(epsilon), R(ratio))],
        {"ratio^2/2 <= epsilon": ("certificate",)},
    )


_C13 = (
    Input("variant", default="fixed-radii", words=("fixed-radii", "sharp")),
    Input("radius", "> 0", "", meaning="truncation radius r, with variant=sharp"),
    Input("domain_radius", "> 0", "", meaning="domain radius r', with variant=sharp"),
)
_OPTIONAL_TRUNCATION = Input("u", ">= 0", "", meaning="truncation parameter")
_UNUSED = (UNUSED_DIMENSION, *UNUSED_NOISE, UNUSED_TRUNCATION)

ENTRIES = (
    Entry(
        "gd.constants",
        OBJECTIVE,
        _constants,
        "n=1000000 mu=0.01 loss=logistic",
        ("L", "M", "G", "delta_H", "kappa", "rho", "step_size"),
    ),
    Entry("gd.threshold", _COMMON, _threshold, _EXAMPLE, ("threshold", "iterations")),
    Entry(
        "gd.theorem-4.1",
        (*_COMMON, ITERATIONS, _EPSILON),
        _theorem_41,
        f"{_EXAMPLE} iterations=1500 epsilon=1",
        ("threshold", "tau_star", "epsilon0", "truncation", "divergence", "delta"),
    ),
    Entry(
        "gd.theorem-c13",
        (*OBJECTIVE, DIMENSION, *NOISE, _OPTIONAL_TRUNCATION, ITERATIONS, _EPSILON, *_C13),
        _theorem_c13,
        f"{_EXAMPLE} iterations=519 epsilon=1",
        ("alpha_bar", "tau", "s", "radius_gap", "radius_need", "delta"),
    ),
    Entry(
        "gd.first-count",
        (*_COMMON, _EPSILON, _DELTA, Input("variant", default="fixed-radii", words=("fixed-radii",))),
        _first_count,
        f"{_EXAMPLE} epsilon=1 delta=1e-7",
        ("iterations", "delta", "delta_before"),
    ),
    Entry(
        "gd.diffeomorphism",
        (*OBJECTIVE, *_UNUSED, ITERATIONS, Input("radius", ">= 0", meaning="radius of the ball of perturbations")),
        _diffeomorphism,
        "n=1000000 mu=0.01 loss=logistic iterations=1500 radius=0.001",
        ("alpha",),
    ),
    Entry(
        "gd.limit",
        (*OBJECTIVE, UNUSED_DIMENSION, *NOISE, UNUSED_TRUNCATION),
        _limit,
        "n=1000000 mu=0.01 loss=logistic sigma_over_G=5",
        ("epsilon_limit",),
    ),
    Entry(
        "gd.benchmark",
        (Input("ratio", "> 0", meaning="G/sigma"), _EPSILON),
        _benchmark,
        "ratio=1/5 epsilon=1",
        ("profile", "certificate"),
    ),
)
