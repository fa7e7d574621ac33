"""How fast this machine is, beside the one on which `engine.estimate` was measured."""

from __future__ import annotations

import time
from functools import lru_cache

import numpy as np

#: Seconds of processor time that the task below took on that machine.
_REFERENCE = 2.1e-3
_REPETITIONS = 3
#: Bounds of the answer: a clock that hardly moves, or a machine that paused, must not decide.
_SLOWEST, _FASTEST = 0.2, 5.0


@lru_cache(maxsize=1)
def relative_speed() -> float:
    """Return how fast one thread of this machine is, as a multiple of the reference.

    The task is sorting and scattered sums, as in the choice of neighbors. The best of a few tries
    counts. It takes about 8 ms, once in a process.

    >>> 0.1 < relative_speed() < 10
    True
    """
    random = np.random.RandomState(0)
    values = random.random_sample(20_000)
    places = random.randint(0, values.size, 10 * values.size)
    weights = random.random_sample(places.size)
    best = float("inf")
    for _ in range(_REPETITIONS):
        started = time.thread_time()
        np.argsort(values, kind="stable")
        np.bincount(places, weights=weights, minlength=values.size)
        best = min(best, time.thread_time() - started)
    return min(max(_REFERENCE / best, _SLOWEST), _FASTEST) if best > 0 else 1.0
