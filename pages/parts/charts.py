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
    with st.container(gap="xsmall"):
        with st.expander(
            "The numbers behind the figure", type="compact", icon=":material/table_chart:"
        ):
            st.dataframe(table, hide_index=True, alt=f"The numbers behind the figure. {alt}")
            _draw_download(table, file, name)
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


def _draw_formula(formula: Formula | None) -> None:
    if formula:
        with st.expander("The formula", type="compact", icon=":material/function:"):
            st.markdown(formula.words)
            st.latex(formula.latex)


def file_name(screen: Screen, name: str) -> str:
    """Return the name of a file that says which view it came from."""
    dataset = "".join(letter if letter.isalnum() else "-" for letter in screen.view.dataset)
    return f"{name}-{dataset}-k{screen.k}-tau{screen.tau:g}"
