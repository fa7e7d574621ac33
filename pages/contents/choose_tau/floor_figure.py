"""The share of noisy uses under each strategy, and the floor that no strategy goes below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from engine.noise_floor import NoiseShare
from pages.parts.drawing.layout import add_mark, lay_out
from pages.parts.drawing.scales import share_ticks
from pages.parts.looks import bar_label, color_of
from pages.parts.wording import number, percent


def make_floor_figure(shares: Sequence[NoiseShare], chosen: str) -> go.Figure:
    """Return the share of noisy uses under each strategy, with the floor, if any, as a line."""
    names = [bar_label(share.strategy, strong=share.strategy == chosen) for share in shares]
    figure = go.Figure(
        go.Bar(
            x=[share.protected_uses for share in shares],
            y=names,
            orientation="h",
            marker={"color": [color_of(share.strategy) for share in shares]},
            text=[
                f"{percent(share.protected_uses)} noisy<br>"
                f"{percent(share.vulnerable_share)} vulnerable{_each(share)}"
                for share in shares
            ],
            textposition="outside",
            cliponaxis=False,
            constraintext="none",
            hoverinfo="skip",
        )
    )
    if floor := shares[0].floor:
        add_mark(figure, floor, f"floor: {percent(floor)}")
    top = max(share.protected_uses for share in shares)
    ticks = share_ticks(min(1.0, top + 0.1))
    return lay_out(
        figure,
        height=174 + 58 * len(shares),
        top=74,
        left=20,
        xaxis={
            "title": "share of all uses that are answered with noise",
            # What is right of the bars is room for their words, also on a phone.
            "range": [0, max(2.1 * top, 0.1)],
            "tickvals": ticks["tickvals"][::2],
            "ticktext": ticks["ticktext"][::2],
        },
        yaxis={"autorange": "reversed", "automargin": True},
    )


def _each(share: NoiseShare) -> str:
    if not np.isfinite(share.protected_per_vulnerable):
        return ""
    return f":<br>{number(share.protected_per_vulnerable)} noisy each"
