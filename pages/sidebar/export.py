"""Export in the sidebar: the format of saved figures, and the report on the settings shown."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts.drawing.download import draw_download
from pages.parts.drawing.exhibits import figure_format, file_name
from pages.parts.screen import Screen

FORMATS: Final = ("svg", "png")


def draw_export(screen: Screen) -> None:
    """Draw the choice of a format for figures, and the download of the report."""
    complete = len(screen.folds) == screen.results.planned_folds
    # The report is of this run of the script: it shows what was on the screen.
    url, format = st.context.url or "", figure_format()

    def make() -> str:
        # A fortieth of a second that the start can do without: it draws what all pages draw.
        from pages.report.document import make_report

        return make_report(screen, url, format)

    with st.expander("Export", type="compact", key="export"):
        st.segmented_control(
            "Figures are saved as",
            FORMATS,
            default="svg",
            required=True,
            format_func=str.upper,
            key="figure_format",
            help="The camera above a figure saves it. SVG stays sharp at any size; PNG goes "
            "everywhere.",
        )
        draw_download(
            "Report of these settings",
            make,
            f"{file_name(screen, 'report')}.html",
            "report",
            icon=":material/description:",
            disabled=not complete,
            help="One file with all numbers, figures and tables, and the command that reproduces "
            "them. It opens without a network."
            if complete
            else "There is a report once all folds are finished.",
        )
