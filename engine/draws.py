"""Random numbers that depend on what they are for, never on the order in which they are drawn.

Each draw is a hash of (seed, fold, purpose, user, item, candidate), so results are the same for
any number of jobs, any block size and after a resumed run. The hash is SplitMix64's finalizer
(Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014), applied to each
word in turn.
"""

from __future__ import annotations

import numpy as np
from numba import njit

TIES = 1
COINS = 2
MEMOISED_COINS = 3
REPEATED_COINS = 4
VICTIMS = 5
KNOWN_ITEMS = 6

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@njit(nogil=True, cache=True)
def _absorb(state: np.uint64, word: int) -> np.uint64:
    state = (state ^ np.uint64(word)) * _GOLDEN + _GOLDEN
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))


@njit(nogil=True, cache=True)
def stream(seed: int, fold: int, purpose: int, first: int, second: int) -> np.uint64:
    """Return the state from which the draws for one (purpose, first, second) are made.

    For ties and fresh coins (first, second) is the query's (user, item); for memoised coins it is
    the (neighbor, item) whose answer is kept. Coins of a query that is put again come from a stream
    of their own, of which `draw` makes one for each time it is put.

    >>> int(stream(42, 0, TIES, 3, 7)) == int(stream(42, 0, TIES, 3, 7))
    True
    >>> int(stream(42, 0, TIES, 3, 7)) == int(stream(42, 1, TIES, 3, 7))
    False
    """
    state = _absorb(np.uint64(seed), purpose)
    state = _absorb(state, fold)
    return _absorb(_absorb(state, first), second)


@njit(nogil=True, cache=True)
def draw(state: np.uint64, candidate: int) -> np.uint64:
    """Return 64 random bits for one candidate of a stream.

    >>> bits = draw(stream(42, 0, COINS, 3, 7), 5)
    >>> 0 <= int(bits) < 2**64
    True
    """
    return _absorb(state, candidate)


@njit(nogil=True, cache=True)
def _draw_each(seed, fold, purpose, first, candidates, bits):
    state = stream(seed, fold, purpose, first, 0)
    for position in range(candidates.size):
        bits[position] = draw(state, candidates[position])


def shuffled(
    candidates: np.ndarray, seed: int, fold: int, purpose: int, first: int = 0
) -> np.ndarray:
    """Return the candidates in random order: their order by a draw for each of them.

    The order of two candidates does not depend on which others there are.

    >>> shuffled(np.arange(5), 42, 0, VICTIMS).tolist()
    [1, 2, 4, 3, 0]
    >>> shuffled(np.array([2, 3]), 42, 0, VICTIMS).tolist()
    [2, 3]
    """
    bits = np.empty(candidates.size, dtype=np.uint64)
    _draw_each(seed, fold, purpose, first, candidates, bits)
    return candidates[np.argsort(bits, kind="stable")]
