"""What a tau means over time: as a rate, and when the queries are asked again and again."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from engine.strategies import STRATEGIES
from pages.contents.choose_tau.figures import make_over_time_figure
from pages.contents.choose_tau.over_time_run import (
    OverTime,
    ask_over_time,
)
from pages.contents.choose_tau.over_time_words import (
    over_time_sentences,
    over_time_title,
    service_rate_sentence,
)
from pages.parts.drawing.page import draw_sections
from pages.parts.looks import color_of, name_of
from pages.parts.runs.on_demand import draw_unfinished
from pages.parts.runs.runs_of_ratings import Kind
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section

#: How often the queries are asked again, at most.
_MOST_ROUNDS: Final = 20


def rate_section(screen: Screen) -> Section:
    """Return what tau is as a rate."""
    fold = screen.experiment.fold(screen.folds[0])
    return Section(
        heading="Over time",
        finding=[service_rate_sentence(screen.tau, fold.n_queries)],
    )


def draw_over_time(screen: Screen) -> None:
    """Draw what becomes of a tau that is fixed today, or how far the run is that works it out."""
    if STRATEGIES[screen.strategy].reuses_over_time:
        st.info(
            f"What becomes of {name_of(screen.strategy)} when the queries are asked again is not "
            "known: its neighbors can change with every round. Choose another strategy."
        )
        return
    tau = int(screen.tau)
    run = ask_over_time(screen.experiment, screen.strategy, screen.k, tau, screen.folds)
    if run.state == "finished":
        draw_sections([over_time_section(screen, run.result)], screen)
    else:
        draw_unfinished(Kind.OVER_TIME, run)


def over_time_section(screen: Screen, asked: OverTime) -> Section:
    """Return what becomes of a tau that is fixed today."""
    over_time, table = asked.vulnerable, asked.table
    assert over_time is not None, "the run has finished"
    assert table is not None
    rounds = np.geomspace(0.1, _MOST_ROUNDS, 160)
    once = float(over_time.share(np.array([1.0]))[0])
    limit = screen.view.limits.max_vulnerable
    return Section(
        finding=[over_time_sentences(over_time, asked.tau, _MOST_ROUNDS, limit)],
        exhibits=[
            Exhibit(
                name="tau-over-time",
                alt="Share of vulnerable users as the queries are asked again and again",
                title=over_time_title(over_time, _MOST_ROUNDS),
                table=table,
                figure=make_over_time_figure(over_time, rounds, once, color_of(asked.strategy)),
            )
        ],
        caption="A model and no forecast: the same queries come in the same order, again and "
        "again, and coins are thrown anew. Real users rate more and ask for other items.",
    )
