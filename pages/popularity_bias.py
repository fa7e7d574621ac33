"""Whether popular items crowd out the others at the top of the lists."""

from __future__ import annotations

import streamlit as st

from pages.parts.charts import draw_below_table, draw_figure
from pages.parts.compare import draw_comparison
from pages.parts.difference import COVERAGE, PP_CORR_WITH
from pages.parts.frame import this_screen
from pages.parts.popularity_figures import (
    PP_CORR,
    Bias,
    bias_sentence,
    bias_table,
    find,
    groups_table,
    groups_title,
    item_bins,
    items_title,
    make_groups_figure,
    make_items_figure,
)

screen = this_screen()
results, k, tau = screen.results, screen.k, screen.tau
popularity = results.experiment.popularity

cases = [("userknn", "none"), ("userknn", "vulnerable"), ("userknn", "full")]
cases += [(strategy, "vulnerable") for strategy in screen.strategies if strategy != "userknn"]
found = [Bias(s, protection, results.top_lists(s, protection, k, tau)) for s, protection in cases]
chosen, base = find(found, screen.strategy, "vulnerable"), find(found, "userknn", "vulnerable")

st.markdown(bias_sentence(chosen, found))
draw_comparison(screen, (PP_CORR_WITH, COVERAGE), "popularity")
table = bias_table(found)
st.table(table.set_index("Strategy"), alt="Popularity bias and coverage of each strategy")
st.caption(
    "Differences are to UserKNN with DP. Significant: so large a difference of two correlations "
    "arises by chance less than once in a hundred times (z-test)."
)
draw_below_table(table, screen, name="popularity-bias", formula=PP_CORR)

title = groups_title(chosen, base, popularity)
draw_figure(
    make_groups_figure(chosen, base, popularity, title),
    groups_table(found, popularity),
    screen,
    name="popularity-groups",
    alt=f"Share of the top-list places that fall on each tenth of the items. {title}",
)
title = items_title(chosen, base)
draw_figure(
    make_items_figure(chosen, popularity, title),
    item_bins(popularity, chosen.lists.item_frequency),
    screen,
    name="popularity-items",
    alt=f"Items by their number of ratings and of top lists they are on. {title}",
)
st.caption(
    f"{screen.title}, k = {k}, τ as in the sidebar; the top-10 lists of all users, "
    f"{screen.folds_phrase.replace('mean of', 'summed over')}."
)
