"""Stretches of a row in which something holds without a gap."""

from __future__ import annotations

import numpy as np


def stretches_of(holds: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and the last place of each stretch of a mask, (n,) bool, in which it holds.

    >>> stretches_of(np.array([False, True, False, True, True]))
    [(1, 1), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], holds.astype(np.int8), [0]))))
    return [(int(first), int(end) - 1) for first, end in edges.reshape(-1, 2)]
