"""Each record against the claim, exactly, and the public preprocessing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from certify.audit.data import Records
from certify.audit.records import checked, label_names, labelled, preprocessed, squared_norms
from certify.errors import UnusableInput
from certify.mechanisms.arrays import Array
from tests.audit.files import claims, features, labels


def records(x: Array, names: object = None, exact: object = None) -> Records:
    given = labels(len(x)) if names is None else names
    return Records("data", "0" * 64, x, tuple(str(name) for name in given), exact)  # type: ignore[attr-defined,arg-type]


def test_records_that_meet_the_claim() -> None:
    found = checked(records(features()), claims())
    assert found.faults == ()
    assert found.remarks == ()


def test_a_record_above_the_bound_by_one_unit_is_found() -> None:
    """(0.6, 0.8) has norm 1 exactly in decimals; its doubles have a norm^2 of 1 + 2.2e-17."""
    x = features()
    x[7] = 0
    x[7, :2] = 0.6, 0.8
    (fault, hint) = checked(records(x), claims()).faults
    assert fault.startswith("record 7: its norm is above feature_bound = 1: norm^2 = 1.0000000000000000")
    assert "--preprocess" in hint
    exact = [["0"] * x.shape[1] for _ in x]
    exact[7][:2] = "0.6", "0.8"
    assert checked(records(x, exact=tuple(map(tuple, exact))), claims()).faults == ()
    exact[7][1] = "0.80000000000000000000000000001"
    assert len(checked(records(x, exact=tuple(map(tuple, exact))), claims()).faults) == 2


def test_many_long_records_are_counted() -> None:
    faults = checked(records(2 * features()), claims()).faults
    assert [fault[:9] for fault in faults[:3]] == ["record 0:", "record 1:", "record 2:"]
    assert faults[3] == "37 more records have norms above feature_bound"


def test_counts() -> None:
    few = [0] * 19 + [1] * 21
    assert checked(records(features(), few), claims()).faults == (
        "min_class_count: the claim says 20; the smallest class, '0', has 19 records",
    )
    (remark,) = checked(records(features(), few), claims(min_class_count=18)).remarks
    assert "the noise could be smaller" in remark
    assert checked(records(features(39)), claims()).faults[0] == "n: the claim says 40 records, the data have 39"
    three = ([0, 1, 2] * 14)[:40]
    assert "classes: the claim says 2, the data have 3 labels" in checked(records(features(), three), claims()).faults


@pytest.mark.parametrize("how", ["clip", "unit"])
@pytest.mark.parametrize("bound", ["1", "1/3", "0.1", "7"])
def test_preprocessing_leaves_exact_norms_within_the_bound(how: str, bound: str) -> None:
    x = np.random.default_rng(5).standard_normal((300, 7)) * 10
    x[0] = 0
    found = preprocessed(records(x), how, Fraction(bound))  # type: ignore[arg-type]
    squares = [sum(value * value for value in found.row(index)) for index in range(300)]
    assert max(squares) <= Fraction(bound) ** 2
    size = np.linalg.norm(found.features[1:], axis=1)
    assert size == pytest.approx(np.minimum(np.linalg.norm(x[1:], axis=1), float(Fraction(bound))) if how == "clip"
                                 else np.full(299, float(Fraction(bound))), rel=1e-12)  # fmt: skip


@pytest.mark.parametrize("how", ["clip", "unit"])
@pytest.mark.parametrize("scale", [1e308, 1e200, 1e-200, 5e-324])
def test_preprocessing_at_the_ends_of_the_range(how: str, scale: float) -> None:
    """Squares that overflow or vanish: long records still keep their direction, short ones are found to be short."""
    x = np.array([[3.0, 4.0], [-4.0, 3.0]]) * (scale / 5 if scale > 1e-300 else scale)
    found = preprocessed(records(x), how, Fraction(1)).features  # type: ignore[arg-type]
    if how == "unit" or scale > 1:
        assert found == pytest.approx(np.array([[0.6, 0.8], [-0.8, 0.6]]), rel=1e-12)
        assert max(squared_norms(found)) <= 1
    else:
        assert (found == x).all()


def test_records_whose_squares_overflow_are_faults() -> None:
    x = features()
    x[3] *= 1e300
    assert checked(records(x), claims()).faults[0].startswith("record 3: its norm is above feature_bound = 1: norm^2 =")


@given(arrays(np.float64, (3, 4), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_squared_norms_are_exact(x: Array) -> None:
    assert squared_norms(x) == [sum(Fraction(float(value)) ** 2 for value in row) for row in x]


def test_labels_become_numbers_in_their_order() -> None:
    assert label_names(records(features(3), ["10", "9", "-1"])) == ["-1", "9", "10"]
    assert label_names(records(features(3), ["b", "a", "10"])) == ["10", "a", "b"]
    assert labelled(records(features(2), ["no", "yes"]), claims("binary-logistic")).labels.tolist() == [-1, 1]
    assert labelled(records(features(2), ["5", "7"]), claims()).labels.tolist() == [0, 1]
    with pytest.raises(UnusableInput, match="3 labels for a model of two classes"):
        labelled(records(features(3), [1, 2, 3]), claims("binary-logistic"))
