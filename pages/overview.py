"""How many people are exposed, what protecting them costs, and what another strategy would do."""

from __future__ import annotations

import streamlit as st

from pages.parts.comparison.compare import draw_comparison
from pages.parts.comparison.difference import OVERVIEW
from pages.parts.drawing.charts import draw_figure
from pages.parts.frame import this_screen
from pages.parts.overview.figure import (
    make_overview_figure,
    overview_table,
    overview_title,
    standings,
)
from pages.parts.overview.words import (
    alternatives_sentence,
    cards,
    cost_sentence,
    exposure_sentence,
)
from pages.parts.tradeoff.figures import PRIVACY_RISK

screen = this_screen()
found = standings(screen)

st.markdown(f"{exposure_sentence(screen, found)} {cost_sentence(screen, found)}")
st.markdown(alternatives_sentence(screen, found))
with st.grid(4, min_column_width=165):
    for card in cards(screen, found):
        with st.container(border=True, gap="xxsmall", height="stretch"):
            st.metric(card.label, card.value, card.delta, delta_color="inverse", help=card.help)
            # Below, where it wraps: beside the difference it would be cut on narrow screens.
            st.caption("  \n".join(filter(None, (card.compared, card.beside))))

draw_comparison(screen, OVERVIEW, "overview")

title = overview_title(found, *screen.compared)
draw_figure(
    make_overview_figure(found, screen.strategy, title),
    overview_table(found),
    screen,
    name="overview",
    alt=f"Vulnerable users, mean privacy risk and error of each strategy. {title}",
    formula=PRIVACY_RISK,
)
st.caption(
    f"{screen.title}, k = {screen.k}, {screen.folds_phrase}. With DP (differential privacy) every "
    "use of a user's ratings beyond the first τ may be answered with a random rating."
)
