"""Every kind of run: told apart by what it is of, and none left of ratings that are forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import pytest

from engine.datasets import Ratings, generate
from engine.errors import Cancelled
from engine.experiment import Experiment
from pages.contents.choose_tau.over_time_run import ask_over_time
from pages.contents.choose_tau.top_lists_run import ask_top_lists
from pages.contents.paper.neural_runs import begin as begin_neural
from pages.contents.privacy_lab.attack_runs import Campaign
from pages.contents.privacy_lab.attack_runs import begin as begin_attack
from pages.parts.runs.results import Results
from pages.parts.runs.runs_of_ratings import Kind, forget_runs, run_key, runs_of
from pages.parts.runs.worker import Run

RATINGS = generate(users=30, items=40, ratings=500, seed=5)
OTHERS = generate(users=30, items=40, ratings=500, seed=6)


@pytest.fixture(autouse=True)
def leave_no_run_behind() -> Iterator[None]:
    yield
    for ratings in (RATINGS, OTHERS):
        forget_runs(ratings)


def wait(run: Run[Results]) -> None:
    """Work until somebody stops the run."""
    if run.stop.wait(60):
        raise Cancelled


@pytest.mark.parametrize("kind", Kind)
def test_of_forgotten_ratings_no_run_is_left_and_one_at_work_stops(kind: Kind):
    runs = runs_of(kind)
    of_ratings: dict[str, list[Any]] = {}
    for ratings in (RATINGS, OTHERS):
        experiment = Experiment(ratings)
        for asked in (1, 2):
            key = run_key(experiment, asked)
            runs.begin(key, Results(experiment), wait)
            of_ratings.setdefault(ratings.fingerprint, []).append(runs.known(key))
    forget_runs(RATINGS)
    for run in of_ratings[RATINGS.fingerprint]:
        assert runs.known(run.key) is None
        assert run.changed.wait(120)  # the worker may be busy with another run
        assert run.state == "cancelled"
    for run in of_ratings[OTHERS.fingerprint]:
        assert runs.known(run.key) is run
        assert not run.stop.is_set()


def test_what_the_pages_begin_is_forgotten():
    experiment = Experiment(RATINGS)
    begin: dict[Kind, Callable[[], object]] = {
        Kind.OVER_TIME: lambda: ask_over_time(experiment, "gain", 5, 3, (0,)),
        Kind.TOP_LISTS: lambda: ask_top_lists(experiment, ("gain",), 5, (0,)),
        Kind.ATTACKS: lambda: begin_attack(
            ref(experiment),
            Campaign(("gain",), "gain", k=5, fold=0, knowledge=0.5, victims=5, memoised=False),
        ),
        Kind.NEUKNN: lambda: begin_neural(ref(experiment), 5),
    }
    for kind, start in begin.items():
        before = keys_of(kind, RATINGS)
        start()
        assert keys_of(kind, RATINGS) > before
    forget_runs(RATINGS)
    for kind in Kind:
        assert not keys_of(kind, RATINGS)


def keys_of(kind: Kind, ratings: Ratings) -> set[object]:
    return {
        run.key
        for run in runs_of(kind).all()
        if run.result.experiment.ratings.fingerprint == ratings.fingerprint
    }


def test_ratings_folds_noise_and_what_is_asked_tell_runs_apart():
    experiments_to_tell = [
        Experiment(RATINGS),
        Experiment(OTHERS),
        Experiment(RATINGS, folds=3),
        Experiment(RATINGS, seed=7),
        Experiment(RATINGS, mechanism="continuous"),
        Experiment(RATINGS, memoised=True),
    ]
    keys = {run_key(experiment, asked) for experiment in experiments_to_tell for asked in (1, 2)}
    assert len(keys) == 2 * len(experiments_to_tell)
    assert run_key(Experiment(RATINGS), 1) in keys
