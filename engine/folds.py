"""Five-fold cross-validation: a training matrix and its rating queries (paper, section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array

from engine.datasets import Ratings
from engine.errors import InputError
from engine.whole_numbers import exact_mean


@dataclass(frozen=True, eq=False)
class Fold:
    """One test fold: what is known (`by_user`, `by_item`) and what is asked (the queries).

    A rating query asks for the rating of one user for one item; the queries stand in the order in
    which they are asked. Both matrices hold the same training ratings; a rating of 0 is stored.
    """

    number: int
    seed: int
    by_user: csr_array  # (n_users, n_items) training ratings, float64
    by_item: csc_array  # the same ratings by column: the raters of each item, ascending
    query_user: np.ndarray  # (n_queries,) int32
    query_item: np.ndarray  # (n_queries,) int32
    query_rating: np.ndarray  # (n_queries,) float64, the true ratings
    train_mean: float
    queries_by_user: np.ndarray  # (n_queries,) int64: queries grouped by user, in their order
    first_query: np.ndarray  # (n_users + 1,) int64: bounds of each user in `queries_by_user`

    @property
    def n_users(self) -> int:
        return int(self.by_user.shape[0])

    @property
    def n_items(self) -> int:
        return int(self.by_user.shape[1])

    @property
    def n_queries(self) -> int:
        return int(self.query_user.size)

    @property
    def answered(self) -> np.ndarray:
        """(n_queries,) bool: user and item are both known in the training ratings."""
        user_known = np.diff(self.by_user.indptr) > 0
        item_known = np.diff(self.by_item.indptr) > 0
        return user_known[self.query_user] & item_known[self.query_item]


def check_folds(ratings: Ratings, folds: int, seed: int) -> None:
    """Raise `InputError` if these ratings cannot be split into that many folds."""
    if folds < 2:
        raise InputError(f"folds must be at least 2, not {folds}.")
    if not 0 <= seed < 2**32:
        raise InputError(f"seed must be between 0 and {2**32 - 1}, not {seed}.")
    if ratings.n_ratings < folds:
        raise InputError(
            f"{ratings.n_ratings} {'rating' if ratings.n_ratings == 1 else 'ratings'} "
            f"cannot be split into {folds} folds; "
            "use fewer folds or more ratings."
        )


def split(ratings: Ratings, number: int, folds: int = 5, seed: int = 42) -> Fold:
    """Return fold `number` (0 to `folds` - 1) of a random split of the ratings.

    The rows, in file order, are shuffled by `RandomState(seed)` and cut into `folds` parts; part
    `number` holds the queries, in that order, and the rest is for training. Seed 42 is the split
    of the published code.

    Raises `InputError` if there are fewer ratings than folds, or no such fold.

    >>> from engine.datasets import Ratings
    >>> ratings = Ratings.from_columns(list("aabbc"), list("xyxyx"), [1, 2, 3, 4, 5], name="tiny")
    >>> fold = split(ratings, 0)
    >>> fold.query_user.tolist(), fold.query_item.tolist(), fold.query_rating.tolist()
    ([0], [1], [2.0])
    >>> fold.train_mean
    3.25
    """
    check_folds(ratings, folds, seed)
    if not 0 <= number < folds:
        raise InputError(f"fold must be between 0 and {folds - 1}, not {number}.")
    rows = np.arange(ratings.n_ratings)
    np.random.RandomState(seed).shuffle(rows)
    asked = np.array_split(rows, folds)[number]
    is_train = np.ones(ratings.n_ratings, dtype=bool)
    is_train[asked] = False
    train = np.flatnonzero(is_train)

    by_user = csr_array(
        (ratings.value[train], (ratings.user[train], ratings.item[train])),
        shape=(ratings.n_users, ratings.n_items),
    )
    query_user = ratings.user[asked]
    counts = np.bincount(query_user, minlength=ratings.n_users)
    return Fold(
        number=number,
        seed=seed,
        by_user=by_user,
        by_item=by_user.tocsc(),
        query_user=query_user,
        query_item=ratings.item[asked],
        query_rating=ratings.value[asked],
        train_mean=exact_mean(ratings.value[train]),
        queries_by_user=np.argsort(query_user, kind="stable"),
        first_query=np.concatenate(([0], np.cumsum(counts))),
    )
