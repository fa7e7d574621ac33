"""From the name of a dataset to its run: what all sessions of the server share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.address import UPLOAD
from pages.parts.own_file import OwnFile
from pages.parts.runs.plan import Wish, carry_out, is_complete
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run, Runs, Work

if TYPE_CHECKING:
    from engine.datasets import DatasetInfo, Ratings


def datasets() -> dict[str, DatasetInfo]:
    """Return what there is by name, the sample first, this visit's own file last."""
    from engine.datasets import DatasetInfo, available

    known = {info.name: info for info in available() if info.name != UPLOAD}
    if mine := own_file().explored:
        title = f"Your file: {mine.title}"
        known[UPLOAD] = DatasetInfo(
            UPLOAD, title, mine.n_users, mine.n_items, mine.n_ratings, "your own", "this visit"
        )
    return known


def own_file() -> OwnFile:
    """Return what this visit keeps of a file that was uploaded in it. No other visit sees it."""
    if "own_file" not in st.session_state:
        st.session_state.own_file = OwnFile()
    kept: OwnFile = st.session_state.own_file
    return kept


def load(info: DatasetInfo) -> Ratings:
    """Return the ratings of a dataset; a file that changed is read again.

    Raises `InputError` if the file cannot be read.
    """
    mine = own_file().explored
    if info.name == UPLOAD and mine:
        return mine
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


def known_run(ratings: Ratings) -> Run[Results] | None:
    """Return the run of these ratings if somebody has begun it."""
    return runs().known(ratings.fingerprint)


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
    """Go on with a run that was stopped or failed; one that was forgotten begins by itself."""
    if known_run(ratings):
        runs().again(ratings.fingerprint, carry_out)


def forget(ratings: Ratings) -> None:
    """Drop the run of these ratings; what it has computed stays in the store."""
    runs().forget(ratings.fingerprint)
