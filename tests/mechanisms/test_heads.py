"""Objectives and trained heads against numerical derivatives, closed forms and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from certify.claims.model import Head
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.heads import accuracy, class_counts, objective, parameter_count, predict, record_gradient
from certify.mechanisms.training import NotReached, prototypes, train

HEADS: tuple[Head, ...] = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")


def data(head: Head, n: int = 9, d: int = 3, seed: int = 0) -> Data:
    """Random records; three classes where the head has them."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, d))
    if head in ("binary-logistic", "squared-hinge"):
        return Data(x, generator.choice([-1, 1], n), 2)
    return Data(x, generator.integers(0, 3, n), 3)


@pytest.mark.parametrize("head", HEADS)
def test_gradient_and_hessian_are_derivatives(head: Head) -> None:
    goal = objective(head, data(head), 0.3)
    theta = np.random.default_rng(1).standard_normal(parameter_count(head, 3, data(head).classes)) / 2
    step = 1e-6
    units = step * np.eye(len(theta))
    slopes = np.array([(goal.value(theta + e) - goal.value(theta - e)) / (2 * step) for e in units])
    assert goal.gradient(theta) == pytest.approx(slopes, abs=1e-8)
    curves = np.array([(goal.gradient(theta + e) - goal.gradient(theta - e)) / (2 * step) for e in units])
    assert goal.hessian(theta) == pytest.approx(curves, abs=1e-7)
    assert goal.hessian_product(theta)(theta) == pytest.approx(goal.hessian(theta) @ theta, abs=1e-12)


@pytest.mark.parametrize("head", HEADS)
def test_the_gradient_is_the_mean_over_records_and_the_ridge(head: Head) -> None:
    given = data(head)
    theta = np.random.default_rng(2).standard_normal(parameter_count(head, 3, given.classes))
    each = [
        record_gradient(head, theta, x, int(y), given.classes)
        for x, y in zip(given.features, given.labels, strict=True)
    ]
    assert objective(head, given, 0.7).gradient(theta) == pytest.approx(np.mean(each, axis=0) + 0.7 * theta)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("strength", [1e-6, 1e-2, 10.0])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_training_reaches_the_gradient_asked_for(head: Head, strength: float, n: int) -> None:
    """Also with one record, one class, and separable data."""
    given = data(head, n)
    separable = given.features[:, 0] > 0
    kinds = [given.labels, np.full(n, given.labels[0])]
    kinds.append(np.where(separable, 1, -1) if given.classes == 2 else separable.astype(np.int64))
    for labels in kinds:
        found = train(head, Data(given.features, labels, given.classes), strength, tolerance=1e-11)
        assert found.gradient_norm <= 1e-11


def test_many_parameters_are_trained_without_the_hessian(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    wide = Data(generator.standard_normal((60, 150)) / 12, generator.integers(0, 3, 60), 3)
    goal = type(objective("softmax", wide, 0.01))

    def refused(*_: object) -> Array:
        raise AssertionError("no Hessian of 453 parameters")

    monkeypatch.setattr(goal, "hessian", refused)
    assert train("softmax", wide, 0.01).gradient_norm <= 1e-10


def test_a_start_changes_nothing_but_the_way() -> None:
    given = data("softmax")
    first = train("softmax", given, 0.1, tolerance=1e-12)
    second = train("softmax", given, 0.1, tolerance=1e-12, start=first.parameters + 1)
    assert second.parameters == pytest.approx(first.parameters, abs=1e-10)


def test_logistic_agrees_with_scikit_learn() -> None:
    """C = 1/(lambda n), and the intercept regularised by giving it as a feature."""
    from sklearn.linear_model import LogisticRegression

    given = data("binary-logistic", 50)
    wide = np.hstack([given.features, np.ones((50, 1))])
    other = LogisticRegression(C=1 / (0.05 * 50), fit_intercept=False, tol=1e-10, max_iter=10_000)
    found = train("binary-logistic", given, 0.05).parameters
    assert found == pytest.approx(other.fit(wide, given.labels).coef_[0], abs=1e-5)


def test_prototypes_are_shrunk_class_means() -> None:
    given = Data(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), np.array([0, 0, 2]), 3)
    assert class_counts(given).tolist() == [2, 0, 1]
    found = prototypes(given, 2.0).reshape(3, 2)
    assert found == pytest.approx(np.array([[8 / 10, 0], [0, 0], [0, 10 / 8]]))


def test_predictions_over_releases() -> None:
    x = np.array([[1.0, 0.0], [-2.0, 0.5]])
    w = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert predict("squared-hinge", w, x, 2).tolist() == [[1, -1], [-1, 1]]
    assert predict("binary-logistic", np.array([1.0, 0.0, 5.0]), x, 2).tolist() == [1, 1]
    assert predict("softmax", np.array([1.0, 0, 0, -1.0, 0, 0]), x, 2).tolist() == [0, 1]
    assert predict("ridge-prototype", np.array([[1.0, 0, -1.0, 0]]), x, 2).tolist() == [[0, 1]]
    assert accuracy("squared-hinge", w, Data(x, np.array([1, -1]), 2)).tolist() == [1, 0]


def test_what_cannot_be_trained_is_refused() -> None:
    given = data("softmax")
    with pytest.raises(ValueError, match="positive regularization"):
        train("softmax", given, 0.0)
    with pytest.raises(ValueError, match="at least one record"):
        train("softmax", Data(np.zeros((0, 3)), np.zeros(0, dtype=np.int64), 3), 1.0)
    with pytest.raises(NotReached, match="the gradient norm reached"):
        train("softmax", given, 0.1, tolerance=1e-30)
