"""The trade-off over every strategy, k and tau, as a picture to click on, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.parts.address import write_tau
from pages.parts.drawing import palette
from pages.parts.tradeoff.figures import REACH, Outcome, find, make_tradeoff_figure
from pages.parts.tradeoff.pareto import Curve, Point
from pages.parts.wording import STRATEGY, exactly, number

_FRONT_COLOR: Final = palette.SECURE
#: Of a longer front every other point is shown, or every third, and so on.
_MOST_OF_FRONT: Final = 100
#: What stands apart from the picture when a point is clicked: nothing.
_UNCHANGED: Final = {"marker": {"opacity": 1}}


def take_point(setting: list[Any]) -> None:
    """Set strategy, k and tau to those of a point that was clicked."""
    strategy, k, tau = setting
    if strategy not in STRATEGY:
        return
    st.session_state.strategy = strategy
    st.session_state.k = str(int(k))
    st.session_state.tau = write_tau(float(tau))


def make_pareto_figure(
    found: Sequence[Outcome],
    curves: Sequence[Curve],
    front: Sequence[Point],
    *,
    strategy: str,
    k: int,
    tau: float,
    title: str,
) -> go.Figure:
    """Return the outcomes at this k and tau, on the curves over tau of every strategy and k.

    The curves of the other k are faint. The custom data of every point are the strategy, k and tau
    that lead to it, as plain lists: arrays would not come back from the browser.
    """
    reach = REACH * max(outcome.at.privacy_risk for outcome in found)
    best = [point.error for point in front if point.risk <= reach]
    figure = make_tradeoff_figure(found, strategy, title, best)
    largest = {curve.strategy: int(curve.taus[-1]) for curve in curves if curve.k == k}
    for mark, outcome in zip(figure.data, found, strict=True):
        at = {"none": largest.get(outcome.strategy, tau), "full": 0}.get(outcome.protection, tau)
        mark.update(
            customdata=[[outcome.strategy, k, at]], selected=_UNCHANGED, unselected=_UNCHANGED
        )
    marks = figure.data
    for curve in curves:
        figure.add_trace(_curve(curve, strong=curve.k == k))
    if front:
        figure.add_trace(_front(shown_front(front)))
    figure.data = (*figure.data[len(marks) :], *marks)
    return figure.update_layout(hovermode="closest")


def shown_front(front: Sequence[Point]) -> Sequence[Point]:
    """Return so many points of a front, evenly among all, as a figure or a table has room for."""
    return front[:: 1 + len(front) // _MOST_OF_FRONT]


def _curve(curve: Curve, strong: bool) -> go.Scatter:
    color = palette.COLOR[curve.strategy]
    return _settings(
        curve.risks.tolist(),
        curve.errors.tolist(),
        [[curve.strategy, curve.k, tau] for tau in curve.taus.tolist()],
        f"{STRATEGY[curve.strategy]}, k = {curve.k}",
        line={"color": color, "width": 1.5 if strong else 1},
        # Without a marker there is nothing to click on.
        marker={"size": 3, "color": color, "opacity": 1},
        opacity=0.8 if strong else 0.2,
    )


def _front(front: Sequence[Point]) -> go.Scatter:
    return _settings(
        [point.risk for point in front],
        [point.error for point in front],
        [[point.strategy, point.k, point.tau] for point in front],
        "Pareto front",
        line={"color": _FRONT_COLOR, "width": 1.5, "dash": "dot", "shape": "hv"},
        marker={
            "symbol": "circle-open",
            "size": 6,
            "color": _FRONT_COLOR,
            "opacity": 1,
            "line": {"width": 1.5},
        },
    )


def _settings(
    risks: list[float], errors: list[float], settings: list[list[Any]], name: str, **style: Any
) -> go.Scatter:
    names = [STRATEGY[strategy] for strategy, _, _ in settings]
    return go.Scatter(
        x=risks,
        y=errors,
        customdata=settings,
        text=names,
        mode="lines+markers",
        name=name,
        selected=_UNCHANGED,
        unselected=_UNCHANGED,
        hovertemplate="%{text}, k = %{customdata[1]}, τ = %{customdata[2]:,}<br>MAE %{y:.4f}<br>"
        "mean privacy risk %{x:,.2f}"
        + ("<br>on the Pareto front" if name == "Pareto front" else "")
        + "<extra></extra>",
        **style,
    )


def front_table(front: Sequence[Point]) -> pd.DataFrame:
    """Return the settings on the front, the safest first."""
    return pd.DataFrame(
        {
            "strategy": [STRATEGY[point.strategy] for point in front],
            "k": [point.k for point in front],
            "τ": [point.tau for point in front],
            "mean privacy risk": [point.risk for point in front],
            "MAE": [point.error for point in front],
        }
    )


def front_sentence(found: Sequence[Outcome], front: Sequence[Point], strategy: str, k: int) -> str:
    """Return the setting with the least error at no more risk than the one looked at."""
    now = find(found, strategy, "vulnerable")
    within = [point for point in front if point.risk <= now.at.privacy_risk]
    best = min(within, key=lambda point: point.error, default=None)
    if best is None or number(best.error, 3) == now.shown("mae") or best.error >= now.at.mae:
        return (
            f"No other setting has less error (MAE {now.shown('mae')}, rounded) at no more "
            f"privacy risk than the {now.shown('privacy_risk')} you look at."
        )
    return (
        f"With no more privacy risk than the {now.shown('privacy_risk')} you look at, the least "
        f"error is **{number(best.error, 3)}** instead of {now.shown('mae')}: "
        f"{STRATEGY[best.strategy]}, k = {best.k}, τ = {exactly(best.tau)} "
        f"(risk {number(best.risk)})."
        + (
            " Risk counts uses without DP only: with a larger k there are more uses with DP, too, "
            "and answers about the same rating add up."
            if best.k > k
            else ""
        )
    )
