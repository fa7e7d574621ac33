from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable

import pytest

from engine.errors import InputError
from pages.parts.runs.worker import MOST_RUNS, Run, Runs, in_words


def until(true: Callable[[], bool], seconds: float = 5) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


@pytest.fixture
def gate() -> threading.Event:
    return threading.Event()


def waiting(gate: threading.Event) -> Callable[[Run[list[int]]], None]:
    def work(run: Run[list[int]]) -> None:
        for part in range(3):
            while not gate.wait(0.005):
                run.progress(part / 3, f"part {part}")
            run.finished_part([*run.result, part])

    return work


def test_sessions_that_ask_for_the_same_share_one_run(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    made = []

    def make() -> tuple[list[int], Callable[[Run[list[int]]], None]]:
        made.append(1)
        return [], waiting(gate)

    first, second = runs.ask("key", make, "a"), runs.ask("key", make, "b")
    assert first is second
    assert first.wish == "b"
    gate.set()
    until(lambda: first.state == "finished")
    assert first.result == [0, 1, 2]
    assert first.version == 3
    assert first.share == 1
    assert len(made) == 1


def test_runs_are_done_one_after_the_other(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    first = runs.ask(1, lambda: ([], waiting(gate)))
    second = runs.ask(2, lambda: ([], waiting(gate)))
    until(lambda: first.state == "running")
    assert second.state == "queued"
    assert second.active
    gate.set()
    until(lambda: second.state == "finished")


def test_a_run_that_is_forgotten_stops_and_begins_anew(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    run = runs.ask("key", lambda: ([], waiting(gate)))
    assert runs.known("key") is run
    runs.forget("key")
    runs.forget("key")
    assert runs.known("key") is None
    until(lambda: run.state == "cancelled")
    again = runs.ask("key", lambda: ([], waiting(gate)))
    assert again is not run
    gate.set()
    until(lambda: again.state == "finished")


def test_a_run_that_is_forgotten_while_it_waits_is_gone_at_once(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    first = runs.ask("at work", lambda: ([], waiting(gate)))
    until(lambda: first.state == "running")
    held = weakref.ref(runs.ask("behind it", lambda: ([], waiting(gate))))
    assert held() is not None
    runs.forget("behind it")
    gc.collect()
    assert held() is None  # and with it the ratings
    gate.set()
    until(lambda: first.state == "finished")
    after = runs.ask("after it", lambda: ([], waiting(gate)))
    until(lambda: after.state == "finished")


def test_cancel_keeps_what_is_finished_and_again_goes_on(gate: threading.Event):
    runs: Runs[list[int]] = Runs()

    def work(run: Run[list[int]]) -> None:
        if not run.result:
            run.finished_part([0])
        while not gate.wait(0.005):
            run.progress(0.5, "waiting")
        run.finished_part([*run.result, 1])

    run = runs.ask("key", lambda: ([], work))
    until(lambda: run.version == 1)
    run.stop.set()
    until(lambda: run.state == "cancelled")
    assert runs.ask("key", lambda: ([], work)) is run, "asking alone does not start it again"
    gate.set()
    runs.again("key")
    second = runs.known("key")
    assert second
    assert second is not run
    until(lambda: second.state == "finished")
    assert second.result == [0, 1]
    assert second.version > run.version


def test_a_run_cancelled_while_it_waits_does_not_start(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    runs.ask(1, lambda: ([], waiting(gate)))
    second = runs.ask(2, lambda: ([], waiting(gate)))
    second.stop.set()
    gate.set()
    until(lambda: second.state == "cancelled")
    assert second.result == []


@pytest.mark.parametrize(
    ("error", "start"),
    [(InputError("Too few ratings."), "Too few ratings."), (KeyError("secret"), "Something went")],
)
def test_a_failure_is_said_and_the_worker_lives_on(
    error: Exception, start: str, gate: threading.Event
):
    runs: Runs[list[int]] = Runs()

    def work(run: Run[list[int]]) -> None:
        raise error

    failed = runs.ask("bad", lambda: ([], work))
    until(lambda: failed.state == "failed")
    assert failed.error.startswith(start)
    assert "secret" not in failed.error
    gate.set()
    good = runs.ask("good", lambda: ([], waiting(gate)))
    until(lambda: good.state == "finished")


def test_old_runs_are_forgotten_but_none_that_works(gate: threading.Event):
    runs: Runs[list[int]] = Runs()
    gate.set()
    done = [runs.ask(n, lambda: ([], waiting(gate))) for n in range(MOST_RUNS + 3)]
    until(lambda: all(run.state == "finished" for run in done))
    runs.ask("new", lambda: ([], waiting(gate)))
    assert len(runs._runs) <= MOST_RUNS
    newest = MOST_RUNS + 2
    assert runs.ask(newest, lambda: ([], waiting(gate))) is done[newest]


def test_the_worker_does_not_keep_the_server_from_stopping():
    before = {thread.ident for thread in threading.enumerate()}
    Runs()
    new = [t for t in threading.enumerate() if t.ident not in before and t.name == "runs"]
    assert new
    assert all(thread.daemon for thread in new)


def test_time_left_follows_the_pace():
    run: Run[None] = Run(None, lambda run: None, state="running", share=0.25, started=100.0)
    assert run.seconds_left(now=110.0) == 30.0
    run.share = 0.01
    assert run.seconds_left(now=110.0) is None
    run.share, run.state = 0.5, "queued"
    assert run.seconds_left(now=110.0) is None
    assert in_words(30.0) == "about 30 seconds"


def test_time_left_of_a_run_that_goes_on_from_half_follows_its_own_pace():
    run: Run[None] = Run(None, lambda run: None, state="running", started=100.0)
    run.progress(0.5, "Going on")
    assert run.seconds_left(now=101.0) is None
    run.progress(0.75, "Half of what was left")
    assert run.seconds_left(now=110.0) == 10.0
