"""The pictures of the attacks: what is recovered under each protection, and over τ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.intervals import Share
from pages.parts.drawing.layout import add_mark, lay_out
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.drawing.scales import round_numbers
from pages.parts.lab.attack_runs import Attacked
from pages.parts.lab.attack_words import Measured
from pages.parts.looks import color_of, name_of, named, symbol_of
from pages.parts.wording import comparison, exactly, percent


def make_attack_figure(measured: Sequence[Measured], chosen: str) -> go.Figure:
    """Return what is recovered by strategy and protection, with 95 % intervals, and the guess."""
    rows = [m for m in measured if m.group == "all"][::-1]
    figure = go.Figure()
    labels = []
    for row in rows:
        label = named(row.strategy, row.protection)
        labels.append(f"<b>{label}</b>" if row.strategy == chosen else label)
        share = row.outcome.exact
        figure.add_trace(
            go.Scatter(
                x=[100 * share.value],
                y=[labels[-1]],
                mode="markers",
                marker={
                    "color": color_of(row.strategy),
                    # Not every strategy's marker has a form for full protection.
                    "symbol": "x"
                    if row.protection == "full"
                    else symbol_of(row.strategy, row.protection),
                    "size": 11,
                },
                error_x=_interval(share, color_of(row.strategy)),
                hovertemplate="%{x:.1f} %<extra>" + label + "</extra>",
                showlegend=False,
            )
        )
    lay_out(
        figure,
        height=120 + 30 * len(rows),
        left=190,
        top=95,
        xaxis={"title": "recovered ratings, %", "range": [0, 101], "showgrid": True},
        yaxis={"categoryorder": "array", "categoryarray": labels},
    )
    baseline = rows[0].outcome.baseline if rows else Share(np.nan, np.nan, np.nan)
    if np.isfinite(baseline.value):
        add_mark(figure, 100 * baseline.value, "guessing")
    return figure


def _interval(share: Share, color: str) -> dict[str, object]:
    return {
        "type": "data",
        "array": [100 * (share.high - share.value)],
        "arrayminus": [100 * (share.value - share.low)],
        "color": color,
        "thickness": 2,
        "width": 5,
    }


def attack_taus(attacked: Attacked) -> list[int]:
    """Return round numbers for τ up to the largest usage of a victim."""
    largest = max(
        int(attacked.of(strategy).data_usage.max()) for strategy in attacked.campaign.strategies
    )
    return [int(tau) for tau in round_numbers(1, 5 * max(largest, 1))]


def over_tau_table(attacked: Attacked, taus: Sequence[int]) -> pd.DataFrame:
    """Return what is recovered at each τ, with 95 % intervals, for each strategy."""
    return pd.DataFrame(
        [
            {
                "strategy": name_of(strategy),
                "τ": tau,
                "recovered": outcome.exact.value,
                "low": outcome.exact.low,
                "high": outcome.exact.high,
            }
            for strategy in attacked.campaign.strategies
            for tau in taus
            for outcome in [attacked.of(strategy).outcome("vulnerable", tau, 1).everybody]
        ]
    )


def make_over_tau_figure(
    table: pd.DataFrame, strategies: Sequence[str], taus: Sequence[int], chosen: str
) -> go.Figure:
    """Return what is recovered over τ, a line a strategy with the band of its interval."""
    lines = []
    for strategy in strategies:
        rows = table[table.strategy == name_of(strategy)]
        lines.append(
            Line(
                name_of(strategy),
                strategy,
                100 * rows.recovered.to_numpy(),
                strong=strategy == chosen,
                low=100 * rows.low.to_numpy(),
                high=100 * rows.high.to_numpy(),
                band=True,
            )
        )
    figure = make_lines_figure(
        taus,
        lines,
        x_title="threshold τ, logarithmic",
        y_title="recovered ratings, %",
        text=lambda value: percent(value / 100),
    )
    return figure.update_xaxes(
        type="log", tickvals=list(taus), ticktext=[exactly(tau) for tau in taus]
    )


def over_tau_title(table: pd.DataFrame, chosen: str) -> str:
    """Return what the smallest τ changes against the largest, for the chosen strategy."""
    rows = table[table.strategy == name_of(chosen)]
    first, last = rows.iloc[0], rows.iloc[-1]
    change = comparison(
        first.recovered, last.recovered, percent(first.recovered), percent(last.recovered),
        "less", "more", "as much",
    )  # fmt: skip
    if change == "as much":
        return f"With {name_of(chosen)} a lower τ changes nothing: {percent(first.recovered)}"
    return (
        f"With {name_of(chosen)} the adversary recovers {percent(first.recovered)} at "
        f"τ = {exactly(float(first['τ']))}, and {percent(last.recovered)} at "
        f"τ = {exactly(float(last['τ']))}"
    )
