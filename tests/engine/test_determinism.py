"""A result depends on content, settings and seed; never on jobs, blocks, order or interruptions."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cache import Store
from engine import selection as selection_module
from engine.datasets import Ratings
from engine.errors import Cancelled
from engine.experiment import Experiment
from engine.folds import Fold
from engine.neighborhoods import choose_neighbors
from engine.predictions import PREDICTIONS
from engine.settings import Setting
from engine.target_blocks import target_blocks
from tests import oracle
from tests.examples import random_rows, ratings_of

KS = (2, 5)
FOLDS = (0, 1, 2)
CELLS = list(itertools.product(FOLDS, oracle.STRATEGIES, KS))


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return ratings_of(random_rows(21, users=45, items=40, share=0.35, values=[1, 2, 3, 4, 5]))


def results(experiment: Experiment, cells: list[tuple[int, str, int]] = CELLS) -> dict[Any, Any]:
    """Everything an experiment says about each cell, bit for bit."""
    by_cell: dict[Any, Any] = {}
    for number, strategy, k in cells:
        cell: dict[str, Any] = {
            "usage": experiment.usage(number, strategy, k).tolist(),
            "neighbors": experiment.neighbors_at_q(number, strategy, k).tobytes(),
            "co_ratings": experiment.co_ratings_at_q(number, strategy, k).tobytes(),
            "sweep": experiment.sweep(number, strategy, k).mae.tolist(),
            "tau": experiment.tau("q90", number, k),
        }
        for protection in ("none", "vulnerable", "full"):
            outcome = experiment.fold_outcome(number, Setting(strategy, k, cell["tau"], protection))
            assert outcome.item_frequency is not None
            cell[protection] = dict(outcome.metrics), outcome.item_frequency.tolist()
        by_cell[number, strategy, k] = cell
    return by_cell


@pytest.fixture(scope="module")
def expected(ratings: Ratings) -> dict[Any, Any]:
    return results(Experiment(ratings, folds=3, jobs=1))


def test_there_is_something_to_compare(expected: dict[Any, Any]) -> None:
    assert len(expected) == len(CELLS)
    usages = {tuple(cell["usage"]) for cell in expected.values()}
    assert len(usages) == len(CELLS)  # no two cells are one


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_jobs_change_nothing(ratings: Ratings, expected: dict[Any, Any], jobs: int) -> None:
    experiment = Experiment(ratings, folds=3, jobs=jobs)
    experiment.run(oracle.STRATEGIES, KS)
    assert results(experiment) == expected


def test_the_order_in_which_things_are_asked_changes_nothing(
    ratings: Ratings, expected: dict[Any, Any]
) -> None:
    shuffled = random.Random(5).sample(CELLS, len(CELLS))
    assert results(Experiment(ratings, folds=3), shuffled) == expected


def test_what_else_is_asked_changes_nothing(ratings: Ratings, expected: dict[Any, Any]) -> None:
    for cell in [(2, "gain+reuse", 5), (1, "expect", 2)]:
        assert results(Experiment(ratings, folds=3), [cell])[cell] == expected[cell]


def test_block_size_and_order_change_nothing(
    ratings: Ratings, expected: dict[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose_in_odd_blocks(fold: Fold, wanted: Any, **options: Any) -> Any:
        users = np.concatenate(target_blocks(fold))
        users = np.random.RandomState(8).permutation(users)
        return choose_neighbors(fold, wanted, **options | {"blocks": np.array_split(users, 13)})

    monkeypatch.setattr(selection_module, "choose_neighbors", choose_in_odd_blocks)
    assert results(Experiment(ratings, folds=3, jobs=2)) == expected


def test_read_back_is_what_was_computed(
    ratings: Ratings, expected: dict[Any, Any], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert results(Experiment(ratings, folds=3, store=store)) == expected

    def choose_again(*_: Any, **__: Any) -> Any:
        raise AssertionError("neighbors were chosen again")

    monkeypatch.setattr(selection_module, "choose_neighbors", choose_again)
    assert results(Experiment(ratings, folds=3, store=store)) == expected


@pytest.mark.parametrize("after", [0, 1, 2, 5, 9, 14])
def test_a_run_that_was_stopped_goes_on(
    ratings: Ratings, expected: dict[Any, Any], tmp_path: Path, after: int
) -> None:
    """Stopped when `cancelled` is asked for the n-th time, then run again with other jobs."""
    store = Store(tmp_path)
    asked = itertools.count()
    with pytest.raises(Cancelled):
        Experiment(ratings, folds=3, store=store, jobs=1).run(
            oracle.STRATEGIES, KS, cancelled=lambda: next(asked) >= after
        )
    again = Experiment(ratings, folds=3, store=store, jobs=2)
    again.run(oracle.STRATEGIES, KS)
    assert results(again) == expected


def test_finished_folds_of_a_stopped_run_are_kept(
    ratings: Ratings, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished: list[tuple[int, ...]] = [()]
    with pytest.raises(Cancelled):
        Experiment(ratings, folds=3, store=store).run(
            ["userknn", "gain+reuse"],
            KS,
            progress=lambda share, text, folds: finished.append(folds),
            cancelled=lambda: len(finished[-1]) >= 2,
        )
    assert len(finished[-1]) == 2
    chosen_anew: list[int] = []

    def choose_and_note(fold: Fold, *arguments: Any, **options: Any) -> Any:
        chosen_anew.append(fold.number)
        return choose_neighbors(fold, *arguments, **options)

    monkeypatch.setattr(selection_module, "choose_neighbors", choose_and_note)
    Experiment(ratings, folds=3, store=store).run(["userknn", "gain+reuse"], KS)
    assert set(chosen_anew).isdisjoint(finished[-1])
    assert set(chosen_anew) == {0, 1, 2} - set(finished[-1])


def test_an_exception_leaves_nothing_half_done(
    ratings: Ratings, expected: dict[Any, Any], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        weighted = replace(PREDICTIONS["weighted"], make_predictor=interrupt)
        patch.setitem(PREDICTIONS, "weighted", weighted)
        with pytest.raises(KeyboardInterrupt):
            Experiment(ratings, folds=3, store=store).run(oracle.STRATEGIES, KS)
    assert results(Experiment(ratings, folds=3, store=store)) == expected


@pytest.mark.parametrize(
    "other", [{"seed": 43}, {"mechanism": "continuous"}, {"memoised": True}, {"folds": 4}]
)
def test_other_settings_in_one_store_are_other_results(
    ratings: Ratings, expected: dict[Any, Any], store: Store, other: dict[str, Any]
) -> None:
    cell = (1, "expect", 5)
    assert results(Experiment(ratings, folds=3, store=store), [cell])[cell] == expected[cell]
    changed = results(Experiment(ratings, **{"folds": 3, **other}, store=store), [cell])[cell]
    assert changed["full"] != expected[cell]["full"]
    noise_only = "mechanism" in other or "memoised" in other
    assert (changed["usage"] == expected[cell]["usage"]) == noise_only
    assert (changed["none"] == expected[cell]["none"]) == noise_only


def test_other_content_in_one_store_is_another_result(ratings: Ratings, store: Store) -> None:
    first = results(Experiment(ratings, folds=3, store=store), [(0, "gain", 2)])
    values = ratings.value.copy()
    values[0] = 1 if values[0] > 1 else 2
    changed = Ratings.from_columns(
        ratings.users[ratings.user], ratings.items[ratings.item], values, name=ratings.name
    )
    assert results(Experiment(changed, folds=3, store=store), [(0, "gain", 2)]) != first
