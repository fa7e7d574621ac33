"""Runs in the background: one worker thread, one run per key, however many sessions ask for it.

No Streamlit in here, and none in what the worker calls: threads draw nothing. Pages look at a run
every two seconds and draw what it has finished.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.errors import Cancelled, InputError

Result = TypeVar("Result")

#: Runs that are remembered. A run holds the results of its experiment, some tens of megabytes.
MOST_RUNS: Final = 8
#: A worker at this niceness leaves the server quick while it computes (Linux).
_NICENESS: Final = 10
_TOO_EARLY_TO_TELL: Final = 0.04


#: What a run carries out. It raises `Cancelled` if the run is to stop.
Work: TypeAlias = "Callable[[Run[Result]], None]"


@dataclass(eq=False)
class Run(Generic[Result]):
    """One computation: how far it is, what it has finished, and a way to stop it.

    Only the worker writes, except for `stop` and `wish`; readers see each attribute whole.
    """

    result: Result
    work: Work[Result]
    key: Hashable = None
    state: str = "queued"  # queued, running, finished, cancelled, failed
    share: float = 0.0  # of the work, 0 to 1
    text: str = "Waiting for the run before"
    error: str = ""
    version: int = 0  # grows with everything that is finished
    wish: Hashable = None  # what is looked at now, to be done first
    stop: threading.Event = field(default_factory=threading.Event)
    changed: threading.Event = field(default_factory=threading.Event)
    started: float = 0.0
    first_share: float | None = None  # where the work began, above 0 if it goes on from before

    @property
    def active(self) -> bool:
        """Whether the run is waiting or at work."""
        return self.state in ("queued", "running")

    def progress(self, share: float, text: str) -> None:
        """Say how far the work is. Raises `Cancelled` if the run is to stop."""
        if self.stop.is_set():
            raise Cancelled
        if self.first_share is None:
            self.first_share = share
        self.share, self.text = share, text

    def part(self, text: str, start: float, length: float) -> Callable[[float], None]:
        """Return what says how far a part of the work is, of which it takes 0 to 1.

        >>> run = Run("result", lambda _: None)
        >>> run.part("The second half", 0.5, 0.5)(0.2)
        >>> run.share, run.text
        (0.6, 'The second half')
        """
        return lambda share: self.progress(start + share * length, text)

    def finished_part(self, result: Result) -> None:
        """Put a result that has something more than the one before."""
        self.result = result
        self.version += 1
        self.changed.set()

    def seconds_left(self, now: float | None = None) -> float | None:
        """Return an estimate from the pace so far; None while it is too early to tell."""
        done = self.share - (self.first_share or 0.0)
        if self.state != "running" or done < _TOO_EARLY_TO_TELL:
            return None
        elapsed = (time.monotonic() if now is None else now) - self.started
        return elapsed / done * (1 - self.share)


class Runs(Generic[Result]):
    """A queue of runs and the daemon thread that works on them.

    Not a `ThreadPoolExecutor`: the interpreter would wait for its threads when the server stops.
    """

    def __init__(self) -> None:
        self._runs: OrderedDict[Hashable, Run[Result]] = OrderedDict()
        self._lock = threading.Lock()
        # Weak: a run that is forgotten while it waits must not keep its ratings until its turn.
        self._queue: queue.SimpleQueue[weakref.ref[Run[Result]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="runs", daemon=True).start()

    def ask(
        self, key: Hashable, make: Callable[[], tuple[Result, Work[Result]]], wish: Hashable = None
    ) -> Run[Result]:
        """Return the run of this key; begin it if there is none.

        `make` returns what there is at the start, and the work. A run that was cancelled or failed
        stays so until `again`.
        """
        with self._lock:
            run = self._runs.get(key)
            if run is None:
                result, work = make()
                run = self._begin(key, result, work)
            self._runs.move_to_end(key)
        run.wish = wish
        return run

    def again(self, key: Hashable) -> None:
        """Go on with a run that is at rest, from what it had finished, under the same key.

        A run that was forgotten is not begun: whoever looks at it asks for it.
        """
        with self._lock:
            run = self._runs.get(key)
            if run is not None and not run.active:
                self._begin(key, run.result, run.work, run.version)

    def begin(self, key: Hashable, result: Result, work: Work[Result]) -> None:
        """Begin the run of this key, or go on with it if it was cancelled or failed."""
        run = self.ask(key, lambda: (result, work))
        if run.state in ("cancelled", "failed"):
            self.again(key)

    def known(self, key: Hashable) -> Run[Result] | None:
        """Return the run of this key, if there is one."""
        with self._lock:
            return self._runs.get(key)

    def all(self) -> list[Run[Result]]:
        """Return the runs that are remembered."""
        with self._lock:
            return list(self._runs.values())

    def forget(self, key: Hashable) -> None:
        """Stop a run and drop its results; whoever asks for it again gets a new one."""
        with self._lock:
            run = self._runs.pop(key, None)
        if run is not None:
            run.stop.set()

    def _begin(
        self, key: Hashable, result: Result, work: Work[Result], version: int = 0
    ) -> Run[Result]:
        run = self._runs[key] = Run(result, work, key, version=version)
        self._queue.put(weakref.ref(run))
        resting = [known for known, other in self._runs.items() if not other.active]
        for known in resting[: max(0, len(self._runs) - MOST_RUNS)]:
            del self._runs[known]
        return run

    def _work(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            # Threads that this one starts inherit it.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        while True:
            # A call of its own: while this waits for the next run, it must not keep the last one.
            _carry_out(self._queue.get())


def _carry_out(waiting: weakref.ref[Run[Any]]) -> None:
    run = waiting()
    if run is None:
        return
    run.state, run.started, run.text = "running", time.monotonic(), "Getting ready"
    try:
        if run.stop.is_set():
            raise Cancelled
        run.work(run)
    except Cancelled:
        run.state = "cancelled"
    except InputError as error:
        run.error, run.state = str(error), "failed"
    except Exception:
        logging.getLogger(__name__).exception("A run failed")
        run.error = "Something went wrong; the server's log has the details."
        run.state = "failed"
    else:
        run.share, run.state = 1.0, "finished"
    run.changed.set()


def in_words(seconds: float) -> str:
    """Return a duration as a person would say it.

    >>> in_words(4), in_words(48), in_words(200), in_words(6000)
    ('a few seconds', 'about 50 seconds', 'about 3 minutes', 'about 1.7 hours')
    """
    if seconds < 8:
        return "a few seconds"
    if seconds < 55:
        return f"about {10 * max(1, round(seconds / 10))} seconds"
    if seconds < 90:
        return "about a minute"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"
