"""The frame of the dashboard: navigation, sidebar, and the page that is asked for."""

from __future__ import annotations

import streamlit as st

from pages.parts import frame
from pages.parts.learn import glossary
from pages.parts.runs import progress
from pages.parts.sidebar import controls
from pages.parts.wording import plain

page = frame.navigation()
sidebar = controls.draw_sidebar(needs_results=frame.needs_results(page))
with st.sidebar:
    glossary.draw_lookup(page.title)

st.title(page.title)
for note in sidebar.notes:
    st.warning(note)
if sidebar.screen or not frame.needs_results(page):
    if sidebar.waiting:
        st.info(sidebar.waiting)
    with frame.showing(sidebar.screen):
        page.run()
elif sidebar.ratings:
    st.write(sidebar.waiting)
    if sidebar.run:
        progress.draw_state(sidebar.run, sidebar.ratings)
    else:
        progress.draw_offer(sidebar.ratings)
else:
    st.error(plain(sidebar.problem, longest=400))
