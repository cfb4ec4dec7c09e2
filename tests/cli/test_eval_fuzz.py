"""Any inputs to any entry: an answer or one line of refusal, soon, with lower <= upper and a width kept or explained.

Inputs are sizes that people write and sizes that only the grammar allows.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certify.errors import UnusableInput
from certify.evaluation import FAMILIES, answer, entries
from certify.evaluation.entries import Entry, Input
from certify.kernel.loop import Limits

ENTRIES = [entry for family in FAMILIES for entry in entries(family)]
SECONDS = 30
DIGITS = 12
LIMITS = Limits(max_bits=1024, max_evaluations=20_000)


@contextmanager
def alarmed() -> Iterator[None]:
    """A hang is a failure."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"no answer after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


PLAIN = st.sampled_from(["0", "1", "2", "1/2", "0.1", "1/3", "1e-6", "1e-30", "10", "1000", "0.99", "1e6", "3"])
WILD = st.sampled_from(
    ["1e9999", "1e-9999", "1e300", "1e-300", "-1", "-0.0", "0e0", "1e20", "1" * 400, "0." + "9" * 300, "1/7919"]
)
BROKEN = st.sampled_from(["", "nan", "inf", "1,2", "x", "1e10000", "1/0", "+", ".", "1e", "0x10", "1 ", "١"])
NUMBERS = st.one_of(PLAIN, PLAIN, PLAIN, WILD, st.fractions(0, 100, max_denominator=10**6).map(str))
COUNTS = st.sampled_from(["1", "2", "3", "10", "100", "519", "10000", "1000000", str(10**18)])


def values_for(item: Input) -> st.SearchStrategy[str]:
    """What to try for one input: mostly what it accepts."""
    if item.words:
        words = st.sampled_from([*item.words])
        return words if item.domain == "any" else st.one_of(words, words, NUMBERS)
    if item.kind == "count":
        return COUNTS
    if item.kind == "list":
        return st.lists(NUMBERS, min_size=1, max_size=5).map(",".join)
    return NUMBERS


@st.composite
def inputs(draw: st.DrawFn, entry: Entry) -> dict[str, str]:
    """Inputs of one entry: the needed ones mostly there, a broken one now and then."""
    found: dict[str, str] = {}
    for item in entry.inputs:
        if draw(st.integers(0, 9)) < (9 if item.default is None else 3):
            found[item.name] = draw(values_for(item))
    if draw(st.integers(0, 9)) == 0 and found:
        found[draw(st.sampled_from(sorted(found)))] = draw(BROKEN)
    example = dict(word.split("=", 1) for word in entry.example.split())
    if draw(st.booleans()):
        kept = draw(st.sets(st.sampled_from(sorted(found)), max_size=2)) if found else set()
        found = {**example, **{name: found[name] for name in kept}}
    return found


def asked(entry: Entry, given_inputs: dict[str, str]) -> None:
    """One question, with what every answer promises."""
    with alarmed():
        try:
            _, found = answer(entry.name, given_inputs, DIGITS, LIMITS)
        except UnusableInput as refusal:
            assert str(refusal).isprintable() and refusal.message
            return
    for name, value in found.values.items():
        if isinstance(value, int):
            continue
        lower, upper = value.text(DIGITS)
        low, high = _number(lower), _number(upper)
        if low is None or high is None:
            assert value.reason or value.is_tight(DIGITS), (name, lower, upper)
            continue
        assert low <= high, (name, lower, upper)
        narrow = high - low <= Fraction(10) ** (1 - DIGITS) * max(abs(low), abs(high))
        assert narrow or value.reason, (name, lower, upper)


def _number(text: str) -> Fraction | None:
    """The decimal, where it is finite and its exponent is one that can be written out."""
    if text in ("inf", "-inf"):
        return None
    _, _, exponent = text.partition("e")
    return Fraction(text) if abs(int(exponent or "0")) < 20_000 else None


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(data=st.data())
def test_any_inputs(entry: Entry, data: st.DataObject) -> None:
    """A small round of each entry."""
    asked(entry, data.draw(inputs(entry)))


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(data=st.data())
def test_any_inputs_at_length(entry: Entry, data: st.DataObject) -> None:
    """A long round of each entry."""
    asked(entry, data.draw(inputs(entry)))
