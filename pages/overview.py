"""How many people are exposed, what protecting them costs, and what another strategy would do."""

from __future__ import annotations

from pages.contents.overview.sections import QUESTION, make_sections
from pages.contents.overview.story import draw_story
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_story()
draw_question(QUESTION)
draw_sections(make_sections(screen), screen)
