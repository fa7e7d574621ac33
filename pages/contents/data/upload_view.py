"""The visitor's own file on the screen: what was understood of it, and what can be corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import IO

import pandas as pd
import streamlit as st

from engine.datasets import Ratings
from engine.datasets.statistics import Statistics, paper_statistics
from engine.datasets.wording import harmless_texts
from pages.contents.data.statistics_table import draw_statistics
from pages.contents.data.upload_forms import ask, draw_columns, draw_correction, draw_preparation
from pages.parts import memory
from pages.parts.address import View, address_parts
from pages.parts.control import forget_scopes
from pages.parts.file_warnings import (
    CHOICE,
    CORRECTION,
    IN_CHOICE,
    IN_CORRECTION,
    said_on_page,
)
from pages.parts.frame import draw_page_link
from pages.parts.own_file import OwnFile, Refused, Understood
from pages.parts.runs import experiments, progress
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.runs_of_ratings import forget_runs
from pages.parts.runs.worker import in_words
from pages.parts.upload_name import UploadName
from pages.parts.wording import number, verbatim

#: A run that takes longer is announced with a warning.
_LONG_RUN = 1800.0  # seconds
_FIRST_RATINGS = 8


def draw_own_file() -> None:
    """Draw the upload, and what is kept of it in this visit."""
    own = experiments.own_file()
    asked = experiments.upload_asked_for(memory.view())
    if asked:
        _draw_request(asked, own)
    st.write(
        "Each row of the file holds a user, an item and a rating. Or the file is a table with a "
        "row for each user and a column for each item. It may be a CSV or similar text, a "
        "MovieLens archive, a RecBole file or Parquet, also packed as .zip or .gz. The file stays "
        "in the memory of this visit. No other visitor sees it. What is computed from it stays on "
        "the server, without the names of users and items, until you forget the file."
    )
    file = _draw_box(own)
    if own.refused:
        _draw_refused(own.refused, own)
    if own.draft:
        _draw_understood(own, own.draft)
    elif not own.refused and file is not None:
        st.info("Forgotten. Remove the file from the box above, too, to free its memory.")
    if asked and own.prepared and asked.fits(own.prepared):  # it was prepared as for the link
        _explore()
        st.rerun()


def draw_asked_for(asked: UploadName) -> None:
    """Draw a request for the file that a link shows and that is not here, in place of a page."""
    own = experiments.own_file()
    _draw_request(asked, own)
    _draw_box(own)
    if own.refused:
        _draw_refused(own.refused, own)
    st.caption(
        "The file stays in the memory of this visit. The page Data shows how it was read, and you "
        "can correct that there."
    )


def _draw_request(asked: UploadName, own: OwnFile) -> None:
    st.info(
        f"This link shows {asked.description}. The file is not here: it stays in the visit that "
        "uploaded it, until it is forgotten. Upload it to see what the link shows.",
        icon=":material/upload_file:",
    )
    if own.prepared is None:
        return
    # Back leads to the ratings of an earlier reading of the same file, which are still here.
    if own.give(asked):
        _explore()
        st.rerun()
    uploaded = UploadName.of(own.prepared)
    read = " Read as the link says, it does not give the ratings of the link." * bool(asked.options)
    st.warning(f"What you uploaded is not that file, but {uploaded.description}.{read}")
    st.button("Show your file with these settings", key="show_mine", on_click=_explore)


def _draw_box(own: OwnFile) -> IO[bytes] | None:
    """Draw the box for a file; read one that has come, and show its ratings at once."""
    limit = st.get_option("server.maxUploadSize")
    file = st.file_uploader(
        f"Your ratings, a file of at most {limit} MB", key="uploaded", on_change=_uploaded
    )
    if reading := st.session_state.pop("to_be_read", None):
        version = own.version
        with st.spinner("Reading the file"):
            reading(own)
        asked = experiments.upload_asked_for(memory.view())
        if own.prepared and own.version > version and (not asked or asked.fits(own.prepared)):
            _explore()
        # The parts above were drawn before the file was read.
        st.rerun()
    return file


def _uploaded() -> None:
    file = st.session_state.uploaded
    # A replaced file is taken away first; what was understood of it stays all the same.
    experiments.own_file().refused = None
    if file is not None:
        asked = experiments.upload_asked_for(memory.view())
        ask(lambda own: own.take(file, asked))


def _draw_refused(refused: Refused, own: OwnFile) -> None:
    reason = said_on_page(refused.reason, IN_CHOICE)
    earlier_file = " The file that was read before stays below." if own.draft else ""
    st.error(f"**{verbatim(refused.name)}** was not read. {reason}{earlier_file}")
    if refused.preview and refused.preview.columns:
        with st.expander(CHOICE, expanded=refused.columns_are_unclear):
            draw_columns(own, refused.preview)


def _draw_understood(own: OwnFile, draft: Understood) -> None:

    ratings = draft.ratings
    st.header(f"What was understood of {verbatim(ratings.report.path or ratings.name)}")
    for warning in ratings.report.warnings:
        st.warning(said_on_page(warning, IN_CORRECTION))
    understood, rows = st.columns([2, 3])
    with understood:
        st.table(_understood(ratings), border="horizontal", hide_header=True)
        for note in ratings.report.notes:
            st.caption(verbatim(note, longest=400))
    with rows:
        st.markdown("The first ratings, as they were understood:")
        st.dataframe(_first(ratings), hide_index=True, alt="The first ratings of the file")
    with st.expander(CORRECTION):
        draw_correction(own, draft)
    with st.expander("Prepare: drop users and items with few ratings, or sample users"):
        draw_preparation(own, ratings)
    if own.problem:
        st.error(said_on_page(own.problem, IN_CORRECTION))
    for dropped in own.dropped:
        st.write(verbatim(str(dropped), longest=400))
    prepared = own.prepared
    st.header("Statistics")
    figures = {"As read": Statistics.of(ratings)}
    if own.dropped and prepared is not None:
        figures["Prepared"] = Statistics.of(prepared)
    if paper := paper_statistics(ratings.name, figures["As read"]):
        figures[f"{paper[0]} in the paper"] = paper[1]
    draw_statistics([{"Ratings of": name} for name in figures], list(figures.values()))
    if prepared is not None:
        _draw_cost(prepared)
    on_screen = own.explored is prepared and _is_on_screen(own)
    if on_screen:
        st.success("The dashboard shows these ratings now.")
        draw_page_link("overview", "What comes out, on Overview", address_parts(memory.view()))
    with st.container(horizontal=True):
        if not on_screen:
            st.button(
                "Explore these ratings",
                type="primary",
                disabled=prepared is None,
                on_click=_explore,
            )
        st.button(
            "Forget this file",
            on_click=_forget,
            help="Deletes the ratings, and what was computed from them.",
        )


def _is_on_screen(own: OwnFile) -> bool:
    """Return whether the dashboard shows the visitor's own file, and not another dataset."""
    upload = UploadName.parse(memory.view().dataset)
    return upload is not None and own.explored is not None and upload.fits(own.explored)


