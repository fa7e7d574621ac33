"""A block of target users goes from arrays to arrays, in whichever process it runs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from engine.datasets import Ratings, generate
from engine.embeddings import learn_from
from engine.errors import Cancelled
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods, bounds, choose_neighbors
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES, training_arrays
from engine.splits import split
from engine.strategies import STRATEGIES
from engine.target_blocks import (
    Queries,
    Selected,
    choose_for_targets,
    co_rating_type,
    merge,
    target_blocks,
)

CELLS = [(strategy, k) for strategy in STRATEGIES for k in (2, 7)]


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return generate(users=150, items=120, ratings=5000)  # three blocks of targets


@pytest.fixture(scope="module")
def fold(ratings: Ratings) -> Fold:
    return split(ratings, 1)


@pytest.fixture(scope="module")
def alone(fold: Fold) -> dict[tuple[str, int], Neighborhoods]:
    return choose_neighbors(fold, CELLS, jobs=1)


def block_arguments(fold: Fold) -> tuple[Queries, list[Selected]]:
    arrays = training_arrays(fold)
    queries = Queries(
        fold.seed, fold.number, arrays, fold.query_item, fold.queries_by_user, fold.first_query
    )
    embeddings = learn_from(fold)
    similarities = [
        SIMILARITIES.named(strategy.similarity or DEFAULT_SIMILARITY)
        for strategy in STRATEGIES.values()
    ]
    selections = [
        Selected(
            strategy,
            similarity,
            np.diff(bounds(fold, 7)),
            similarity.prepare(arrays, embeddings),
            strategy.reusability.prepare(arrays, embeddings) if strategy.reusability else None,
        )
        for strategy, similarity in zip(STRATEGIES.values(), similarities, strict=True)
    ]
    return queries, selections


def assert_equal(a: Neighborhoods, b: Neighborhoods) -> None:
    for name in ("start", "stop", "place", "similarity", "co_ratings"):
        left, right = getattr(a, name), getattr(b, name)
        assert left.dtype == right.dtype
        assert np.array_equal(left, right), name


def test_blocks_have_every_user_with_an_answered_query_once(fold: Fold) -> None:
    blocks = target_blocks(fold)
    assert len(blocks) > 1
    users = np.concatenate(blocks)
    assert users.tolist() == sorted(set(fold.query_user[fold.answered].tolist()))


@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_choose_what_threads_do(
    fold: Fold, alone: dict[tuple[str, int], Neighborhoods], backend: str, jobs: int
) -> None:
    shares: list[float] = []
    by_cell = choose_neighbors(fold, CELLS, jobs=jobs, backend=backend, progress=shares.append)
    for cell in CELLS:
        assert_equal(by_cell[cell], alone[cell])
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_run_in_processes_can_be_cancelled(fold: Fold) -> None:
    asked = iter(range(100))
    with pytest.raises(Cancelled):
        choose_neighbors(fold, CELLS, jobs=2, backend="loky", cancelled=lambda: next(asked) >= 1)


def test_a_block_depends_on_its_arguments_alone(
    fold: Fold, alone: dict[tuple[str, int], Neighborhoods]
) -> None:
    """They are sent away and come back as bytes, and every block fills its own places."""
    arguments = pickle.dumps(block_arguments(fold))
    bound = bounds(fold, 7)
    whole = {
        strategy: (
            np.full(bound[-1], -1, dtype=np.int32),
            np.full(bound[-1], np.nan),
            np.zeros(bound[-1], dtype=co_rating_type(training_arrays(fold))),
        )
        for strategy in STRATEGIES
    }
    for block in reversed(target_blocks(fold)):
        queries, selections = pickle.loads(arguments)
        targets, choices = pickle.loads(
            pickle.dumps(choose_for_targets(queries, block, selections))
        )
        assert targets.tolist() == block.tolist()
        for strategy, choice in zip(STRATEGIES, choices, strict=True):
            for part, array in zip(choice, whole[strategy], strict=True):
                merge(targets, fold.first_query, fold.queries_by_user, bound, part, array)
    for strategy, (place, similarity, co_ratings) in whole.items():
        assert np.array_equal(place, alone[strategy, 7].place)
        assert np.array_equal(similarity, alone[strategy, 7].similarity)
        assert np.array_equal(co_ratings, alone[strategy, 7].co_ratings)


@pytest.mark.parametrize(("items", "kind"), [(2**16 - 1, np.uint16), (2**16, np.uint32)])
def test_co_ratings_have_room_for_all_items_of_a_user(items: int, kind: type) -> None:
    bounds_of_users = np.array([0, 3, 3 + items])
    nothing = np.zeros(0)
    arrays = (bounds_of_users, nothing, nothing, nothing, nothing, nothing)
    assert co_rating_type(arrays) is kind


def test_no_query_at_all() -> None:
    fold = Fold.of(
        (np.array([0, 1]), np.array([0, 0]), np.array([4.0, 2.0])),
        (np.array([], dtype=np.int64), np.array([], dtype=np.int64), np.array([])),
        n_users=2,
        n_items=1,
    )
    for cell, neighborhoods in choose_neighbors(fold, CELLS, jobs=2).items():
        assert neighborhoods.place.size == 0, cell
