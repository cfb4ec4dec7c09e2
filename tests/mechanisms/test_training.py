"""Trained heads: the gradient norm reached, also at the extremes; closed forms, scikit-learn and warm starts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.heads import class_counts, objective
from certify.mechanisms.training import NotReached, prototypes, train
from certify.statements.rules.claim import Head
from tests.mechanisms.records import HEADS, random_records


def labellings(given: Data) -> list[Data]:
    """Random labels, one label for all, and classes that a hyperplane separates."""
    separable = given.features[:, 0] > 0
    kinds = [given.labels, np.full(given.n, given.labels[0])]
    kinds.append(np.where(separable, 1, -1) if given.classes == 2 else separable.astype(np.int64))
    return [Data(given.features, labels, given.classes) for labels in kinds]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("strength", [1e-6, 1e-2, 10.0])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_training_reaches_the_gradient_asked_for(head: Head, strength: float, n: int) -> None:
    """Also with one record, one class, separable data, and a class without records."""
    for data in labellings(random_records(head, n)):
        assert train(head, data, strength, tolerance=1e-12).gradient_norm <= 1e-12


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("size", [1e-6, 1e6])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_training_on_huge_and_on_tiny_features(head: Head, size: float, n: int) -> None:
    """The Hessian of features of size 1e6 is singular in double precision beside lambda = 1e-6."""
    given = random_records(head, n)
    for data in labellings(Data(size * given.features, given.labels, given.classes)):
        tolerance = 1e-12 * max(size, 1)
        assert train(head, data, 1e-6, tolerance=tolerance).gradient_norm <= tolerance


def test_the_norm_reported_is_that_of_the_exact_gradient_up_to_rounding() -> None:
    """Against rational arithmetic, where the norm is as small as rounding makes it and where it is not."""
    given, strength = random_records("squared-hinge", 40), 0.125
    for tolerance in (1e-12, 0.5):
        found = train("squared-hinge", given, strength, tolerance=tolerance)
        w = [Fraction(value) for value in found.parameters]
        slope = [Fraction(strength) * value for value in w]
        for row, label in zip(given.features.tolist(), given.labels.tolist(), strict=True):
            x = [label * Fraction(value) for value in row]
            hinge = max(Fraction(0), 1 - sum(a * b for a, b in zip(w, x, strict=True)))
            slope = [total - 2 * hinge * value / given.n for total, value in zip(slope, x, strict=True)]
        exact = float(sum(value**2 for value in slope)) ** 0.5
        assert abs(exact - found.gradient_norm) <= 1e-14


def test_many_parameters_are_trained_without_the_hessian(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    wide = Data(generator.standard_normal((60, 150)) / 12, generator.integers(0, 3, 60), 3)
    goal = type(objective("softmax", wide, 0.01))

    def refused(*_: object) -> Array:
        raise AssertionError("no Hessian of 453 parameters")

    monkeypatch.setattr(goal, "hessian", refused)
    assert train("softmax", wide, 0.01).gradient_norm <= 1e-10


def test_a_start_changes_nothing_but_the_way() -> None:
    given = random_records("softmax")
    first = train("softmax", given, 0.1, tolerance=1e-12)
    second = train("softmax", given, 0.1, tolerance=1e-12, start=first.parameters + 1)
    assert second.parameters == pytest.approx(first.parameters, abs=1e-10)


def test_logistic_agrees_with_scikit_learn() -> None:
    """C = 1/(lambda n), and the intercept regularised by giving it as a feature."""
    from sklearn.linear_model import LogisticRegression

    given = random_records("binary-logistic", 50)
    wide = np.hstack([given.features, np.ones((50, 1))])
    other = LogisticRegression(C=1 / (0.05 * 50), fit_intercept=False, tol=1e-10, max_iter=10_000)
    found = train("binary-logistic", given, 0.05).parameters
    assert found == pytest.approx(other.fit(wide, given.labels).coef_[0], abs=1e-5)


def test_prototypes_are_shrunk_class_means() -> None:
    given = Data(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), np.array([0, 0, 2]), 3)
    assert class_counts(given).tolist() == [2, 0, 1]
    found = prototypes(given, 2.0).reshape(3, 2)
    assert found == pytest.approx(np.array([[8 / 10, 0], [0, 0], [0, 10 / 8]]))


def test_what_cannot_be_trained_is_refused() -> None:
    given = random_records("softmax")
    with pytest.raises(ValueError, match="positive regularization"):
        train("softmax", given, 0.0)
    with pytest.raises(ValueError, match="at least one record"):
        train("softmax", Data(np.zeros((0, 3)), np.zeros(0, dtype=np.int64), 3), 1.0)
    with pytest.raises(NotReached, match="the gradient norm reached"):
        train("softmax", given, 0.1, tolerance=1e-30)
