"""Your own ratings, the files on this computer, and the datasets that are known."""

from __future__ import annotations

import streamlit as st

from pages.contents.data.dataset_lists import draw_folder, draw_known
from pages.contents.data.upload_view import draw_own_file
from pages.parts.drawing.page import draw_question
from pages.parts.frame import in_frame

in_frame()
draw_question("Which ratings are there, how are they read, and how do you bring your own?")

own, folder, known = st.tabs(
    ["Your ratings", "On this computer", "Known datasets"], key="data_tab", on_change="rerun"
)
# Only the open one is drawn: counting the ratings of a folder takes a moment.
if own.open:
    with own:
        draw_own_file()
if folder.open:
    with folder:
        draw_folder()
if known.open:
    with known:
        draw_known()
