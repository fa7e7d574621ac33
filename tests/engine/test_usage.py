from __future__ import annotations

import numpy as np
import pytest

from engine.datasets import Ratings
from engine.neighborhoods import choose_neighbors
from engine.splits import split
from engine.usage import count_usage
from tests import oracle
from tests.examples import SIX_USERS, arranged, codes, engine_chosen, random_rows, ratings_of


def usage_by_label(asked: list[tuple[str, str, float]], k: int) -> dict[str, int]:
    ratings, folds, number = arranged(SIX_USERS, asked)
    fold = split(ratings, number, folds)
    usage = count_usage(fold, choose_neighbors(fold, [("userknn", k)], jobs=1)["userknn", k])
    users, _ = codes(ratings)
    return {label: int(usage.data_usage[code]) for label, code in users.items()}


def test_by_hand() -> None:
    # c: u1 to u4; d: u2, u3, u5; e: u5
    asked = [("u0", "c", 3), ("u0", "d", 3), ("u0", "e", 3)]
    assert usage_by_label(asked, k=9) == {"u0": 0, "u1": 1, "u2": 2, "u3": 2, "u4": 1, "u5": 2}


def test_a_chosen_neighbor_counts_also_with_similarity_zero() -> None:
    # u5 has nothing in common with u0, and is the only one who rated e
    assert usage_by_label([("u0", "e", 3)], k=1)["u5"] == 1


def test_queries_that_cannot_be_answered_use_nobody() -> None:
    asked = [("new", "c", 3), ("u0", "unseen", 3)]
    assert set(usage_by_label(asked, k=3).values()) == {0}


def test_users_never_used_and_unknown_ones_count_zero() -> None:
    used = usage_by_label([("u0", "e", 3), ("new", "c", 3)], k=3)
    assert used["new"] == used["u0"] == used["u4"] == 0


def test_ordinals_run_through_all_users_queries_in_the_order_they_are_asked() -> None:
    # c is rated by u1 to u4, d by u2, u3, u5; a is asked by somebody else in between
    known = [*SIX_USERS, ("other", "b", 1)]
    asked = [("u0", "c", 3), ("other", "d", 3), ("u0", "d", 3), ("other", "c", 3)]
    ratings, folds, number = arranged(known, asked)
    fold = split(ratings, number, folds)
    neighborhoods = choose_neighbors(fold, [("userknn", 9)], jobs=1)["userknn", 9]
    usage = count_usage(fold, neighborhoods)
    users, _ = codes(ratings)
    ordinals: dict[str, list[int]] = {label: [] for label in users}
    numbers = iter(usage.ordinal.tolist())
    for query in range(len(asked)):
        for neighbor in neighborhoods.users(fold, query):
            ordinals[str(ratings.users[neighbor])].append(next(numbers))
    assert next(numbers, None) is None
    assert ordinals == {
        "u0": [],
        "u1": [1, 2],
        "u2": [1, 2, 3, 4],
        "u3": [1, 2, 3, 4],
        "u4": [1, 2],
        "u5": [1, 2],
        "other": [],
    }


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
@pytest.mark.parametrize("k", [1, 3, 30])
def test_equals_the_oracle(small: Ratings, strategy: str, k: int) -> None:
    fold = split(small, 3)
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    usage, chosen = count_usage(fold, neighborhoods), engine_chosen(fold, neighborhoods)
    assert usage.data_usage.tolist() == oracle.data_usage(chosen, small.n_users)
    assert usage.ordinal.tolist() == [n for row in oracle.ordinals(chosen) for n in row]
    assert usage.data_usage.sum() == usage.ordinal.size


def test_of_a_smaller_k_from_a_larger_selection() -> None:
    ratings = ratings_of(random_rows(3, users=25, items=20, share=0.5, values=[1, 2, 3]))
    fold = split(ratings, 0)
    large = choose_neighbors(fold, [("gain", 9)], jobs=1)["gain", 9]
    for k in (1, 4, 9):
        alone = count_usage(fold, choose_neighbors(fold, [("gain", k)], jobs=1)["gain", k])
        cut = count_usage(fold, large.first(k))
        assert cut.data_usage.tolist() == alone.data_usage.tolist()
        assert cut.ordinal.tolist() == alone.ordinal.tolist()


def test_usage_has_every_user_of_the_file(small: Ratings) -> None:
    fold = split(small, 0)
    usage = count_usage(fold, choose_neighbors(fold, [("userknn", 2)], jobs=1)["userknn", 2])
    assert usage.data_usage.shape == (small.n_users,)
    assert np.issubdtype(usage.data_usage.dtype, np.integer)
