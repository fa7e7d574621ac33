"""How often each user's data is used, and how many users are used more than tau times."""

from __future__ import annotations

from pages.contents.data_usage.sections import (
    QUESTION,
    distribution_section,
    exposure_section,
    find_panels,
    load_section,
    suggestions_section,
)
from pages.contents.data_usage.view_choice import draw_view_choice
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
panels = find_panels(screen)
draw_question(QUESTION)
draw_sections([exposure_section(screen, panels)], screen)
view, scale = draw_view_choice()
draw_sections(
    [
        distribution_section(screen, panels, [view], scale),
        suggestions_section(screen, panels),
        load_section(screen, panels),
    ],
    screen,
)
