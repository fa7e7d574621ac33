"""A figure or a table on the page, with its downloads, and the formula one click away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.datasets.wording import harmless_texts
from engine.output import csv_for_download
from pages.parts.control import ANYTHING, NOTHING, act_on, control_for
from pages.parts.drawing.download import draw_download
from pages.parts.drawing.folds import draw_fold
from pages.parts.drawing.layout import add_settings
from pages.parts.drawing.standalone import figure_config, figure_page, slug
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit
from pages.parts.wording import PERCENT

#: A table with more rows than these scrolls, and is this many pixels high.
_FEW_ROWS: Final = 10
_HEIGHT: Final = 330
#: The right margin of a figure holds names if it has at least this many pixels.
_ROOM_FOR_NAMES: Final = 150
#: A table needs room for sentences if its last column has at least this many letters.
_WORDY: Final = 40


def draw_exhibit(exhibit: Exhibit, screen: Screen) -> None:
    """Draw a figure with the table behind it, or a table, and what stands below."""
    if exhibit.figure is not None:
        _draw_figure(exhibit, screen)
    elif exhibit.folded:
        with st.expander(exhibit.folded, type="compact", icon=":material/table_chart:"):
            _draw_table(exhibit, screen)
    else:
        _draw_table(exhibit, screen)


def draw_caption(caption: str, hint: str, of: str) -> None:
    """Draw the caption and the hint below an exhibit, where there are any.

    The hint has a place of its own: on paper nothing can be clicked (figures.css).
    """
    if caption:
        st.caption(caption)
    if hint:
        with st.container(key=f"hint-{slug(of)}"):
            st.caption(hint)


def _draw_figure(exhibit: Exhibit, screen: Screen) -> None:
    """Draw a figure; its camera button saves it with its settings, under a name that says them."""
    file = file_name(screen, exhibit.name)
    add_settings(exhibit.figure, screen.settings_line)
    # A clicked point brings all its data with it, so the key need not hold what is on the screen.
    with _key(exhibit) as key, _place(exhibit.figure, exhibit.name):
        st.plotly_chart(
            exhibit.figure,
            key=key,
            alt=exhibit.description,
            on_select=partial(point_picked, exhibit, key) if exhibit.on_pick else "ignore",
            selection_mode="points",
            config=figure_config(exhibit.figure, file, figure_format()),
        )
    with st.container(gap="xsmall"):
        _draw_numbers(exhibit, screen, file)
        _draw_formula(exhibit)
    draw_caption(exhibit.caption, exhibit.hint, exhibit.name)


def _draw_numbers(exhibit: Exhibit, screen: Screen, file: str) -> None:
    """Draw the fold with the table behind a figure, and the downloads."""

    def draw() -> None:
        st.dataframe(
            harmless_texts(exhibit.table),
            hide_index=True,
            alt=f"The numbers behind the figure. {exhibit.description}",
        )
        with st.container(horizontal=True):
            _draw_numbers_download(exhibit.table, file, exhibit.name)
            _draw_figure_download(exhibit, screen, file)

    draw_fold(
        "The numbers behind the figure, downloads",
        f"numbers-{slug(exhibit.name)}",
        draw,
        type="compact",
        icon=":material/table_chart:",
    )


def _place(figure: go.Figure, name: str) -> DeltaGenerator:
    """Return where a figure goes: one with names at its right needs room (figures.css)."""
    if (figure.layout.margin.r or 0) < _ROOM_FOR_NAMES:
        return st.container()
    return st.container(key=f"named-at-the-right-{slug(name)}")


def _draw_table(exhibit: Exhibit, screen: Screen) -> None:
    table = exhibit.readable_rows
    if exhibit.title:
        st.markdown(f"**{exhibit.title}**")
    if exhibit.columns is None:
        names = {name: str(name).replace(" %", PERCENT) for name in table}
        with _place_of_table(table, exhibit.name):
            renamed = table.rename(columns=names).set_index(names[table.columns[0]])
            st.table(renamed, alt=exhibit.alt)
    else:
        _draw_long_table(exhibit, screen, table, exhibit.columns)
    draw_caption(exhibit.caption, exhibit.hint, exhibit.name)
    with st.container(gap="xsmall"):
        _draw_numbers_download(exhibit.table, file_name(screen, exhibit.name), exhibit.name)
        _draw_formula(exhibit)


def _place_of_table(table: pd.DataFrame, name: str) -> DeltaGenerator:
    """Return where a table goes: one that ends with sentences needs room (figures.css)."""
    if table[table.columns[-1]].astype(str).str.len().max() < _WORDY:
        return st.container()
    return st.container(key=f"wordy-{slug(name)}")


def _draw_long_table(
    exhibit: Exhibit, screen: Screen, table: pd.DataFrame, columns: Mapping[str, Column]
) -> None:
    # In another order the same number of a row means another user.
    with _key(exhibit, screen.view.dataset, screen.k, screen.strategy) as key:
        st.dataframe(
            table,
            hide_index=True,
            height=_HEIGHT if len(table) > _FEW_ROWS else "auto",
            key=key,
            on_select=partial(row_picked, exhibit, key) if exhibit.on_pick else "ignore",
            selection_mode="single-row",
            column_order=list(columns),
            column_config={name: _config(columns[name], table[name]) for name in columns},
            placeholder="–",
            alt=exhibit.description,
        )


@contextmanager
def _key(exhibit: Exhibit, *scope: Any) -> Iterator[str]:
    """Make place for a figure or table, and return its key."""
    if exhibit.on_pick:
        with control_for(exhibit.name, ANYTHING, *scope) as control:
            yield control.key
    else:
        yield exhibit.name


def point_picked(exhibit: Exhibit, key: str) -> None:
    """Pass the custom data of the clicked point to the exhibit's `on_pick`."""
    chart = act_on(key)
    points = chart.selection.points if chart is not NOTHING and chart else []
    if exhibit.on_pick and points and points[0].get("customdata"):
        exhibit.on_pick(points[0]["customdata"])


