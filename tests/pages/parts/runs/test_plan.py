from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from engine.errors import Cancelled
from engine.settings import PAPER_KS
from engine.strategies import PAPER_STRATEGIES
from pages.parts.looks import shown_strategies
from pages.parts.runs.plan import RunStep, Wish, carry_out, next_step
from pages.parts.runs.results import Cell, Results
from pages.parts.runs.run_strategies import FEW_RATINGS, core_strategies, extra_strategies
from pages.parts.runs.worker import Run

FOLDS = (0, 1)


def order(wish: Wish, *, n_ratings: int = FEW_RATINGS + 1, half: bool = False) -> list[RunStep]:
    core, extras = core_strategies(half=half), extra_strategies(n_ratings, half=half)
    done: set[Cell] = set()
    steps = []
    while step := next_step(done, FOLDS, wish, core, extras):
        assert not step.cells <= done
        steps.append(step)
        done |= step.cells
    return steps


def test_what_is_looked_at_comes_first_fold_by_fold():
    steps = order(Wish(20, "gain"))
    assert steps[:2] == [RunStep(0, PAPER_STRATEGIES, (20,)), RunStep(1, PAPER_STRATEGIES, (20,))]
    others = tuple(k for k in PAPER_KS if k != 20)
    assert steps[2:] == [RunStep(0, PAPER_STRATEGIES, others), RunStep(1, PAPER_STRATEGIES, others)]


def test_an_extra_strategy_is_computed_when_it_is_looked_at():
    steps = order(Wish(10, "gain+reuse"))
    assert steps[2] == RunStep(0, ("gain+reuse",), (10,))
    assert {s for step in steps for _, s, _ in step.cells} == {*PAPER_STRATEGIES, "gain+reuse"}


def test_with_few_ratings_everything_is_computed():
    cells = set().union(*(step.cells for step in order(Wish(), n_ratings=FEW_RATINGS)))
    assert cells == {(f, s, k) for f in FOLDS for s in shown_strategies() for k in PAPER_KS}


def test_where_half_of_the_queries_are_asked_neuknn_comes_with_the_paper_s_strategies():
    steps = order(Wish(10, "neuknn+reuse"), half=True)
    core = (*PAPER_STRATEGIES, "neuknn")
    assert steps[:2] == [RunStep(0, core, (10,)), RunStep(1, core, (10,))]
    assert steps[2] == RunStep(0, ("neuknn+reuse",), (10,))
    cells = set().union(*(step.cells for step in steps))
    strategies = (*core, "neuknn+reuse")
    assert cells == {(f, s, k) for f in FOLDS for s in strategies for k in PAPER_KS}


class FakeExperiment:
    """Remembers what it was asked for, and takes wishes and Cancel into account as a run does."""

    def __init__(self, n_ratings: int = FEW_RATINGS + 1) -> None:
        self.fold_numbers = FOLDS
        self.ratings = type("R", (), {"n_ratings": n_ratings})()
        self.asked: list[RunStep] = []
        self.tested: list[Cell] = []
        self.released = False
        self.during: Any = lambda: None

    queries = "all"

    def tau(self, rule: str, fold: int, k: int, strategy: str) -> float:
        return 10.0

    def growth_tests(self, fold: int, strategy: str, k: int) -> dict[str, np.ndarray]:
        self.tested.append((fold, strategy, k))
        return {}

    def release(self) -> None:
        self.released = True

    def run(self, strategies: Any, ks: Any, folds: Any, *, progress: Any, cancelled: Any) -> None:
        progress(0.5, "Choosing neighbors, fold 1 of 1", ())
        self.during()
        if cancelled():
            raise Cancelled
        self.asked.append(RunStep(folds[0], tuple(strategies), tuple(ks)))


def fake_run(experiment: FakeExperiment) -> Run[Results]:
    return Run(Results(cast("Any", experiment)), carry_out, wish=Wish())


def test_each_finished_step_shows_at_once():
    experiment = FakeExperiment()
    run = fake_run(experiment)
    seen = []
    experiment.during = lambda: seen.append(run.result.folds(10))
    carry_out(run)
    assert seen[:3] == [(), (0,), (0, 1)]
    # And once for the tests of each k.
    assert run.version == len(experiment.asked) + len(PAPER_KS)
    assert run.result.ks(10) == PAPER_KS


def test_progress_grows_and_names_the_fold():
    experiment = FakeExperiment()
    run = fake_run(experiment)
    shares: list[float] = []
    experiment.during = lambda: shares.append(run.share)
    carry_out(run)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1
    assert run.text == "Testing differences between strategies"


def test_a_new_wish_is_served_next():
    experiment = FakeExperiment()
    run = fake_run(experiment)

    def look_elsewhere() -> None:
        run.wish = Wish(30)

    experiment.during = look_elsewhere
    carry_out(run)
    assert [step.ks for step in experiment.asked[:3]] == [(10,), (30,), (30,)]


def test_cancel_keeps_what_was_finished_and_a_second_run_goes_on():
    experiment = FakeExperiment()
    run = fake_run(experiment)

    def stop_after_one() -> None:
        if experiment.asked:
            run.stop.set()

    experiment.during = stop_after_one
    with pytest.raises(Cancelled):
        carry_out(run)
    assert run.result.folds(10) == (0,)
    again = Run(run.result, carry_out, wish=Wish())
    experiment.during = lambda: None
    carry_out(again)
    assert experiment.asked.count(RunStep(0, PAPER_STRATEGIES, (10,))) == 1
    assert again.result.folds(10) == FOLDS


def test_curves_are_tested_once_all_numbers_are_there_first_at_the_k_looked_at():
    experiment = FakeExperiment()
    run = fake_run(experiment)
    run.wish = Wish(20)
    assert run.result.growth_tests("gain", 20) is None
    carry_out(run)
    others = [s for s in PAPER_STRATEGIES if s != "userknn"]
    assert {cell[2] for cell in experiment.tested[: len(FOLDS) * len(others)]} == {20}
    assert sorted(experiment.tested) == [
        (f, s, k) for f in FOLDS for s in sorted(others) for k in PAPER_KS
    ]
    assert run.result.growth_tests("gain", 20) == [{}, {}]
    assert experiment.released
    carry_out(run)
    assert len(experiment.tested) == len(FOLDS) * len(others) * len(PAPER_KS)


def test_cancel_between_two_tests_keeps_the_numbers_and_the_tests_made():
    experiment = FakeExperiment()
    run = fake_run(experiment)

    def stop_after_two(*cell: Any) -> dict[str, np.ndarray]:
        experiment.tested.append(cell)
        if len(experiment.tested) == 2:
            run.stop.set()
        return {}

    experiment.growth_tests = stop_after_two  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        carry_out(run)
    assert len(experiment.tested) == 2
    assert run.result.folds(10) == FOLDS
    again = Run(run.result, carry_out, wish=Wish())
    carry_out(again)
    assert len(experiment.tested) == len(set(experiment.tested))
    assert again.result.growth_tests("gain", 10) == [{}, {}]
