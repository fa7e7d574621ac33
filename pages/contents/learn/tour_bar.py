"""The step of the tour that somebody takes, in a slim bar on every page until the tour ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from pages.contents.learn.tour import TOUR, TourStep, answer_of
from pages.parts import memory
from pages.parts.address import View, address_parts
from pages.parts.frame import TITLES

#: The page that a button of the bar leads to: a callback cannot change the page itself.
_GOES_TO: Final = "tour_goes_to"


def next_view(view: View) -> tuple[str, View]:
    """Return the page and the settings of the next step; after the last one, Learn and no tour.

    >>> page, view = next_view(TOUR[0].view)
    >>> page, view.tau, view.tour
    ('data_usage', 100, 2)
    >>> page, view = next_view(TOUR[-1].view)
    >>> page, view.tour
    ('learn', 0)
    """
    if view.tour == len(TOUR):
        return "learn", replace(view, tour=0)
    step = TOUR[view.tour]
    return step.page, replace(step.view, folded=view.folded)


def draw_tour_bar(page: str) -> None:
    """Draw question, hint, answer and the way on; nothing outside of the tour and on Learn.

    `page` is the title of the page on the screen.
    """
    view = memory.view()
    if to := st.session_state.pop(_GOES_TO, ""):
        st.switch_page(f"pages/{to}.py", query_params=address_parts(view))
    if not view.tour or page == TITLES["learn"]:
        return
    step = TOUR[view.tour - 1]
    with st.container(border=True, key="tour_bar", gap="xsmall"):
        st.markdown(f"**Tour, {step.number} of {len(TOUR)}. {step.title}** {step.question}")
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            with st.popover("Hint", icon=":material/lightbulb:", type="tertiary"):
                st.markdown(step.hint)
            with st.popover("Answer", icon=":material/check:", type="tertiary"):
                st.markdown(answer_of(step))
            if page != TITLES[step.page] or not _shows(view, step):
                back = replace(step.view, folded=view.folded)
                _draw_way(f"Back to {TITLES[step.page]}", step.page, back, "tour_back")
            to, settings = next_view(view)
            label = "Next question" if settings.tour else "Finish"
            _draw_way(label, to, settings, "tour_next")
            end = partial(memory.change, tour=0)
            st.button("End the tour", on_click=end, key="tour_end", type="tertiary")


def _shows(view: View, step: TourStep) -> bool:
    """Return whether the screen has the person of the step; tau and strategy are to be tried."""
    return (view.dataset, view.user) == (step.view.dataset, step.user)


def _draw_way(label: str, page: str, view: View, key: str) -> None:
    """Draw a button that leads to a page with other settings, in the same visit."""
    st.button(label, key=key, on_click=_go, args=(page, view))


def _go(page: str, view: View) -> None:
    memory.show(view)
    st.session_state[_GOES_TO] = page
