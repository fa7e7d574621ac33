"""Similarity of users, and of items, whose vectors were learned (paper, appendix C)."""

from __future__ import annotations

import numpy as np
from numba import njit


def directions(vectors: np.ndarray) -> np.ndarray:
    """Return vectors of length 1, float64; a vector of length 0 stays 0.

    >>> directions(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    exact = vectors.astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    unit = np.zeros_like(exact)
    return np.divide(exact, lengths, out=unit, where=lengths > 0)


@njit(nogil=True, cache=True)
def dot(first, second):
    """Return the sum of products, in one order, so that it is the same wherever it is computed."""
    summed = 0.0
    for d in range(first.size):
        summed += first[d] * second[d]
    return summed


@njit(nogil=True, cache=True)
def direction_rows(user_directions: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the cosine of each target's vector with the vectors of all users.

    `user_directions` are those of `directions`. The result has shape (n_targets, n_users), float64,
    from -1 to 1; 0 for users whose vector is 0.

    >>> direction_rows(np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 0.0]]), np.array([0])).tolist()
    [[1.0, 0.6, 0.0]]
    """
    n_users = user_directions.shape[0]
    rows = np.empty((targets.size, n_users))
    for b in range(targets.size):
        own = user_directions[targets[b]]
        for v in range(n_users):
            rows[b, v] = max(-1.0, min(1.0, dot(own, user_directions[v])))
    return rows
