from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from engine.datasets import Ratings
from engine.errors import InputError
from engine.folds import Fold
from engine.splits import split
from tests.examples import arranged


def test_answered_means_user_and_item_are_known() -> None:
    known = [("a", "x", 1), ("b", "x", 3), ("b", "y", 3), ("c", "x", 1), ("c", "y", 1)]
    asked = [("new", "x", 2), ("a", "unseen", 2), ("a", "y", 2), ("other", "thing", 2)]
    ratings, folds, number = arranged(known, asked)
    assert split(ratings, number, folds).answered.tolist() == [False, False, True, False]


def test_queries_by_user_keeps_their_order(small: Ratings) -> None:
    fold = split(small, 2)
    for user in range(small.n_users):
        mine = fold.queries_by_user[fold.first_query[user] : fold.first_query[user + 1]]
        assert mine.tolist() == np.flatnonzero(fold.query_user == user).tolist()


def columns(*rows: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    user, item, value = (np.array(column) for column in zip(*rows, strict=True))
    return user.astype(int), item.astype(int), value


def test_a_fold_from_its_parts_is_the_fold_that_was_split(small: Ratings) -> None:
    whole = split(small, 1)
    train = whole.by_user.tocoo()
    order = np.random.default_rng(1).permutation(train.nnz)  # the order of the ratings is free
    user, item = (codes[order] for codes in train.coords)
    made = Fold.of(
        (user, item, train.data[order]),
        (whole.query_user, whole.query_item, whole.query_rating),
        n_users=small.n_users,
        n_items=small.n_items,
        number=1,
        seed=42,
    )
    for name in ("query_user", "query_item", "query_rating", "query_ask", "first_query"):
        assert np.array_equal(getattr(made, name), getattr(whole, name)), name
    assert np.array_equal(made.by_user.toarray(), whole.by_user.toarray())
    assert np.array_equal(made.by_item.indices, whole.by_item.indices)
    assert (made.train_mean, made.number, made.seed) == (whole.train_mean, 1, 42)


def test_asks_are_numbered_in_the_order_in_which_a_query_is_put() -> None:
    fold = Fold.of(
        columns((0, 0, 3)),
        columns(*((user, item, np.nan) for user, item in [(0, 1), (1, 1), (0, 1), (0, 0), (0, 1)])),
        n_users=2,
        n_items=2,
    )
    assert fold.query_ask.tolist() == [1, 1, 2, 1, 3]


@pytest.mark.parametrize(
    ("train", "queries", "words"),
    [
        ([], [(0, 0, 1)], "at least one training rating"),
        ([(0, 0, 1), (0, 0, 2)], [(0, 0, 1)], "at most one"),
        ([(2, 0, 1)], [(0, 0, 1)], "user must be between 0 and 1"),
        ([(0, 0, 1)], [(0, 3, 1)], "item must be between 0 and 2"),
        ([(0, -1, 1)], [(0, 0, 1)], "item must be between 0 and 2"),
    ],
)
def test_a_fold_that_cannot_be(
    train: list[tuple[float, ...]], queries: list[tuple[float, ...]], words: str
) -> None:
    empty = (np.empty(0, int), np.empty(0, int), np.empty(0))
    with pytest.raises(InputError, match=words):
        Fold.of(columns(*train) if train else empty, columns(*queries), n_users=2, n_items=3)


def test_a_fold_with_further_users_is_the_fold_made_of_all_their_ratings(small: Ratings) -> None:
    fold = split(small, 0)
    rated = [
        (np.array([0, 3, 4]), np.array([5.0, 1.0, 0.0])),
        (np.array([3]), np.array([2.0])),
        (np.array([], dtype=int), np.array([])),
        (np.array([3, 29]), np.array([4.0, 3.0])),
    ]
    queries = columns((40, 7, np.nan), (3, 3, 2.0), (40, 7, np.nan))
    train = fold.by_user.tocoo()
    made = Fold.of(
        (
            np.concatenate(
                [train.coords[0], *(np.full(r[0].size, 40 + u) for u, r in enumerate(rated))]
            ),
            np.concatenate([train.coords[1], *(items for items, _ in rated)]),
            np.concatenate([train.data, *(ratings for _, ratings in rated)]),
        ),
        queries,
        n_users=44,
        n_items=small.n_items,
    )
    larger = fold.with_users(rated, queries)
    for field in fields(Fold):
        one, other = getattr(larger, field.name), getattr(made, field.name)
        if field.name in ("by_user", "by_item"):
            assert one.shape == other.shape
            for part in ("indptr", "indices", "data"):
                assert np.array_equal(getattr(one, part), getattr(other, part)), field.name
                assert getattr(one, part).dtype == getattr(other, part).dtype, field.name
        else:
            assert np.array_equal(one, other, equal_nan=field.name == "query_rating"), field.name
