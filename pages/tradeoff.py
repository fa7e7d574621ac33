"""What protection costs in accuracy, and what it saves in privacy risk."""

from __future__ import annotations

from pages.contents.tradeoff.sections import QUESTION, make_sections
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
draw_sections(make_sections(screen), screen)
