"""The inputs that the gradient-descent and utility statements share, and their reading into constants."""

from __future__ import annotations

from certify.errors import UnusableInput
from certify.evaluation.entries import Input, Inputs
from certify.kernel.interval import Interval, Intervals
from certify.statements.descent.constants import Descent, Objective, logistic_constants, objective, released

LOSSES = ("logistic",)
_INVERSE_L = "1/L"

OBJECTIVE = (
    Input("n", kind="count", meaning="number of records"),
    Input("mu", "> 0", meaning="regularization: mean loss + (mu/2)|w|^2"),
    Input("zeta", "> 0", "1", meaning="bound on every feature norm"),
    Input("loss", default="", words=LOSSES, meaning="or its constants L1, L2, L3"),
    Input("L1", "> 0", "", meaning="bound on |l'|"),
    Input("L2", ">= 0", "", meaning="bound on l''"),
    Input("L3", ">= 0", "", meaning="Lipschitz constant of l''"),
    Input("step_size", "> 0", _INVERSE_L, words=(_INVERSE_L,), meaning="eta"),
    Input("L", "> 0", "", meaning="smoothness, by default mu + L2 zeta^2"),
    Input("M", ">= 0", "", meaning="Hessian-Lipschitz constant, by default L3 zeta^3"),
)
DIMENSION = Input("d", kind="count", meaning="dimension of the parameter")
NOISE = (
    Input("sigma", "> 0", "", meaning="standard deviation of the perturbation"),
    Input("sigma_over_G", "> 0", "", meaning="sigma/G, instead of sigma"),
)
TRUNCATION = Input("u", ">= 0", meaning="truncation parameter")
ITERATIONS = Input("iterations", kind="count", meaning="number of steps N")
UNUSED_DIMENSION = Input("d", kind="count", default="", meaning="not used")
UNUSED_NOISE = tuple(Input(item.name, item.domain, "", meaning="not used") for item in NOISE)
UNUSED_TRUNCATION = Input("u", ">= 0", "", meaning="not used")


def read_objective(R: Intervals, given: Inputs) -> Objective[Interval]:
    """The constants of the objective and the step as given, or UnusableInput naming what is missing or doubled."""

    def chosen(name: str) -> Interval | None:
        number = given.optional(name)
        return None if number is None else R(number)

    return objective(
        R,
        given.count("n"),
        R(given.number("mu")),
        R(given.number("zeta")),
        _losses(R, given),
        L=chosen("L"),
        M=chosen("M"),
        eta=None if given.word("step_size") == _INVERSE_L else R(given.number("step_size")),
    )


def read_descent(R: Intervals, given: Inputs) -> Descent[Interval]:
    """The objective with its release; u is None where it is left out."""
    constants = read_objective(R, given)
    u = given.optional("u")
    return released(constants, given.count("d"), read_sigma(R, given, constants), None if u is None else R(u))


def read_sigma(R: Intervals, given: Inputs, constants: Objective[Interval]) -> Interval:
    """sigma, given as such or as a multiple of G."""
    sigma, ratio = given.optional("sigma"), given.optional("sigma_over_G")
    if (sigma is None) == (ratio is None):
        raise UnusableInput("give sigma or sigma_over_G, and not both", field="sigma")
    return R(sigma) if sigma is not None else R(given.number("sigma_over_G")) * constants.G


def _losses(R: Intervals, given: Inputs) -> tuple[Interval, Interval, Interval]:
    stated = [name for name in ("L1", "L2", "L3") if name in given]
    if given.word("loss") != "":
        if stated:
            raise UnusableInput(
                f"give a loss by name, or L1, L2, L3, and not both ({stated[0]} is given)", field="loss"
            )
        return logistic_constants(R)
    if len(stated) < 3:
        raise UnusableInput("give loss=logistic, or all of L1, L2, L3", field="loss")
    return R(given.number("L1")), R(given.number("L2")), R(given.number("L3"))
