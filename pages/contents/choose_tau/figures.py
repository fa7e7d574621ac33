"""Three linked views over tau, what no strategy can change, and what time does to a fixed tau."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from engine.candidates import Candidate
from engine.noise_band import NoiseBand
from engine.privacy import whole_uses
from engine.repeated_queries import VulnerableOverTime
from engine.tau_choice import TauChoice
from pages.contents.tradeoff.pareto import thinned_taus
from pages.parts.drawing.layout import INK, UNCHANGED, band, lay_out, tau_name, vertical_mark
from pages.parts.drawing.scales import log_axis, round_numbers, share_ticks
from pages.parts.looks import color_of, name_of
from pages.parts.wording import exactly, percent

#: The views, from top to bottom: the metric and what its axis says.
VIEWS: Final = {
    "vulnerable_share": "vulnerable users",
    "mae": "error (MAE)",
    "privacy_risk": "mean privacy risk",
}
_POINTS: Final = 140
#: Stretches of tau that are shaded; more would not be told apart.
_MOST_STRETCHES: Final = 12
_GOOD: Final = "rgba(0, 114, 178, 0.13)"


def on_axis(tau: Any) -> Any:
    """Return where one tau, or an array of them, stands on the logarithmic axis; 0 has a place."""
    return tau + 1.0


def make_views_figure(
    candidates: Sequence[Candidate],
    choice: TauChoice,
    tau: float,
    coins: NoiseBand | None,
) -> go.Figure:
    """Return vulnerable users, error and risk over tau, one below the other on the same axis.

    All strategies at the k of the choice are faint. The chosen one is strong, with a band from the
    lowest to the highest fold. The shaded stretches are those where its limits hold. The custom
    data of a point is its tau, in a plain list.
    """
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.05)
    chosen = choice.candidate
    for candidate in sorted(candidates, key=lambda c: c is chosen):
        if candidate.k != chosen.k:
            continue
        for row, metric in enumerate(VIEWS, start=1):
            if candidate is chosen:
                figure.add_trace(_band(candidate, metric), row=row, col=1)
                if coins is not None and metric == "mae":
                    figure.add_trace(_coin_band(candidate, coins), row=row, col=1)
            figure.add_trace(
                _curve(candidate, metric, strong=candidate is chosen, legend=row == 1),
                row=row,
                col=1,
            )
    largest = max(c.largest for c in candidates if c.k == chosen.k)
    _draw_axes(figure, largest)
    _draw_marks(figure, choice, tau, largest)
    return figure


def _taus(candidate: Candidate) -> np.ndarray:
    return thinned_taus(candidate.largest, _POINTS)


def _curve(candidate: Candidate, metric: str, *, strong: bool, legend: bool) -> go.Scatter:
    taus, name = _taus(candidate), name_of(candidate.strategy)
    return go.Scatter(
        x=on_axis(taus),
        y=candidate.sweep.mean(metric)[taus],
        customdata=[[int(tau)] for tau in taus],
        mode="lines+markers",
        name=name,
        legendgroup=candidate.strategy,
        showlegend=legend,
        opacity=1 if strong else 0.45,
        line={"color": color_of(candidate.strategy), "width": 3.5 if strong else 1.5},
        # Without a marker there is nothing to click on.
        marker={"size": 4 if strong else 2, "color": color_of(candidate.strategy), "opacity": 1},
        selected=UNCHANGED,
        unselected=UNCHANGED,
        hovertemplate=f"{name}, τ = %{{customdata[0]:,}}: %{{y:,.4~r}}<extra></extra>",
    )


def _band(candidate: Candidate, metric: str) -> go.Scatter:
    taus = _taus(candidate)
    edges = candidate.sweep.lowest(metric)[taus], candidate.sweep.highest(metric)[taus]
    color, name = color_of(candidate.strategy), "lowest to highest fold"
    return band(on_axis(taus), *edges, color, 0.25, name=name, showlegend=False)


def _coin_band(candidate: Candidate, coins: NoiseBand) -> go.Scatter:
    taus = _taus(candidate)
    edges = coins.lowest[taus], coins.highest[taus]
    return band(on_axis(taus), *edges, INK, 0.45, name="under other coins", showlegend=False)


def _draw_axes(figure: go.Figure, largest: int) -> None:
    end = on_axis(max(largest, 1))
    ticks = [0.0, *round_numbers(1, max(largest, 1))]
    figure.update_xaxes(
        type="log",
        range=[-0.04, float(np.log10(end)) + 0.04],
        tickvals=[on_axis(tick) for tick in ticks],
        ticktext=[exactly(tick) for tick in ticks],
    )
    figure.update_xaxes(title="threshold τ (steps like a logarithm)", row=3, col=1)
    for row, (metric, title) in enumerate(VIEWS.items(), start=1):
        form: dict[str, Any] = share_ticks(1) if metric == "vulnerable_share" else {"nticks": 5}
        figure.update_yaxes(title=title, row=row, col=1, **form)
    lay_out(
        figure,
        height=680,
        top=70,
        bottom=110,
        hovermode="closest",
        legend={"itemclick": False, "itemdoubleclick": False},
    )


def _draw_marks(figure: go.Figure, choice: TauChoice, tau: float, largest: int) -> None:
    """Draw the current tau through all views, where the limits hold, and the limits themselves."""
    end = on_axis(max(largest, 1))
    position = min(on_axis(whole_uses(tau)), end)
    rows = ("", "2", "3")
    shapes, _ = vertical_mark(position, "", end, panels=len(rows))
    shapes += [
        {
            "type": "rect",
            "x0": max(on_axis(first) - 0.5, 0.92),
            "x1": min(on_axis(last) + 0.5, end * 1.05),
            "xref": f"x{row}",
            "y0": 0,
            "y1": 1,
            "yref": f"y{row} domain",
            "fillcolor": _GOOD,
            "line": {"width": 0},
            "layer": "below",
        }
        for row in rows
        for first, last in _stretches(choice)
    ]
    bounds = choice.candidate.bounds(choice.limits)
    shapes += [
        {
            "type": "line",
            "x0": 0,
            "x1": 1,
            "xref": f"x{row} domain",
            "y0": bounds[metric],
            "y1": bounds[metric],
            "yref": f"y{row}",
            "line": {"color": INK, "width": 1.5, "dash": "dot"},
        }
        for row, metric in zip(rows, VIEWS, strict=True)
        if metric in bounds
    ]
    left = position > end**0.6
    label = {
        "text": tau_name(tau) + (" →" if on_axis(tau) > end else ""),
        "x": float(np.log10(position)),
        "xref": "x",
        "y": 1,
        "yref": "y domain",
        "yanchor": "bottom",
        "xanchor": "right" if left else "left",
        "showarrow": False,
    }
    figure.update_layout(shapes=shapes, annotations=[label])


def _stretches(choice: TauChoice) -> list[tuple[int, int]]:
    """Return where the limits hold, the longest stretches if there are very many."""
    if not choice.limits.stated:
        return []
    longest = sorted(choice.ranges, key=lambda ends: ends[0] - ends[1])[:_MOST_STRETCHES]
    return sorted(longest)


def make_over_time_figure(
    over_time: VulnerableOverTime, rounds: np.ndarray, renewed_share: float, color: str
) -> go.Figure:
    """Return the share of vulnerable users as the queries are asked again and again."""
    figure = go.Figure()
    curves: Mapping[str, tuple[np.ndarray, str]] = {
        "τ fixed once and for all": (over_time.share(rounds), "solid"),
        "τ renewed each time (a budget per period)": (
            np.full(rounds.size, renewed_share),
            "dash",
        ),
    }
    for name, (shares, dash) in curves.items():
        figure.add_scatter(
            x=rounds,
            y=shares,
            mode="lines",
            name=name,
            line={"color": color, "width": 3, "dash": dash},
            text=[percent(share) for share in shares],
            hovertemplate=f"%{{text}} of the users, {name}<extra></extra>",
        )
    return lay_out(
        figure,
        height=380,
        top=30,
        bottom=110,
        xaxis={
            "title": "how often all queries of a fold have been asked",
            **log_axis(float(rounds[0]), float(rounds[-1])),
        },
        yaxis={"title": "vulnerable users", "range": [0, 1.02], **share_ticks(1)},
        hovermode="x unified",
    )
