"""Runs for a part of a page: they begin with what a visit looks at, and end with its next look."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import streamlit as st

from pages.parts.runs.progress import wait_for, watch
from pages.parts.runs.worker import Result, Run, Runs, Work
from pages.parts.wording import plain

#: Seconds. What is there sooner shows at once, without a progress bar.
_PATIENCE: Final = 1.5


def ask_once(
    runs: Runs[Result], name: str, key: Hashable, result: Result, work: Work[Result]
) -> Run[Result]:
    """Return the run of a key; begin it if there is none, with `result` as what is there at first.

    The run that this visit asked for before under the same name is dropped if it is still at work:
    a setting that a slider passes must not keep the next one waiting.
    """
    asked, place = st.session_state.get(f"{name}-asked"), f"{name}-asked"
    run_before = runs.known(asked) if asked != key else None
    if run_before is not None and run_before.active:
        runs.forget(asked)
    st.session_state[place] = key
    run = runs.ask(key, lambda: (result, work))
    if asked != key:
        wait_for(run, _PATIENCE)
    return run


def draw_unfinished(runs: Runs[Result], run: Run[Result], name: str) -> None:
    """Draw how far a run is with a way to cancel it, or that it stopped with a way to go on."""
    if run.active:
        watch(run, run.version, f"{name}-cancel")
        return
    if run.state == "failed":
        st.error(plain(run.error, longest=300))
    else:
        st.info("Stopped. What was finished is kept.")
    st.button("Start again", key=f"{name}-again", on_click=runs.again, args=(run.key,))
