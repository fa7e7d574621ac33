from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Ratings
from engine.errors import InputError
from engine.splits import split
from tests import oracle
from tests.examples import arranged, codes, random_rows, ratings_of, rows_of


@given(n=st.integers(5, 60), folds=st.integers(2, 5), seed=st.integers(0, 2**32 - 1))
def test_queries_are_the_parts_of_the_shuffled_rows_in_their_order(
    n: int, folds: int, seed: int
) -> None:
    ratings = ratings_of([(f"u{p}", f"i{p}", p) for p in range(n)])  # row p is (p, p, p)
    for number, part in enumerate(oracle.split_positions(n, folds, seed)):
        fold = split(ratings, number, folds, seed)
        assert fold.query_user.tolist() == part
        assert fold.query_item.tolist() == part
        assert fold.query_rating.tolist() == part


def test_seed_42_shuffles_as_the_published_code() -> None:
    # RandomState(42).shuffle(arange(10)), a stream NumPy has frozen
    ratings = ratings_of([(f"u{p}", f"i{p}", 1) for p in range(10)])
    asked = [split(ratings, f).query_user.tolist() for f in range(5)]
    assert asked == [[8, 1], [5, 0], [7, 2], [9, 4], [3, 6]]


def test_first_parts_are_the_longer_ones() -> None:
    ratings = ratings_of([(f"u{p}", "i", 1) for p in range(13)])
    assert [split(ratings, f, 5).n_queries for f in range(5)] == [3, 3, 3, 2, 2]


def test_train_is_what_is_not_asked(small: Ratings) -> None:
    rows = rows_of(small)
    for number in range(5):
        fold = split(small, number)
        train, queries, truths = oracle.fold_of(rows, small.n_users, small.n_items, number)
        expected = {
            (u, i): float(v) for u, rated in train.by_user.items() for i, v in rated.items()
        }
        for matrix in (fold.by_user.tocoo(), fold.by_item.tocoo()):
            entries = zip(*(a.tolist() for a in (*matrix.coords, matrix.data)), strict=True)
            assert {(u, i): v for u, i, v in entries} == expected
        assert list(zip(fold.query_user.tolist(), fold.query_item.tolist(), strict=True)) == queries
        assert fold.query_rating.tolist() == [float(t) for t in truths]
        assert fold.train_mean == float(train.mean)


@pytest.mark.parametrize("values", [[0.7], [0.1], [3.3], [0.1, 0.2, 0.3], [0.5, 4.5]])
def test_mean_of_train_is_exact(values: list[float]) -> None:
    """A rating equal to the mean is not above it: 0.7 is the mean of 90 times 0.7."""
    ratings = ratings_of(random_rows(11, users=15, items=20, share=0.6, values=values))
    for number in range(5):
        train, _, _ = oracle.fold_of(rows_of(ratings), ratings.n_users, ratings.n_items, number)
        assert split(ratings, number).train_mean == float(train.mean)


def test_zero_is_a_rating_in_train_and_among_the_queries() -> None:
    ratings, folds, number = arranged(
        [("a", "x", 0), ("a", "y", 0), ("b", "x", 3)], [("b", "y", 0)]
    )
    fold = split(ratings, number, folds)
    users, items = codes(ratings)
    assert fold.by_user.nnz == fold.by_item.nnz == 3
    assert fold.train_mean == 1
    assert fold.query_rating.tolist() == [0]
    assert fold.answered.tolist() == [True]
    assert sorted(fold.by_item.tocoo().coords[0].tolist()) == sorted(
        [users["a"], users["a"], users["b"]]
    )
    assert set(items) == {"x", "y"}


def test_matrices_have_all_users_and_items_of_the_file() -> None:
    ratings, folds, number = arranged(
        [("a", "x", 1), ("b", "x", 3), ("b", "y", 3)], [("new", "x", 2), ("a", "unseen", 2)]
    )
    fold = split(ratings, number, folds)
    assert fold.by_user.shape == fold.by_item.shape == (3, 3)
    assert (fold.n_users, fold.n_items, fold.n_queries) == (3, 3, 2)


def test_duplicates_are_dropped_before_the_split() -> None:
    rows = random_rows(3, users=6, items=6, share=0.6, values=[1, 2, 3])
    twice = [(u, i, 9 - v) for u, i, v in rows] + rows
    once, doubled = split(ratings_of(rows), 0), split(ratings_of(twice), 0)
    assert doubled.query_rating.tolist() == once.query_rating.tolist()
    assert doubled.n_queries == once.n_queries


@pytest.mark.parametrize("number", [-1, 5])
def test_no_such_fold(small: Ratings, number: int) -> None:
    with pytest.raises(InputError):
        split(small, number)


def test_fewer_ratings_than_folds() -> None:
    ratings = ratings_of([("a", "x", 1), ("a", "y", 2), ("b", "x", 3)])
    with pytest.raises(InputError):
        split(ratings, 0)
    with pytest.raises(InputError):
        split(ratings, 0, folds=1)


def test_every_query_of_a_split_is_put_once(small: Ratings) -> None:
    assert set(split(small, 0).query_ask.tolist()) == {1}
