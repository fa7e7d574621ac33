"""The sidebar: dataset, k, strategy and tau, the state of the run, and the link to the view.

The address is the only memory. Four fields hold its parts as texts; every control is drawn from
them and writes to them, so that a link, a reload and the Back button all come to the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.parts.address import KS, NAMES, UPLOAD, View, read_address, write_address
from pages.parts.comparison import compare
from pages.parts.pin import asked_pin
from pages.parts.runs import experiments, progress
from pages.parts.runs.plan import Wish
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.sidebar import export
from pages.parts.sidebar.tau_control import draw_suggestions, draw_tau
from pages.parts.usage.rules import suggestions
from pages.parts.widget_values import show_value
from pages.parts.wording import STRATEGY, STRATEGY_SENTENCE, counted, plain

if TYPE_CHECKING:
    from engine.datasets import DatasetInfo, Ratings


_LARGE: Final = (
    "These ratings are many. The run goes on in the background, shows each part as soon as it is "
    "finished, and can be canceled at any time; what is finished is kept."
)


@dataclass(frozen=True, eq=False)
class Sidebar:
    """What the sidebar says: the screen to show, or the run to wait for or to begin."""

    notes: list[str]
    run: Run[Results] | None = None
    ratings: Ratings | None = None
    screen: Screen | None = None
    waiting: str = ""
    problem: str = ""


def draw_sidebar(*, needs_results: bool = True) -> Sidebar:
    """Draw the sidebar and return what it says. A page that needs no results begins no run."""
    from engine.errors import InputError

    known = experiments.datasets()
    with st.sidebar:
        controls = st.container()
        with st.expander("Link to this view", type="compact"):
            link = st.container()
            asked = _address_fields()
        view, notes = _read(asked, list(known))
        with controls:
            size = _draw_choices(view, known)
            if not needs_results:
                _draw_link(link, view, view.tau)
                return Sidebar(notes)
            try:
                ratings = experiments.load(known[view.dataset])
                size.caption(
                    f"{counted(ratings.n_users, 'user')} · {counted(ratings.n_items, 'item')} · "
                    f"{counted(ratings.n_ratings, 'rating')}"
                )
                if progress.waits_for_consent(ratings):
                    _draw_link(link, view, view.tau)
                    return Sidebar(notes, ratings=ratings, waiting=_LARGE)
                wish = Wish(view.k, view.strategy)
                run = experiments.run_of(ratings, wish)
            except (InputError, OSError) as error:
                return Sidebar(notes, problem=str(error))
            progress.wait_briefly(run, wish)
            results = run.result
            if not results.folds(view.k):
                waiting = (
                    f"The first numbers for k = {view.k} are being computed. "
                    "They are kept: next time they are there at once."
                    if run.active
                    else f"There are no numbers for k = {view.k} yet."
                )
                return Sidebar(notes, run, ratings, waiting=waiting)
            suggested = suggestions(results, view.k, patient=not run.active)
            tau = draw_tau(view.tau, suggested, results.largest_usage(view.k))
            draw_suggestions(tau, suggested)
            progress.draw_state(run, ratings)
        _draw_link(link, view, tau)
    screen = Screen(view, tau, plain(ratings.title), results)
    with controls:
        screen = compare.draw_pin(asked["pin"], known, screen, run)
        export.draw_export(screen)
    waiting = "" if screen.strategy == view.strategy else _still_missing(view, run)
    return Sidebar(notes, run, ratings, screen, waiting)


def _read(asked: dict[str, str], known: list[str]) -> tuple[View, list[str]]:
    """Return the view, and the notes on what did not fit, as long as nothing else is chosen.

    From the next run on the address no longer has what did not fit.
    """
    state = st.session_state
    view, notes = read_address(asked, known)
    if notes:
        state.misfits = {name: asked[name] for name in notes}
        state.noted = view, list(notes.values())
    noted_for, said = state.get("noted", (None, []))
    return view, said if noted_for == view else []


def _still_missing(view: View, run: Run[Results]) -> str:
    name = STRATEGY[view.strategy]
    missing = "is being computed" if run.active else "has not been computed"
    return f"{name} {missing}; until it is, UserKNN is shown."


def _address_fields() -> dict[str, str]:
    """Draw the fields that hold the parts of the address, and return what they hold.

    Texts, because the parts must read as on the command line (`userknn+reuse`, `ml-1m`), whereas
    a bound selection would write its labels; and because what does not fit can then be told.
    Disabled, because the controls write them.
    """
    state = st.session_state
    for name, misfit in state.pop("misfits", {}).items():
        if state[name] == misfit:  # not yet replaced by a choice
            state[name] = ""
    return {
        name: st.text_input(
            f"{name}=",
            key=name,
            bind="query-params",
            disabled=True,
            placeholder="not in the address",
        )
        for name in (*NAMES, "pin")
    }


def _draw_choices(view: View, known: dict[str, DatasetInfo]) -> st.delta_generator.DeltaGenerator:
    """Draw dataset, strategy and k; return the place for the size of the dataset."""
    state = st.session_state
    show_value("choose_dataset", view.dataset)
    show_value("choose_k", view.k)
    show_value("choose_strategy", view.strategy)

    def write(name: str) -> None:
        state[name] = str(state[f"choose_{name}"])

    st.selectbox(
        "Dataset",
        list(known),
        format_func=lambda name: known[name].title,
        key="choose_dataset",
        on_change=write,
        args=("dataset",),
    )
    size = st.empty()
    st.selectbox(
        "Strategy",
        list(STRATEGY),
        format_func=STRATEGY.__getitem__,
        key="choose_strategy",
        on_change=write,
        args=("strategy",),
        help="How the neighbors of a query are chosen.",
    )
    st.caption(STRATEGY_SENTENCE[view.strategy])
    st.segmented_control(
        "Neighbors per query, k",
        KS,
        key="choose_k",
        required=True,
        on_change=write,
        args=("k",),
        help="A rating is predicted from the ratings of k neighbors.",
    )
    return size


def _draw_link(place: st.delta_generator.DeltaGenerator, view: View, tau: float | None) -> None:
    with place:
        st.caption(
            "The file you uploaded is here only in this visit: elsewhere this link shows the "
            "sample. Below: the parts of your address."
            if view.dataset == UPLOAD
            else "Whoever opens it sees what you see now. Below: the parts of your address."
        )
        st.code(
            f"{st.context.url or ''}?{write_address(view, tau, asked_pin())}",
            language=None,
            wrap_lines=True,
        )
