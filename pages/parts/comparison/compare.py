"""Compare: pinning the settings on the screen as A, and what B on the screen differs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from pages.parts.address import View, write_tau
from pages.parts.comparison.difference import VERDICT, Difference, Measure, compare, same_ratings
from pages.parts.drawing.charts import draw_below_table
from pages.parts.pin import read_pin, write_pin
from pages.parts.runs import experiments, progress
from pages.parts.runs.plan import Wish
from pages.parts.runs.results import At, Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY, exactly, plain

if TYPE_CHECKING:
    from engine.datasets import DatasetInfo

_HELP: Final = (
    "Keeps the settings on the screen as A. Whatever you choose then is B, and the pages show what "
    "differs. A is part of the address, so that a link holds both."
)
NOISE: Final = (
    "Noise: in each fold A and B answer the same queries, which gives a pair. A difference counts "
    "only if it has the same sign in every fold and its mean is at least two standard errors from "
    "0. That is a rule of thumb, not a test."
)


def draw_pin(
    text: str, known: Mapping[str, DatasetInfo], screen: Screen, run: Run[Results]
) -> Screen:
    """Draw the pin in the sidebar; return the screen, with the pinned one if it has results."""
    view, note = read_pin(text, list(known))
    here = write_pin(screen.view, screen.tau)
    if note:
        st.warning(note)
        st.button("Remove it", key="unpin", on_click=_write, args=("",))
    if view is None or view.tau is None:
        st.button(
            "Pin as A, to compare",
            key="pin_a",
            on_click=_write,
            args=(here,),
            icon=":material/keep:",
            help=_HELP,
        )
        return screen
    info = known[view.dataset]
    st.markdown(f"**A**, pinned: {_settings(view, view.tau, plain(info.title))}")
    with st.container(horizontal=True, gap="xsmall"):
        st.button("Unpin", key="unpin", on_click=_write, args=("",))
        st.button(
            "Swap A and B",
            key="swap",
            on_click=_swap,
            args=(view, here),
            disabled=write_pin(view, view.tau) == here,
        )
        st.button("Pin B", key="pin_a", on_click=_write, args=(here,), help=_HELP)
    return replace(screen, pinned=_load_pinned(view, info, screen, run))


def _write(pin: str) -> None:
    st.session_state.pin = pin


def _swap(view: View, here: str) -> None:
    state = st.session_state
    state.dataset, state.k, state.strategy = view.dataset, str(view.k), view.strategy
    state.tau, state.pin = write_tau(view.tau), here


def _load_pinned(view: View, info: DatasetInfo, screen: Screen, run: Run[Results]) -> Screen | None:
    """Return A as soon as it has results. B, what is on the screen, is computed first."""
    from engine.errors import InputError

    try:
        ratings = experiments.load(info)
        here = screen.results.experiment.ratings.fingerprint
        if progress.waits_for_consent(ratings):
            st.caption("A has no numbers, and its run is large: choose its dataset to begin it.")
            return None
        if ratings.fingerprint != here or (run.state == "finished" and not _is_there(run, view)):
            run = experiments.run_of(ratings, Wish(view.k, view.strategy))
    except (InputError, OSError) as error:
        st.warning(plain(str(error), longest=300))
        return None
    if not _is_there(run, view):
        if run.active:
            _watch(run, view)
        else:
            st.caption("A has no numbers yet.")
        return None
    return Screen(
        view, screen.tau if view.tau is None else view.tau, plain(ratings.title), run.result
    )


def _is_there(run: Run[Results], view: View) -> bool:
    return view.strategy in run.result.strategies(view.k)


@st.fragment(run_every="2s")
def _watch(run: Run[Results], view: View) -> None:
    if not run.active or _is_there(run, view):
        st.rerun()
    st.caption("The numbers of A are being computed.")


def _settings(view: View, tau: float, title: str) -> str:
    return f"{title}, k = {view.k}, τ = {exactly(tau)}, {STRATEGY[view.strategy]}"


def differences_table(differences: Sequence[Difference]) -> pd.DataFrame:
    """Return the differences as texts, a row a measure."""
    return pd.DataFrame(
        {
            "": [found.measure.label for found in differences],
            "A": [found.measure.shown(found.a) for found in differences],
            "B": [found.measure.shown(found.b) for found in differences],
            "B − A": [found.shown for found in differences],
            "a clear difference?": [VERDICT[found.verdict] for found in differences],
        }
    )


def find_differences(screen: Screen, measures: Sequence[Measure]) -> list[Difference]:
    """Return the differences of the screen to what is pinned; none if nothing is."""
    a = screen.pinned
    return [] if a is None else [compare(a, screen, measure) for measure in measures]


def compared_with(screen: Screen) -> tuple[At, str]:
    """Return what a number on the screen is compared with, and its name: A, or a strategy."""
    if a := screen.pinned:
        return a.results.at(a.strategy, a.k, a.tau), "A"
    other = screen.compared[1]
    return screen.results.at(other, screen.k, screen.tau), STRATEGY[other]


def sides_sentence(screen: Screen) -> str:
    """Return (Markdown) what A and B are, and what can be compared."""
    a = screen.pinned
    if a is None:
        return ""
    # Of B that is shown whose results are.
    b = replace(screen.view, strategy=screen.strategy)
    sentence = (
        f"**A**: {_settings(a.view, a.tau, a.title)}. "
        f"**B**: {_settings(b, screen.tau, screen.title)}."
    )
    if not same_ratings(a, screen):
        return (
            f"{sentence} They are of different data: no query is the same, and a difference says "
            "as much about the data as about the settings."
        )
    if write_pin(a.view, a.tau) == write_pin(b, screen.tau):
        return f"{sentence} They are the same settings: change something to see a difference."
    return sentence


def draw_comparison(screen: Screen, measures: Sequence[Measure], name: str) -> None:
    """Draw what B differs in from A, if something is pinned."""
    if screen.pinned is None:
        return
    table = differences_table(find_differences(screen, measures))
    st.markdown(sides_sentence(screen))
    st.table(table.set_index(""), alt="Side A, side B and their differences")
    with st.expander("When is a difference noise?", type="compact", icon=":material/rule:"):
        st.markdown(NOISE)
    draw_below_table(table.rename(columns={"": "measure"}), screen, name=f"{name}-compared")
