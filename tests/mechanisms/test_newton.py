"""Newton's method for many systems at once: near, far and impossible roots side by side."""

from __future__ import annotations

import numpy as np

from certify.mechanisms.arrays import Array
from certify.mechanisms.newton import root


def arctangent(target: Array) -> Array:
    """The roots of arctan(x) = target from x = 20, where the undamped step diverges; (k) in, (k) out."""
    return root(
        lambda x: np.arctan(x) - target[:, None],
        lambda x: (1 / (1 + x**2))[..., None],
        np.full((len(target), 1), 20.0),
        np.full(len(target), 1e-15),
    )[:, 0]


def test_far_starts_are_damped() -> None:
    target = np.array([-1.5, -0.3, 0.0, 1.0])
    np.testing.assert_allclose(arctangent(target), np.tan(target), rtol=1e-12, atol=1e-14)


def test_a_row_without_a_root_does_not_spoil_the_others() -> None:
    """arctan(x) = 2 has none; x^2 = -1 neither: the residual stops falling and the row stays where it is."""
    assert abs(arctangent(np.array([2.0, 0.5]))[1] - np.tan(0.5)) < 1e-14
    found = root(lambda x: x**2 + [[1.0], [-4.0]], lambda x: 2 * x[..., None], np.array([[3.0], [3.0]]), np.zeros(2))
    assert abs(found[0, 0]) < 0.1
    assert abs(found[1, 0] - 2.0) < 1e-15


def test_the_start_is_kept() -> None:
    """A row at its floor is not moved, and the array given is not written to."""
    start = np.array([[1.0], [2.0]])
    found = root(lambda x: x, lambda x: np.ones_like(x)[..., None], start, np.array([1.0, 0.0]))
    np.testing.assert_array_equal(found, [[1.0], [0.0]])
    np.testing.assert_array_equal(start, [[1.0], [2.0]])
