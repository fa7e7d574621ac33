"""Accuracy, popularity bias and ranking quality of predictions (paper, sections 4.2.2, 4.2.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from engine.folds import Fold

#: Metrics by name; what is undefined is None.
Metrics = dict[str, float | None]
#: How many items count as a user's top items (paper, section 4.2.4).
TOP_ITEMS = 10


def mean_where_defined(values: Sequence[Any] | np.ndarray) -> np.ndarray:
    """Return the mean over the first axis; values that are undefined do not count.

    NaN and None mean undefined; the mean of nothing is NaN.

    >>> mean_where_defined(np.array([[1.0, np.nan], [3.0, np.nan]])).tolist()
    [2.0, nan]
    """
    stacked = np.asarray(values, dtype=np.float64)
    undefined = np.isnan(stacked)
    if stacked.shape[0] and not undefined.any():
        return np.asarray(stacked.mean(axis=0))
    counts = (~undefined).sum(axis=0)
    sums = np.nansum(stacked, axis=0)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def mean_absolute_error(ratings: np.ndarray, predictions: np.ndarray) -> float:
    """MAE over the queries: mean of |r - R(u, i)|.

    >>> mean_absolute_error(np.array([4.0, 2.0]), np.array([3.0, 2.5]))
    0.75
    """
    return float(np.abs(ratings - predictions).mean())


def mean_user_error(fold: Fold, predictions: np.ndarray) -> float:
    """Return the mean over users with a query of MAE@k(u), their own MAE (paper, section 4.2.2).

    MAE@k(u) = 1/|R_u^test| sum |r_ui - R^k(u, i)|.
    """
    errors = np.abs(fold.query_rating - predictions)
    summed = np.bincount(fold.query_user, errors, fold.n_users)
    counts = np.diff(fold.first_query)
    return float((summed[counts > 0] / counts[counts > 0]).mean())


@njit(nogil=True, cache=True)
def top_of_user(first, last, queries, predictions, top, best):
    """Write the best of a user's queries, `queries[first:last]`, to `top`, ties in their order.

    `top` (n_top,) int64 and `best` (n_top,) float64 are overwritten; returns how many there are.
    """
    n_top = top.size
    filled = 0
    for position in range(first, last):
        q = queries[position]
        value = predictions[q]
        if filled == n_top:
            if value <= best[n_top - 1]:
                continue
            rank = n_top - 1
        else:
            rank = filled
            filled += 1
        while rank > 0 and best[rank - 1] < value:
            best[rank] = best[rank - 1]
            top[rank] = top[rank - 1]
            rank -= 1
        best[rank] = value
        top[rank] = q
    return filled


@njit(nogil=True, cache=True)
def _top(first_query, queries, predictions, top):
    best = np.empty(top.shape[1])
    for u in range(top.shape[0]):
        top_of_user(first_query[u], first_query[u + 1], queries, predictions, top[u], best)


def top_queries(fold: Fold, predictions: np.ndarray) -> np.ndarray:
    """Return each user's 10 queries with the highest prediction: (n_users, 10) int64, -1 for none.

    R_top(u) = argmax^10 over i in Q_u of R(u, i) (paper, section 4.2.4), best first, ties in the
    order of the queries. All queries compete, also those predicted by the mean of the training
    ratings.
    """
    top = np.full((fold.n_users, TOP_ITEMS), -1, dtype=np.int64)
    _top(fold.first_query, fold.queries_by_user, predictions, top)
    return top


def item_frequency(fold: Fold, top: np.ndarray) -> np.ndarray:
    """ItemFreq+(i): for how many users item i is a top item (section 4.2.4); (n_items,) int64."""
    return np.bincount(fold.query_item[top[top >= 0]], minlength=fold.n_items)


def correlation(frequency: np.ndarray, popularity: np.ndarray, *, all_items: bool) -> float | None:
    """PP-Corr: Pearson's correlation of ItemFreq+ and item popularity (paper, section 4.2.4).

    Over the items that are a top item at least once (as the published code has it), or over all
    items. None where it is not defined: fewer than two items, or one of the two does not vary.

    >>> correlation(np.array([1, 2, 0]), np.array([10, 20, 90]), all_items=False)
    1.0
    >>> correlation(np.array([1, 1, 1]), np.array([10, 20, 90]), all_items=False) is None
    True
    """
    if not all_items:
        frequency, popularity = frequency[frequency > 0], popularity[frequency > 0]
    if frequency.size < 2 or np.ptp(frequency) == 0 or np.ptp(popularity) == 0:
        return None
    return float(np.clip(np.corrcoef(frequency, popularity)[0, 1], -1.0, 1.0))


def coverage(frequency: np.ndarray) -> float:
    """Coverage: the share of all items that are a top item of someone (paper, section 4.2.4).

    >>> coverage(np.array([3, 0, 1, 0]))
    0.5
    """
    return float((frequency > 0).mean())


def ndcg(fold: Fold, top: np.ndarray) -> tuple[float | None, int]:
    """Return nDCG@10 of the top items, and the number of users left out for want of relevant items.

    nDCG(u) = DCG / IDCG with DCG = sum over places p = 1..10 of relevant / log2(p + 1); relevant
    is a true rating above the mean of the training ratings. The ideal list has the user's own
    relevant test items first, at most 10. Users with queries but without relevant items are left
    out; None if that is everybody.
    """
    relevant = fold.query_rating > fold.train_mean
    gain = (_gain_at_places(relevant, top) * _discounts()).sum(axis=1)
    n_relevant = np.bincount(fold.query_user[relevant], minlength=fold.n_users)
    ideal = np.concatenate(([0.0], np.cumsum(_discounts())))[np.minimum(n_relevant, TOP_ITEMS)]
    asked = np.diff(fold.first_query) > 0
    counted = asked & (n_relevant > 0)
    left_out = int((asked & ~counted).sum())
    if not counted.any():
        return None, left_out
    return float((gain[counted] / ideal[counted]).mean()), left_out


def ndcg_published(fold: Fold, top: np.ndarray) -> float:
    """Return nDCG@10 as the published code computes it (the paper's appendix).

    Relevant is a true rating of at least the mean of the training ratings; the ideal list has
    every place of the list relevant; users without relevant items score 0, and all users with a
    query count.
    """
    relevant = fold.query_rating >= fold.train_mean
    gain = (_gain_at_places(relevant, top) * _discounts()).sum(axis=1)
    ideal = ((top >= 0) * _discounts()).sum(axis=1)
    asked = ideal > 0
    return float((gain[asked] / ideal[asked]).mean())


def _discounts() -> np.ndarray:
    return np.array([1 / math.log2(place + 1) for place in range(1, TOP_ITEMS + 1)])


def _gain_at_places(relevant: np.ndarray, top: np.ndarray) -> np.ndarray:
    return np.where(top >= 0, relevant[top], False)


def prediction_metrics(
    fold: Fold, predictions: np.ndarray, predicted: np.ndarray
) -> tuple[Metrics, np.ndarray]:
    """Return the metrics of a fold's predictions, and ItemFreq+ of its top lists.

    `predictions` and `predicted` are (n_queries,) float64 and bool: the predicted ratings, and
    whether neighbors predicted them. ItemFreq+ is (n_items,) int64.
    """
    top = top_queries(fold, predictions)
    ranking, left_out = ndcg(fold, top)
    values: Metrics = {
        "mae": mean_absolute_error(fold.query_rating, predictions),
        "mae_users": mean_user_error(fold, predictions),
        "predicted_share": float(predicted.mean()),
        "ndcg": ranking,
        "users_without_relevant": float(left_out),
        "ndcg_published": ndcg_published(fold, top),
    }
    return values, item_frequency(fold, top)


def popularity_metrics(item_frequency: np.ndarray, popularity: np.ndarray) -> Metrics:
    """Return PP-Corr (over the items that are a top item, and over all items) and coverage.

    >>> popularity_metrics(np.array([1, 2, 0]), np.array([10, 20, 90]))["pp_corr"]
    1.0
    """
    return {
        "pp_corr": correlation(item_frequency, popularity, all_items=False),
        "pp_corr_all": correlation(item_frequency, popularity, all_items=True),
        "coverage": coverage(item_frequency),
    }


def profile_popularity(
    user: np.ndarray, item: np.ndarray, popularity: np.ndarray, n_users: int
) -> np.ndarray:
    """Return how popular the items are that each user rated: (n_users,) float64, NaN without any.

    ProfilePop(u) = 1/|I_u| * sum over i in I_u of ItemPop(i), in ratings per item. `user` and
    `item` are the codes of all ratings, (n,) each.

    >>> user, item = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> profile_popularity(user, item, np.array([1, 2]), 3).tolist()
    [1.5, 2.0, nan]
    """
    sums = np.bincount(user, weights=popularity[item], minlength=n_users)
    counts = np.bincount(user, minlength=n_users)
    return np.divide(sums, counts, out=np.full(n_users, np.nan), where=counts > 0)
