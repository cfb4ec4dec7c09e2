"""Objectives of the heads against numerical derivatives and sums over records; predictions."""

from __future__ import annotations

import numpy as np
import pytest

from certify.mechanisms.arrays import Data
from certify.mechanisms.heads import accuracy, objective, parameter_count, predict, record_gradient
from certify.statements.rules.claim import Head
from tests.mechanisms.records import HEADS, random_records


@pytest.mark.parametrize("head", HEADS)
def test_gradient_and_hessian_are_derivatives(head: Head) -> None:
    goal = objective(head, random_records(head), 0.3)
    theta = np.random.default_rng(1).standard_normal(parameter_count(head, 3, random_records(head).classes)) / 2
    step = 1e-6
    units = step * np.eye(len(theta))
    slopes = np.array([(goal.value(theta + e) - goal.value(theta - e)) / (2 * step) for e in units])
    assert goal.gradient(theta) == pytest.approx(slopes, abs=1e-8)
    curves = np.array([(goal.gradient(theta + e) - goal.gradient(theta - e)) / (2 * step) for e in units])
    assert goal.hessian(theta) == pytest.approx(curves, abs=1e-7)
    assert goal.hessian_product(theta)(theta) == pytest.approx(goal.hessian(theta) @ theta, abs=1e-12)


@pytest.mark.parametrize("head", HEADS)
def test_the_gradient_is_the_mean_over_records_and_the_ridge(head: Head) -> None:
    given = random_records(head)
    theta = np.random.default_rng(2).standard_normal(parameter_count(head, 3, given.classes))
    each = [
        record_gradient(head, theta, x, int(y), given.classes)
        for x, y in zip(given.features, given.labels, strict=True)
    ]
    assert objective(head, given, 0.7).gradient(theta) == pytest.approx(np.mean(each, axis=0) + 0.7 * theta)


def test_predictions_over_releases() -> None:
    x = np.array([[1.0, 0.0], [-2.0, 0.5]])
    w = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert predict("squared-hinge", w, x, 2).tolist() == [[1, -1], [-1, 1]]
    assert predict("binary-logistic", np.array([1.0, 0.0, 5.0]), x, 2).tolist() == [1, 1]
    assert predict("softmax", np.array([1.0, 0, 0, -1.0, 0, 0]), x, 2).tolist() == [0, 1]
    assert predict("ridge-prototype", np.array([[1.0, 0, -1.0, 0]]), x, 2).tolist() == [[0, 1]]
    assert accuracy("squared-hinge", w, Data(x, np.array([1, -1]), 2)).tolist() == [1, 0]
