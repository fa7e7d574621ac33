"""The sidebar: dataset, k, strategy and tau, the state of the run, and the link to the view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.datasets import DatasetInfo, Ratings
from engine.datasets.remedies import Advice
from engine.errors import InputError
from engine.settings import PAPER_KS
from pages.contents.data_usage.rules import suggestions
from pages.parts import memory
from pages.parts.address import View, write_address
from pages.parts.comparison import compare
from pages.parts.control import control_for
from pages.parts.drawing.folds import draw_fold
from pages.parts.file_warnings import OF_FOLDER, ON_DATA, draw_file_warnings, reason_of
from pages.parts.looks import STRATEGY_LOOKS, name_of, shown_strategies
from pages.parts.runs import experiments, progress
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.plan import Wish
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.upload_name import UploadName
from pages.parts.wording import counted, verbatim
from pages.sidebar import export
from pages.sidebar.more import draw_more
from pages.sidebar.tau_control import draw_suggestions, draw_tau

_LARGE: Final = (
    "These ratings are many. The run goes on in the background, shows each part as soon as it is "
    "finished, and can be canceled at any time; what is finished is kept."
)


@dataclass(frozen=True, eq=False)
class Sidebar:
    """What the sidebar says: the screen to show, or the run to wait for or to begin."""

    run: Run[Results] | None = None
    ratings: Ratings | None = None
    screen: Screen | None = None
    waiting: str = ""
    problem: str | Advice = ""
    asks_for: UploadName | None = None  # a file that a link shows and that is not here


def draw_sidebar(known: Mapping[str, DatasetInfo], *, needs_results: bool = True) -> Sidebar:
    """Draw the sidebar and return what it says. A page that needs no results begins no run."""
    view = memory.view()
    with st.sidebar:
        controls, more = st.container(), st.container()
        link = st.container()
        with controls:
            size = _draw_choices(view, known)
            if not needs_results:
                _draw_link(link, view)
                return Sidebar()
            if asked := experiments.upload_asked_for(view):
                _draw_link(link, view)
                return Sidebar(asks_for=asked)
            try:
                ratings = experiments.load_dataset(known[view.dataset])
                with size.container():
                    st.caption(
                        f"{counted(ratings.n_users, 'user')} · {counted(ratings.n_items, 'item')} "
                        f"· {counted(ratings.n_ratings, 'rating')}"
                    )
                    is_own = UploadName.parse(view.dataset) is not None
                    draw_file_warnings(ratings, ON_DATA if is_own else OF_FOLDER)
                with more:
                    draw_more(view, ratings)
                conditions = Conditions.of(view)
                if progress.waits_for_consent(ratings, conditions):
                    _draw_link(link, view)
                    return Sidebar(ratings=ratings, waiting=_LARGE)
                wish = Wish(view.k, view.strategy)
                run = experiments.run_of(ratings, wish, conditions)
            except (InputError, OSError) as error:
                return Sidebar(problem=reason_of(error))
            progress.wait_briefly(run, wish)
            results = run.result
            if not results.folds(view.k):
                waiting = (
                    f"The first numbers for k = {view.k} are being computed. "
                    "They are kept: next time they are there at once."
                    if run.active
                    else f"There are no numbers for k = {view.k} yet."
                )
                if view.pin:  # which may be what keeps the numbers away
                    compare.draw_unpin()
                return Sidebar(run, ratings, waiting=waiting)
            suggested = suggestions(results, view.k, view.strategy, patient=not run.active)
            tau = draw_tau(view, suggested, results.largest_usage(view.k))
            draw_suggestions(view, suggested)
            progress.draw_state(run, ratings)
        _draw_link(link, replace(view, tau=tau))
    screen = Screen(view, tau, verbatim(ratings.title), results)
    with controls:
        screen = compare.draw_pin(known, screen, run)
        export.draw_export(screen)
    waiting = "" if screen.strategy == view.strategy else _still_missing(view, run)
    return Sidebar(run, ratings, screen, " ".join(filter(None, [_partial(screen, run), waiting])))


def _partial(screen: Screen, run: Run[Results]) -> str:
    """Return that the numbers are of some folds only, as long as they are."""
    done, planned = len(screen.results.folds(screen.k)), screen.results.planned_folds
    if done == planned:
        return ""
    state = "The run goes on" if run.active else "The run was stopped"
    return (
        f"**Not final: {done} of {planned} folds.** {state}. Numbers will still change, and with "
        "them the suggested τ."
    )


def _still_missing(view: View, run: Run[Results]) -> str:
    name = name_of(view.strategy)
    missing = "is being computed" if run.active else "has not been computed"
    return f"{name} {missing}; until it is, UserKNN is shown."


def _draw_choices(
    view: View, known: Mapping[str, DatasetInfo]
) -> st.delta_generator.DeltaGenerator:
    """Draw dataset, strategy and k; return the place for the size of the dataset."""
    names = list(known)
    with control_for("choose_dataset", view.dataset, *names) as dataset:
        st.selectbox(
            "Dataset",
            names,
            names.index(dataset.initial),
            format_func=lambda name: known[name].title,
            key=dataset.key,
            on_change=memory.take,
            args=("dataset", dataset.key),
        )
    size = st.empty()
    with control_for("choose_strategy", view.strategy) as strategy:
        st.selectbox(
            "Strategy",
            shown_strategies(embeddings=True),
            shown_strategies(embeddings=True).index(strategy.initial),
            format_func=name_of,
            key=strategy.key,
            on_change=memory.take,
            args=("strategy", strategy.key),
            help="How the neighbors of a query are chosen.",
        )
    st.caption(STRATEGY_LOOKS[view.strategy].sentence)
    with control_for("choose_k", view.k) as k:
        st.segmented_control(
            "Neighbors per query, k",
            PAPER_KS,
            default=k.initial,
            key=k.key,
            required=True,
            on_change=memory.take,
            args=("k", k.key),
            help="A rating is predicted from the ratings of k neighbors.",
        )
    return size


def _draw_link(place: DeltaGenerator, view: View) -> None:
    def draw() -> None:
        st.caption(
            "The file is here only in the visit that uploaded it: whoever opens the link is asked "
            "for it."
            if UploadName.parse(view.dataset)
            else "Whoever opens it sees what you see now."
        )
        st.code(f"{st.context.url or ''}?{write_address(view)}", language=None, wrap_lines=True)

    with place:
        draw_fold("Link to this view", "link", draw, type="compact")
