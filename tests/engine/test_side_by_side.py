from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from joblib import delayed

from engine.errors import Cancelled, InputError
from engine.side_by_side import results_of, run_side_by_side

Report = Callable[[float], None]
Stop = Callable[[], bool]


def test_all_run_and_the_progress_is_their_mean() -> None:
    ran: list[int] = []
    shares: list[float] = []
    gate = threading.Barrier(2)

    def task(number: int) -> Callable[[Report, Stop], None]:
        def run(report: Report, stop: Stop) -> None:
            report(0.5)
            gate.wait()  # both are under way at once
            ran.append(number)
            report(1.0)

        return run

    run_side_by_side([task(0), task(1)], jobs=2, progress=shares.append)
    assert sorted(ran) == [0, 1]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_progress_comes_from_the_thread_of_the_caller() -> None:
    threads: set[int] = set()
    tasks = [lambda report, stop: time.sleep(0.15)] * 3
    run_side_by_side(tasks, jobs=3, progress=lambda share: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


def test_a_stop_reaches_every_task() -> None:
    stopped: list[int] = []

    def wait_for_stop(report: Report, stop: Stop) -> None:
        while not stop():
            time.sleep(0.01)
        stopped.append(1)
        raise Cancelled

    with pytest.raises(Cancelled):
        run_side_by_side([wait_for_stop] * 4, jobs=2, cancelled=lambda: True)
    assert len(stopped) == 2  # the other two never began


def test_an_error_stops_the_others_and_is_raised() -> None:
    ended: list[bool] = []

    def fail(report: Report, stop: Stop) -> None:
        raise InputError("The second task cannot.")

    def wait_for_stop(report: Report, stop: Stop) -> None:
        while not stop():
            time.sleep(0.01)
        ended.append(True)

    with pytest.raises(InputError, match="cannot"):
        run_side_by_side([wait_for_stop, fail], jobs=2)
    assert ended == [True]


def test_nothing_to_do_reports_nothing() -> None:
    run_side_by_side([], progress=lambda share: pytest.fail("there is no progress to report"))


@pytest.mark.parametrize("order", ["generator", "generator_unordered"])
def test_what_is_under_way_ends_before_the_block_that_is_left(
    order: str, recwarn: pytest.WarningsRecorder
) -> None:
    begun: list[int] = []
    ended: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.01)
        ended.append(number)
        return number

    def leave() -> None:
        tasks = (delayed(work)(number) for number in range(1000))
        with results_of(tasks, n_jobs=2, backend="threading", return_as=order) as results:
            next(results)
            raise Cancelled

    with pytest.raises(Cancelled):
        leave()
    assert sorted(begun) == sorted(ended)
    assert len(begun) < 100
    time.sleep(0.1)
    assert len(begun) == len(ended) < 100
    assert not recwarn.list


def test_a_task_that_fails_ends_the_block() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise InputError("No.")
        return number

    tasks = (delayed(work)(number) for number in range(1000))
    with (
        pytest.raises(InputError, match="No"),
        results_of(tasks, n_jobs=2, backend="threading") as results,
    ):
        assert list(results) is None
