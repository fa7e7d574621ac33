"""The cumulative view of data usage: the share of users with at most a given usage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from engine.privacy import whole_uses
from pages.contents.data_usage.counts import Bins, UsagePanel
from pages.parts.drawing.layout import UNCHANGED, lay_out, tau_name, vertical_mark
from pages.parts.drawing.lines import line_style
from pages.parts.drawing.margin_list import MarginLine, add_margin_list
from pages.parts.drawing.scales import share_ticks
from pages.parts.looks import glyph_of
from pages.parts.wording import percent

#: A line has a marker in one bin of this many.
_MARKER_EVERY: Final = 6


def make_cumulative_figure(
    panels: Sequence[UsagePanel], chosen: str, bins: Bins, tau: float
) -> go.Figure:
    """Return a line for each strategy; it meets tau at the share of secure users.

    The custom data of a point is the usage up to which it counts, in a plain list.
    """
    bounds = bins.points(tau)
    places = sorted(enumerate(panels), key=lambda pair: pair[1].strategy == chosen)
    figure = go.Figure(
        [
            _curve(panel, bins, bounds, place, strong=panel.strategy == chosen)
            for place, panel in places
        ]
    )
    # Usage is a whole number: at most 92.89 times is at most 92 times.
    tau_place = float(bins.place(whole_uses(tau)))
    end = max(float(bins.place(bounds[-1])), tau_place, 1.0) + 0.3
    shapes, tau_label = vertical_mark(tau_place, tau_name(tau), end)
    lay_out(
        figure,
        height=440,
        top=85,
        right=215,
        xaxis={
            "title": "uses of a user's data, at most"
            + ("; some have more" if bins.cut else "")
            + bins.steps_note,
            "range": [0, end],
            # A title of its own would be the place on the axis, not the usage.
            "unifiedhovertitle": {"text": "share of the users"},
            **bins.ticks(),
        },
        yaxis={"title": "share of the users", "range": [0, 1.02], **share_ticks(1)},
        showlegend=False,
        hovermode="x unified",
        shapes=shapes,
        annotations=tau_label,
    )
    entries = [
        MarginLine(
            glyph_of(panel.strategy),
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
    # Each line has its markers in other bins, so that lines that coincide show both.
    bars = np.searchsorted(bins.edges, bounds, side="right") - 1
    first = np.diff(bars, prepend=-1) > 0
    marked = first & ((bars - place) % _MARKER_EVERY == 0)
    shares = panel.share_at_most(bounds)
    return go.Scatter(
        x=bins.place(bounds),
        y=shares,
        text=[percent(share) for share in shares],
        customdata=[[bound] for bound in bounds.tolist()],
        mode="lines+markers",
        name=panel.name,
        selected=UNCHANGED,
        unselected=UNCHANGED,
        hovertemplate=f"{panel.name}: %{{text}} at most %{{customdata[0]:,}} times<extra></extra>",
        **line_style(panel.strategy, marked, strong),
    )
