"""The figures of the paper beside what is measured here."""

from __future__ import annotations

from pages.contents.paper.dataset_choice import draw_dataset_choice
from pages.contents.paper.measured_view import draw_state, measured_of
from pages.contents.paper.neural import draw_neural
from pages.contents.paper.sections import QUESTION, make_sections
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen

screen = this_screen()
draw_question(QUESTION)
dataset = draw_dataset_choice(screen)
run = measured_of(screen)
draw_state(run, screen)
draw_sections(make_sections(screen, dataset, run.result if run else None), screen)
draw_neural(screen)
