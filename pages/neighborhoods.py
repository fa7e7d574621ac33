"""How many neighbors a user meets as queries are asked, and how much they have in common."""

from __future__ import annotations

from pages.contents.neighborhoods.sections import QUESTION, make_sections
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
draw_sections(make_sections(screen), screen)
