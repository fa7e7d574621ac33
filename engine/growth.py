"""How neighborhoods grow with the queries: Neighbors@q and CoRatings@q (paper, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.folds import Fold
from engine.metrics import mean_where_defined
from engine.neighborhoods import Neighborhoods

#: The curves are drawn for q = 1 to this (paper, section 4.4).
MAX_QUERIES = 100


@dataclass(frozen=True, eq=False)
class Growth:
    """Both curves of every user; NaN where a user has fewer than q answered queries."""

    neighbors: np.ndarray  # (n_users, 100) float32: |N_u^(q)|
    co_ratings: np.ndarray  # (n_users, 100) float32: mean of |I_u & I_n| over n in N_u^(q)

    @property
    def neighbors_at_q(self) -> np.ndarray:
        """(100,) float64: the mean over the users with at least q answered queries, or NaN."""
        return mean_where_defined(self.neighbors)

    @property
    def co_ratings_at_q(self) -> np.ndarray:
        """(100,) float64: the mean over the users with at least q answered queries, or NaN."""
        return mean_where_defined(self.co_ratings)


@njit(nogil=True, cache=True)
def _grow(first_query, queries, start, stop, place, shared, item_users, neighbors, co_ratings):
    n_users, n_steps = neighbors.shape
    member_of = np.full(n_users, -1, dtype=np.int64)
    for u in range(n_users):
        answered = 0
        size = 0
        total = 0
        for index in range(first_query[u], first_query[u + 1]):
            q = queries[index]
            if answered == n_steps:
                break
            if start[q] == stop[q]:
                continue
            for use in range(start[q], stop[q]):
                neighbor = item_users[place[use]]
                if member_of[neighbor] != u:
                    member_of[neighbor] = u
                    size += 1
                    total += shared[use]
            neighbors[u, answered] = size
            co_ratings[u, answered] = total / size
            answered += 1


def grow(fold: Fold, neighborhoods: Neighborhoods) -> Growth:
    """Follow each user's neighborhood over the first 100 answered queries.

    N_u^(q) is the union of the neighbors of u's first q answered queries;
    Neighbors@q(u) = |N_u^(q)| and CoRatings@q(u) = sum_{n in N_u^(q)} |I_u & I_n| / |N_u^(q)|,
    co-ratings counted in training.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> from engine.neighborhoods import choose_neighbors
    >>> ratings = Ratings.from_columns(list("aabbcc"), list("xyxyxy"), [1, 2, 2, 4, 5, 1], name="t")
    >>> fold = split(ratings, 1, folds=3)
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 1)])["userknn", 1]
    >>> grow(fold, neighborhoods).neighbors_at_q[:3].tolist()
    [1.0, nan, nan]
    """
    curves = np.full((2, fold.n_users, MAX_QUERIES), np.nan, dtype=np.float32)
    _grow(
        fold.first_query,
        fold.queries_by_user,
        neighborhoods.start,
        neighborhoods.stop,
        neighborhoods.place,
        neighborhoods.co_ratings,
        fold.by_item.indices,
        curves[0],
        curves[1],
    )
    return Growth(curves[0], curves[1])
