"""One user: how often and by whom they are used, for what, and what of it is protected."""

from __future__ import annotations

import streamlit as st

from pages.contents.people.sections import (
    QUESTION,
    TABS,
    person_sections,
    summary_section,
    users_section,
)
from pages.contents.people.user_choice import TAB, draw_user_choice, draw_user_link, show_user
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
one, everybody = st.tabs(TABS, key=TAB, on_change="rerun")
if one.open:  # the other is not drawn
    with one:
        user = draw_user_choice(screen)
        draw_sections(person_sections(screen, user), screen)
        draw_user_link(screen, user)
if everybody.open:
    with everybody:
        draw_sections([summary_section(screen), users_section(screen, show_user)], screen)
