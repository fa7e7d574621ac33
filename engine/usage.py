"""How often each user is used as a neighbor: DataUsage@k (paper, section 4.2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.folds import Fold
from engine.neighborhoods import Neighborhoods


@dataclass(frozen=True, eq=False)
class Usage:
    """Every use of a neighbor, numbered, and how often each user was used.

    The first use of a neighbor has the ordinal 1, the second 2, and so on, in the order of the
    queries. Uses stand in the order of the neighborhoods, without gaps. Everything that depends on
    tau follows from these numbers, without choosing neighbors again.
    """

    data_usage: np.ndarray  # (n_users,) int64
    ordinal: np.ndarray  # (n_uses,) int32


@njit(nogil=True, cache=True)
def _count(start, stop, place, item_users, data_usage, ordinal):
    use = 0
    for q in range(start.size):
        for index in range(start[q], stop[q]):
            neighbor = item_users[place[index]]
            data_usage[neighbor] += 1
            ordinal[use] = data_usage[neighbor]
            use += 1


def count_usage(
    fold: Fold, neighborhoods: Neighborhoods, before: np.ndarray | None = None
) -> Usage:
    """Number the uses of each neighbor.

    DataUsage@k(u) = sum_v sum_{i in Q_v} 1[u in N^k(v, i)]: every chosen neighbor counts, also one
    whose similarity is 0. Users who are never used count 0. Counting goes on from `before`, the
    uses by earlier queries, (n_users,), where it is given.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> from engine.neighborhoods import choose_neighbors
    >>> ratings = Ratings.from_columns(list("aabbcc"), list("xyxyxy"), [1, 2, 2, 4, 5, 1], name="t")
    >>> fold = split(ratings, 1, folds=3)
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 2)])["userknn", 2]
    >>> usage = count_usage(fold, neighborhoods)
    >>> usage.data_usage.sum() == usage.ordinal.size
    np.True_
    >>> later = count_usage(fold, neighborhoods, before=usage.data_usage)
    >>> (later.ordinal > usage.ordinal).all()
    np.True_
    """
    if before is None:
        before = np.zeros(fold.n_users)
    data_usage = before.astype(np.int64)
    n_uses = int((neighborhoods.stop - neighborhoods.start).sum())
    ordinal = np.empty(n_uses, dtype=np.int32)
    _count(
        neighborhoods.start,
        neighborhoods.stop,
        neighborhoods.place,
        fold.by_item.indices,
        data_usage,
        ordinal,
    )
    return Usage(data_usage, ordinal)


@dataclass(frozen=True, eq=False)
class UsesOfUser:
    """Every use of one user as a neighbor, in the order of the queries.

    The use at position j has the ordinal j + 1.
    """

    query: np.ndarray  # (n_uses,) int64, into the fold's queries
    similarity: np.ndarray  # (n_uses,) float64, to the user who asked
    co_ratings: np.ndarray  # (n_uses,) items co-rated with the user who asked


@njit(nogil=True, cache=True)
def _uses_of(start, stop, place, item_users, user, query, use):
    n_uses = 0
    for q in range(start.size):
        for index in range(start[q], stop[q]):
            if item_users[place[index]] == user:
                query[n_uses] = q
                use[n_uses] = index
                n_uses += 1


def uses_of(fold: Fold, neighborhoods: Neighborhoods, user: int, data_usage: int) -> UsesOfUser:
    """Return all `data_usage` uses of one user: for which queries, and how similar they were.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> from engine.neighborhoods import choose_neighbors
    >>> ratings = Ratings.from_columns(list("aabbcc"), list("xyxyxy"), [1, 2, 2, 4, 5, 1], name="t")
    >>> fold = split(ratings, 1, folds=3)
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 2)])["userknn", 2]
    >>> most_used = int(count_usage(fold, neighborhoods).data_usage.argmax())
    >>> times = int(count_usage(fold, neighborhoods).data_usage[most_used])
    >>> uses_of(fold, neighborhoods, most_used, times).query.size == times
    True
    """
    query = np.empty(data_usage, dtype=np.int64)
    use = np.empty(data_usage, dtype=np.int64)
    _uses_of(
        neighborhoods.start,
        neighborhoods.stop,
        neighborhoods.place,
        fold.by_item.indices,
        user,
        query,
        use,
    )
    return UsesOfUser(query, neighborhoods.similarity[use], neighborhoods.co_ratings[use])
