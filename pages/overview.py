"""How many people are exposed, what protecting them costs, and what another strategy would do."""

from __future__ import annotations

from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen
from pages.parts.overview.sections import QUESTION, make_sections
from pages.parts.overview.story import draw_story

screen = this_screen()
draw_story()
draw_question(QUESTION)
draw_sections(make_sections(screen), screen)
