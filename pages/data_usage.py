"""How often each user's data is used, and how many users are used more than tau times."""

from __future__ import annotations

import streamlit as st

from pages.parts.charts import draw_figure
from pages.parts.compare import compared_with, draw_comparison
from pages.parts.difference import PROTECTED, RISK, SECURE, VULNERABLE
from pages.parts.frame import this_screen
from pages.parts.usage_figure import UsagePanel, make_usage_figure, usage_table
from pages.parts.usage_words import (
    DATA_USAGE,
    concentration_sentence,
    usage_metrics,
    usage_sentence,
    usage_title,
)
from pages.parts.wording import STRATEGY

screen = this_screen()
results, tau, k = screen.results, screen.tau, screen.k

chosen, other = (UsagePanel(STRATEGY[s], results.usages(s, k)) for s in screen.compared)
panels = [other, chosen] if screen.compared[1] == "userknn" else [chosen, other]

st.markdown(usage_sentence(chosen, other, tau))
now, (then, name) = results.at(screen.strategy, k, tau), compared_with(screen)
with st.grid(3):
    for metric in usage_metrics(now, then, name):
        st.metric(**metric, border=True)
draw_comparison(screen, (VULNERABLE, RISK, SECURE, PROTECTED), "data-usage")

title = usage_title(chosen, other)
draw_figure(
    make_usage_figure(panels, tau, title),
    usage_table(panels, tau),
    screen,
    name="data-usage",
    alt=f"Histogram of users by how often their data is used. {title}",
    formula=DATA_USAGE,
)
st.caption(f"{screen.title}, k = {k}, {screen.folds_phrase}: each bar is the mean number of users.")
st.markdown(concentration_sentence(chosen, other))
