"""`certify eval gd.*`: every printed figure of Example 4.8, C.4 and C.5, failing hypotheses, refused inputs."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from certify.errors import UnusableInput
from certify.evaluation import answer, gd
from certify.evaluation.entries import Answer
from certify.kernel.decision import Decision
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Limits

EXAMPLE = "n=1000000 d=10000 mu=0.01 zeta=1 loss=logistic sigma_over_G=5 u=6"
WEAKER = EXAMPLE.replace("mu=0.01", "mu=0.001")


def evaluated(name: str, text: str, *, digits: int = 20, limits: Limits = Limits()) -> Answer:
    """The answer to a command line."""
    return answer(name, dict(part.split("=", 1) for part in text.split()), digits, limits)[1]


def is_printed(value: Enclosure | int, figure: str) -> bool:
    """Whether both ends of an enclosure lie within one unit in the last place of the printed figure."""
    if isinstance(value, int):
        return value == int(figure)
    exponent = Decimal(figure).as_tuple().exponent
    assert isinstance(exponent, int)
    unit, printed = Fraction(10) ** exponent, Fraction(figure)
    return printed - unit < value.lower <= value.upper < printed + unit


def failed(found: Answer) -> list[str]:
    """The texts of the hypotheses that are not proved."""
    return [item.text for item in found.hypotheses if item.decision is not Decision.PROVED]


FIGURES = [
    ("gd.constants", "n=1000000 mu=0.01 loss=logistic", {"L": "0.26", "kappa": "26", "G": "2e-6", "delta_H": "0.5"}),
    ("gd.constants", "n=1000000 mu=0.001 loss=logistic", {"kappa": "251", "L": "0.251"}),
    ("gd.threshold", EXAMPLE, {"threshold": "1318.9047153019786", "iterations": "1319"}),
    ("gd.threshold", WEAKER, {"threshold": "16147.593025179867", "iterations": "16148"}),
    (
        "gd.theorem-4.1",
        f"{EXAMPLE} iterations=1500 epsilon=1",
        {
            "epsilon0": "0.0200249996875455",
            "truncation": "1.52299797447e-8",
            "divergence": "3.64090427278e-8",
            "delta": "5.16390224725307e-8",
            "threshold": "1318.9047153019786",
        },
    ),
    ("gd.theorem-4.1", f"{EXAMPLE} iterations=1319 epsilon=1", {"delta": "5.16390224738368e-8"}),
    (
        "gd.theorem-c13",
        f"{EXAMPLE} iterations=519 epsilon=1",
        {
            "alpha_bar": "3.84354891592129",
            "s": "0.0520959562144751",
            "radius_need": "5.20352424507063e-5",
            "radius_gap": "0.000104",
            "delta": "9.89505872229475e-8",
        },
    ),
    ("gd.theorem-c13", f"{EXAMPLE} iterations=518 epsilon=1", {"delta": "1.01736107619327e-7"}),
    ("gd.theorem-c13", f"{WEAKER} iterations=6079 epsilon=1", {"delta": "9.99538869972954e-8"}),
    ("gd.theorem-c13", f"{WEAKER} iterations=6078 epsilon=1", {"delta": "1.00226196637404e-7"}),
    (
        "gd.first-count",
        f"{EXAMPLE} epsilon=1 delta=1e-7",
        {"iterations": "519", "delta": "9.89505872229475e-8", "delta_before": "1.01736107619327e-7"},
    ),
    (
        "gd.first-count",
        f"{WEAKER} epsilon=1 delta=1e-7",
        {"iterations": "6079", "delta": "9.99538869972954e-8", "delta_before": "1.00226196637404e-7"},
    ),
    ("gd.benchmark", "ratio=1/5 epsilon=1", {"profile": "1.75463333189623e-8", "certificate": "3.63850762403164e-8"}),
    ("gd.limit", f"{EXAMPLE}", {"epsilon_limit": "0.02002499968750520"}),
]


@pytest.mark.parametrize(("name", "text", "figures"), FIGURES)
def test_printed_figures(name: str, text: str, figures: dict[str, str]) -> None:
    """Each figure is enclosed to all its digits, with every hypothesis proved."""
    found = evaluated(name, text)
    assert {key: is_printed(found.values[key], figure) for key, figure in figures.items()} == dict.fromkeys(
        figures, True
    )
    assert failed(found) == []


def test_exact_values_stay_exact() -> None:
    """Rational values are printed as they are: L, G, the radius gap, rho at a rational step."""
    found = evaluated("gd.constants", "n=1000000 mu=0.01 loss=logistic step_size=1", digits=12).values
    assert {name: value.text() for name, value in found.items() if isinstance(value, Enclosure) and name != "M"} == {
        "L": ("0.26", "0.26"),
        "G": ("2e-6", "2e-6"),
        "delta_H": ("0.5", "0.5"),
        "kappa": ("26", "26"),
        "rho": ("0.99", "0.99"),
        "step_size": ("1", "1"),
    }
    gap = evaluated("gd.theorem-c13", f"{EXAMPLE} iterations=519 epsilon=1").values["radius_gap"]
    assert gap == Enclosure(Fraction(104, 10**6), Fraction(104, 10**6))


def test_the_ways_to_state_a_problem_agree() -> None:
    """sigma or sigma_over_G, loss or its constants, L, M and the step spelled out: the same values."""
    task = "iterations=519 epsilon=1"
    plain = evaluated("gd.theorem-c13", f"{EXAMPLE} {task}")
    spelled = EXAMPLE.replace("sigma_over_G=5", "sigma=0.00001")
    assert evaluated("gd.theorem-c13", f"{spelled} L=0.26 step_size=50/13 {task}").values == plain.values
    by_constants = EXAMPLE.replace("loss=logistic", "L1=1 L2=0.25 L3=0.1")
    wider = evaluated("gd.theorem-c13", f"{by_constants} {task}").values["delta"]
    assert isinstance(wider, Enclosure)
    assert isinstance(plain.values["delta"], Enclosure)
    assert wider.lower > plain.values["delta"].upper
    assert evaluated("gd.theorem-c13", f"{EXAMPLE} M=0.1 {task}").values["delta"] == wider


@pytest.mark.parametrize(
    ("name", "text", "missed", "kept", "dropped"),
    [
        ("gd.theorem-4.1", "iterations=1318 epsilon=1", "threshold (7) <= N", {"delta"}, set()),
        ("gd.theorem-4.1", "iterations=1500 epsilon=0.02", "epsilon0 (9)", {"epsilon0", "truncation"}, {"delta"}),
        ("gd.theorem-4.1", "iterations=1500 epsilon=1 step_size=4", "eta <= 1/L", {"delta"}, set()),
        ("gd.theorem-4.1", "iterations=1500 epsilon=1 step_size=100", "eta mu < 1", {"truncation"}, {"delta"}),
        ("gd.theorem-c13", "iterations=100 epsilon=1", "0 < alpha", {"alpha_bar", "radius_gap"}, {"delta", "s"}),
        ("gd.theorem-c13", "iterations=250 epsilon=1", "(47)", {"alpha_bar"}, {"delta"}),
        ("gd.theorem-c13", "iterations=519 epsilon=0.05", "s_N <= epsilon", {"s", "tau"}, {"delta"}),
        ("gd.theorem-c13", "iterations=519 epsilon=1 L=0.25", "mu + L2 zeta^2 <= L", {"delta"}, set()),
        ("gd.threshold", "step_size=100", "eta mu < 1", set(), {"threshold", "iterations"}),
        ("gd.threshold", "M=0.01", "L3 zeta^3 <= M", {"threshold", "iterations"}, set()),
        ("gd.diffeomorphism", "iterations=100 radius=1", "0 < alpha_D", {"alpha"}, set()),
        ("gd.first-count", "epsilon=1 delta=1e-7 step_size=4", "eta <= 1/L", set(), {"iterations"}),
    ],
)
def test_failing_hypotheses(name: str, text: str, missed: str, kept: set[str], dropped: set[str]) -> None:
    """A failing hypothesis is named; the values that still mean something stay, the others are left out."""
    found = evaluated(name, f"{EXAMPLE} {text}")
    assert any(item.startswith(missed) for item in failed(found))
    assert kept <= set(found.values)
    assert not dropped & set(found.values)


def test_benchmark_leaves_out_the_certificate_below_its_range() -> None:
    """Lemma C.12 says nothing below ratio^2/2; the exact profile stays."""
    found = evaluated("gd.benchmark", "ratio=3 epsilon=1")
    assert set(found.values) == {"profile"}
    assert failed(found) == ["ratio^2/2 <= epsilon"]


@pytest.mark.parametrize(
    ("name", "text", "field"),
    [
        ("gd.limit", "n=10 mu=1 sigma=1", "loss"),
        ("gd.limit", "n=10 mu=1 sigma=1 L1=1 L2=1", "loss"),
        ("gd.limit", "n=10 mu=1 sigma=1 loss=logistic L1=1", "loss"),
        ("gd.limit", "n=10 mu=1 sigma=1 loss=hinge", "loss"),
        ("gd.limit", "n=10 mu=1 loss=logistic", "sigma"),
        ("gd.limit", "n=10 mu=1 loss=logistic sigma=1 sigma_over_G=1", "sigma"),
        ("gd.limit", "n=10 mu=1 loss=logistic sigma=0", "sigma"),
        ("gd.limit", "n=1.5 mu=1 loss=logistic sigma=1", "n"),
        ("gd.constants", "n=10 mu=0 loss=logistic", "mu"),
        ("gd.constants", "n=10 mu=1 loss=logistic step_size=1/M", "step_size"),
        ("gd.threshold", "n=10 mu=1 loss=logistic sigma=1 d=3", "u"),
        ("gd.theorem-c13", "n=10 mu=1 loss=logistic sigma=1 d=3 iterations=5 epsilon=1", "u"),
        ("gd.theorem-c13", f"{EXAMPLE} iterations=5 epsilon=1 radius=1", "radius"),
        ("gd.theorem-c13", f"{EXAMPLE} iterations=5 epsilon=1 domain_radius=1", "domain_radius"),
        ("gd.theorem-c13", f"{EXAMPLE} iterations=0 epsilon=1", "iterations"),
        ("gd.first-count", f"{EXAMPLE} epsilon=1 delta=1e-7 variant=sharp", "variant"),
    ],
)
def test_refused_inputs(name: str, text: str, field: str) -> None:
    """What is missing, doubled or out of range is named."""
    with pytest.raises(UnusableInput) as refused:
        evaluated(name, text)
    assert refused.value.field == field


def test_unused_inputs_are_accepted() -> None:
    """gd.limit and gd.diffeomorphism take the common inputs and need only their own."""
    assert evaluated("gd.limit", EXAMPLE).values == evaluated("gd.limit", EXAMPLE.replace("d=10000", "d=7")).values
    full = evaluated("gd.diffeomorphism", f"{EXAMPLE} iterations=519 radius=0.001").values
    assert evaluated("gd.diffeomorphism", "n=9 mu=0.01 loss=logistic iterations=519 radius=0.001").values == full


def test_the_sharp_variant_is_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """variant=sharp goes to its own evaluation."""
    from certify.evaluation import gd_sharp

    marked = Answer({"iterations": 7})
    monkeypatch.setattr(gd_sharp, "answer", lambda *_: marked)
    text = f"{EXAMPLE.removesuffix(' u=6')} iterations=519 epsilon=1 variant=sharp radius=1"
    assert evaluated("gd.theorem-c13", text) is marked


def test_every_entry_has_an_example_that_runs() -> None:
    """The examples of the help give every value they name."""
    for entry in gd.ENTRIES:
        found = evaluated(entry.name, entry.example, digits=12)
        assert set(found.values) == set(entry.values), entry.name
        assert failed(found) == []
