"""Runs for a part of a page: they begin with what a visit looks at, and end with its next look."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

import streamlit as st

from pages.parts.runs.progress import wait_for, watch
from pages.parts.runs.runs_of_ratings import Kind, runs_of
from pages.parts.runs.worker import Result, Run, Work
from pages.parts.wording import verbatim

#: Seconds. What is there sooner shows at once, without a progress bar.
_PATIENCE: Final = 1.5


def ask_once(kind: Kind, key: Hashable, result: Result, work: Work[Result]) -> Run[Result]:
    """Return the run of a key; begin it if there is none, with `result` as what is there at first.

    The run of the kind that this visit asked for before is dropped if it is still at work: a
    setting that a slider passes must not keep the next one waiting.
    """
    runs, place = runs_of(kind), f"{kind}-asked"
    asked = st.session_state.get(place)
    run_before = runs.known(asked) if asked != key else None
    if run_before is not None and run_before.active:
        runs.forget(asked)
    st.session_state[place] = key
    run = runs.ask(key, lambda: (result, work))
    if asked != key:
        wait_for(run, _PATIENCE)
    return run


def draw_unfinished(kind: Kind, run: Run[Any]) -> None:
    """Draw how far a run is with a way to cancel it, or that it stopped with a way to go on."""
    if run.active:
        watch(run, run.version, f"{kind}-cancel")
        return
    draw_stopped(run)
    again = runs_of(kind).again
    st.button("Start again", key=f"{kind}-again", on_click=again, args=(run.key,))


def draw_stopped(run: Run[Any]) -> None:
    """Say why a run failed, or that somebody stopped it."""
    if run.state == "failed":
        st.error(verbatim(run.error, longest=300))
    elif run.state == "cancelled":
        st.info("Stopped. What was finished is kept.")