def _understood(ratings: Ratings) -> pd.DataFrame:
    report = ratings.report
    header = {True: "yes", False: "no", None: ""}[report.header]
    lines = {
        "Encoding": report.encoding or "",
        "Separator": report.separator or "",
        "Decimals": f"with a {report.decimal}" if report.decimal else "",
        "Header": header,
        **{f"Column of the {role}s": verbatim(column) for role, column in report.columns.items()},
        "Scale": str(ratings.scale),
        "Rows": number(report.rows or ratings.n_ratings),
        "Duplicates dropped": number(report.duplicates),
        "Blank lines": number(report.blank_lines),
    }
    return pd.DataFrame({"": lines.values()}, index=pd.Index(list(lines)), dtype=str).loc[
        lambda table: table[""] != ""
    ]


def _first(ratings: Ratings) -> pd.DataFrame:
    user, item = ratings.user[:_FIRST_RATINGS], ratings.item[:_FIRST_RATINGS]
    columns = {"user": ratings.users[user], "item": ratings.items[item]}
    if ratings.item_titles is not None:
        columns["title"] = ratings.item_titles[item]
    first = pd.DataFrame({**columns, "rating": ratings.value[:_FIRST_RATINGS]})
    return harmless_texts(first)


def _draw_cost(ratings: Ratings) -> None:
    cost = progress.forecast_of(ratings)
    sentence = (
        f"To compute everything takes {in_words(cost.seconds)} the first time. It needs about "
        f"{_size(cost.memory)} of memory and {_size(cost.disk)} of disk."
    )
    if experiments.known_run(ratings, Conditions.of(memory.view())) is None:
        sentence = f"Nothing has been computed yet. {sentence}"
    if cost.seconds > _LONG_RUN:
        st.warning(f"{sentence} Prepare a sample of users to try it sooner.")
    else:
        st.caption(f"{sentence} Fingerprint: {ratings.fingerprint[:12]}.")


def _size(size: float) -> str:
    """Return a size in bytes to read; the least is 1 MB.

    >>> _size(2.34e9), _size(12e6), _size(100)
    ('2.3 GB', '12 MB', '1 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(1.0, size / 1e6):.0f} MB"


def _explore() -> None:
    own = experiments.own_file()
    if before := own.explore():
        forget_runs(before)
    if own.explored is None:
        return
    name, pin = UploadName.of(own.explored), memory.view().pin
    # The same ratings may have come in a file of another name.
    if pin and (pinned := UploadName.parse(pin.dataset)) and pinned.fits(own.explored):
        pin = replace(pin, dataset=str(name))
    memory.change(dataset=str(name), pin=pin)


def _forget() -> None:
    before = experiments.own_file().forget()
    if before is not None:
        experiments.forget_results(before)
    view = memory.view()
    if UploadName.parse(view.dataset):
        memory.change(dataset=View().dataset)
    if view.pin and UploadName.parse(view.pin.dataset):
        memory.change(pin=None)
    forget_scopes()
