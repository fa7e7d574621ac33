"""Your own ratings, the files on this computer, and the datasets that are known."""

from __future__ import annotations

from pages.contents.data.dataset_lists import draw_folder, draw_known
from pages.contents.data.upload_view import draw_own_file
from pages.parts.drawing.page import draw_question
from pages.parts.drawing.tabs import draw_tabs
from pages.parts.frame import in_frame

in_frame()
draw_question("Which ratings are there, how are they read, and how do you bring your own?")

# Only the open one is drawn: counting the ratings of a folder takes a moment.
draw_tabs(
    {
        "Your ratings": draw_own_file,
        "On this computer": draw_folder,
        "Known datasets": draw_known,
    },
    key="data_tab",
)
