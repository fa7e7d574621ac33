"""Whether popular items crowd out the others at the top of the lists."""

from __future__ import annotations

from pages.contents.popularity_bias.sections import QUESTION, make_sections
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
draw_sections(make_sections(screen), screen)
