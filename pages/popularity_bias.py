"""Whether popular items crowd out the others at the top of the lists."""

from __future__ import annotations

import streamlit as st

from pages.parts.comparison.compare import draw_comparison
from pages.parts.comparison.difference import COVERAGE, PP_CORR_WITH
from pages.parts.drawing.charts import draw_below_table, draw_figure
from pages.parts.frame import this_screen
from pages.parts.popularity.bias import PP_CORR, bias_sentence, bias_table, find, find_biases
from pages.parts.popularity.figures import (
    groups_table,
    groups_title,
    item_bins,
    items_title,
    make_groups_figure,
    make_items_figure,
)
from pages.parts.popularity.recommended_items import (
    Gaps,
    item_names,
    items_heading,
    items_sentence,
    items_table,
)
from pages.parts.popularity.taste import TASTE, make_taste_figure, taste_table, taste_title

screen = this_screen()
results, k, tau = screen.results, screen.k, screen.tau
popularity = results.experiment.popularity

found = find_biases(results, screen.strategies, k, tau)
chosen, base = find(found, screen.strategy, "vulnerable"), find(found, "userknn", "vulnerable")

st.markdown(bias_sentence(chosen, found))
draw_comparison(screen, (PP_CORR_WITH, COVERAGE), "popularity")
table = bias_table(found)
st.table(table.set_index("Strategy"), alt="Popularity bias and coverage of each strategy")
st.caption(
    "Differences are to UserKNN with DP. Significant: so large a difference of two correlations "
    "arises by chance less than once in a hundred times (z-test; n is the number of all "
    f"{results.experiment.ratings.n_items:,} items, also of those on no list)."
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

titles = item_names(results.experiment.ratings)
gaps = Gaps.of(popularity, chosen.lists.item_frequency)
st.header("Most over- and under-recommended items")
st.markdown(items_sentence(gaps, titles, chosen.name))
for column, over in zip(st.columns(2), (True, False), strict=True):
    with column:
        table = items_table(gaps, titles, over)
        st.markdown(items_heading(over))
        st.dataframe(
            table,
            hide_index=True,
            column_config={
                "item": st.column_config.TextColumn(width="medium"),
                "share of the ratings, %": st.column_config.NumberColumn(
                    "ratings", format="%.2f %%"
                ),
                "share of the lists, %": st.column_config.NumberColumn("lists", format="%.2f %%"),
                "ratio": st.column_config.NumberColumn(format="%.2f"),
            },
            alt=f"Items. {items_heading(over)}",
        )
        draw_below_table(table, screen, name=f"items-{'more' if over else 'less'}-often")
st.caption(
    "Ratings: the item's share of all ratings. Lists: its share of all places on top lists. "
    "Ratio: lists divided by ratings; 1 is exactly in step. Sorted by the difference of the shares."
)

st.header("By the users' own taste")
groups = {strategy: results.group_biases(strategy, k, tau) for strategy in screen.strategies}
title = taste_title(groups, screen.strategy)
draw_figure(
    make_taste_figure(groups, screen.strategy, "userknn", title),
    taste_table(groups),
    screen,
    name="popularity-taste",
    alt=f"Popularity of the top lists of two groups of users, against what they rated. {title}",
    formula=TASTE,
)
st.caption(
    f"{screen.title}, k = {k}, τ as in the sidebar; the top-10 lists of all users, "
    f"{screen.folds_phrase.replace('mean of', 'summed over')}."
)
