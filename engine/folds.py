"""A training matrix and its rating queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.errors import InputError
from engine.input_checks import DEFAULT_SEED, check_seed
from engine.whole_numbers import exact_mean

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array


class RatingColumns(NamedTuple):
    """Ratings as columns of equal length."""

    user: np.ndarray  # (n,) int32 codes
    item: np.ndarray  # (n,) int32 codes
    rating: np.ndarray  # (n,) float64


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
    query_ask: np.ndarray  # (n_queries,) int32: 1 the first time a query is put, then 2, 3, ...
    train_mean: float
    queries_by_user: np.ndarray  # (n_queries,) int64: queries grouped by user, in their order
    first_query: np.ndarray  # (n_users + 1,) int64: bounds of each user in `queries_by_user`

    @classmethod
    def of(
        cls,
        train: tuple[np.ndarray, np.ndarray, np.ndarray],
        queries: tuple[np.ndarray, np.ndarray, np.ndarray],
        *,
        n_users: int,
        n_items: int,
        number: int = 0,
        seed: int = DEFAULT_SEED,
    ) -> Fold:
        """Return the fold with these training ratings and these queries, in this order.

        `train` and `queries` are columns of equal length: user codes, item codes and ratings. The
        rating of a query is the true one; NaN where nobody knows it. A query may be put several
        times. Ties are broken and coins are thrown by `number` and `seed`.

        Raises `InputError` if there is no training rating, if a code is not below `n_users` or
        `n_items`, if a user has two training ratings for one item, or if the seed is not a whole
        number from 0 to 2^32 - 1.

        >>> fold = Fold.of(
        ...     (np.array([0, 1]), np.array([0, 0]), np.array([4.0, 2.0])),
        ...     (np.array([1, 1]), np.array([1, 1]), np.array([5.0, 5.0])),
        ...     n_users=2, n_items=2)
        >>> fold.train_mean, fold.query_ask.tolist()
        (3.0, [1, 2])
        """
        from scipy.sparse import csr_array  # a fifteenth of a second most starts can do without

        check_seed(seed)
        user, item, value = (np.asarray(column) for column in train)
        query_user, query_item, query_rating = (np.asarray(column) for column in queries)
        if value.size == 0:
            raise InputError("A fold needs at least one training rating.")
        for coded, bound, kind in (
            (user, n_users, "user"),
            (query_user, n_users, "user"),
            (item, n_items, "item"),
            (query_item, n_items, "item"),
        ):
            if coded.size and not 0 <= int(coded.min()) <= int(coded.max()) < bound:
                raise InputError(f"The code of each {kind} must be between 0 and {bound - 1}.")
        # Codes of one type, so that no kernel is compiled a second time.
        codes = user.astype(np.int32), item.astype(np.int32)
        by_user = csr_array((value.astype(np.float64), codes), shape=(n_users, n_items))
        if by_user.nnz != value.size:
            raise InputError("A user must have at most one training rating for an item.")
        counts = np.bincount(query_user, minlength=n_users)
        return cls(
            number=number,
            seed=seed,
            by_user=by_user,
            by_item=by_user.tocsc(),
            query_user=query_user.astype(np.int32),
            query_item=query_item.astype(np.int32),
            query_rating=query_rating.astype(np.float64),
            query_ask=number_asks(query_user, query_item, n_items),
            train_mean=exact_mean(value),
            queries_by_user=np.argsort(query_user, kind="stable"),
            first_query=np.concatenate(([0], np.cumsum(counts))),
        )

    @classmethod
    def of_missing(cls, ratings: np.ndarray, user: int) -> Fold:
        """Return the fold in which a user asks for every item without a rating of theirs, in order.

        `ratings` is (n_users, n_items), NaN where nothing is rated; all of it is training. Raises
        `InputError` as `of` does.

        >>> fold = Fold.of_missing(np.array([[5, np.nan, np.nan], [4, 2, 3.0]]), user=0)
        >>> fold.query_item.tolist(), fold.by_user.nnz
        ([1, 2], 4)
        """
        rater, item = np.nonzero(~np.isnan(ratings))
        asked = np.flatnonzero(np.isnan(ratings[user]))
        return cls.of(
            (rater, item, ratings[rater, item]),
            (np.full(asked.size, user), asked, np.full(asked.size, np.nan)),
            n_users=ratings.shape[0],
            n_items=ratings.shape[1],
        )

    def with_users(
        self,
        rated: Sequence[tuple[np.ndarray, np.ndarray]],
        queries: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> Fold:
        """Return this fold with further users and these queries in place of its own.

        Each new user comes as (items, ratings), the items ascending; their codes go on from
        `n_users`. `queries` are columns as in `of`. The cost is that of copying the ratings.

        >>> fold = Fold.of(
        ...     (np.array([0, 1]), np.array([0, 0]), np.array([4.0, 2.0])),
        ...     (np.array([1]), np.array([1]), np.array([5.0])), n_users=2, n_items=2)
        >>> larger = fold.with_users(
        ...     [(np.array([0, 1]), np.array([3.0, 5.0]))],
        ...     (np.array([2]), np.array([0]), np.array([np.nan])))
        >>> larger.by_item.toarray().tolist()
        [[4.0, 0.0], [2.0, 0.0], [3.0, 5.0]]
        """
        from scipy.sparse import csc_array, csr_array  # as in `of`

        query_user, query_item, query_rating = queries
        sizes = np.array([items.size for items, _ in rated], dtype=np.int64)
        item = np.concatenate([items for items, _ in rated])
        value = np.concatenate([ratings for _, ratings in rated])
        user = np.repeat(np.arange(self.n_users, self.n_users + sizes.size), sizes)
        shape = (self.n_users + sizes.size, self.n_items)
        rows, columns = self.by_user, self.by_item
        by_user = csr_array(
            (
                np.concatenate((rows.data, value)),
                np.concatenate((rows.indices, item.astype(rows.indices.dtype))),
                np.append(rows.indptr, rows.indptr[-1] + np.cumsum(sizes, dtype=rows.indptr.dtype)),
            ),
            shape=shape,
        )
        # New users have the largest codes: they go to the end of each column, in their order.
        order = np.argsort(item, kind="stable")
        ends = columns.indptr[item[order] + 1]
        added = np.cumsum(np.bincount(item, minlength=self.n_items), dtype=columns.indptr.dtype)
        by_item = csc_array(
            (
                np.insert(columns.data, ends, value[order]),
                np.insert(columns.indices, ends, user[order]),
                columns.indptr + np.append(added.dtype.type(0), added),
            ),
            shape=shape,
        )
        counts = np.bincount(query_user, minlength=shape[0])
        return replace(
            self,
            by_user=by_user,
            by_item=by_item,
            query_user=query_user.astype(np.int32),
            query_item=query_item.astype(np.int32),
            query_rating=query_rating.astype(np.float64),
            query_ask=number_asks(query_user, query_item, self.n_items),
            train_mean=exact_mean(by_user.data),
            queries_by_user=np.argsort(query_user, kind="stable"),
            first_query=np.concatenate(([0], np.cumsum(counts))),
        )

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

    def repeated(self, times: int) -> Fold:
        """Return the fold whose queries are all put several times, one round after the other.

        >>> fold = Fold.of(
        ...     (np.array([0, 1]), np.array([0, 0]), np.array([4.0, 2.0])),
        ...     (np.array([1, 0]), np.array([1, 1]), np.array([5.0, 3.0])),
        ...     n_users=2, n_items=2)
        >>> twice = fold.repeated(2)
        >>> twice.query_user.tolist(), twice.query_ask.tolist()
        ([1, 0, 1, 0], [1, 1, 2, 2])
        """
        user, item = np.tile(self.query_user, times), np.tile(self.query_item, times)
        return replace(
            self,
            query_user=user,
            query_item=item,
            query_rating=np.tile(self.query_rating, times),
            query_ask=number_asks(user, item, self.n_items),
            queries_by_user=np.argsort(user, kind="stable"),
            first_query=times * self.first_query,
        )


def number_asks(query_user: np.ndarray, query_item: np.ndarray, n_items: int) -> np.ndarray:
    """Return how often each query has been put so far, itself included: (n_queries,) int32.

    >>> number_asks(np.array([0, 1, 0, 0]), np.array([2, 2, 2, 1]), n_items=3).tolist()
    [1, 1, 2, 1]
    """
    query = query_user.astype(np.int64) * n_items + query_item
    order = np.argsort(query, kind="stable")
    in_order = query[order]
    place = np.arange(query.size)
    is_first = np.append(True, in_order[1:] != in_order[:-1])[: query.size]
    asks = np.empty(query.size, dtype=np.int32)
    asks[order] = place - np.maximum.accumulate(np.where(is_first, place, 0)) + 1
    return asks


def training_columns(fold: Fold) -> RatingColumns:
    """Return the training ratings of a fold, user after user."""
    users = np.arange(fold.n_users, dtype=np.int32)
    by_user = fold.by_user
    return RatingColumns(np.repeat(users, np.diff(by_user.indptr)), by_user.indices, by_user.data)
