"""The pictures of the attacks: what is recovered under each protection, and over τ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.intervals import Share
from pages.contents.privacy_lab.attack_runs import Attacked
from pages.contents.privacy_lab.attack_words import MeasuredAttacks
from pages.parts.drawing.layout import add_mark, lay_out
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.drawing.scales import round_numbers
from pages.parts.looks import color_of, name_of, named, symbol_of
from pages.parts.wording import exactly, percent

#: What is recovered at each τ, by strategy.
OverTau: TypeAlias = Mapping[str, Sequence[Share]]


def make_attack_figure(measured: MeasuredAttacks, chosen: str) -> go.Figure:
    """Return what is recovered by strategy and protection, with 95 % intervals, and the guess."""
    figure = go.Figure()
    labels = []
    for (strategy, protection), outcome in list(measured.items())[::-1]:
        label, share = named(strategy, protection), outcome.everybody.exact
        labels.append(f"<b>{label}</b>" if strategy == chosen else label)
        # Not every strategy's marker has a form for full protection.
        symbol = "x" if protection == "full" else symbol_of(strategy, protection)
        figure.add_scatter(
            x=[100 * share.value],
            y=[labels[-1]],
            mode="markers",
            marker={"color": color_of(strategy), "symbol": symbol, "size": 11},
            error_x=_interval(share, color_of(strategy)),
            hovertemplate="%{x:.1f} %<extra>" + label + "</extra>",
            showlegend=False,
        )
    lay_out(
        figure,
        height=120 + 30 * len(labels),
        left=190,
        top=95,
        xaxis={"title": "recovered ratings, %", "range": [0, 101], "showgrid": True},
        yaxis={"categoryorder": "array", "categoryarray": labels},
    )
    guess = list(measured.values())[-1].everybody.baseline.value
    if np.isfinite(guess):
        add_mark(figure, 100 * guess, "guessing")
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


def over_tau_table(over_tau: OverTau, taus: Sequence[int]) -> pd.DataFrame:
    """Return what is recovered at each τ, with 95 % intervals, for each strategy."""
    return pd.DataFrame(
        [
            {"strategy": name_of(strategy), "τ": tau}
            | {"recovered": share.value, "low": share.low, "high": share.high}
            for strategy, shares in over_tau.items()
            for tau, share in zip(taus, shares, strict=True)
        ]
    )


def make_over_tau_figure(over_tau: OverTau, taus: Sequence[int], chosen: str) -> go.Figure:
    """Return what is recovered over τ, a line for each strategy with the band of its interval."""
    figure = make_lines_figure(
        taus,
        [
            Line(
                name_of(strategy),
                strategy,
                100 * np.array([share.value for share in shares]),
                strong=strategy == chosen,
                low=100 * np.array([share.low for share in shares]),
                high=100 * np.array([share.high for share in shares]),
                band=True,
            )
            for strategy, shares in over_tau.items()
        ],
        x_title="threshold τ, logarithmic",
        y_title="recovered ratings, %",
        text=lambda value: percent(value / 100),
    )
    return figure.update_xaxes(
        type="log", tickvals=list(taus), ticktext=[exactly(tau) for tau in taus]
    )


def over_tau_title(over_tau: OverTau, taus: Sequence[int], chosen: str) -> str:
    """Return what the smallest τ changes against the largest, for the chosen strategy."""
    name, values = name_of(chosen), [share.value for share in over_tau[chosen]]
    first, last = percent(values[0]), percent(values[-1])
    if values[0] == values[-1] or first == last:
        return f"With {name} a lower τ changes nothing: {first}"
    return (
        f"With {name} the adversary recovers {first} at τ = {exactly(taus[0])}, and {last} at "
        f"τ = {exactly(taus[-1])}"
    )
