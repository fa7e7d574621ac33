"""The coins, the adversary and the promise: to try, and measured on the data at hand."""

from __future__ import annotations

from functools import partial

from pages.contents.privacy_lab.attack_view import draw_attack
from pages.contents.privacy_lab.audit_view import draw_audit
from pages.contents.privacy_lab.coins_view import draw_coins
from pages.contents.privacy_lab.epsilon_view import draw_epsilon
from pages.contents.privacy_lab.example_view import draw_example
from pages.contents.privacy_lab.sections import QUESTION
from pages.parts.drawing.page import draw_question
from pages.parts.drawing.tabs import draw_tabs
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
# All five have room on a phone.
tabs = {
    "Example": draw_example,
    "Coins": draw_coins,
    "Adversary": draw_attack,
    "What ε means": draw_epsilon,
    "Audit": draw_audit,
}
draw_tabs({name: partial(draw, screen) for name, draw in tabs.items()}, key="lab_tab")
