from __future__ import annotations

import numpy as np
import pytest

from engine.datasets import Ratings
from engine.growth import Growth, grow
from engine.neighborhoods import choose_neighbors
from engine.splits import split
from tests import oracle
from tests.examples import SIX_USERS, arranged, codes, engine_chosen, oracle_fold


def growth_of(
    known: list[tuple[str, str, float]], asked: list[tuple[str, str, float]], k: int
) -> tuple[Growth, dict[str, int]]:
    ratings, folds, number = arranged(known, asked)
    fold = split(ratings, number, folds)
    growth = grow(fold, choose_neighbors(fold, [("userknn", k)], jobs=1)["userknn", k])
    return growth, codes(ratings)[0]


def test_by_hand() -> None:
    # c brings u1 to u4 (2, 2, 1 and 2 co-ratings with u0), d adds u5 (0)
    growth, users = growth_of(SIX_USERS, [("u0", "c", 3), ("u0", "d", 3)], k=9)
    assert growth.neighbors[users["u0"], :2].tolist() == [4, 5]
    assert growth.co_ratings[users["u0"], :2].tolist() == pytest.approx([7 / 4, 7 / 5])
    assert np.isnan(growth.neighbors[users["u0"], 2:]).all()
    assert np.isnan(growth.neighbors[users["u1"]]).all()
    assert growth.neighbors_at_q[:3].tolist() == pytest.approx([4, 5, np.nan], nan_ok=True)


def test_only_answered_queries_count() -> None:
    asked = [("u0", "unseen", 3), ("new", "c", 3), ("u0", "e", 3), ("u0", "c", 3)]
    growth, users = growth_of(SIX_USERS, asked, k=9)
    assert growth.neighbors[users["u0"], :3].tolist() == pytest.approx([1, 5, np.nan], nan_ok=True)
    assert np.isnan(growth.neighbors[users["new"]]).all()


def test_neighbors_of_similarity_zero_count() -> None:
    growth, users = growth_of(SIX_USERS, [("u0", "e", 3)], k=1)
    assert growth.neighbors[users["u0"], 0] == 1
    assert growth.co_ratings[users["u0"], 0] == 0


def test_means_are_over_the_users_with_that_many_answered_queries() -> None:
    asked = [("u0", "c", 3), ("u0", "d", 3), ("u4", "d", 3)]
    growth, _ = growth_of(SIX_USERS, asked, k=9)
    assert growth.neighbors_at_q[:3].tolist() == pytest.approx([3.5, 5, np.nan], nan_ok=True)


def test_ends_after_100_queries() -> None:
    known = [("t", "a", 1), *((f"c{n}", "a", 1) for n in range(130))]
    known += [(f"c{n}", f"i{n}", 1) for n in range(130)]
    growth, users = growth_of(known, [("t", f"i{n}", 1) for n in range(130)], k=1)
    assert growth.neighbors.shape == growth.co_ratings.shape == (len(users), 100)
    assert growth.neighbors[users["t"]].tolist() == list(range(1, 101))
    assert growth.neighbors_at_q[-1] == 100


def test_nobody_has_an_answered_query() -> None:
    growth, _ = growth_of(SIX_USERS, [("new", "thing", 1)], k=2)
    assert np.isnan(growth.neighbors_at_q).all()
    assert np.isnan(growth.co_ratings_at_q).all()


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
def test_equals_the_oracle(small: Ratings, strategy: str) -> None:
    fold = split(small, 1)
    train, queries, _ = oracle_fold(small, 1)
    neighborhoods = choose_neighbors(fold, [(strategy, 4)], jobs=1)[strategy, 4]
    growth = grow(fold, neighborhoods)
    expected = oracle.growth_of_users(train, queries, engine_chosen(fold, neighborhoods))
    for user in range(small.n_users):
        steps = expected.get(user, [])
        sizes = growth.neighbors[user]
        assert sizes[: len(steps)].tolist() == [size for size, _ in steps]
        shared = growth.co_ratings[user, : len(steps)].tolist()
        assert shared == pytest.approx([co for _, co in steps], rel=1e-6)
        assert np.isnan(sizes[len(steps) :]).all()
