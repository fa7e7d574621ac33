from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Ratings
from engine.folds import Fold
from engine.similarity import similarity_rows
from engine.splits import split
from tests import oracle
from tests.examples import VALUES, arranged, codes, oracle_fold, random_rows, ratings_of

SOMEWHERE = [("elsewhere", "nothing", 1)]  # a query that no training rating has to do with


def fold_without(known: list[tuple[str, str, float]]) -> tuple[dict[str, int], Fold]:
    """A fold that trains on all of `known`, and the codes of its users."""
    ratings, folds, number = arranged(known, SOMEWHERE)
    return codes(ratings)[0], split(ratings, number, folds)


def profile(user: str, *values: float | None) -> list[tuple[str, str, float]]:
    return [(user, f"i{n}", value) for n, value in enumerate(values) if value is not None]


def similarity(known: list[tuple[str, str, float]], a: str, b: str) -> float:
    users, fold = fold_without(known)
    return float(similarity_rows(fold, np.array([users[a]]))[0][0, users[b]])


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("seed", [1, 2])
def test_equals_the_oracle(kind: str, seed: int) -> None:
    ratings = ratings_of(random_rows(seed, users=14, items=12, share=0.5, values=VALUES[kind]))
    fold = split(ratings, 1)
    train, _, _ = oracle_fold(ratings, 1)
    similarities, co_ratings = similarity_rows(fold, np.arange(ratings.n_users))
    assert similarities.shape == co_ratings.shape == (ratings.n_users, ratings.n_users)
    assert np.isfinite(similarities).all()
    for u in range(ratings.n_users):
        squared = {c: oracle.similarity_squared(train, u, c) for c in train.users if c != u}
        for c, square in squared.items():
            assert co_ratings[u, c] == oracle.co_ratings(train, u, c)
            assert similarities[u, c] == pytest.approx(float(oracle.root(square)), abs=1e-14)
        # ties and order are exact: equal if and only if equal, else in the same order
        for a, b in pairwise(sorted(squared, key=squared.__getitem__)):
            if squared[a] == squared[b]:
                assert similarities[u, a] == similarities[u, b]
            else:
                assert similarities[u, a] < similarities[u, b]


def test_symmetric(small: Ratings) -> None:
    fold = split(small, 0)
    similarities, co_ratings = similarity_rows(fold, np.arange(small.n_users))
    off = ~np.eye(small.n_users, dtype=bool)
    assert (similarities == similarities.T)[off].all()
    assert (co_ratings == co_ratings.T)[off].all()


def test_only_co_rated_items_count() -> None:
    # over all of their items the cosine would be far from 1
    known = profile("a", 1, 2, None, 5) + profile("b", 2, 4, 5, None)
    assert similarity(known, "a", "b") == 1


def test_one_co_rated_item_is_exactly_one() -> None:
    known = profile("a", 3, 1) + profile("b", 7, None) + profile("c", 0.1, None)
    assert similarity(known, "a", "b") == similarity(known, "a", "c") == 1


def test_nothing_co_rated_is_zero() -> None:
    assert similarity(profile("a", 3, None) + profile("b", None, 4), "a", "b") == 0


def test_zeros_give_zero_and_never_nan() -> None:
    known = profile("zeros", 0, 0) + profile("b", 1, 5) + profile("also", 0, 0)
    assert similarity(known, "zeros", "b") == 0
    assert similarity(known, "b", "zeros") == 0
    assert similarity(known, "zeros", "also") == 0


def test_zero_counts_as_co_rated() -> None:
    users, fold = fold_without(profile("zeros", 0, 0) + profile("b", 1, 5))
    assert similarity_rows(fold, np.array([users["b"]]))[1][0, users["zeros"]] == 2


def test_orthogonal_and_opposite() -> None:
    assert similarity(profile("a", 1, 0) + profile("b", 0, 1), "a", "b") == 0
    assert similarity(profile("a", 1, -2) + profile("b", -2, 4), "a", "b") == -1


