"""The coins, the adversary and the promise: to try, and measured on the data at hand."""

from __future__ import annotations

import streamlit as st

from pages.contents.privacy_lab.attack_view import draw_attack
from pages.contents.privacy_lab.audit_view import draw_audit
from pages.contents.privacy_lab.coins_view import draw_coins
from pages.contents.privacy_lab.epsilon_view import draw_epsilon
from pages.contents.privacy_lab.example_view import draw_example
from pages.contents.privacy_lab.sections import QUESTION
from pages.parts.drawing.page import draw_question
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
# All five have room on a phone.
DRAWN = {
    "Example": draw_example,
    "Coins": draw_coins,
    "Adversary": draw_attack,
    "What ε means": draw_epsilon,
    "Audit": draw_audit,
}
tabs = st.tabs(list(DRAWN), key="lab_tab", on_change="rerun")
for tab, draw in zip(tabs, DRAWN.values(), strict=True):
    if tab.open:  # the others are not drawn
        with tab:
            draw(screen)
