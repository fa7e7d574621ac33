"""A figure on the page, with the table behind it, its download, and the formula one click away."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.parts.screen import Screen


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
) -> None:
    """Draw a figure; its camera button saves it as SVG under a name that says what it shows."""
    file = file_name(screen, name)
    st.plotly_chart(
        figure,
        key=name,
        alt=alt,
        config={
            "displaylogo": False,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
            "toImageButtonOptions": {
                "format": "svg",
                "filename": file,
                "width": 1000,
                "height": figure.layout.height or 500,
            },
        },
    )
    with st.container(horizontal=True, gap="small"):
        with st.popover(
            "Table", type="tertiary", icon=":material/table_chart:", key=f"{name}_table"
        ):
            st.dataframe(table, hide_index=True, alt="The numbers behind the figure above")
            _draw_download(table, file, name)
        _draw_formula(formula, name)


def draw_below_table(
    table: pd.DataFrame, screen: Screen, *, name: str, formula: Formula | None = None
) -> None:
    """Draw the download of a table that stands on the page, and its formula."""
    with st.container(horizontal=True, gap="small"):
        _draw_download(table, file_name(screen, name), name)
        _draw_formula(formula, name)


def _draw_download(table: pd.DataFrame, file: str, name: str) -> None:
    st.download_button(
        "Download as CSV",
        lambda: table.to_csv(index=False),
        file_name=f"{file}.csv",
        mime="text/csv",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        key=f"{name}_csv",
    )


def _draw_formula(formula: Formula | None, name: str) -> None:
    if formula:
        with st.popover(
            "Formula", type="tertiary", icon=":material/function:", key=f"{name}_formula"
        ):
            st.markdown(formula.words)
            st.latex(formula.latex)


def file_name(screen: Screen, name: str) -> str:
    """Return the name of a file that says which view it came from."""
    dataset = "".join(letter if letter.isalnum() else "-" for letter in screen.view.dataset)
    return f"{name}-{dataset}-k{screen.k}-tau{screen.tau:g}"
