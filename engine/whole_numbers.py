"""Ratings as whole numbers, whose sums are exact, so that what is equal comes out equal."""

from __future__ import annotations

import numpy as np

#: A double holds whole numbers exactly up to this.
_EXACT = 2.0**53


def whole_factor(values: np.ndarray) -> float | None:
    """Return the smallest power of ten that makes all ratings whole numbers, up to 10^6.

    None if there is none, or if the squares would then pass 2^53, beyond which doubles do not hold
    every whole number.

    >>> whole_factor(np.array([0.5, 3.0])), whole_factor(np.array([1 / 3]))
    (10.0, None)
    """
    for factor in (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6):
        scaled = np.rint(values * factor)
        if scaled.size and np.abs(scaled).max() ** 2 > _EXACT:
            return None
        if np.array_equal(scaled / factor, values):
            return factor
    return None


def whole_values(values: np.ndarray) -> np.ndarray:
    """Return ratings as whole numbers where `whole_factor` finds a way, else as they are.

    Cosine does not change with the scale, and sums of whole numbers are exact, so that equal
    similarities come out exactly equal.

    >>> whole_values(np.array([0.5, 3.0, 4.5])).tolist()
    [5.0, 30.0, 45.0]
    """
    factor = whole_factor(values)
    return values if factor is None else np.rint(values * factor)


def exact_mean(values: np.ndarray) -> float:
    """Return the mean, rounded once where `whole_factor` finds a way.

    >>> exact_mean(np.full(3, 0.1))
    0.1
    """
    factor = whole_factor(values)
    if factor is None:
        return float(values.mean())
    return float(np.rint(values * factor).sum() / (values.size * factor))
