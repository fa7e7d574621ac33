"""What protection costs in accuracy, and what it saves in privacy risk."""

from __future__ import annotations

import streamlit as st

from pages.parts.comparison.compare import draw_comparison
from pages.parts.comparison.difference import MAE_WITH, MAE_WITHOUT, PROTECTED, RISK, RISK_WITHOUT
from pages.parts.drawing.charts import draw_below_table, draw_figure
from pages.parts.frame import this_screen
from pages.parts.tradeoff.figures import (
    MAE,
    PRIVACY_RISK,
    make_over_k_figure,
    outcomes,
    outcomes_table,
    over_k,
    over_k_table,
    over_k_title,
    tradeoff_sentence,
    tradeoff_title,
)
from pages.parts.tradeoff.pareto import find_curves, find_front
from pages.parts.tradeoff.pareto_figure import (
    front_sentence,
    front_table,
    make_pareto_figure,
    shown_front,
    take_point,
)

screen = this_screen()
results, k, tau = screen.results, screen.k, screen.tau

found = outcomes(results, screen.strategies, k, tau)
st.markdown(tradeoff_sentence(found, screen.strategy))
draw_comparison(screen, (MAE_WITH, MAE_WITHOUT, RISK, RISK_WITHOUT, PROTECTED), "tradeoff")
title = tradeoff_title(found, screen.strategy)
curves = find_curves(results, screen.strategies, k)
front = find_front(results, screen.strategies, k)
draw_figure(
    make_pareto_figure(found, curves, front, strategy=screen.strategy, k=k, tau=tau, title=title),
    outcomes_table(found),
    screen,
    name="tradeoff",
    alt="Mean absolute error against mean privacy risk, a curve over τ for each strategy and k, "
    f"the best settings circled. {title}",
    formula=PRIVACY_RISK,
    on_pick=take_point,
)
ks = results.ks(k)
st.markdown(front_sentence(found, front, screen.strategy, k))
others = ", ".join(str(other) for other in ks if other != k)
st.caption(
    f"Large marks: the settings of the sidebar. Lines: from τ = 0, left, to no DP at k = {k}; "
    f"faint lines: the other k ({others or 'none yet'}). "
    "Blue circles: the Pareto front, settings that no other one beats in both error and privacy "
    "risk, of all these strategies and k with every whole τ; it may go on to the right. Click a "
    "point to set its strategy, k and τ."
)
with st.expander("The settings on the Pareto front", type="compact", icon=":material/flag:"):
    st.dataframe(
        front_table(shown_front(front)),
        hide_index=True,
        alt="Settings that no other beats, the safest first",
    )
    if len(front) > len(shown_front(front)):
        st.caption(f"A selection of {len(front):,} settings; the download has all.")
    draw_below_table(front_table(front), screen, name="pareto-front")

by_k = over_k(results, screen.strategies, ks, tau)
title = over_k_title(by_k, ks, screen.strategy, k, "mae")
draw_figure(
    make_over_k_figure(by_k, ks, screen.strategy, "mae", title),
    over_k_table(by_k, ks, "mae"),
    screen,
    name="mae-over-k",
    alt=f"Mean absolute error for each k, a line for each strategy. {title}",
    formula=MAE,
)
title = over_k_title(by_k, ks, screen.strategy, k, "privacy_risk")
draw_figure(
    make_over_k_figure(by_k, ks, screen.strategy, "privacy_risk", title),
    over_k_table(by_k, ks, "privacy_risk"),
    screen,
    name="risk-over-k",
    alt=f"Mean privacy risk for each k, a line for each strategy, logarithmic. {title}",
    formula=PRIVACY_RISK,
)
st.caption(
    f"{screen.title}, {screen.folds_phrase}; the same τ at every k. Error bars: from the lowest to "
    "the highest fold. With full DP the privacy risk "
    "is 0, which has no place on a logarithmic axis. DP, differential privacy: a protected rating "
    "is replaced with a random one in a quarter of its uses. With DP only vulnerable users are "
    "protected, after their first τ uses; with full DP everybody is, from the first use."
)
