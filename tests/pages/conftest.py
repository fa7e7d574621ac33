"""A data folder and a store of the tests' own, ratings that are computed in a second, a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, sync_playwright

from cache import Store
from engine.datasets import Ratings, generate, load
from engine.experiment import Experiment
from engine.settings import PAPER_KS
from pages.parts.looks import shown_strategies
from pages.parts.runs.results import Results
from tests.pages.browsing import CHROMIUM, Visit, launch, serving


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The data folder, with small.csv and files nobody can do much with, and the store's folder."""
    data, cache = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("cache")
    small = generate(users=80, items=120, ratings=2400, seed=3)
    pd.DataFrame(
        {
            "user": small.users[small.user],
            "item": small.items[small.item],
            "rating": small.value,
        }
    ).to_csv(data / "small.csv", index=False)
    (data / "alone.csv").write_text("user,item,rating\n" + "".join(f"u,{i},3\n" for i in range(9)))
    (data / "three.csv").write_text("user,item,rating\na,x,3\na,y,4\nb,x,1\n")
    (data / "empty.csv").write_text("")
    (data / "<b>*odd*.csv").write_text("user,item,rating\n1,2,not a number\n")
    with pytest.MonkeyPatch.context() as patch:
        # On a busy machine a run that gives way to all else would outlast every patience.
        patch.setattr(os, "setpriority", lambda *_: None)
        patch.setenv("REUSEKNN_DATA_DIR", str(data))
        patch.setenv("REUSEKNN_CACHE_DIR", str(cache))
        yield data, cache


@pytest.fixture(scope="session")
def ratings(folders: tuple[Path, Path]) -> Ratings:
    return load(str(folders[0] / "small.csv"))


@pytest.fixture(scope="session")
def results(ratings: Ratings) -> Results:
    """The results of a complete run."""
    experiment = Experiment(ratings, store=Store())
    experiment.run(shown_strategies(), PAPER_KS)
    cells = {
        (f, s, k) for f in experiment.fold_numbers for s in shown_strategies() for k in PAPER_KS
    }
    return Results(experiment).with_done(cells)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a file: while it is open, nothing else can have an event loop."""
    # On the machine that decides, a test that cannot run is a failure.
    if CHROMIUM is None and "CI" not in os.environ:
        pytest.skip("there is no Chromium on this machine")
    assert CHROMIUM, "CI needs Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = launch(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server(folders: tuple[Path, Path], results: Results) -> Iterator[str]:
    """The address of a server that tests share; the results of small.csv are in its store."""
    with serving(*folders) as running:
        yield running.address


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    opened = Visit(browser)
    yield opened
    opened.context.close()
