"""How far the measuring of the page The paper is: it can be canceled, and go on."""

from __future__ import annotations

from typing import Final

import streamlit as st

from engine.paper import paper_tables
from pages.contents.paper.measured import (
    Measured,
    finished_ks,
    paper_runs,
    run_of,
)
from pages.contents.paper.sections import dataset_on_screen
from pages.parts.runs.on_demand import draw_stopped
from pages.parts.runs.progress import wait_for, watch
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen

#: Seconds to wait for what the store has, so that it shows at once.
_PATIENCE: Final = 0.5


def measured_of(screen: Screen) -> Run[Measured] | None:
    """Return the run of what is on the screen, and begin it; None before any k is finished."""
    if not finished_ks(screen):
        return None
    own = dataset_on_screen(screen)
    run = run_of(screen, tuple(paper_tables().figures_of(own.name)) if own else ())
    if run.active and st.session_state.get("waited_for_paper") != run.key:
        st.session_state.waited_for_paper = run.key
        wait_for(run, _PATIENCE)
    return run


def draw_state(run: Run[Measured] | None, screen: Screen) -> None:
    """Draw how far the run is; nothing once it has finished."""
    if screen.results.half:
        st.info(
            "The paper's tables are of all queries, and with a NeuKNN strategy half of them are "
            "asked. Choose another strategy in the sidebar to measure the tables here."
        )
    elif run is None:
        st.caption("What is measured here comes when the run has finished a k in all folds.")
    elif run.active:
        watch(run, run.version, "paper_cancel")
    elif run.state in ("cancelled", "failed"):
        draw_stopped(run)
        st.button("Go on", key="paper_go_on", on_click=paper_runs().again, args=(run.key,))