@given(
    base=st.lists(st.integers(1, 5), min_size=2, max_size=6),
    other=st.lists(st.integers(1, 5), min_size=6, max_size=6),
    factors=st.lists(st.integers(1, 60), min_size=2, max_size=5),
)
def test_collinear_users_are_exactly_equally_similar(
    base: list[int], other: list[int], factors: list[int]
) -> None:
    # 3/sqrt(10) and 9/sqrt(90) are one number, also where two roundings would make them two
    known = profile("target", *other[: len(base)])
    for n, factor in enumerate(factors):
        known += profile(f"c{n}", *(factor * value for value in base))
    users, fold = fold_without(known)
    row = similarity_rows(fold, np.array([users["target"]]))[0][0]
    assert len({float(row[users[f"c{n}"]]) for n in range(len(factors))}) == 1


def test_equal_cosines_from_different_profiles_are_exactly_equal() -> None:
    # the same angle by other numbers and by repetition: dot 3 of 10, 6 of 40, 9 of 90, ...
    known = profile("target", 1, 2, 1, 2, 1, 2, 1, 2, 1, 2)
    candidates = {
        "once": profile("once", 1, 1),
        "twice": profile("twice", 3, 3, 3, 3),
        "thrice": profile("thrice", 5, 5, 5, 5, 5, 5),
        "five": profile("five", 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    }
    for rows in candidates.values():
        known += rows
    users, fold = fold_without(known)
    row = similarity_rows(fold, np.array([users["target"]]))[0][0]
    assert {float(row[users[name]]) for name in candidates} == {3 / math.sqrt(10)}


@pytest.mark.parametrize("divisor", [1, 2, 10, 100])
def test_decimal_ratings_tie_as_whole_ones_do(divisor: int) -> None:
    # as doubles 0.1 and 0.3 are not collinear to the last bit; as ratings they are
    known = profile("target", 1 / divisor, 2 / divisor)
    for n, factor in enumerate((1, 3, 7, 9)):
        known += profile(f"c{n}", factor * 3 / divisor, factor * 1 / divisor)
    users, fold = fold_without(known)
    row = similarity_rows(fold, np.array([users["target"]]))[0][0]
    assert len({float(row[users[f"c{n}"]]) for n in range(4)}) == 1


def test_large_decimals_are_as_exact_as_doubles_allow() -> None:
    values = [999.123457, 0.000001, 512.5, 1000, 333.333333]
    ratings = ratings_of(random_rows(5, users=12, items=14, share=0.6, values=values))
    fold, (train, _, _) = split(ratings, 0), oracle_fold(ratings, 0)
    similarities, _ = similarity_rows(fold, np.arange(ratings.n_users))
    for u in range(ratings.n_users):
        for c in range(ratings.n_users):
            if u != c:
                expected = float(oracle.root(oracle.similarity_squared(train, u, c)))
                assert similarities[u, c] == pytest.approx(expected, abs=1e-13)
                assert abs(similarities[u, c]) <= 1


@given(st.integers(0, 10_000))
def test_within_minus_one_and_one(seed: int) -> None:
    ratings = ratings_of(random_rows(seed, 6, 5, 0.7, [-1e6, -0.1, 0, 1 / 3, 2.5, 1e6]))
    if ratings.n_ratings < 5:
        return
    similarities, _ = similarity_rows(split(ratings, 0), np.arange(ratings.n_users))
    np.fill_diagonal(similarities, 0)
    assert np.isfinite(similarities).all()
    assert (np.abs(similarities) <= 1 + 1e-15).all()


def test_rows_do_not_depend_on_what_else_is_asked(small: Ratings) -> None:
    fold = split(small, 3)
    together, _ = similarity_rows(fold, np.arange(small.n_users))
    for u in (0, 5, 17):
        alone, _ = similarity_rows(fold, np.array([u]))
        others = np.arange(small.n_users) != u
        assert (alone[0] == together[u])[others].all()
