"""From the name of a dataset to its run: what all sessions of the server share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.plan import Wish, carry_out, is_complete
from pages.parts.results import Results
from pages.parts.runs import Run, Runs, Work

if TYPE_CHECKING:
    from engine.datasets import DatasetInfo, Ratings


def datasets() -> dict[str, DatasetInfo]:
    """Return what there is by name, the sample first."""
    from engine.datasets import available

    return {info.name: info for info in available()}


def load(info: DatasetInfo) -> Ratings:
    """Return the ratings of a dataset; a file that changed is read again.

    Raises `InputError` if the file cannot be read.
    """
    if info.source is None:
        return _load(info.name, 0, 0)
    stat = info.source.stat()
    return _load(info.name, stat.st_mtime_ns, stat.st_size)


@st.cache_resource(show_spinner="Reading the ratings", max_entries=4)
def _load(name: str, changed: int, size: int) -> Ratings:
    from engine.datasets import load

    return load(name)


@st.cache_resource(show_spinner=False)
def runs() -> Runs[Results]:
    """Return the worker and its runs; there is one of them, however many sessions there are."""
    return Runs()


def run_of(ratings: Ratings, wish: Wish) -> Run[Results]:
    """Return the run of these ratings; begin it if nobody has. What is wished for comes first."""

    def make() -> tuple[Results, Work[Results]]:
        from cache import Store
        from engine.experiment import Experiment

        return Results.of(Experiment(ratings, store=Store())), carry_out

    run = runs().ask(ratings.fingerprint, make, wish)
    if run.state == "finished" and not is_complete(run.result, wish):
        # On large data Expect+Reuse and Gain+Reuse wait until somebody looks at them.
        run = runs().again(ratings.fingerprint, carry_out)
        run.wish = wish
    return run


def go_on(ratings: Ratings) -> None:
    """Go on with a run that was stopped or failed."""
    runs().again(ratings.fingerprint, carry_out)
