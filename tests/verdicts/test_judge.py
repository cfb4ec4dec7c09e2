"""A verdict comes from decided conditions: certified and refuted only where all are proved and nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hypothesis import given, settings
from hypothesis.strategies import booleans, lists, sampled_from, tuples

from certify.kernel.decision import Decision
from certify.kernel.loop import Limits
from certify.statements.language import Condition, Reals, X, at_most
from certify.statements.rules.rule import Missing, Rule, trivial
from certify.verdicts.judge import Route, certifying, judge
from certify.verdicts.model import Verdict

LACKING = (Missing("the claim names no adjacency", 'adjacency = "replace-one"   # under [policy]'),)
LIMITS = Limits(max_bits=128, max_evaluations=50)
Kinds = list[tuple[str, str]]


def stated(R: Reals[X], kinds: Kinds) -> Iterator[Condition[X]]:
    """Conditions that are proved, disproved, or cannot be decided (sqrt(2)^2 <= 2)."""
    sides = {
        "proved": (R(1), R(2)),
        "disproved": (R(2), R(1)),
        "undecided": (R.sqrt(R(2)) * R.sqrt(R(2)), R(2)),
    }
    for position, (kind, role) in enumerate(kinds):
        left, right = sides[kind]
        yield at_most(f"condition {position}", left, right, "conclusion" if role == "conclusion" else "hypothesis")


def route(kinds: Kinds, bound: int | Fraction = 1) -> Route:
    """A route with such conditions."""
    return Route(Rule("a rule", "D1", "a source", "certified", lambda R, _: stated(R, kinds), lambda R, _: R(bound)))


def refutation(kinds: Kinds) -> Route:
    """A refutation with such conditions."""
    return Route(Rule("a pair", "D7", "a source", "refuted", lambda R, _: stated(R, kinds), lambda R, _: R(1)))


CONDITIONS = lists(
    tuples(sampled_from(["proved", "disproved", "undecided"]), sampled_from(["hypothesis", "conclusion"])), max_size=4
)


@settings(deadline=None, max_examples=150)
@given(routes=lists(CONDITIONS, max_size=3), refutations=lists(CONDITIONS, max_size=2), lacking=booleans())
def test_only_proofs_decide(routes: list[Kinds], refutations: list[Kinds], lacking: bool) -> None:
    """For any mixture of conditions, the verdict is what the proved ones allow, and nothing else."""
    missing = LACKING if lacking else ()
    found = judge([route(kinds) for kinds in routes], [refutation(kinds) for kinds in refutations], missing, LIMITS)

    def whole(kinds: Kinds) -> bool:
        return bool(kinds) and all(kind == "proved" for kind, _ in kinds)

    expected = Verdict.NOT_CERTIFIED
    if not lacking and any(map(whole, routes)):
        expected = Verdict.CERTIFIED
    elif not lacking and any(map(whole, refutations)):
        expected = Verdict.REFUTED
    assert found.verdict is expected
    assert (found.route is not None and found.route.rule.shows == "refuted") == (expected is Verdict.REFUTED)
    if found.bound is not None and expected is not Verdict.REFUTED:
        hypotheses = [item for item in found.conditions if item.role == "hypothesis"]
        assert all(item.decision is Decision.PROVED for item in hypotheses)


def test_an_empty_list_of_conditions_proves_nothing() -> None:
    """Neither a route nor a refutation without conditions counts."""
    assert judge([route([])], [refutation([])], (), LIMITS).verdict is Verdict.NOT_CERTIFIED
    assert judge([], [], (), LIMITS).route is None
    assert certifying([], LIMITS) == ()


def test_a_failed_hypothesis_never_refutes() -> None:
    """Nor does a missed bound; a disproved condition of a refutation loses the refutation."""
    failing = route([("disproved", "hypothesis"), ("disproved", "conclusion")])
    assert judge([failing], [], (), LIMITS).verdict is Verdict.NOT_CERTIFIED
    half = refutation([("proved", "hypothesis"), ("undecided", "conclusion")])
    assert judge([failing], [half], (), LIMITS).verdict is Verdict.NOT_CERTIFIED


def test_the_failed_attempt_reported_is_the_nearest() -> None:
    """Hypotheses that hold come first, then the least bound, then the fewest failures."""
    missed = [("proved", "hypothesis"), ("disproved", "conclusion")]
    found = judge([route([("disproved", "hypothesis")]), route(missed, 3), route(missed, 2)], [], (), LIMITS)
    assert found.bound is not None and found.bound.upper == 2
    worse = [("disproved", "hypothesis"), ("disproved", "conclusion")]
    assert len(judge([route(worse), route(worse[:1])], [], (), LIMITS).conditions) == 1


def test_bounds_beyond_any_fraction_are_compared() -> None:
    """Bounds such as e^(-10^40) have no rational that could be written out."""
    missed = [("disproved", "conclusion")]
    tiny = Route(
        Rule(
            "a rule",
            "D1",
            "a source",
            "certified",
            lambda R, _: stated(R, missed),
            lambda R, _: R.exp(R(-(10**40))),
        )
    )
    found = judge([tiny, route(missed)], [], (), LIMITS)
    assert found.bound is not None and "e-" in found.bound.text(3)[1]


def test_trivial_claims() -> None:
    """A probability of at most 1 needs no theorem; anything below 1 does."""
    certain = [Route(rule) for rule in trivial("B1", "delta", Fraction(1))]
    assert judge(certain, [], (), LIMITS).verdict is Verdict.CERTIFIED
    assert judge(certain, [], LACKING, LIMITS).verdict is Verdict.NOT_CERTIFIED
    assert trivial("B1", "delta", 1 - Fraction(1, 10**30)) == ()
