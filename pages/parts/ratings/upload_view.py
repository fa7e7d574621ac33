"""The visitor's own file on the screen: what was understood of it, and what can be corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from pages.parts.address import UPLOAD
from pages.parts.own_file import OwnFile, Refused, Understood
from pages.parts.ratings.statistics_table import draw_statistics
from pages.parts.ratings.upload_forms import ask, draw_columns, draw_correction, draw_preparation
from pages.parts.runs import experiments
from pages.parts.runs.worker import in_words
from pages.parts.wording import number, plain

if TYPE_CHECKING:
    from engine.datasets import Ratings

#: Above this it is kinder to say so first.
_LONG_RUN = 1800.0  # seconds
_FIRST_RATINGS = 8


def draw_own_file() -> None:
    """Draw the upload, and what is kept of it in this visit."""
    own = experiments.own_file()
    limit = st.get_option("server.maxUploadSize")
    st.write(
        "A file with a user, an item and a rating in each row: CSV and its kin, an archive of "
        "MovieLens, RecBole or Parquet, packed as .zip or .gz or not. The file stays in the "
        "memory of this visit. No other visitor sees it."
    )
    st.file_uploader(
        f"Your ratings, a file of at most {limit} MB", key="uploaded", on_change=_uploaded
    )
    if reading := st.session_state.pop("to_be_read", None):
        with st.spinner("Reading the file"):
            reading(own)
    if own.refused:
        _draw_refused(own.refused, own)
    if own.draft:
        _draw_understood(own, own.draft)
    elif not own.refused and st.session_state.uploaded is not None:
        st.info("Forgotten. Remove the file from the box above, too: then its memory is free.")


def _uploaded() -> None:
    file = st.session_state.uploaded
    # Replacing a file takes the old one away first: what was understood of it stays all the same.
    experiments.own_file().refused = None
    if file is not None:
        ask(lambda own: own.take(file))


def _draw_refused(refused: Refused, own: OwnFile) -> None:
    kept = " What was understood of the file before stays below." if own.draft else ""
    st.error(f"**{plain(refused.name)}** was not read. {plain(refused.reason, 400)}{kept}")
    if refused.preview and refused.preview.columns:
        with st.expander("Say which column is what", expanded="column" in refused.reason):
            draw_columns(own, refused, refused.preview)


def _draw_understood(own: OwnFile, draft: Understood) -> None:
    from engine.datasets.statistics import Statistics, paper_statistics

    ratings = draft.ratings
    st.header(f"What was understood of {plain(ratings.report.file or ratings.name)}")
    for warning in ratings.report.warnings:
        st.warning(plain(warning, longest=400))
    understood, rows = st.columns([2, 3])
    with understood:
        st.table(_understood(ratings), border="horizontal", hide_header=True)
        for note in ratings.report.notes:
            st.caption(plain(note, longest=400))
    with rows:
        st.markdown("The first ratings, as they were understood:")
        st.dataframe(_first(ratings), hide_index=True, alt="The first ratings of the file")
    with st.expander("Correct the columns, the scale, or read counts"):
        draw_correction(own, draft)
    with st.expander("Prepare: drop users and items with few ratings, or sample users"):
        draw_preparation(own, ratings)
    if own.problem:
        st.error(plain(own.problem, longest=400))
    for dropped in own.dropped:
        st.write(plain(str(dropped), longest=400))
    prepared = own.prepared
    st.header("Statistics")
    figures = {"As read": Statistics.of(ratings)}
    if own.dropped and prepared is not None:
        figures["Prepared"] = Statistics.of(prepared)
    if paper := paper_statistics(ratings.name, figures["As read"]):
        figures[f"{paper[0]} in the paper"] = paper[1]
    draw_statistics([{"Ratings of": name} for name in figures], list(figures.values()))
    if prepared is not None:
        _draw_cost(prepared, computed=own.explored is prepared)
    with st.container(horizontal=True):
        st.button(
            "Explore these ratings",
            type="primary",
            disabled=prepared is None or own.explored is prepared,
            on_click=_explore,
        )
        st.button("Forget this file", on_click=_forget)
    if own.explored is not None and own.explored is prepared:
        st.success("The dashboard shows these ratings now: choose a page on the left.")


def _understood(ratings: Ratings) -> pd.DataFrame:
    report = ratings.report
    header = {True: "yes", False: "no", None: ""}[report.header]
    lines = {
        "Encoding": report.encoding or "",
        "Separator": report.separator or "",
        "Decimals": f"with a {report.decimal}" if report.decimal else "",
        "Header": header,
        **{
            f"The {role}s": "column " + plain(column.removeprefix("column "))
            for role, column in report.columns.items()
        },
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
    return pd.DataFrame({**columns, "rating": ratings.value[:_FIRST_RATINGS]})


def _draw_cost(ratings: Ratings, *, computed: bool) -> None:
    from engine.estimate import estimate
    from pages.parts.address import KS
    from pages.parts.runs.results import PAPER

    cost = estimate(ratings, PAPER, KS)
    sentence = (
        f"The paper's strategies at every k take {in_words(cost.seconds)} the first time, and "
        f"about {cost.memory / 1e9:.1f} GB of memory."
    )
    if not computed:
        sentence = f"Nothing has been computed yet. {sentence}"
    if cost.seconds > _LONG_RUN:
        st.warning(f"{sentence} Prepare a sample of users to try it sooner.")
    else:
        st.caption(f"{sentence} Fingerprint: {ratings.fingerprint[:12]}.")


def _explore() -> None:
    own = experiments.own_file()
    if before := own.explore():
        experiments.forget(before)
    st.session_state.dataset = UPLOAD


def _forget() -> None:
    before = experiments.own_file().forget()
    if before is not None:
        experiments.forget(before)
    if st.session_state.get("dataset") == UPLOAD:
        st.session_state.dataset = ""
