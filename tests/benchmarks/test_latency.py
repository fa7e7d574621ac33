"""How long the pages take on the server. Not part of the tests: `python -m pytest -m benchmark -s`.

With MovieLens 1M in `REUSEKNN_DATA_DIR` (ml-1m.zip), all folds computed, which the first time takes
minutes. Measured is the script of a page from a changed setting to its last element, in a session
without a browser; every tau is one that was not looked at before. Processor time is printed beside
it: where the two are far apart, others kept the machine busy.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

import pytest
from streamlit.testing.v1 import AppTest

from engine import load
from engine.errors import InputError
from engine.settings import PAPER_KS
from engine.strategies import PAPER_STRATEGIES
from tests.pages.driving import APP, PAGES, control

pytestmark = pytest.mark.benchmark

#: Seconds from a change to the whole page (the worst of all moves).
LIMITS = {"tau": 0.3, "strategy": 1.0, "k": 1.0, "page": 1.0}
_TAUS = 15


@dataclass
class Times:
    """Seconds by page and kind of change: as a clock and as the processor counts them."""

    seconds: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    processor: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def take(self, page: str, change: str, app: AppTest, act: Callable[[], AppTest]) -> None:
        """Time a change together with the run of the page that it causes."""
        gc.collect()
        act()
        started, worked = time.perf_counter(), time.process_time()
        app.run()
        self.seconds.setdefault((page, change), []).append(time.perf_counter() - started)
        self.processor.setdefault((page, change), []).append(time.process_time() - worked)
        assert not app.exception

    def worst(self, change: str) -> float:
        """Return the longest time of a kind of change on any page."""
        return max(max(times) for (_, kind), times in self.seconds.items() if kind == change)

    def table(self) -> Iterator[str]:
        """Return a line for each page and kind of change, in ms."""
        yield "page            change    median  worst  worst of the processor"
        for (page, kind), times in self.seconds.items():
            worked = 1000 * max(self.processor[page, kind])
            yield (
                f"{page:<16}{kind:<8}{1000 * median(times):>8.0f}{1000 * max(times):>7.0f}"
                f"{worked:>8.0f}"
            )


@pytest.fixture(scope="module")
def app() -> AppTest:
    """The dashboard on MovieLens 1M with all that it computes by itself finished."""
    try:
        load("ml-1m")
    except InputError:
        pytest.skip("needs MovieLens 1M (ml-1m.zip) in REUSEKNN_DATA_DIR")
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params["dataset"] = "ml-1m"
    app.run()
    deadline = time.monotonic() + 1800
    while app.get("progress") and time.monotonic() < deadline:
        time.sleep(2)
        app.run()
    assert not app.exception
    assert not app.get("progress")
    time.sleep(5)  # last of all the run finds the tails, which no page waits for
    return app


def test_a_change_shows_at_once(app: AppTest):
    """tau in 300 ms, k, strategy and page in 1 s: the worst of all moves on every page."""
    draw, times = random.Random(0), Times()

    def move(page: str, change: str, key: str, value: object) -> None:
        times.take(page, change, app, lambda: control(app, key).set_value(value))

    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        for k in (20, 30, 10):
            move(page, "k", "choose_k", k)
            move(page, "tau", "type_tau", str(draw.randrange(400)))
        for strategy in ("userknn", "userknn+reuse", "gain", "expect"):
            move(page, "strategy", "choose_strategy", strategy)
            move(page, "tau", "type_tau", str(draw.randrange(400)))
        for _ in range(_TAUS):
            move(page, "tau", "type_tau", str(draw.randrange(400)))
    # Other settings than those a page was left with: nothing of it is there yet.
    for k in PAPER_KS:
        control(app, "choose_k").set_value(k)
        control(app, "choose_strategy").set_value(PAPER_STRATEGIES[k % 4]).run()
        for page in draw.sample(PAGES, len(PAGES)):
            times.take(page, "page", app, lambda page=page: app.switch_page(f"pages/{page}.py"))

    print("", *times.table(), sep="\n")
    for change, limit in LIMITS.items():
        assert times.worst(change) < limit, f"{change}: {1000 * times.worst(change):.0f} ms"
