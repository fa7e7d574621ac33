"""Which dataset of the paper is looked at."""

from __future__ import annotations

import streamlit as st

from engine.datasets.known import KNOWN
from engine.paper import paper_tables
from pages.contents.paper.sections import dataset_on_screen
from pages.parts.screen import Screen


def draw_dataset_choice(screen: Screen) -> str:
    """Draw the choice of a dataset, at first the one on the screen, and return its name."""
    names = [dataset.name for dataset in paper_tables().datasets]
    own = dataset_on_screen(screen)
    return str(
        st.segmented_control(
            "Dataset of the paper",
            names,
            default=own.name if own else names[0],
            # Another dataset in the sidebar begins with another choice.
            key=f"choose_paper_dataset_{own.name if own else ''}",
            required=True,
            format_func=lambda name: KNOWN[name].title,
            persist_state="session",
        )
    )
