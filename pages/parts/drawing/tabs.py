"""Tabs of which one is drawn: the one that is open, and that was open when the page was left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st


def draw_tabs(draws: Mapping[str, Callable[[], None]], key: str) -> None:
    """Draw a tab for each name, and in the open one what belongs there.

    Streamlit forgets which tab is open as soon as another page is drawn.
    """
    state, place = st.session_state, f"{key}-open"
    if key not in state and place in state:
        state[key] = state[place]
    tabs = st.tabs(list(draws), key=key, on_change="rerun")
    state[place] = state[key]
    for tab, draw in zip(tabs, draws.values(), strict=True):
        if tab.open:
            with tab:
                draw()
