"""Histograms of data usage: how many users are used how often, secure and vulnerable apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.parts.drawing import palette
from pages.parts.usage.counts import Bins, UsagePanel
from pages.parts.usage.rules import TAU_RULES
from pages.parts.wording import exactly, number, percent, wrapped

#: Pixels of a row of panels, and of the gap between rows, which holds their headings.
_ROW: Final = 185
_GAP: Final = 60
#: Pixels of a line of text above the panels, for the name of a mark.
_MARK_LINE: Final = 19
_TOP, _BOTTOM = 90, 85
#: Two titles below two panels side by side have no room for more.
_AXIS: Final = {
    1: "times a user's data was used (scale grows in steps, like a logarithm)",
    2: "times used (steps like a logarithm)",
}
_LINEAR_AXIS: Final = {1: "times a user's data was used", 2: "times used"}
#: What stands apart from the picture when a bar is clicked: nothing.
_UNCHANGED: Final = {"marker": {"opacity": 1}}


@dataclass(frozen=True)
class _Mark:
    """A value of tau with its name and the style of its line."""

    tau: float
    name: str
    width: float
    dash: str


def make_usage_figure(
    panels: Sequence[UsagePanel],
    bins: Bins,
    tau: float,
    title: str,
    *,
    rules: Mapping[str, float] | None = None,
    columns: int = 1,
) -> go.Figure:
    """Return a histogram a strategy, all on the same axes, with tau across all of them.

    The custom data of a bar is the largest usage in it, in a plain list.
    `rules`, other values of tau by rule, are marked with thin lines. Above the panels stand the
    names of all lines.
    """
    rows = math.ceil(len(panels) / columns)
    marks = _marks(tau, rules or {})
    top = _TOP + _MARK_LINE * len(marks)
    drawn = rows * _ROW + (rows - 1) * _GAP
    figure = make_subplots(
        rows=rows,
        cols=columns,
        vertical_spacing=_GAP / drawn if rows > 1 else 0,
        horizontal_spacing=0.08,
        subplot_titles=[" "] * len(panels),
    )
    tallest = 1.0
    for place, panel in enumerate(panels):
        secure, vulnerable = panel.in_bins(bins, tau)
        tallest = max(tallest, float((secure + vulnerable).max()))
        at = {"row": place // columns + 1, "col": place % columns + 1}
        for bar in _bars(bins, secure, vulnerable, first=place == 0):
            figure.add_trace(bar, **at)
        share = panel.vulnerable_share(tau)
        figure.layout.annotations[place].update(
            text=f"<b>{panel.name}</b>: "
            + (
                f"{percent(share)}{' of the users' if columns == 1 else ''} vulnerable"
                if share
                else "nobody is vulnerable"
            ),
            x=figure.layout[f"xaxis{place + 1 if place else ''}"].domain[0],
            xanchor="left",
            font_size=14,
        )
    _draw_axes(figure, bins, tau, tallest, rows, columns, len(panels))
    _draw_marks(figure, bins, marks, len(panels))
    return figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left", "y": 1, "yanchor": "top"}
        | {"pad": {"t": 14}},
        barmode="stack",
        bargap=0,
        hovermode="x",
        height=top + drawn + _BOTTOM,
        legend=palette.LEGEND_BELOW,
        margin={"t": top, "b": _BOTTOM, "l": 60, "r": 20},
        uirevision="keep",
    )


def _bars(bins: Bins, secure: np.ndarray, vulnerable: np.ndarray, first: bool) -> list[go.Bar]:
    words = [
        f"Used {low:,} times" if low == high else f"Used {low:,} to {high:,} times"
        for low, high in zip(bins.lowest, bins.highest, strict=True)
    ]
    says = [
        f"{words[bar]}: {number(s + v, 1) if s + v else 'no'} users"
        + (f", {number(v, 1)} of them vulnerable" if s and v else "")
        for bar, (s, v) in enumerate(zip(secure, vulnerable, strict=True))
    ]
    shared: dict[str, Any] = {
        "x": np.arange(secure.size) + 0.5,
        "width": 0.92,
        "showlegend": first,
        "selected": _UNCHANGED,
        "unselected": _UNCHANGED,
    }
    return [
        go.Bar(
            y=secure,
            name="secure users",
            legendgroup="secure",
            marker={"color": palette.SECURE, "line": {"width": 0}},
            customdata=[[high] for high in bins.highest.tolist()],
            # One label a column, also where a bar is too low to point at. A template would bring
            # the number of the bar to the axis.
            hovertext=says,
            hoverinfo="text",
            **shared,
        ),
        go.Bar(
            y=vulnerable,
            name="vulnerable users",
            legendgroup="vulnerable",
            marker={
                "color": palette.VULNERABLE,
                "line": {"width": 0},
                "pattern": palette.HATCH,
            },
            hoverinfo="skip",
            **shared,
        ),
    ]


def _draw_axes(
    figure: go.Figure,
    bins: Bins,
    tau: float,
    tallest: float,
    rows: int,
    columns: int,
    panels: int,
) -> None:
    last = bins.edges.size - 1
    figure.update_xaxes(
        range=[0, max(last, bins.position(tau)) + 0.3],
        **bins.ticks(every=columns),
        tickangle=0,
        showgrid=False,
        zeroline=False,
    )
    title = (_LINEAR_AXIS if bins.scale == "linear" else _AXIS)[columns]
    if bins.cut:
        title += " (last bar: all above)"
    for column in range(1, columns + 1):
        # In a column that ends earlier the title stands below its last panel.
        lowest = rows - ((rows - 1) * columns + column > panels)
        figure.update_xaxes(title_text=title, row=lowest, col=column)
    figure.update_yaxes(range=[0, 1.08 * tallest], rangemode="tozero", tickformat=",")
    figure.update_yaxes(title_text="users", col=1)


def _axes(panel: int) -> tuple[str, str]:
    suffix = "" if panel == 0 else str(panel + 1)
    return f"x{suffix}", f"y{suffix}"


def _line(panel: int, at: float, **style: Any) -> dict[str, Any]:
    x, y = _axes(panel)
    return {
        "type": "line",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "xref": x,
        "yref": f"{y} domain",
        "line": {"color": palette.INK, **style},
    }


def _marks(tau: float, rules: Mapping[str, float]) -> list[_Mark]:
    """Return tau, and where the rules would put it; a rule that tau follows stands beside it."""
    same = [TAU_RULES[rule].lower() for rule, value in rules.items() if value == tau]
    return [
        _Mark(tau, f"<b>{', '.join([f'τ = {exactly(tau)}', *same])}</b>", 2.5, "dash"),
        *(
            _Mark(value, f"{TAU_RULES[rule].lower()} {exactly(value)}", 1.5, "dot")
            for rule, value in rules.items()
            if value != tau
        ),
    ]


def _draw_marks(figure: go.Figure, bins: Bins, marks: Sequence[_Mark], panels: int) -> None:
    """Draw lines across the panels; each name has a line of text of its own, so none is covered."""
    for line, mark in enumerate(marks):
        at = bins.position(mark.tau)
        for panel in range(panels):
            figure.add_shape(_line(panel, at, width=mark.width, dash=mark.dash))
        left = at > 0.5 * figure.layout.xaxis.range[1]
        figure.add_annotation(
            x=at,
            y=1,
            xref="x",
            yref="y domain",
            yshift=26 + _MARK_LINE * line,
            yanchor="bottom",
            text=f"{mark.name} ↓" if left else f"↓ {mark.name}",
            xanchor="right" if left else "left",
            xshift=6 if left else -6,
            showarrow=False,
            font_size=13,
        )
