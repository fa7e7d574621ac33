"""How many neighbors a user meets as queries are asked, and how much they have in common."""

from __future__ import annotations

import streamlit as st

from pages.parts.charts import draw_figure
from pages.parts.compare import draw_comparison
from pages.parts.difference import CO_RATINGS_20, CO_RATINGS_100, NEIGHBORS_20, NEIGHBORS_100
from pages.parts.frame import this_screen
from pages.parts.neighborhood_figures import (
    CO_RATINGS,
    NEIGHBORS,
    co_ratings_title,
    curves_table,
    make_curves_figure,
    neighbors_title,
)

screen = this_screen()
results, k = screen.results, screen.k
neighbors = {s: results.neighbors_at_q(s, k) for s in screen.strategies}
co_ratings = {s: results.co_ratings_at_q(s, k) for s in screen.strategies}

st.markdown(
    "Every query needs up to k neighbors who rated the item. Whoever was a neighbor before can "
    "serve again: then the data of fewer people is used for a user."
)
draw_comparison(
    screen, (NEIGHBORS_20, NEIGHBORS_100, CO_RATINGS_20, CO_RATINGS_100), "neighborhoods"
)

title = neighbors_title(neighbors, *screen.compared)
draw_figure(
    make_curves_figure(neighbors, screen.strategy, title, "neighbors so far, mean over users"),
    curves_table(neighbors),
    screen,
    name="neighbors",
    alt=f"Neighbors of a user after q queries, a line for each strategy. {title}",
    formula=NEIGHBORS,
)
title = co_ratings_title(co_ratings, *screen.compared)
draw_figure(
    make_curves_figure(
        co_ratings, screen.strategy, title, "items rated by both, mean over neighbors"
    ),
    curves_table(co_ratings),
    screen,
    name="co-ratings",
    alt=f"Items that a user and a neighbor both rated, after q queries, for each strategy. {title}",
    formula=CO_RATINGS,
)
st.caption(
    f"{screen.title}, k = {k}, {screen.folds_phrase}. At q stand the users with at least q "
    "queries: the further right, the more active the users. τ plays no part: neighbors are chosen "
    "before anything is protected."
)
