"""Adam for vectors of which a batch touches few (Kingma and Ba, "Adam", 2015).

A step with gradient g changes the moments m, v and the values x, in single precision::

    m = 0.9 m + 0.1 g        v = 0.999 v + 0.001 g^2        x = x - a_t m / (sqrt(v) + 1e-7)

with a_t = a sqrt(1 - 0.999^t) / (1 - 0.9^t) in step t. Decays and the small term are those of the
paper's published code (Keras). A row that a batch does not touch has gradient 0, but its moments
still move it. `catch_up` takes these steps when the row is next needed, which saves most of the
time where there are many rows, and comes to the same numbers, up to rounding, as taking every step
at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

_FIRST_DECAY = np.float32(0.9)
_SECOND_DECAY = np.float32(0.999)
_SMALL = np.float32(1e-7)
_ONE = np.float32(1)
#: After this many steps without a gradient the first moment is 1e-9 of what it was.
REMEMBERED_STEPS = 200


class Rows(NamedTuple):
    """Vectors that Adam changes, with their moments and the step each row has arrived at."""

    values: np.ndarray  # (n_rows, size) float32
    first_moment: np.ndarray  # (n_rows, size) float32
    second_moment: np.ndarray  # (n_rows, size) float32
    step: np.ndarray  # (n_rows,) int64, from 0


def rows_of(values: np.ndarray) -> Rows:
    """Return vectors that no step has changed yet; the values are copied, as float32."""
    values = np.array(values, dtype=np.float32, ndmin=2)
    return Rows(
        values,
        np.zeros_like(values),
        np.zeros_like(values),
        np.zeros(len(values), dtype=np.int64),
    )


def step_sizes(rate: float, n_steps: int) -> np.ndarray:
    """Return a_t for the steps t = 0 to `n_steps`; there is no step 0.

    >>> [round(float(size), 6) for size in step_sizes(0.001, 2)]
    [0.0, 0.000316, 0.000235]
    """
    step = np.arange(1, n_steps + 1)
    sizes = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    return np.concatenate(([0.0], sizes)).astype(np.float32)


@njit(nogil=True, cache=True, error_model="numpy")
def take_step(rows: Rows, row: int, gradient: np.ndarray, step: int, sizes: np.ndarray) -> None:
    """Change one row by its gradient, (size,) float32. The row must have arrived at `step` - 1."""
    values, first, second = rows.values[row], rows.first_moment[row], rows.second_moment[row]
    size = sizes[step]
    for d in range(values.size):
        first[d] = _FIRST_DECAY * first[d] + (_ONE - _FIRST_DECAY) * gradient[d]
        second[d] = _SECOND_DECAY * second[d] + (_ONE - _SECOND_DECAY) * (gradient[d] * gradient[d])
        values[d] -= size * first[d] / (np.sqrt(second[d]) + _SMALL)
    rows.step[row] = step


@njit(nogil=True, cache=True, error_model="numpy")
def catch_up(rows: Rows, row: int, step: int, sizes: np.ndarray) -> None:
    """Take the steps up to `step` that one row has missed; its gradient was 0 in all of them."""
    start = rows.step[row]
    rows.step[row] = step
    if start == 0 or start >= step:  # without moments nothing moves
        return
    values, first, second = rows.values[row], rows.first_moment[row], rows.second_moment[row]
    stop = min(step, start + REMEMBERED_STEPS)
    for missed in range(start + 1, stop + 1):
        size = sizes[missed]
        for d in range(values.size):
            first[d] = _FIRST_DECAY * first[d]
            second[d] = _SECOND_DECAY * second[d]
            values[d] -= size * first[d] / (np.sqrt(second[d]) + _SMALL)
    if stop < step:
        for d in range(values.size):
            first[d] *= np.float32(_FIRST_DECAY ** (step - stop))
            second[d] *= np.float32(_SECOND_DECAY ** (step - stop))


@njit(nogil=True, cache=True, error_model="numpy")
def catch_up_all(rows: Rows, step: int, sizes: np.ndarray) -> None:
    """Take the steps up to `step` that any row has missed."""
    for row in range(rows.step.size):
        catch_up(rows, row, step, sizes)
