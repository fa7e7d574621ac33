"""The sections of the page Neighborhoods."""

from __future__ import annotations

from typing import Final

from pages.contents.neighborhoods.curves import Curves, growth_curves
from pages.contents.neighborhoods.figures import curves_table, make_curves_figure, small_table
from pages.contents.neighborhoods.words import (
    CURVE_WORDS,
    TEST,
    CurveWords,
    bands_sentence,
    significance_sentence,
)
from pages.parts.measures import (
    CO_RATINGS_20,
    CO_RATINGS_100,
    NEIGHBORS_20,
    NEIGHBORS_100,
)
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section

QUESTION: Final = (
    "How many neighbors does a user meet, what do they have in common, and is the difference to "
    "UserKNN significant?"
)


def make_sections(screen: Screen) -> list[Section]:
    """Return how many neighbors users meet, and how much they have in common."""
    k, folds = screen.k, len(screen.folds)
    curves = {
        measure: growth_curves(screen.results, screen.strategies, k, measure.name)
        for measure in CURVE_WORDS
    }
    return [
        Section(
            finding=[
                "**Why fewer neighbors matter:** every neighbor is one more person whose ratings "
                "go into somebody's predictions. A query needs up to k neighbors who rated the "
                "item. If those who were neighbors before serve again, fewer people are used for "
                "the same predictions, and they have more in common with the person who asks."
            ],
            compared=(NEIGHBORS_20, NEIGHBORS_100, CO_RATINGS_20, CO_RATINGS_100),
        ),
        *(_growth_section(screen, measure, growth, folds) for measure, growth in curves.items()),
        Section(
            caption=f"{screen.title}, k = {k}, {screen.folds_phrase}. "
            f"{bands_sentence(curves, folds)} "
            "In brackets: the difference to UserKNN. The tests are against UserKNN, or against the "
            "strategy that the row names. *: significant in all folds. r: how far apart the "
            "users' values are, over all q, from 0, not at all, to about 0.87, where all users "
            "of one side are above all of the other. The values at q are those of the users with "
            "at least q queries, so users further right are more active. τ plays no part: "
            "neighbors are chosen before anything is protected.",
            details={"How it is tested": TEST},
        ),
    ]


def _growth_section(screen: Screen, measure: CurveWords, curves: Curves, folds: int) -> Section:
    title = measure.make_title(curves, *screen.compared)
    name = measure.name.replace("_", "-")
    figure = make_curves_figure(curves, screen.strategy, measure.y_title, measure.strip_heading)
    return Section(
        finding=[significance_sentence(curves, measure.reuse, folds)],
        exhibits=[
            Exhibit(
                name=name,
                alt=f"{measure.subject}, after q queries, a line for each strategy",
                title=title,
                table=curves_table(curves),
                figure=figure,
                formula=measure.formula,
            ),
            Exhibit(
                name=f"{name}-at-q",
                alt=f"{measure.subject}, after a few numbers of queries",
                table=small_table(curves).reset_index(),
            ),
        ],
    )
