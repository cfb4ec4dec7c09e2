"""`certify eval head.*`: constants of the heads (H1-H4) and, with a ball radius, the gradient difference D(r)."""

from __future__ import annotations

from certify.errors import UnusableInput
from certify.evaluation.ball import RECORDS, REGULARIZATION
from certify.evaluation.entries import Entry, Input, Inputs, formula
from certify.kernel.interval import Interval, Intervals
from certify.statements import ball, heads, prototype

_FEATURE_BOUND = Input("feature_bound", ">= 0", meaning="B, with ||x|| <= B for every admissible record")
_CONSTANT = Input("constant", default="sharp", words=("sharp", "paper"), meaning="whose constants: sharp or paper")
_BALL_RADIUS = Input("ball_radius", ">= 0", "", meaning="ball radius r, for the gradient difference D(min(r, 2B))")
_VALUES = ("radius", "lipschitz", "any_record", "difference")


def _head(name: heads.Head, *more: Input, example: str) -> Entry:
    """The entry of one head; softmax alone reads the number of classes."""

    def values(R: Intervals, given: Inputs) -> dict[str, Interval]:
        classes = given.count("classes") if more else 2
        if classes < 2:
            raise UnusableInput("a softmax head needs K >= 2 classes", field="classes")
        constant: heads.Constant = "paper" if given.word("constant") == "paper" else "sharp"
        bound = R(given.number("feature_bound"))
        found = heads.constants(R, name, constant, bound, R(given.number("lambda")), R(classes))
        answer = {"radius": found.radius, "lipschitz": found.lipschitz, "any_record": found.any_record}
        if "ball_radius" in given:
            radius = ball.effective_radius(R, R(given.number("ball_radius")), bound)
            answer["difference"] = heads.difference(R, name, constant, bound, found, radius)
        return answer

    inputs = (_FEATURE_BOUND, REGULARIZATION, *more, _CONSTANT, _BALL_RADIUS)
    return Entry(f"head.{name}", inputs, formula(values), example, _VALUES)


def _prototype(R: Intervals, given: Inputs) -> dict[str, Interval]:
    n, smallest = given.count("n"), given.count("min_class_count")
    if smallest > n:
        raise UnusableInput(
            f"no data set has this: a class of {smallest} among n = {n} records", field="min_class_count"
        )
    radius, regularization = R(given.number("radius")), R(given.number("lambda"))
    return {"sensitivity": prototype.sensitivity(radius, regularization, R(n), R(smallest))}


ENTRIES = (
    _head("squared-hinge", example="feature_bound=1 lambda=0.01 ball_radius=1"),
    _head("binary-logistic", example="feature_bound=1 lambda=0.01 ball_radius=1"),
    _head(
        "softmax",
        Input("classes", kind="count", meaning="K >= 2"),
        example="feature_bound=1 lambda=0.01 classes=10 ball_radius=1",
    ),
    Entry(
        "head.ridge-prototype",
        (
            Input("radius", ">= 0", meaning="ball radius r; cut it to 2B where features are bounded"),
            REGULARIZATION,
            RECORDS,
            Input("min_class_count", default="1", kind="count", meaning="smallest nonzero class count, if public"),
        ),
        formula(_prototype),
        "radius=1 lambda=0.01 n=1000",
        ("sensitivity",),
    ),
)
