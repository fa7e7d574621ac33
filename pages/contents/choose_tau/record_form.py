"""The decision record on the page: what the people who decide write, and both downloads."""

from __future__ import annotations

import streamlit as st

from engine.choice import Decision
from pages.contents.choose_tau.record import Note, make_record, record_markdown, record_page
from pages.parts.drawing.download import draw_download
from pages.parts.drawing.exhibits import file_name
from pages.parts.screen import Screen

_HELP = "It is part of the record alone. It is kept in this visit and nowhere else."


def draw_record(screen: Screen, decision: Decision) -> None:
    """Draw the fields and the downloads of the decision record."""
    st.header("Decision record")
    st.markdown(
        "One page for the file and for those who must agree: the choice, the limits, the "
        "alternatives, who is exposed, what is promised and what is not."
    )
    left, right = st.columns(2)
    rationale = left.text_area(
        "Why this choice?", key="record_rationale", help=_HELP, persist_state="session"
    )
    questions = right.text_area(
        "Open questions", key="record_questions", help=_HELP, persist_state="session"
    )
    names = st.text_input("Decided by, on", key="record_names", help=_HELP, persist_state="session")
    note = Note(rationale or "", names or "", questions or "")
    record = make_record(screen, decision, note, st.context.url or "")
    file = file_name(screen, "decision")
    with st.container(horizontal=True):
        draw_download(
            "Download as HTML, to print",
            lambda: record_page(record),
            f"{file}.html",
            "record_html",
        )
        draw_download(
            "Download as Markdown",
            lambda: record_markdown(record),
            f"{file}.md",
            "record_md",
        )
