"""One user: how often and by whom they are used, for what, and what of it is protected."""

from __future__ import annotations

from pages.contents.people.sections import (
    ALL_PEOPLE,
    QUESTION,
    THIS_PERSON,
    person_sections,
    summary_section,
    users_section,
)
from pages.contents.people.user_choice import TAB, draw_user_choice, draw_user_link, show_user
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.drawing.tabs import draw_tabs
from pages.parts.frame import this_screen

screen = this_screen()


def draw_person() -> None:
    """Draw one user, who is chosen above what there is to say."""
    user = draw_user_choice(screen)
    draw_sections(person_sections(screen, user), screen)
    draw_user_link(screen, user)


def draw_everybody() -> None:
    """Draw all users, and the table from which one is chosen."""
    draw_sections([summary_section(screen), users_section(screen, show_user)], screen)


draw_question(QUESTION)
draw_tabs({THIS_PERSON: draw_person, ALL_PEOPLE: draw_everybody}, key=TAB)
