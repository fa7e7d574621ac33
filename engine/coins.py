"""The coins of every use, and the answer that they make of the rating (paper, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.draws import COINS, MEMOISED_COINS, REPEATED_COINS, draw, stream
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods
from engine.privacy import Mechanism


@njit(nogil=True, cache=True)
def _answer(
    seed, fold_number, query_user, query_item, query_ask, start, stop, place,
    item_users, item_values, memoised, minimum, maximum, levels, answers, coins,
):  # fmt: skip
    two_coins = np.uint64(62)
    low_bits = np.uint64(2**52 - 1)
    use = 0
    for q in range(query_user.size):
        i = query_item[q]
        if query_ask[q] == 1:
            fresh = stream(seed, fold_number, COINS, query_user[q], i)
        else:
            repeated = stream(seed, fold_number, REPEATED_COINS, query_user[q], i)
            fresh = draw(repeated, query_ask[q])
        for index in range(start[q], stop[q]):
            neighbor = item_users[place[index]]
            if memoised:
                bits = draw(stream(seed, fold_number, MEMOISED_COINS, neighbor, i), 0)
            else:
                bits = draw(fresh, neighbor)
            if coins.size:
                coins[use] = bits >> two_coins
            if bits >> two_coins != 0:
                answers[use] = item_values[place[index]]
            else:
                uniform = (bits & low_bits) / 2.0**52
                if levels.size:
                    answers[use] = levels[int(uniform * levels.size)]
                else:
                    answers[use] = minimum + uniform * (maximum - minimum)
            use += 1


@dataclass(frozen=True, eq=False)
class Coins:
    """The two coins of every use, and what they make of the rating; uses as in the neighborhoods.

    The first coin alone decides if it shows heads: the answer is the real rating. Otherwise the
    second coin decides: heads is the real rating, tails a random one.
    """

    first_heads: np.ndarray  # (n_uses,) bool
    second_heads: np.ndarray  # (n_uses,) bool; thrown also where the first coin decides
    answers: np.ndarray  # (n_uses,) float64, m_DP(r)

    def first(self, uses: int) -> Coins:
        """Return the coins of the first uses."""
        return Coins(self.first_heads[:uses], self.second_heads[:uses], self.answers[:uses])

    @property
    def real(self) -> np.ndarray:
        """(n_uses,) bool: the coins ask for the real rating; a random one may equal it, too."""
        return self.first_heads | self.second_heads


def draw_answers(fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism) -> np.ndarray:
    """Return m_DP(r) for every use, whether it will be protected or not: (n_uses,) float64.

    Coins are keyed by (seed, fold, query, ask, neighbor), memoised ones by (seed, fold, neighbor,
    item), so every tau and every strategy sees the same noise. The ask is 1 the first time a query
    is put, then 2, 3, ...: a query that is put again gets new coins.
    """
    return _draw(fold, neighborhoods, mechanism, np.empty(0, dtype=np.uint8))


def throw_coins(fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism) -> Coins:
    """Return what `draw_answers` does, with the coins that it throws for it.

    >>> from engine.datasets import Scale
    >>> from engine.neighborhoods import choose_neighbors
    >>> fold = Fold.of(  # users 0 and 1 rated item 0; user 2 asks for it twice
    ...     (np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([5.0, 1.0, 3.0])),
    ...     (np.array([2, 2]), np.array([0, 0]), np.array([4.0, 4.0])), n_users=3, n_items=2)
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 2)])["userknn", 2]
    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> coins = throw_coins(fold, neighborhoods, mechanism)
    >>> np.array_equal(coins.answers, draw_answers(fold, neighborhoods, mechanism))
    True
    >>> coins.real.shape
    (4,)
    """
    thrown = np.empty(_n_uses(neighborhoods), dtype=np.uint8)
    answers = _draw(fold, neighborhoods, mechanism, thrown)
    return Coins((thrown & 2) > 0, (thrown & 1) > 0, answers)


def _n_uses(neighborhoods: Neighborhoods) -> int:
    return int((neighborhoods.stop - neighborhoods.start).sum())


def _draw(
    fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism, coins: np.ndarray
) -> np.ndarray:
    answers = np.empty(_n_uses(neighborhoods))
    _answer(
        fold.seed, fold.number, fold.query_user, fold.query_item, fold.query_ask,
        neighborhoods.start, neighborhoods.stop, neighborhoods.place,
        fold.by_item.indices, fold.by_item.data, mechanism.memoised,
        mechanism.minimum, mechanism.maximum, mechanism.levels, answers, coins,
    )  # fmt: skip
    return answers
