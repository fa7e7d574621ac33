from __future__ import annotations

import math

import numpy as np
import pytest

from engine.adam import catch_up, catch_up_all, rows_of, step_sizes, take_step

FLOAT = np.float32


def test_one_step_by_hand() -> None:
    # m = .1 g and v = .001 g^2; the two corrections make them g and g^2: a step of the full size
    rows = rows_of(np.array([[1.0, 1.0, 1.0]]))
    take_step(rows, 0, np.array([4.0, -0.5, 0.0], dtype=FLOAT), 1, step_sizes(0.001, 1))
    assert rows.values[0].tolist() == pytest.approx([0.999, 1.001, 1.0], abs=1e-7)
    assert rows.first_moment[0].tolist() == pytest.approx([0.4, -0.05, 0.0])
    assert rows.second_moment[0].tolist() == pytest.approx([0.016, 0.00025, 0.0], rel=1e-4)


def test_two_steps_by_hand() -> None:
    rows = rows_of(np.array([[0.0]]))
    sizes = step_sizes(0.001, 2)
    take_step(rows, 0, np.array([2.0], dtype=FLOAT), 1, sizes)
    take_step(rows, 0, np.array([-1.0], dtype=FLOAT), 2, sizes)
    first = 0.9 * 0.2 - 0.1
    second = 0.999 * 0.004 + 0.001
    corrected = (first / (1 - 0.9**2)) / math.sqrt(second / (1 - 0.999**2))
    assert rows.values[0, 0] == pytest.approx(-0.001 - 0.001 * corrected, rel=1e-4)


def dense(values: np.ndarray, gradients: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Every row takes every step, in single precision."""
    first, second = np.zeros_like(values), np.zeros_like(values)
    for step, gradient in enumerate(gradients, start=1):
        first = FLOAT(0.9) * first + (FLOAT(1) - FLOAT(0.9)) * gradient
        second = FLOAT(0.999) * second + (FLOAT(1) - FLOAT(0.999)) * (gradient * gradient)
        values = values - sizes[step] * first / (np.sqrt(second) + FLOAT(1e-7))
    return values


@pytest.mark.parametrize(
    ("share", "tolerance"),
    # A step is 1e-3. After a pause of more than 200 steps the moments are rounded once, not often.
    [(0.5, 0.0), (0.02, 2e-7), (0.002, 2e-7)],
)
def test_late_steps_come_to_the_same_numbers_as_steps_at_once(
    share: float, tolerance: float
) -> None:
    random = np.random.default_rng(7)
    n_steps, n_rows, size = 1500, 20, 16
    values = random.normal(0, 0.01, (n_rows, size)).astype(FLOAT)
    touched = random.random((n_steps, n_rows)) < share
    touched[0, :] = [True, False] * 10
    gradients = random.normal(0, 0.01, (n_steps, n_rows, size)).astype(FLOAT)
    gradients *= touched[:, :, None]
    sizes = step_sizes(0.001, n_steps)

    rows = rows_of(values)
    for step in range(1, n_steps + 1):
        for row in np.flatnonzero(touched[step - 1]):
            catch_up(rows, row, step - 1, sizes)
            take_step(rows, row, gradients[step - 1, row], step, sizes)
    catch_up_all(rows, n_steps, sizes)
    expected = dense(values, gradients, sizes)
    np.testing.assert_allclose(rows.values, expected, rtol=0, atol=tolerance)
    assert set(rows.step.tolist()) == {n_steps}


def test_a_row_that_was_never_touched_stays() -> None:
    rows = rows_of(np.array([[0.5, -0.5]]))
    catch_up_all(rows, 1000, step_sizes(0.001, 1000))
    assert rows.values.tolist() == [[0.5, -0.5]]


def test_the_first_values_are_copied() -> None:
    values = np.ones((1, 2), dtype=FLOAT)
    take_step(rows_of(values), 0, np.ones(2, dtype=FLOAT), 1, step_sizes(0.001, 1))
    assert values.tolist() == [[1.0, 1.0]]