def row_picked(exhibit: Exhibit, key: str) -> None:
    """Pass the number of the chosen row to the exhibit's `on_pick`."""
    table = act_on(key)
    rows = table.selection.rows if table is not NOTHING and table else []
    if exhibit.on_pick and rows:
        exhibit.on_pick(rows[0])


def _config(column: Column, values: pd.Series[Any]) -> Any:
    style: dict[str, Any] = {"label": column.label, "width": column.width, "help": column.help}
    whole = pd.api.types.is_integer_dtype(values)
    form = column.format or ("%,d" if whole else "%,.2f")
    if column.bar:
        return st.column_config.ProgressColumn(
            **style,
            format=form,
            min_value=0.0,
            max_value=max(1.0, float(values.max())) if len(values) else 1.0,
        )
    if pd.api.types.is_numeric_dtype(values):
        return st.column_config.NumberColumn(**style, format=form)
    return st.column_config.TextColumn(**style)


def _draw_numbers_download(table: pd.DataFrame, file: str, name: str) -> None:
    draw_download(
        "Download the numbers as CSV",
        lambda: csv_for_download(with_plain_spaces(table)),
        f"{file}.csv",
        f"{name}_csv",
        type="tertiary",
    )


def with_plain_spaces(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a file: a program that reads it may look for "20 %" with a plain space."""
    spaced = table.copy()
    for name in table.select_dtypes(exclude="number"):
        spaced[name] = table[name].map(
            lambda value: value.replace(PERCENT, " %") if isinstance(value, str) else value
        )
    return spaced


def _draw_figure_download(exhibit: Exhibit, screen: Screen, file: str) -> None:
    format = figure_format()
    settings = f"{screen.settings_line}, {screen.folds_phrase}."
    draw_download(
        "Download the figure as HTML",
        lambda: figure_page(exhibit.figure, file, exhibit.description, settings, format),
        f"{file}.html",
        f"{exhibit.name}_html",
        type="tertiary",
        help="One file that opens without a network. The camera above the figure saves a picture.",
    )


def figure_format() -> str:
    """Return how the camera saves figures: svg or png."""
    return str(st.session_state.get("figure_format") or "svg")


def _draw_formula(exhibit: Exhibit) -> None:
    """Draw the fold with the formula, if there is one."""
    formula = exhibit.formula
    if formula is None:
        return

    def draw() -> None:
        st.markdown(formula.words)
        st.latex(formula.latex)

    key = f"formula-{slug(exhibit.name)}"
    draw_fold("The formula", key, draw, type="compact", icon=":material/function:")


def file_name(screen: Screen, name: str) -> str:
    """Return the name of a file that says which view it came from."""
    dataset = slug(screen.ratings.name)
    half = "-half" if screen.results.half else ""
    return f"{name}-{dataset}-k{screen.k}-tau{screen.tau:g}{half}"
