"""The cumulative view of data usage: which share of the users is used at most so often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from pages.parts import palette
from pages.parts.margin_list import Entry, add_margin_list
from pages.parts.usage_counts import Bins, UsagePanel
from pages.parts.wording import exactly, percent, wrapped

_HEIGHT: Final = 440
#: A marker on every so many points.
_MARKER_EVERY: Final = 5


def make_cumulative_figure(
    panels: Sequence[UsagePanel], chosen: str, bins: Bins, tau: float, title: str
) -> go.Figure:
    """Return a line a strategy, which meets tau at the share of secure users.

    The custom data of a point is the usage up to which it counts, in a plain list.
    """
    figure = go.Figure()
    ends = np.arange(1, bins.edges.size)
    for panel in sorted(panels, key=lambda panel: panel.strategy == chosen):
        strong = panel.strategy == chosen
        color = palette.COLOR[panel.strategy]
        figure.add_scatter(
            x=ends,
            y=panel.share_at_most(bins.highest),
            customdata=[[high] for high in bins.highest.tolist()],
            mode="lines+markers",
            name=panel.name,
            line={"color": color, "width": 4 if strong else 2},
            marker={
                "symbol": palette.SYMBOL[panel.strategy],
                "size": np.where(ends % _MARKER_EVERY == 0, 9 if strong else 7, 0),
                "color": color,
                "opacity": 1,
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            hovertemplate=f"{panel.name}: %{{y:.1%}} at most %{{customdata[0]:,}} times"
            "<extra></extra>",
        )
    at = bins.position(tau)
    left = at > 0.7 * ends[-1]
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={
            "title": "times a user's data was used, at most"
            + (" (at the end: all)" if bins.scale == "linear" else " (steps like a logarithm)"),
            "range": [-0.3, max(ends[-1], at) + 0.3],
            **bins.ticks(every=2),
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={"title": "share of the users", "range": [0, 1.02], "tickformat": ".0%"},
        height=_HEIGHT,
        margin={"t": 85, "b": 70, "l": 70, "r": 215},
        showlegend=False,
        hovermode="x",
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
        y=0.02,
        yref="paper",
        text=f"<b>τ = {exactly(tau)}</b>",
        showarrow=False,
        xanchor="right" if left else "left",
        xshift=-6 if left else 6,
        yanchor="bottom",
        bgcolor="rgba(127,127,127,0.15)",
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
