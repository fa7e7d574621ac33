"""Keeping the best candidates of one query, with ties broken at random; for compiled kernels."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.draws import draw


@njit(nogil=True, cache=True)
def tie_key(score, state, candidate):
    """Return a key that orders by score, then by 31 random bits of this query and candidate.

    `score` is a whole number below 2^32, `state` what `draws.stream` gives for the query.
    """
    return (np.int64(score) << np.int64(31)) | np.int64(draw(state, candidate) >> np.uint64(33))


@njit(nogil=True, cache=True)
def insert(keys, places, filled, key, place):
    """Insert into the best-first list `keys[:filled]`; return its new length (at most its size).

    >>> keys, places = np.array([7, 5]), np.array([1, 2])
    >>> insert(keys, places, 2, 6, 3), keys.tolist(), places.tolist()
    (2, [7, 6], [1, 3])
    """
    if filled == keys.size:
        if filled == 0 or key <= keys[filled - 1]:
            return filled
        rank = filled - 1
    else:
        rank = filled
        filled += 1
    while rank > 0 and keys[rank - 1] < key:
        keys[rank] = keys[rank - 1]
        places[rank] = places[rank - 1]
        rank -= 1
    keys[rank] = key
    places[rank] = place
    return filled
