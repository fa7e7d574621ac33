"""The strategies by which candidates are ranked as neighbors (paper, sections 3.2 and 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.errors import InputError
from engine.folds import Fold


@dataclass(frozen=True)
class Strategy:
    """A way to choose neighbors: what candidates are ranked by, and whether neighbors are reused.

    `ranked_by` is "similarity", "expect" or "gain". With `reuse`, a user's previous neighbors that
    rated the item come first (UserKNN+Reuse and its kin), so that the choice depends on k.
    """

    name: str
    title: str
    ranked_by: str
    reuse: bool


STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("userknn", "UserKNN", "similarity", reuse=False),
        Strategy("userknn+reuse", "UserKNN+Reuse", "similarity", reuse=True),
        Strategy("expect", "Expect", "expect", reuse=False),
        Strategy("gain", "Gain", "gain", reuse=False),
        Strategy("expect+reuse", "Expect+Reuse", "expect", reuse=True),
        Strategy("gain+reuse", "Gain+Reuse", "gain", reuse=True),
    )
}

#: The four strategies of the paper's main comparison.
PAPER_STRATEGIES = ("userknn", "userknn+reuse", "expect", "gain")


def get_strategy(name: str) -> Strategy:
    """Return the strategy of that name.

    Raises `InputError` for an unknown name.

    >>> get_strategy("gain").title
    'Gain'
    """
    try:
        return STRATEGIES[name]
    except KeyError:
        raise InputError(
            f"There is no strategy {name!r}; choose from {', '.join(STRATEGIES)}."
        ) from None


def expectation(fold: Fold) -> np.ndarray:
    """Return Expect's reusability of each user, times the number of users: (n_users,) int64.

    reusability(c) = sum over the items i that c rated of |U_i| / |U| (paper, section 3.2). The
    constant |U| is left out, so that ties of the whole numbers |U_i| are exact.

    >>> from engine.datasets import Ratings
    >>> from engine.folds import split
    >>> ratings = Ratings.from_columns(list("aabbc"), list("xyxyx"), [1, 2, 3, 4, 5], name="tiny")
    >>> expectation(split(ratings, 0)).tolist()  # row (a, y) is asked; x has 3 raters left, y has 1
    [3, 4, 3]
    """
    raters = np.diff(fold.by_item.indptr).astype(np.int64)
    summed = np.concatenate(([0], np.cumsum(raters[fold.by_user.indices])))
    return summed[fold.by_user.indptr[1:]] - summed[fold.by_user.indptr[:-1]]


def rank_expectation(expected: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by Expect: (targets, n_users) int32.

    rank(c) = |{v != u: f(v) <= f(c)}|; ties share the larger rank (paper, section 3.2).

    >>> rank_expectation(np.array([3, 5, 5, 1]), np.array([0]))[0, 1:].tolist()
    [3, 3, 1]
    """
    among_all = np.searchsorted(np.sort(expected), expected, side="right").astype(np.int32)
    return among_all[None, :] - (expected[targets][:, None] <= expected[None, :]).astype(np.int32)


@njit(nogil=True, cache=True)
def rank_similarity(similarity: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by similarity: int32, same shape.

    rank(c) = |{v != u: f(v) <= f(c)}|; ties share the larger rank (paper, section 3.2). The entry
    of a target for itself is 0.

    >>> rank_similarity(np.array([[0.0, 0.9, 0.0, 1.0, 1.0]]), np.array([0]))[0, 1:].tolist()
    [2, 1, 4, 4]
    """
    n_users = similarity.shape[1]
    ranks = np.zeros(similarity.shape, dtype=np.int32)
    values = np.empty(n_users)
    users = np.empty(n_users, dtype=np.int64)
    for b in range(targets.size):
        # In sparse data most similarities are 0: those share one rank and need no sorting.
        n_values = 0
        n_negative = 0
        for v in range(n_users):
            value = similarity[b, v]
            if v != targets[b] and value != 0.0:
                values[n_values] = value
                users[n_values] = v
                n_values += 1
                n_negative += value < 0.0
        n_zero = n_users - 1 - n_values
        for v in range(n_users):
            ranks[b, v] = n_negative + n_zero
        ranks[b, targets[b]] = 0
        order = np.argsort(values[:n_values])
        start = 0
        while start < n_values:
            value = values[order[start]]
            stop = start + 1
            while stop < n_values and values[order[stop]] == value:
                stop += 1
            rank = stop + n_zero if value > 0.0 else stop
            for position in range(start, stop):
                ranks[b, users[order[position]]] = rank
            start = stop
    return ranks


@njit(nogil=True, cache=True)
def rank_gain(co_ratings: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by Gain: int32, same shape.

    reusability(c | u) = |I_u & I_c| / |I_u| (paper, section 3.2); |I_u| does not change the ranks,
    so the numbers of co-rated items are counted into bins and summed up.

    >>> rank_gain(np.array([[9, 2, 0, 2]], dtype=np.int32), np.array([0]))[0, 1:].tolist()
    [3, 1, 3]
    """
    n_users = co_ratings.shape[1]
    ranks = np.zeros(co_ratings.shape, dtype=np.int32)
    for b in range(targets.size):
        bins = np.zeros(co_ratings[b].max() + 1, dtype=np.int32)
        for v in range(n_users):
            if v != targets[b]:
                bins[co_ratings[b, v]] += 1
        for count in range(1, bins.size):
            bins[count] += bins[count - 1]
        for v in range(n_users):
            if v != targets[b]:
                ranks[b, v] = bins[co_ratings[b, v]]
    return ranks
