"""The pictures of randomized response: answers, estimates, discrete beside continuous noise."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from engine.coins import Coins
from engine.many_answers import AnswerCounts, Estimates
from pages.parts.drawing.layout import HATCH, NOISY_USE, REAL_USE, add_level, band, lay_out
from pages.parts.wording import exactly


def make_tally_figure(counts: AnswerCounts, most: int) -> go.Figure:
    """Return how often each value was answered; `most` answers fill the height.

    The answers that a coin decided are real and stand below those that came at random.
    """
    labels = [exactly(level) for level in counts.levels]
    figure = go.Figure(
        [
            go.Bar(
                x=labels,
                y=counts.by_coins,
                name="real: a coin showed heads",
                marker_color=REAL_USE,
                hovertemplate="%{y:,} real answers of %{x}<extra></extra>",
            ),
            go.Bar(
                x=labels,
                y=counts.at_random,
                name="random: both coins showed tails",
                marker={"color": NOISY_USE, "pattern": HATCH},
                hovertemplate="%{y:,} random answers of %{x}<extra></extra>",
            ),
        ]
    )
    return lay_out(
        figure,
        height=340,
        barmode="stack",
        xaxis={"title": "answer", "type": "category"},
        yaxis={"title": "answers", "range": [0, max(most, 1)]},
    )


def make_estimates_figure(fresh: Estimates, memoised: Estimates, rating: float) -> go.Figure:
    """Return what observers take for the rating against the number of answers they saw."""
    figure = go.Figure()
    for estimates, name, color, dash in (
        (memoised, "memoised answers", NOISY_USE, "dot"),
        (fresh, "fresh answers", REAL_USE, "solid"),
    ):
        edges = estimates.low, estimates.high
        figure.add_trace(band(estimates.asks, *edges, color, 0.2, showlegend=False))
        figure.add_trace(
            go.Scatter(
                x=estimates.asks,
                y=estimates.middle,
                mode="lines",
                name=name,
                line={"color": color, "width": 3, "dash": dash},
                hovertemplate="%{y:.2f} after %{x:,} answers<extra>" + name + "</extra>",
            )
        )
    lay_out(
        figure,
        height=380,
        xaxis={
            "title": "answers about the same rating",
            "type": "log",
            "dtick": 1,
            "tickformat": ",",
        },
        yaxis_title="estimate of the rating",
    )
    add_level(figure, rating, f"the real rating, {exactly(rating)}")
    return figure


def make_noise_figure(discrete: Coins, continuous: Coins, levels: np.ndarray) -> go.Figure:
    """Return the answers of both kinds of noise side by side, a dot for each answer, from below."""
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.06)
    for column, coins in enumerate((discrete, continuous), start=1):
        turn = np.arange(1, coins.answers.size + 1)
        for which, name, color, symbol in (
            (coins.real, "real", REAL_USE, "circle"),
            (~coins.real, "random", NOISY_USE, "x"),
        ):
            figure.add_trace(
                go.Scatter(
                    x=coins.answers[which],
                    y=turn[which],
                    mode="markers",
                    name=name,
                    showlegend=column == 1,
                    marker={"color": color, "symbol": symbol, "size": 6},
                    hovertemplate="answer %{y}: %{x:.2f}<extra>" + name + "</extra>",
                ),
                row=1,
                col=column,
            )
    lay_out(figure, height=380, top=95)
    step = float(levels[1] - levels[0])
    figure.update_xaxes(
        tickvals=levels if levels.size <= 10 else levels[::4],
        range=[levels[0] - step / 2, levels[-1] + step / 2],
        showgrid=True,
    )
    figure.update_xaxes(title_text="discrete noise", row=1, col=1)
    figure.update_xaxes(title_text="continuous noise", row=1, col=2)
    figure.update_yaxes(title_text="number of the answer", row=1, col=1)
    return figure
