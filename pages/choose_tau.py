"""Which tau keeps to one's limits: limits in, decision out, on paper."""

from __future__ import annotations

import streamlit as st

from engine.noise_band import noise_band
from pages.contents.choose_tau.decisions import decision_of, unfinished_top_lists
from pages.contents.choose_tau.limits_form import draw_limits_form
from pages.contents.choose_tau.over_time import draw_over_time
from pages.contents.choose_tau.record_form import draw_record
from pages.contents.choose_tau.sections import (
    QUESTION,
    answer_section,
    sections_below_views,
    take_best,
    views_section,
)
from pages.parts.drawing.page import draw_question, draw_sections
from pages.parts.frame import this_screen
from pages.parts.runs.on_demand import draw_unfinished
from pages.parts.runs.runs_of_ratings import Kind

screen = this_screen()
limits = screen.view.limits
draw_question(QUESTION)
form, answer = st.columns([2, 3], gap="large")
with form:
    draw_limits_form(limits)
with answer:
    run = unfinished_top_lists(screen, limits)
    if run is not None:
        draw_unfinished(Kind.TOP_LISTS, run)
        st.caption("Until then the answer leaves out your limits on coverage and PP-Corr.")
        limits = limits.without_top_lists
    decision = decision_of(screen, limits)
    draw_sections([answer_section(screen, decision)], screen)
    if limits.stated:
        st.button(
            "Take the best setting",
            key="take_best",
            type="primary",
            on_click=take_best(decision),
            disabled=take_best(decision) is None,
        )
with_coins = st.toggle(
    "Show how much of the error is chance of the coins",
    key="coin_band",
    help="Draws the error of the chosen strategy under five sets of coins. It takes some seconds.",
)
band = None
if with_coins:
    folds = screen.folds
    with st.spinner("Throwing other coins"):
        band = screen.results.remembered(
            ("coin band", screen.strategy, screen.k, folds),
            lambda: noise_band(screen.experiment, screen.strategy, screen.k, folds),
        )
draw_sections([views_section(screen, decision, band)], screen)
draw_sections(sections_below_views(screen, decision), screen)
if st.toggle(
    "Show what happens when all queries are asked again and again",
    key="over_time",
    help="On large data it takes up to a minute. It goes on in the background.",
):
    draw_over_time(screen)
draw_record(screen, decision)
