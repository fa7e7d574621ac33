"""A figure on the page, with the table behind it, its download, and the formula one click away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.parts.drawing.standalone import figure_config, figure_page
from pages.parts.screen import Screen
from pages.parts.wording import exactly


@dataclass(frozen=True)
class Formula:
    """A formula with the sentence that says it in words."""

    latex: str
    words: str


def draw_figure(
    figure: go.Figure,
    table: pd.DataFrame,
    screen: Screen,
    *,
    name: str,
    alt: str,
    formula: Formula | None = None,
    on_pick: Callable[[list[Any]], None] | None = None,
) -> None:
    """Draw a figure; its camera button saves it under a name that says what it shows.

    `on_pick` is called with the custom data of a point that is clicked, before the page runs.
    """
    file = file_name(screen, name)

    def picked() -> None:
        # A figure that was replaced while the click was on its way has nothing to say any more.
        chart = st.session_state.get(name)
        points = chart.selection.points if chart else []
        if on_pick and points and points[0].get("customdata"):
            on_pick(points[0]["customdata"])

    st.plotly_chart(
        figure,
        key=name,
        alt=alt,
        on_select=picked if on_pick else "ignore",
        selection_mode="points",
        config=figure_config(figure, file, figure_format()),
    )
    with st.container(gap="xsmall"):
        with st.expander(
            "The numbers behind the figure, downloads",
            type="compact",
            icon=":material/table_chart:",
        ):
            st.dataframe(table, hide_index=True, alt=f"The numbers behind the figure. {alt}")
            with st.container(horizontal=True):
                _draw_download(table, file, name)
                _draw_figure_download(figure, screen, file, name, alt)
        _draw_formula(formula)


def draw_below_table(
    table: pd.DataFrame, screen: Screen, *, name: str, formula: Formula | None = None
) -> None:
    """Draw the download of a table that stands on the page, and its formula."""
    with st.container(gap="xsmall"):
        _draw_download(table, file_name(screen, name), name)
        _draw_formula(formula)


def _draw_download(table: pd.DataFrame, file: str, name: str) -> None:
    st.download_button(
        "Download the numbers as CSV",
        lambda: table.to_csv(index=False),
        file_name=f"{file}.csv",
        mime="text/csv",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        key=f"{name}_csv",
    )


def _draw_figure_download(
    figure: go.Figure, screen: Screen, file: str, name: str, alt: str
) -> None:
    format = figure_format()
    settings = (
        f"{screen.results.experiment.ratings.title}, k = {screen.k}, τ = {exactly(screen.tau)}, "
        f"{screen.folds_phrase}."
    )
    st.download_button(
        "Download the figure as HTML",
        lambda: figure_page(figure, file, alt, settings, format),
        file_name=f"{file}.html",
        mime="text/html",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        key=f"{name}_html",
        help="One file that opens without a network. The camera above the figure saves a picture.",
    )


def figure_format() -> str:
    """Return how the camera saves figures: svg or png."""
    return str(st.session_state.get("figure_format") or "svg")


def _draw_formula(formula: Formula | None) -> None:
    if formula:
        with st.expander("The formula", type="compact", icon=":material/function:"):
            st.markdown(formula.words)
            st.latex(formula.latex)


def file_name(screen: Screen, name: str) -> str:
    """Return the name of a file that says which view it came from."""
    dataset = "".join(letter if letter.isalnum() else "-" for letter in screen.view.dataset)
    return f"{name}-{dataset}-k{screen.k}-tau{screen.tau:g}"
