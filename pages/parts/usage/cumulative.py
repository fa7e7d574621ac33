"""The cumulative view of data usage: which share of the users is used at most so often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.drawing.margin_list import Entry, add_margin_list
from pages.parts.usage.counts import Bins, UsagePanel
from pages.parts.wording import exactly, percent, wrapped

_HEIGHT: Final = 440
#: A marker on every so many bins.
_MARKER_EVERY: Final = 6


def make_cumulative_figure(
    panels: Sequence[UsagePanel], chosen: str, bins: Bins, tau: float, title: str
) -> go.Figure:
    """Return a line a strategy, which meets tau at the share of secure users.

    The custom data of a point is the usage up to which it counts, in a plain list.
    """
    figure = go.Figure()
    bounds = bins.bounds(tau)
    for place, panel in sorted(enumerate(panels), key=lambda pair: pair[1].strategy == chosen):
        figure.add_trace(_curve(panel, bins, bounds, place, strong=panel.strategy == chosen))
    # Usage is a whole number: at most 92.89 times is at most 92 times.
    end, at = float(bins.place(bounds[-1])), float(bins.place(np.floor(tau)))
    left = at > 0.7 * end
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={
            "title": "times a user's data was used, at most"
            + (" (some are used more often)" if bins.cut else "")
            + (" (steps like a logarithm)" if bins.scale == "logarithmic" else ""),
            "range": [0, max(end, at, 1.0) + 0.3],
            # A title of its own would be the place on the axis, not the usage.
            "unifiedhovertitle": {"text": "share of the users"},
            **bins.ticks(every=2),
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={"title": "share of the users", "range": [0, 1.02], "tickformat": ".0%"},
        height=_HEIGHT,
        margin={"t": 85, "b": 70, "l": 70, "r": 215},
        showlegend=False,
        hovermode="x unified",
        uirevision="keep",
        shapes=[
            {
                "type": "line",
                "x0": at,
                "x1": at,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": palette.INK, "width": 2.5, "dash": "dash"},
            }
        ],
    )
    figure.add_annotation(
        x=at,
        y=1,
        yref="paper",
        text=f"<b>τ = {exactly(tau)} ↓</b>" if left else f"<b>↓ τ = {exactly(tau)}</b>",
        showarrow=False,
        xanchor="right" if left else "left",
        xshift=6 if left else -6,
        yanchor="bottom",
        font_size=13,
    )
    entries = [
        Entry(
            palette.GLYPH[panel.strategy],
            palette.COLOR[panel.strategy],
            f"{panel.name}  {percent(1 - panel.vulnerable_share(tau))}",
            strong=panel.strategy == chosen,
        )
        for panel in sorted(panels, key=lambda panel: panel.vulnerable_share(tau))
    ]
    add_margin_list(figure, "Secure, used at most τ times", entries)
    return figure


def _curve(
    panel: UsagePanel, bins: Bins, bounds: np.ndarray, place: int, *, strong: bool
) -> go.Scatter:
    color = palette.COLOR[panel.strategy]
    # Each line has its markers in other bins, so that lines that coincide show both.
    bars = np.searchsorted(bins.edges, bounds, side="right") - 1
    first = np.diff(bars, prepend=-1) > 0
    marked = first & ((bars - place) % _MARKER_EVERY == 0)
    return go.Scatter(
        x=bins.place(bounds),
        y=panel.share_at_most(bounds),
        customdata=[[bound] for bound in bounds.tolist()],
        mode="lines+markers",
        name=panel.name,
        line={"color": color, "width": 4 if strong else 2},
        marker={
            "symbol": palette.SYMBOL[panel.strategy],
            "size": np.where(marked, 9 if strong else 7, 0),
            "color": color,
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        hovertemplate=f"{panel.name}: %{{y:.1%}} at most %{{customdata[0]:,}} times<extra></extra>",
    )
