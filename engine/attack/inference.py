"""What the adversary concludes from the predictions: a value of the scale for each probe."""

from __future__ import annotations

import numpy as np

from engine.datasets import Scale
from engine.datasets.limits import MAX_LEVELS

#: Values that differ by less than this share of the scale are equal: predictions are rounded.
_EQUAL = 1e-6


def possible_values(scale: Scale) -> np.ndarray:
    """Return the values among which the adversary chooses: those of the scale, (m,) float64.

    A scale without steps counts as one of 101 values.

    >>> possible_values(Scale(0.5, 2.0, 0.5)).tolist()
    [0.5, 1.0, 1.5, 2.0]
    >>> possible_values(Scale(0.0, 1000.0)).size
    101
    """
    if scale.levels is not None:
        return scale.levels
    return np.linspace(scale.minimum, scale.maximum, MAX_LEVELS)


def nearest(values: np.ndarray, numbers: np.ndarray | float) -> np.ndarray:
    """Return the index of the nearest value for each number: int64, same shape.

    Half-way between two values the lower one is taken.

    >>> nearest(np.array([1.0, 2.0, 3.0]), np.array([-4.0, 1.5, 2.6])).tolist()
    [0, 0, 2]
    """
    if values.size == 1:
        return np.zeros(np.shape(numbers), dtype=np.int64)
    upper = np.clip(np.searchsorted(values, numbers), 1, values.size - 1)
    middle = (values[upper - 1] + values[upper]) / 2
    return np.where(numbers <= middle + _tolerance(values), upper - 1, upper)


def _tolerance(values: np.ndarray) -> float:
    return _EQUAL * float(values[-1] - values[0])


def subtract(
    predictions: np.ndarray,
    neighbors: np.ndarray,
    accounts: int,
    planted: float,
    item_mean: np.ndarray,
) -> np.ndarray:
    """Return what the victim's answer must have been if the adversary's hope is right.

    answer = n * prediction - a * planted - (n - 1 - a) * item_mean, where n is the number of
    `neighbors` and a, at most n - 1, that of the fake `accounts`: all neighbors are as similar as
    can be, a of them are fake, one is the victim, and any others rate as the item is rated on
    average. `predictions` have the shape (repeats, probes), the others (probes,) or are numbers.

    >>> subtract(np.array([[3.2]]), np.array([10]), 9, planted=3.0, item_mean=np.array([4.1]))
    array([[5.]])
    """
    fake = np.minimum(accounts, neighbors - 1)
    return neighbors * predictions - fake * planted - (neighbors - 1 - fake) * item_mean


def elect(answers: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the index of the value that comes up most often: (probes,) int64.

    `answers` (repeats, probes) are compared with the `values` of the scale. An answer that equals a
    value counts more than any number of those that are only nearest to it, because noise and other
    neighbors seldom hit a value. Among equals the nearest to the mean of the answers wins; so it
    does where no answer is on the scale.

    >>> five_stars = np.arange(1.0, 6.0)
    >>> elect(np.array([[4.0, 3.9], [1.0, 2.2], [4.0, 2.4]]), five_stars).tolist()
    [3, 1]
    """
    if values.size == 1:
        return np.zeros(answers.shape[1], dtype=np.int64)
    repeats = answers.shape[0]
    index = nearest(values, answers)
    distance = np.abs(answers - values[index])
    half_step = (values[1] - values[0]) / 2
    tolerance = _tolerance(values)
    votes = np.where(distance <= tolerance, repeats + 1.0, distance <= half_step + tolerance)
    mean = np.clip(answers, values[0], values[-1]).mean(axis=0)
    # Less than a vote: from 1/2 for the nearest to the mean down to 0 at the far end of the scale.
    scores = 0.5 - 0.5 * np.abs(mean[:, None] - values) / (values[-1] - values[0])
    probe = np.arange(answers.shape[1])
    for ask in range(repeats):
        scores[probe, index[ask]] += votes[ask]
    return scores.argmax(axis=1)
