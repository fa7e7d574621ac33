"""Pinning the settings on the screen as A, in the sidebar; whatever is chosen then is B."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from engine.datasets import DatasetInfo
from engine.errors import InputError
from pages.parts import memory
from pages.parts.address import View
from pages.parts.comparison.sides import describe_side
from pages.parts.file_warnings import OF_FOLDER, reason_of, said_on_page
from pages.parts.polling import polling
from pages.parts.runs import experiments, progress
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.plan import Wish
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.wording import verbatim

_HELP: Final = (
    "Keeps the settings on the screen as A. Whatever you choose then is B, and the pages show what "
    "differs. A is part of the address, so that a link holds both. The noise, the "
    "seed and the queries are the same for A and for B."
)


def draw_pin(known: Mapping[str, DatasetInfo], screen: Screen, run: Run[Results]) -> Screen:
    """Draw the pin in the sidebar; return the screen, with the pinned one if it has results."""
    view, current = screen.view.pin, screen.view.as_pin(screen.tau)
    if view is None or view.tau is None:
        st.button(
            "Pin as A, to compare",
            key="pin_a",
            on_click=_pin,
            args=(current,),
            icon=":material/keep:",
            help=_HELP,
        )
        return screen
    info = known[view.dataset]
    st.markdown(f"**A**, pinned: {describe_side(view, view.tau, verbatim(info.title))}")
    if differences := Conditions.of(screen.view).differences:
        st.caption(f"A and B both have: {differences}.")
    with st.container(horizontal=True, gap="xsmall"):
        draw_unpin()
        st.button(
            "Swap A and B",
            key="swap",
            on_click=_swap,
            args=(view, current),
            disabled=view == current,
        )
        st.button("Pin B", key="pin_a", on_click=_pin, args=(current,), help=_HELP)
    return replace(screen, pinned=_load_pinned(view, info, screen, run))


def draw_unpin() -> None:
    """Draw the button that ends the comparison."""
    st.button("Unpin", key="unpin", on_click=_pin, args=(None,))


def _pin(view: View | None) -> None:
    memory.change(pin=view)


def _swap(a: View, b: View) -> None:
    memory.change(dataset=a.dataset, k=a.k, tau=a.tau, strategy=a.strategy, pin=b)


def _load_pinned(view: View, info: DatasetInfo, screen: Screen, run: Run[Results]) -> Screen | None:
    """Return A as soon as it has results. B, what is on the screen, is computed first."""
    try:
        ratings = experiments.load_dataset(info)
        current = screen.ratings.fingerprint
        conditions = Conditions.of(screen.view)
        if progress.waits_for_consent(ratings, conditions):
            st.caption("A has no numbers, and its run is large: choose its dataset to begin it.")
            return None
        if ratings.fingerprint != current or (run.state == "finished" and not _is_there(run, view)):
            run = experiments.run_of(ratings, Wish(view.k, view.strategy), conditions)
    except (InputError, OSError) as error:
        st.warning(said_on_page(reason_of(error), OF_FOLDER))
        return None
    if not _is_there(run, view):
        if run.active:
            _watch(run, view)
        elif run.state == "failed":
            st.warning(f"A has no numbers: its run failed. {verbatim(run.error, longest=300)}")
        elif run.state == "cancelled":
            st.caption("A has no numbers: its run was stopped.")
        else:
            st.caption("A has no numbers.")
        return None
    return Screen(
        view, screen.tau if view.tau is None else view.tau, verbatim(ratings.title), run.result
    )


def _is_there(run: Run[Results], view: View) -> bool:
    return view.strategy in run.result.strategies(view.k)


@polling("2s")
def _watch(run: Run[Results], view: View) -> None:
    if not run.active or _is_there(run, view):
        memory.run_again()
    st.caption("The numbers of A are being computed.")
