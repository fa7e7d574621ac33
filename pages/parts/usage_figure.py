"""The histogram of data usage: how many users are used how often, secure and vulnerable apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.parts import palette
from pages.parts.wording import exactly, number, percent, wrapped

#: Steps of a decade, as engineers' preferred numbers have them: bars of nearly equal width on a
#: logarithmic axis, whose edges are numbers one can read.
_DECADE = (10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 80)


@dataclass(frozen=True, eq=False)
class UsagePanel:
    """The data usage under one strategy: an array (n_users,) a fold."""

    name: str
    usages: Sequence[np.ndarray]

    @property
    def largest(self) -> int:
        """The largest data usage in any fold."""
        return max(int(usage.max(initial=0)) for usage in self.usages)

    def vulnerable_share(self, tau: float) -> float:
        """The share of users with DataUsage > tau, mean over folds."""
        return float(np.mean([(usage > tau).mean() for usage in self.usages]))


def usage_edges(largest: int) -> np.ndarray:
    """Return the lower edges of the bars and, last, an upper edge above the largest usage.

    >>> usage_edges(14)
    array([ 0,  1,  2,  3,  4,  5,  6,  8, 10, 13, 16])
    """
    edges = [0, 1, 2, 3, 4, 5, 6, 8]
    scale = 1
    while edges[-1] <= largest:
        edges += [int(step * scale + 0.5) for step in _DECADE]
        scale *= 10
    while edges[-2] > largest and len(edges) > 2:
        edges.pop()
    return np.array(edges)


def position(tau: float, edges: np.ndarray) -> float:
    """Return where tau lies on an axis on which bar i reaches from i to i + 1.

    Users above tau are to its right: usage is a whole number, so they begin at floor(tau) + 1.

    >>> position(92.89, np.array([0, 1, 80, 100])), position(500, np.array([0, 1, 80, 100]))
    (2.65, 3.0)
    """
    start = np.floor(tau) + 1
    if start >= edges[-1]:
        return float(edges.size - 1)
    bar = int(np.searchsorted(edges, start, side="right")) - 1
    return float(bar + (start - edges[bar]) / (edges[bar + 1] - edges[bar]))


def usage_table(panels: Sequence[UsagePanel], tau: float) -> pd.DataFrame:
    """Return users by data usage and strategy, secure and vulnerable, mean over folds."""
    edges = usage_edges(max(panel.largest for panel in panels))
    table = pd.DataFrame({"used at least": edges[:-1], "used at most": edges[1:] - 1})
    for panel in panels:
        for group, chosen in (
            ("secure", [usage[usage <= tau] for usage in panel.usages]),
            ("vulnerable", [usage[usage > tau] for usage in panel.usages]),
        ):
            counts = [np.histogram(usage, bins=edges)[0] for usage in chosen]
            table[f"{panel.name}, {group} users"] = np.mean(counts, axis=0)
    return table


def make_usage_figure(panels: Sequence[UsagePanel], tau: float, title: str) -> go.Figure:
    """Return one histogram below the other, on the same axes, with tau across all of them."""
    table = usage_table(panels, tau)
    edges = np.append(table["used at least"], table["used at most"].iloc[-1] + 1)
    bars = np.arange(edges.size - 1)
    figure = make_subplots(
        rows=len(panels),
        shared_xaxes=True,
        vertical_spacing=0.14,
        subplot_titles=[" "] * len(panels),
    )
    ranges = [
        f"used {low:,} times" if low == high else f"used {low:,} to {high:,} times"
        for low, high in zip(table["used at least"], table["used at most"], strict=True)
    ]
    tallest = 1.0
    for row, panel in enumerate(panels, start=1):
        total = np.zeros(bars.size)
        for group, color in (("secure", palette.SECURE), ("vulnerable", palette.VULNERABLE)):
            counts = table[f"{panel.name}, {group} users"].to_numpy()
            total += counts
            figure.add_bar(
                x=bars + 0.5,
                y=counts,
                width=0.92,
                name=f"{group} users",
                legendgroup=group,
                showlegend=row == 1,
                marker_color=color,
                marker_line_width=0,
                marker_pattern={"shape": "/", "fillmode": "overlay", "fgcolor": "white", "size": 6}
                if group == "vulnerable"
                else None,
                customdata=ranges,
                hovertemplate="%{y:,.1f} " + group + " users %{customdata}<extra></extra>",
                row=row,
                col=1,
            )
        tallest = max(tallest, float(total.max()))
        share = panel.vulnerable_share(tau)
        figure.layout.annotations[row - 1].update(
            text=f"<b>{panel.name}</b>: "
            + (
                f"{percent(share)} of the users are vulnerable" if share else "nobody is vulnerable"
            ),
            x=0,
            xanchor="left",
            font_size=14,
        )
    _finish(figure, edges, tau, tallest, title)
    return figure


def _finish(figure: go.Figure, edges: np.ndarray, tau: float, tallest: float, title: str) -> None:
    rows = len(figure.layout.annotations)
    at = position(tau, edges)
    labeled = [
        bar for bar, edge in enumerate(edges) if str(edge).rstrip("0") in ("", "1", "2", "5")
    ]
    figure.update_xaxes(
        range=[-0.3, max(edges.size - 1, at) + 0.3],
        tickvals=labeled,
        ticktext=[number(edges[bar]) for bar in labeled],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(
        title_text="times a user's data was used (scale grows in steps, like a logarithm)", row=rows
    )
    figure.update_yaxes(title_text="users", range=[0, 1.08 * tallest], rangemode="tozero")
    for row in range(1, rows + 1):
        axis = "" if row == 1 else str(row)
        figure.add_shape(
            type="line",
            x0=at,
            x1=at,
            y0=0,
            y1=1,
            xref=f"x{axis}",
            yref=f"y{axis} domain",
            line={"color": palette.INK, "width": 2.5, "dash": "dash"},
        )
    left = at > 0.7 * edges.size
    figure.add_annotation(
        x=at,
        y=1,
        xref="x",
        yref="y domain",
        text=f"<b>τ = {exactly(tau)}</b>",
        showarrow=False,
        xanchor="right" if left else "left",
        xshift=-6 if left else 6,
        yanchor="top",
        bgcolor="rgba(127,127,127,0.15)",
    )
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left", "y": 0.975, "yanchor": "top"},
        barmode="stack",
        bargap=0,
        height=240 + 210 * rows,
        legend={
            "orientation": "h",
            "x": 1,
            "xanchor": "right",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
        },
        margin={"t": 95, "b": 85, "l": 60, "r": 20},
        uirevision="keep",
    )
