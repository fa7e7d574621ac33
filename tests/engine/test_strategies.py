"""The strategies of the paper and the published code, by hand and against the oracle."""

from __future__ import annotations

import pytest

from engine.datasets import Ratings
from engine.errors import Cancelled, InputError
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.splits import split
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from tests import oracle
from tests.examples import (
    SIX_USERS,
    chosen_labels,
    engine_chosen,
    oracle_fold,
)

every_strategy = pytest.mark.parametrize("strategy", oracle.STRATEGIES)


def assert_same(a: Neighborhoods, b: Neighborhoods) -> None:
    sizes_a, sizes_b = a.stop - a.start, b.stop - b.start
    assert sizes_a.tolist() == sizes_b.tolist()
    for q, (start_a, start_b) in enumerate(zip(a.start, b.start, strict=True)):
        uses_a = slice(start_a, start_a + sizes_a[q])
        uses_b = slice(start_b, start_b + sizes_b[q])
        for name in ("place", "similarity", "co_ratings"):
            assert getattr(a, name)[uses_a].tolist() == getattr(b, name)[uses_b].tolist(), (q, name)


# --- by hand and against the oracle --------------------------------------------------------------


def test_strategies_are_those_of_the_paper_and_the_published_code() -> None:
    embedded = {name for name, strategy in STRATEGIES.items() if strategy.needs_embeddings}
    assert set(STRATEGIES) - embedded == set(oracle.STRATEGIES)
    assert embedded == {"neuknn", "neuknn+reuse"}
    assert list(PAPER_STRATEGIES) == ["userknn", "userknn+reuse", "expect", "gain"]


@every_strategy
def test_six_users_by_hand(strategy: str) -> None:
    # as in test_oracle.py: u1, u2, u3 tie in similarity, u2 leads Expect, u1 and u2 lead Gain
    asked = [("u0", "c", 3), ("u0", "e", 3)]
    first, last = chosen_labels(SIX_USERS, asked, strategy, k=2)
    possible = {
        "userknn": [{"u1", "u2"}, {"u1", "u3"}, {"u2", "u3"}],
        "expect": [{"u1", "u2"}],
        "gain": [{"u1", "u2"}],
    }
    assert first in possible[strategy.removesuffix("+reuse")]
    assert last == {"u5"}


@every_strategy
@pytest.mark.parametrize("k", [1, 2, 7, 1000])
def test_valid_for_every_k(small: Ratings, strategy: str, k: int) -> None:
    fold = split(small, 1)
    train, queries, _ = oracle_fold(small, 1)
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    assert (
        oracle.invalid_choices(train, queries, strategy, k, engine_chosen(fold, neighborhoods))
        == []
    )


@every_strategy
def test_neighbors_bring_their_similarity_co_ratings_and_rating(
    small: Ratings, strategy: str
) -> None:
    fold = split(small, 2)
    train, queries, _ = oracle_fold(small, 2)
    neighborhoods = choose_neighbors(fold, [(strategy, 3)], jobs=1)[strategy, 3]
    for q, (user, item) in enumerate(queries):
        for n, use in enumerate(range(neighborhoods.start[q], neighborhoods.stop[q])):
            neighbor = neighborhoods.users(fold, q)[n]
            expected = float(oracle.root(oracle.similarity_squared(train, user, neighbor)))
            assert neighborhoods.similarity[use] == pytest.approx(expected, abs=1e-14)
            assert neighborhoods.co_ratings[use] == oracle.co_ratings(train, user, neighbor)
            assert fold.by_item.data[neighborhoods.place[use]] == train.by_item[item][neighbor]


@every_strategy
def test_unknown_users_and_items_have_no_neighbors(strategy: str) -> None:
    asked = [("new", "c", 3), ("u0", "unseen", 3), ("u0", "c", 3)]
    unknown_user, unknown_item, known = chosen_labels(SIX_USERS, asked, strategy, k=2)
    assert unknown_user == unknown_item == set()
    assert len(known) == 2


@every_strategy
def test_a_constant_rater_is_as_similar_as_its_cosine(strategy: str) -> None:
    # (3, 3) to (1, 5) is 18 / sqrt(18 * 26) = .83; the better candidate by every rank is "like"
    known = [
        *[("t", "a", 1), ("t", "b", 5)],
        *[("constant", "a", 3), ("constant", "b", 3), ("constant", "x", 3)],
        *[("like", "a", 1), ("like", "b", 5), ("like", "x", 4)],
    ]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=1) == [{"like"}]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=2) == [{"like", "constant"}]


@every_strategy
def test_a_target_or_neighbor_of_zeros_is_chosen_with_similarity_zero(strategy: str) -> None:
    known = [
        *[("zeros", "a", 0), ("zeros", "b", 0), ("zeros", "x", 0)],
        *[("t", "a", 1), ("t", "b", 5), ("t", "y", 0)],
    ]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=1) == [{"zeros"}]
    assert chosen_labels(known, [("zeros", "y", 3)], strategy, k=1) == [{"t"}]


@every_strategy
def test_a_scale_that_is_stretched_gives_the_same_neighbors(small: Ratings, strategy: str) -> None:
    halves = Ratings.from_columns(
        small.users[small.user], small.items[small.item], small.value / 2, name="halves"
    )
    a, b = (
        engine_chosen(
            split(r, 0), choose_neighbors(split(r, 0), [(strategy, 4)], jobs=1)[strategy, 4]
        )
        for r in (small, halves)
    )
    assert a == b


def test_all_in_one_pass_equals_one_by_one(small: Ratings) -> None:
    fold = split(small, 1)
    cells = [(strategy, k) for strategy in oracle.STRATEGIES for k in (1, 4, 9)]
    together = choose_neighbors(fold, cells, jobs=2)
    for cell in cells:
        assert_same(together[cell], choose_neighbors(fold, [cell], jobs=1)[cell])


def test_unknown_strategy(small: Ratings) -> None:
    with pytest.raises(InputError, match="neighbour"):
        choose_neighbors(split(small, 0), [("neighbour", 3)])


def test_cancelled_between_blocks(small: Ratings) -> None:
    with pytest.raises(Cancelled):
        choose_neighbors(split(small, 0), [("userknn", 3)], jobs=1, cancelled=lambda: True)


def test_progress_grows_to_one(small: Ratings) -> None:
    shares: list[float] = []
    choose_neighbors(split(small, 0), [("gain", 3)], jobs=2, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
