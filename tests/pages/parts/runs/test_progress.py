"""How long a page waits for a run: for all that is read, and not for what is computed."""

from __future__ import annotations

import threading
import time
from typing import Any, cast

import pytest

from pages.parts import memory
from pages.parts.runs import progress
from pages.parts.runs.plan import RunStep, Wish, next_step
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from tests.pages.driving import SessionState

WISH = Wish()
FOLDS = (0, 1, 2, 3, 4)


class FakeExperiment:
    """Folds and few ratings, whatever they are."""

    fold_numbers = FOLDS
    queries = "all"

    class ratings:
        n_ratings = 1000


@pytest.fixture(autouse=True)
def _visit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.st, "session_state", SessionState())
    monkeypatch.setattr(memory, "give_way", lambda: None)
    # So long that a busy machine does not pass them.
    monkeypatch.setattr(progress, "_PATIENCE", 40.0)
    monkeypatch.setattr(progress, "_PART_PATIENCE", 2.0)


def begun() -> Run[Results]:
    run = Run(Results(cast("Any", FakeExperiment())), lambda _: None, "key")
    run.state = "running"
    return run


def step_left(run: Run[Results]) -> RunStep | None:
    return next_step(run.result.done, FOLDS, WISH, run.result.core, run.result.extras)


def finish(run: Run[Results], pauses: float, *, parts: int = 100) -> None:
    """Finish part after part, each so long after the one before."""
    while parts and (step := step_left(run)):
        time.sleep(pauses)
        run.finished_part(run.result.with_done(step.cells))
        parts -= 1


def test_all_that_is_read_is_waited_for():
    run = begun()
    threading.Thread(target=finish, args=(run, 0.02), daemon=True).start()
    progress.wait_briefly(run, WISH)
    assert step_left(run) is None
    assert run.active  # the tests of the curves come later


def test_what_is_computed_is_not_waited_for_beyond_the_first_fold():
    run = begun()
    threading.Thread(target=finish, args=(run, 0.02), kwargs={"parts": 1}, daemon=True).start()
    began = time.monotonic()
    progress.wait_briefly(run, WISH)
    assert run.result.folds(WISH.k) == (0,)
    assert time.monotonic() - began < progress._PATIENCE / 2


def test_what_is_there_is_drawn_at_once():
    run = begun()
    finish(run, 0.0, parts=1)
    began = time.monotonic()
    progress.wait_briefly(run, WISH)
    assert time.monotonic() - began < progress._PART_PATIENCE / 2


def test_nothing_is_waited_for_twice(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "_PATIENCE", 1.0)
    run = begun()
    progress.wait_briefly(run, WISH)
    began = time.monotonic()
    progress.wait_briefly(run, WISH)
    assert time.monotonic() - began < progress._PATIENCE / 2
