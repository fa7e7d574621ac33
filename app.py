"""The frame of the dashboard: navigation, sidebar, and the page that is asked for."""

from __future__ import annotations

import streamlit as st

from pages.contents.data.upload_view import draw_asked_for
from pages.contents.learn import glossary
from pages.contents.learn.tour_bar import draw_tour_bar
from pages.parts import frame, memory
from pages.parts.address import address_parts
from pages.parts.file_warnings import OF_FOLDER, said_on_page
from pages.parts.runs import experiments, progress
from pages.parts.runs.conditions import Conditions
from pages.sidebar import controls
from pages.sidebar.more import draw_badge
from pages.sidebar.tau_control import TYPED

frame.begin_at_the_top()
known = experiments.datasets()
memory.remember(list(known))
page = frame.navigation()
memory.remember_page()
memory.update_address(list(known))
known = experiments.with_uploads(known, memory.view())
with st.sidebar:
    frame.draw_menu(page, address_parts(memory.view()))
sidebar = controls.draw_sidebar(known, needs_results=frame.needs_results(page))
with st.sidebar:
    glossary.draw_lookup(page.title)

st.title(page.title)
draw_tour_bar(page.title)
if frame.needs_results(page):
    draw_badge(memory.view())
for name, note in memory.notes().items():
    if name != TYPED:
        st.warning(note)
if sidebar.screen or not frame.needs_results(page):
    if sidebar.waiting:
        # Told that there is no icon, Streamlit does not look for one: a twentieth of a second.
        st.info(sidebar.waiting, icon="")
    with frame.showing(sidebar.screen):
        page.run()
elif sidebar.asks_for:
    draw_asked_for(sidebar.asks_for)
elif sidebar.ratings:
    st.write(sidebar.waiting)
    if sidebar.run:
        progress.draw_state(sidebar.run, sidebar.ratings)
    else:
        progress.draw_offer(sidebar.ratings, half=Conditions.of(memory.view()).half)
else:
    st.error(said_on_page(sidebar.problem, OF_FOLDER))
memory.file_is_drawn()
