"""From the name of a dataset to its run: what all sessions of the server share."""

from __future__ import annotations

import streamlit as st

from cache import Store
from engine import datasets as engine_datasets
from engine.datasets import DatasetInfo, Ratings
from engine.errors import InputError
from engine.experiment import Experiment
from pages.parts.address import View
from pages.parts.own_file import OwnFile
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.plan import Wish, carry_out, is_complete
from pages.parts.runs.results import Results
from pages.parts.runs.runs_of_ratings import Kind, forget_runs, runs_of
from pages.parts.runs.worker import Run, Runs, Work
from pages.parts.upload_name import UPLOAD, UploadName


def datasets() -> dict[str, DatasetInfo]:
    """Return what there is by name, the sample first, this visit's own file last."""
    known = {info.name: info for info in engine_datasets.available() if info.name != UPLOAD}
    if mine := own_file().explored:
        name, title = str(UploadName.of(mine)), f"Your file: {mine.title}"
        known[name] = DatasetInfo(
            name, title, mine.n_users, mine.n_items, mine.n_ratings, "your own", "this visit"
        )
    return known


def with_uploads(known: dict[str, DatasetInfo], view: View) -> dict[str, DatasetInfo]:
    """Return what there is, and the files that a link shows and that are not here."""
    uploads = {
        side.dataset: DatasetInfo(
            side.dataset, f"Not here: {upload.file or 'an upload'}", None, None, None, "", ""
        )
        for side in (view, view.pin)
        if side and side.dataset not in known and (upload := UploadName.parse(side.dataset))
    }
    return {**known, **uploads}


def upload_asked_for(view: View) -> UploadName | None:
    """Return which file a link shows that is not here; None if what it shows is here."""
    upload, mine = UploadName.parse(view.dataset), own_file().explored
    return None if upload is None or (mine and upload.fits(mine)) else upload


def own_file() -> OwnFile:
    """Return what this visit keeps of a file that was uploaded in it. No other visit sees it."""
    if "own_file" not in st.session_state:
        st.session_state.own_file = OwnFile()
    own: OwnFile = st.session_state.own_file
    return own


def load_dataset(info: DatasetInfo) -> Ratings:
    """Return the ratings of a dataset; a file that changed is read again.

    Raises `InputError` if the file cannot be read, or is an upload that is not here.
    """
    if upload := UploadName.parse(info.name):
        mine = own_file().explored
        if mine and upload.fits(mine):
            return mine
        raise InputError(f"{upload.file or 'The upload'} is not here: upload it on the Data page.")
    if info.source is None:
        return _load(info.name, 0, 0)
    stat = info.source.stat()
    return _load(info.name, stat.st_mtime_ns, stat.st_size)


@st.cache_resource(show_spinner="Reading the ratings", max_entries=4)
def _load(name: str, changed: int, size: int) -> Ratings:
    return engine_datasets.load(name)


def runs() -> Runs[Results]:
    """Return the worker for the numbers of the pages and its runs."""
    return runs_of(Kind.RESULTS)


def known_run(ratings: Ratings, conditions: Conditions) -> Run[Results] | None:
    """Return the run of these ratings under these conditions if somebody has begun it."""
    return runs().known(conditions.key(ratings))


def run_of(ratings: Ratings, wish: Wish, conditions: Conditions) -> Run[Results]:
    """Return the run of these ratings under these conditions; begin it if nobody has.

    What is wished for comes first.
    """

    def make() -> tuple[Results, Work[Results]]:
        experiment = Experiment(ratings, store=Store(), **conditions.arguments(ratings))
        return Results(experiment), carry_out

    run = runs().ask(conditions.key(ratings), make, wish)
    if run.state == "finished" and not is_complete(run.result, wish):
        # On large data Expect+Reuse and Gain+Reuse wait until somebody looks at them.
        runs().again(run.key)
        run = runs().known(run.key) or run
        run.wish = wish
    return run


def forget_results(ratings: Ratings) -> None:
    """Drop the runs of these ratings, and remove from the store all that came of them."""
    forget_runs(ratings)
    Store().remove(ratings=ratings.fingerprint)
