"""Tasks side by side: long ones in threads, with one progress; short ones, left at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from engine.errors import Cancelled

#: Seconds between two looks at the tasks.
_PAUSE = 0.1

#: A task takes a function to call with the share that is done, and one that says whether to stop.
Task = Callable[[Callable[[float], None], Callable[[], bool]], object]


def run_side_by_side(
    tasks: Sequence[Task],
    *,
    jobs: int = -1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Run all tasks, `jobs` at a time; -1 means as many as there are cores.

    `progress`, with the mean share that is done, and `cancelled` are called by the caller's thread
    alone. Raises what a task raises, and `Cancelled` when asked to stop, after all have stopped.

    >>> shares = []
    >>> task = lambda report, stop: report(1.0)
    >>> run_side_by_side([task, task], jobs=2, progress=shares.append)
    >>> shares[-1]
    1.0
    """
    from joblib import effective_n_jobs  # a fifteenth of a second most starts can do without

    if not tasks:
        return
    shares = [0.0] * len(tasks)
    stop = threading.Event()

    def start(position: int) -> None:
        if not stop.is_set():
            tasks[position](lambda share: shares.__setitem__(position, share), stop.is_set)

    with ThreadPoolExecutor(min(effective_n_jobs(jobs), len(tasks))) as threads:
        try:
            running = {threads.submit(start, position) for position in range(len(tasks))}
            while running:
                finished, running = wait(running, _PAUSE, return_when=FIRST_COMPLETED)
                for task in finished:
                    task.result()
                if progress is not None:
                    progress(sum(shares) / len(shares))
                if cancelled is not None and cancelled():
                    raise Cancelled
        finally:
            stop.set()


@contextmanager
def results_of(tasks: Iterable[Any], **options: Any) -> Iterator[Iterator[Any]]:
    """Work on joblib's tasks and give their results to the block, which may end before they do.

    Then tasks that have not begun are passed over, and this waits for the others. joblib alone
    would leave them running in the background, and warn.

    >>> from joblib import delayed
    >>> with results_of((delayed(abs)(-n) for n in range(100)), n_jobs=1) as results:
    ...     next(results)
    0
    """
    from joblib import Parallel  # a fifteenth of a second most starts can do without

    left = False

    def until_left() -> Iterator[Any]:
        for task in tasks:
            if left:
                return
            yield task

    with Parallel(**{"return_as": "generator", **options}) as parallel:
        results = iter(parallel(until_left()))
        try:
            yield results
        finally:
            left = True
            for _ in results:
                pass
