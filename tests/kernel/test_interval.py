"""What intervals mean: total operations, undefined values that absorb, three-valued comparison, exact ties."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import libmp

from certify.kernel import ends as pairs
from certify.kernel.decision import Decision
from certify.kernel.interval import Allowance, Interval, Intervals, WorkExhausted, compare

from .test_ends import mpfs, rational

R = Intervals(64)
LINE = Interval(64)
FUNCTIONS = ("sqrt", "exp", "log", "upper_tail", "mills", "q1", "upper_quantile")
OPERATIONS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}

_far = st.builds(
    libmp.from_man_exp,
    st.integers(-(1 << 70), 1 << 70),
    st.one_of(st.integers(-200, 50), st.integers(-(10**6), 10**6), st.sampled_from((-(1 << 66), 1 << 66, 1 << 62))),
)
_wild_ends = st.tuples(
    st.one_of(_far, mpfs(90), st.just(libmp.fninf)), st.one_of(_far, mpfs(90), st.just(libmp.finf))
).map(lambda t: t if t[1] == libmp.finf or libmp.mpf_le(*t) else (t[1], t[0] if t[0] != libmp.fninf else libmp.finf))
wild = st.one_of(
    st.builds(Interval, st.integers(2, 200), _wild_ends),
    st.builds(lambda bits, x: Interval(bits, (x, x)), st.integers(2, 200), _far),
    st.builds(lambda bits, x: Interval(bits, exact=x), st.integers(2, 200), st.fractions()),
    st.builds(lambda bits, k: Interval(bits, exact=Fraction(k, 2)), st.integers(2, 200), st.integers(-9, 9)),
)
tame = st.tuples(mpfs(80), mpfs(80)).map(lambda t: Interval(64, t if libmp.mpf_le(*t) else (t[1], t[0])))


def is_proper(x: Interval) -> bool:
    """Ends in order, the lower one below +inf and the upper one above -inf."""
    low, high = x.ends
    return bool(libmp.mpf_le(low, high)) and low != libmp.finf and high != libmp.fninf


def holds(x: Interval, value: Fraction) -> bool:
    """Whether the rational lies in the interval."""
    if x.exact is not None:
        return x.exact == value
    low, high = x.ends
    return (low == libmp.fninf or rational(low) <= value) and (high == libmp.finf or value <= rational(high))


def sample(x: Interval, share: Fraction) -> Fraction:
    """A rational of a bounded interval."""
    low, high = (p if isinstance(p, Fraction) else rational(p) for p in x.points())
    return low + (high - low) * share


@settings(deadline=None)
@given(wild, wild, st.integers(0, 5))
def test_arithmetic_is_total(x: Interval, y: Interval, n: int) -> None:
    """No operation raises, every answer is proper, and the whole line absorbs."""
    values = [f(x, y) for f in OPERATIONS.values()] + [
        x**n,
        x**-n,
        -x,
        3 - x,
        Fraction(1, 3) / x,
        x**1000,
        x ** (1 << 70),
    ]
    values += [
        R.minimum(x, y),
        R.maximum(x, y),
        R.hull(x, y),
        R.power(x, y),
        R.choose(x, "<=", y, lambda: x, lambda: y),
    ]
    values += [R.increasing(lambda z: z + z, x), R.decreasing(lambda z: -z * 3, x)]
    assert all(is_proper(value) for value in values)
    for relation in ("<=", "<"):
        assert isinstance(compare(x, relation, y), Decision)
    undefined = [f(x, LINE) for f in OPERATIONS.values()] + [f(LINE, x) for f in OPERATIONS.values()]
    undefined += [R.minimum(x, LINE), R.maximum(LINE, x), R.hull(x, LINE), LINE**0, LINE**2, LINE**-1, R.power(LINE, x)]
    undefined += [
        R.choose(LINE, "<", x, lambda: x, lambda: x),
        R.increasing(lambda z: z, LINE),
        x / (y - y) if y.exact else LINE,
    ]
    assert all(value.is_line for value in undefined)


@settings(deadline=None)
@given(wild, st.sampled_from(FUNCTIONS))
def test_functions_are_total(x: Interval, name: str) -> None:
    """No function raises; every answer is proper and holds the finer answers at its ends, where they exist."""
    value = getattr(R, name)(x)
    assert is_proper(value)
    assert getattr(R, name)(LINE).is_line
    for point in x.points():
        if value.is_line or point in (libmp.finf, libmp.fninf):
            continue
        at_end = Interval(300, exact=point) if isinstance(point, Fraction) else Interval(300, (point, point))
        finer = getattr(Intervals(300), name)(at_end)
        assert libmp.mpf_le(value.ends[0], finer.ends[1])
        assert libmp.mpf_le(finer.ends[0], value.ends[1])


@settings(deadline=None)
@given(wild, st.integers(-1, 40))
def test_poisson_sums_are_total(y: Interval, count: int) -> None:
    """Every answer is proper, within [0, 1] where y >= 0, and the whole line where y may be negative."""
    value = R.poisson_below(count, y)
    assert is_proper(value)
    if pairs.sign(y.points()[0]) < 0:
        assert value.is_line
    else:
        assert compare(R(0), "<=", value) is compare(value, "<=", R(1)) is Decision.PROVED


@given(tame, tame, st.fractions(0, 1), st.fractions(0, 1))
def test_arithmetic_holds_its_samples(x: Interval, y: Interval, s: Fraction, t: Fraction) -> None:
    """Results at sampled points lie in the results."""
    p, q = sample(x, s), sample(y, t)
    assert holds(x + y, p + q)
    assert holds(x - y, p - q)
    assert holds(x * y, p * q)
    assert q == 0 or holds(x / y, p / q)
    assert holds(x**3, p**3)
    assert holds(x**2, p**2)
    assert holds(R.minimum(x, y), min(p, q))
    assert holds(R.maximum(x, y), max(p, q))
    assert holds(R.hull(x, y), p)
    if compare(x, "<=", y) is not Decision.UNDECIDED:
        assert (compare(x, "<=", y) is Decision.PROVED) == (p <= q)
    if compare(x, "<", y) is not Decision.UNDECIDED:
        assert (compare(x, "<", y) is Decision.PROVED) == (p < q)


@given(
    st.fractions(0, 2, max_denominator=50), st.fractions(0, 1), st.integers(0, 9), st.integers(0, 5), st.integers(2, 80)
)
def test_powers_hold_their_samples(base: Fraction, width: Fraction, least: int, more: int, bits: int) -> None:
    """Bases on either side of 1, and the edges 0^0 = 1 and 0^e = 0."""
    S = Intervals(bits)
    value = S.power(S.between(base, base + width), S.between(least, least + more))
    for p in (base, base + width / 2, base + width):
        for n in range(least, least + more + 1):
            assert holds(value, p**n)


def test_powers_with_infinite_ends() -> None:
    """base^[2, inf) for bases below, around and above 1, and an unbounded base."""
    far = Interval(64, (libmp.from_int(2), libmp.finf))
    low, high = R.power(R(Fraction(1, 2)), far).ends
    assert low == libmp.fzero
    assert Fraction(1, 4) <= rational(high) < Fraction(1, 4) + Fraction(1, 1 << 60)
    assert R.power(R.between(Fraction(1, 2), 2), far).ends == (libmp.fzero, libmp.finf)
    assert R.power(R(2), far).ends[1] == libmp.finf
    assert holds(R.power(R(2), far), Fraction(4))
    assert not holds(R.power(R(2), far), Fraction(3))
    assert R.power(R(1), far).ends == pairs.ONE
    assert R.power(far, R(Fraction(1, 2))).ends[1] == libmp.finf
    assert R.power(R(0), far).ends == pairs.ZERO
    assert R.power(R.between(-1, 1), R(Fraction(1, 2))).is_line
    assert R.power(R(2), R.between(-1, 1)).is_line


def test_zero_times_an_undefined_value_is_undefined() -> None:
    """0 * (1/0) is not 0, nor is 0 times anything unbounded; 0 times a bounded value is exactly 0."""
    undefined = R(1) / R(0)
    half_line = R.exp(R(1 << 70))
    for zero in (R(0), Interval(64, pairs.ZERO)):
        for other in (undefined, half_line):
            assert (zero * other).is_line
            assert (other * zero).is_line
    assert (R(0) * R.pi).exact == 0 == (R.pi * 0).exact


@pytest.mark.parametrize(
    "undefined",
    [
        R(1) / R.between(-1, 1),
        R(1) / R.between(0, 1),
        R.sqrt(R.between(-1, 1)),
        R.sqrt(R(-1)),
        R.log(R.between(0, 1)),
        R.log(R(-3)),
        R.log(R(0)),
        R.upper_quantile(R(0)),
        R.upper_quantile(R(1)),
        R.upper_quantile(R.between(Fraction(1, 2), 1)),
        R.poisson_below(1, R(-5)),
        R(0) ** -1,
        R.increasing(lambda x: 1 / (x - 1), R.between(1, 2)),
    ],
)
def test_what_may_have_no_value_is_the_whole_line(undefined: Interval) -> None:
    """From which nothing follows, whatever is done with it."""
    assert undefined.is_line
    for value in (R.exp(undefined), undefined**2, R.maximum(undefined, R(5)), R.upper_tail(undefined)):
        assert compare(R(0), "<=", value) is Decision.UNDECIDED


def test_exact_values_stay_exact() -> None:
    """Rational operations, rational roots, and closed cases."""
    third = R(Fraction(1, 3))
    assert (third + third + third).exact == 1
    assert ((third * 3 - 1) / 7).exact == 0
    assert (third**5).exact == Fraction(1, 243)
    assert R.sqrt(R(Fraction(4, 9))).exact == Fraction(2, 3)
    assert (R.exp(R(0)).exact, R.log(R(1)).exact, R.upper_tail(R(0)).exact) == (1, 0, Fraction(1, 2))
    assert R.upper_quantile(R(Fraction(1, 2))).ends == pairs.ZERO
    assert R.maximum(third, R(0), R(1)).exact == 1
    assert R.minimum(third, R(0), R(1)).exact == 0
    assert R.hull(third, third).exact == Fraction(1, 3)
    assert R.increasing(lambda x: x * 2, third).exact == Fraction(2, 3)
    assert R.power(third, R(2)).exact == Fraction(1, 9)
    assert R.choose(third, "<", R(1), lambda: R(7), lambda: R(8)).exact == 7
    assert R.choose(third, "<", third, lambda: R(7), lambda: R(8)).exact == 8
    assert repr(third) == "Interval(1/3)"
    assert "Interval((" in repr(R.pi)


def test_exact_values_are_given_up_when_they_grow() -> None:
    """Beyond a cap on their bits, rationals become intervals that hold them."""
    big = Fraction(3) ** 5000
    product = R(big) * R(big) * R(big) * R(big) * R(big)
    assert (product.exact is None) is True
    assert holds(product + R(Fraction(1, 7)) * 0, big**5)
    assert ((R(3) ** 5000).exact is None) is True
    assert holds(R(3) ** 5000, big)


def test_a_comparison_has_three_answers() -> None:
    """Ties of rationals are decided; touching or overlapping intervals only where certain."""
    one, unit, more = R(1), R.between(0, 1), R.between(1, 2)
    assert compare(one, "<=", one) is Decision.PROVED
    assert compare(one, "<", one) is Decision.DISPROVED
    assert compare(unit, "<=", more) is Decision.PROVED
    assert compare(unit, "<", more) is Decision.UNDECIDED
    assert compare(more, "<", unit) is Decision.DISPROVED
    assert compare(more, "<=", unit) is Decision.UNDECIDED
    assert compare(more, "<=", R(0)) is Decision.DISPROVED
    assert compare(R.exp(R(1 << 70)), "<=", R.exp(R(1 << 70))) is Decision.UNDECIDED


def test_no_truth_value_no_equality_no_hash() -> None:
    """What would silently pick one side is refused."""
    for use in (
        bool,
        lambda x: x == 1,
        lambda x: x != x,
        hash,
        lambda x: x < 1,
        lambda x: max(x, x),
        lambda x: x in [R.pi],
    ):
        with pytest.raises(TypeError):
            use(R(1))
    for value in (0.5, True, "1", None):
        with pytest.raises(TypeError):
            R(value)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            R(1) + value  # type: ignore[operator]


def test_integers_and_fractions_stand_on_either_side() -> None:
    """2 + x, 2 - x, 2 x, 2 / x and the other way round."""
    x = R(Fraction(1, 3))
    assert [v.exact for v in (2 + x, 2 - x, 2 * x, 2 / x)] == [Fraction(n, 3) for n in (7, 5, 2, 18)]
    assert [v.exact for v in (x + 2, x - 2, x * 2, x / 2)] == [Fraction(n, 6) for n in (14, -10, 4, 1)]


def test_the_quantile_of_a_far_level_is_bounded() -> None:
    """q = 2^(-2^66): Q(t) = q for a t at most sqrt(2 log(1/q)) = 2^33.5 sqrt(log 2) < 2^34, and so much is said."""
    for bits in (64, 200):
        low, high = Intervals(bits).upper_quantile(Interval(bits, (libmp.from_man_exp(1, -(1 << 66)),) * 2)).ends
        assert low == libmp.fzero
        assert libmp.mpf_le(high, libmp.from_man_exp(1, 34))


def test_precision_belongs_to_the_arithmetic() -> None:
    """A function uses the bits of its arithmetic, an operation those of its finer operand."""
    coarse, fine = Intervals(10), Intervals(100)
    assert coarse.exp(fine(1)).ends[0][3] <= 10
    assert (coarse.pi + fine.pi).bits == 100
    assert fine.sqrt(coarse(2)).ends[1][3] > 90


def test_far_exponentials_are_on_the_safe_side() -> None:
    """Around |x| = 2^63, where only the order of magnitude is kept: e^(-2^63) > 2^(-2^64)."""
    edge = Fraction(2**127 + 3, 2**64 - 1)
    tiny, huge = R.exp(R(-edge)), R.exp(R(edge))
    bound = libmp.from_man_exp(1, -13306513097844322493)  # e^(-edge) is 1.45 times as much
    assert libmp.mpf_ge(tiny.ends[1], bound)
    assert libmp.mpf_le(huge.ends[0], libmp.from_man_exp(1, 13306513097844322493))


@settings(deadline=None, max_examples=40)
@given(st.fractions(0, 9, max_denominator=1000), st.integers(0, 40), st.integers(8, 90))
def test_roots_are_enclosed(c: Fraction, noise: int, bits: int) -> None:
    """x^3 = c on [0, 3], through an f that is known only to within 2^-noise."""
    S = Intervals(bits)
    blur = S.between(Fraction(-1, 1 << noise), Fraction(1, 1 << noise))
    low, high = (rational(end) for end in S.root(lambda x: x**3 - c + blur, S(0), S(3)).ends)
    assert low**3 <= c <= high**3 or (low == 0 or high == 3)
    assert 0 <= low <= high <= 3
    if noise == 40 and bits > 60:
        assert high**3 - low**3 < Fraction(1, 1 << 35)


def test_roots_at_the_edges() -> None:
    """A zero at an end, a tiny bracket, a flat undecided f, and brackets that say nothing."""
    assert holds(R.root(lambda x: x, R(0), R(1)), Fraction(0))
    assert holds(R.root(lambda x: x - 1, R(0), R(1)), Fraction(1))
    near = 1 + Fraction(1, 1 << 200)
    assert holds(R.root(lambda x: x - near, R(1), R(2)), near)
    third = R.root(lambda x: Interval(300, x.ends) * 3 - 1, R(0), R(1))
    assert holds(third, Fraction(1, 3))
    wide = R.root(lambda x: x * 0 + R.between(-1, 1), R(0), R(1))
    assert wide.ends == (libmp.fzero, libmp.fone)
    blind = R.root(lambda x: x * 0 + R.between(-1, 1), R(-1000), R(1001))
    assert blind.ends == (libmp.from_int(-1000), libmp.from_int(1001))
    assert R.root(lambda x: x, R(1), R(0)).is_line
    assert R.root(lambda x: x, LINE, R(0)).is_line
    narrow = Interval(300, (libmp.from_man_exp((1 << 250) + 1, -250), libmp.from_man_exp((1 << 250) + 3, -250)))
    low, high = R.root(lambda x: x - 1 - Fraction(1, 1 << 249), narrow, narrow).ends
    assert rational(low) <= 1 + Fraction(1, 1 << 249) <= rational(high)


def test_evaluations_are_counted() -> None:
    """Each point costs one; when none is left, the evaluation stops."""
    allowance = Allowance(4)
    S = Intervals(64, allowance)
    S.exp(S.between(1, 2))
    S.power(S(Fraction(1, 3)), S(2))
    assert allowance.left == 1
    with pytest.raises(WorkExhausted):
        S.log(S.between(1, 2))
    with pytest.raises(WorkExhausted):
        Intervals(64, Allowance(9, lambda: True)).sqrt(S(2))


def test_counts_beyond_the_cap_are_not_summed() -> None:
    """More than MAX_COUNT terms give [0, 1], no term gives 0, and so does no room for the first."""
    assert R.poisson_below(10_001, R(10_100)).ends == (libmp.fzero, libmp.fone)
    assert R.poisson_below(5, R(1 << 70)).ends == (libmp.fzero, libmp.fone)
    assert R.poisson_below(0, R(3)).ends == pairs.ZERO
    assert R.poisson_below(3, R(0)).ends == pairs.ONE


def test_seeded_values_do_not_depend_on_order() -> None:
    """Caches of constants change nothing: the same call gives the same ends, whatever came before."""
    calls = [(name, Fraction(k, 7)) for name in ("exp", "log", "upper_tail", "mills", "q1") for k in range(1, 60, 5)]
    first = [getattr(Intervals(70), name)(Intervals(70)(x)).ends for name, x in calls]
    order = list(range(len(calls)))
    random.Random(5).shuffle(order)
    again = {i: getattr(Intervals(70), calls[i][0])(Intervals(70)(calls[i][1])).ends for i in order}
    assert [again[i] for i in range(len(calls))] == first
