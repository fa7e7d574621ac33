"""How many neighbors a user meets as queries are asked, and how much they have in common."""

from __future__ import annotations

import streamlit as st

from pages.parts.comparison.compare import draw_comparison
from pages.parts.comparison.difference import (
    CO_RATINGS_20,
    CO_RATINGS_100,
    NEIGHBORS_20,
    NEIGHBORS_100,
)
from pages.parts.drawing.charts import draw_figure
from pages.parts.frame import this_screen
from pages.parts.neighborhoods.curves import growth_curves
from pages.parts.neighborhoods.figures import curves_table, make_curves_figure, small_table
from pages.parts.neighborhoods.words import (
    MEASURES,
    TEST,
    bands_sentence,
    significance_sentence,
)

screen = this_screen()
results, k = screen.results, screen.k
folds = len(results.folds(k))

st.markdown(
    "Every query needs up to k neighbors who rated the item. Whoever was a neighbor before can "
    "serve again: then the data of fewer people is used for a user."
)
draw_comparison(
    screen, (NEIGHBORS_20, NEIGHBORS_100, CO_RATINGS_20, CO_RATINGS_100), "neighborhoods"
)

curves = {m: growth_curves(results, screen.strategies, k, m.name) for m in MEASURES}
for measure, found in curves.items():
    title = measure.make_title(found, *screen.compared)
    draw_figure(
        make_curves_figure(found, screen.strategy, title, measure.y_title, measure.significant),
        curves_table(found),
        screen,
        name=measure.name.replace("_", "-"),
        alt=f"{measure.shown}, after q queries, a line for each strategy. {title}",
        formula=measure.formula,
    )
    st.markdown(significance_sentence(found, measure.reuse, folds))
    st.table(small_table(found), alt=f"{measure.shown}, after 20, 50 and 100 queries")
st.caption(
    f"{screen.title}, k = {k}, {screen.folds_phrase}. "
    f"{bands_sentence(curves, folds)} "
    "In brackets: the difference to UserKNN; *: significant in all folds; r: how far apart the "
    "users' values are, over all q, from 0, not at all, to about 0.87, where all users of one side "
    "are above all of the other. At q stand the users with at least q queries: the further right, "
    "the more active the users. τ plays no part: neighbors are chosen before anything is protected."
)
with st.expander("How it is tested", type="compact", icon=":material/rule:"):
    st.markdown(TEST)
