"""How often each user's data is used, and how many users are used more than tau times."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.address import write_tau
from pages.parts.comparison.compare import compared_with, draw_comparison
from pages.parts.comparison.difference import PROTECTED, RISK, SECURE, VULNERABLE
from pages.parts.drawing.charts import draw_below_table, draw_figure
from pages.parts.frame import this_screen
from pages.parts.usage.counts import (
    SCALES,
    Bins,
    UsagePanel,
    cumulative_table,
    load_table,
    side_by_side,
    usage_table,
)
from pages.parts.usage.cumulative import make_cumulative_figure
from pages.parts.usage.histogram import make_usage_figure
from pages.parts.usage.rules import rules_table, suggestions
from pages.parts.usage.words import (
    DATA_USAGE,
    LOAD,
    all_title,
    cumulative_title,
    design_sentence,
    load_sentence,
    usage_metrics,
    usage_sentence,
    usage_title,
)
from pages.parts.widget_values import show_value
from pages.parts.wording import STRATEGY, percent

TWO, ALL, CUMULATIVE = "Two strategies", "All strategies", "Cumulative"


def choose(label: str, options: tuple[str, ...], name: str) -> str:
    """Draw a choice that is still made when one comes back from another page."""
    state = st.session_state

    def keep() -> None:
        state[name] = state.get(f"choose_{name}") or options[0]

    show_value(f"choose_{name}", state.get(name, options[0]))
    return str(
        st.segmented_control(
            label,
            options,
            key=f"choose_{name}",
            required=True,
            format_func=str.capitalize,
            on_change=keep,
        )
    )


def set_tau(bar: list[Any]) -> None:
    """Set tau so that the users of the bar that was clicked are the last secure ones."""
    st.session_state.tau = write_tau(float(bar[0]))


screen = this_screen()
results, tau, k = screen.results, screen.tau, screen.k

panels = {s: UsagePanel(STRATEGY[s], results.usages(s, k), s) for s in screen.strategies}
chosen, other = (panels[s] for s in screen.compared)

st.markdown(usage_sentence(chosen, other, tau))
now, (then, name) = results.at(screen.strategy, k, tau), compared_with(screen)
with st.grid(3):
    for metric in usage_metrics(now, then, name):
        st.metric(**metric, border=True)
draw_comparison(screen, (VULNERABLE, RISK, SECURE, PROTECTED), "data-usage")

with st.container(horizontal=True, gap="large"):
    view = choose("Show", (TWO, ALL, CUMULATIVE), "usage_view")
    scale = choose("Scale", SCALES, "usage_scale")
everyone = list(panels.values())
shown = side_by_side(chosen, other) if view == TWO else everyone
bins = Bins.of(scale, shown)
suggested = suggestions(results, k, patient=False)
if view == CUMULATIVE:
    name, alt = "data-usage-cumulative", "The share of users that are used at most so often"
    title = cumulative_title(chosen, other, tau)
    figure = make_cumulative_figure(shown, screen.strategy, bins, tau, title)
    table = cumulative_table(shown, bins, tau)
elif view == ALL:
    name, alt = "data-usage-all", "A histogram a strategy: users by how often their data is used"
    title = all_title(shown, tau)
    figure = make_usage_figure(shown, bins, tau, title, columns=2)
    table = usage_table(shown, bins, tau)
else:
    name, alt = "data-usage", "Histogram of users by how often their data is used"
    title = usage_title(chosen, other)
    figure = make_usage_figure(shown, bins, tau, title, rules=suggested)
    table = usage_table(shown, bins, tau)
draw_figure(
    figure, table, screen, name=name, alt=f"{alt}. {title}", formula=DATA_USAGE, on_pick=set_tau
)
st.caption(
    f"{screen.title}, k = {k}, {screen.folds_phrase}. Click the figure to set τ there: whoever is "
    "used more often is vulnerable. Without a mouse, move the slider of τ in the sidebar."
)

st.header("Rules that suggest τ")
in_folds = {rule: results.tau_in_folds(rule, k) for rule in suggested}
st.table(
    rules_table(suggested, in_folds, (chosen, other)).set_index("rule"),
    alt="The rules that suggest τ, and how many users would be vulnerable",
)
st.caption(
    "All rules look at UserKNN's data usage at this k. Here τ is the mean over the folds, the same "
    "in each; the command line takes each fold's own. To take one, choose it in the sidebar under "
    "“Suggestions for τ”."
    + ("" if "tail" in suggested else " The start of the tail is known once the run has finished.")
)

st.header("Who carries the load")
st.markdown(f"{load_sentence(chosen, other)} {design_sentence(panels, tau)}")
table = load_table(everyone)
st.table(
    table.set_index("strategy")
    .map(percent)
    .rename(columns=lambda name: name.replace(" %", "\N{NO-BREAK SPACE}%")),
    alt="Share of all uses that falls on the users who are used most, by strategy",
)
draw_below_table(table, screen, name="data-usage-load", formula=LOAD)
