"""Histograms of data usage: how many users are used how often, secure and vulnerable apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from pages.contents.data_usage.counts import Bins, UsagePanel
from pages.contents.data_usage.rules import TAU_RULES
from pages.parts.drawing.layout import (
    HATCH,
    SECURE_COLOR,
    UNCHANGED,
    VULNERABLE_COLOR,
    lay_out,
    tau_name,
    vertical_mark,
)
from pages.parts.wording import exactly, number, percent

#: Pixels of a row of panels, and of the gap between rows, which holds their headings.
_ROW: Final = 185
_GAP: Final = 60
#: Pixels of a line of text above the panels, for the name of a mark.
_MARK_LINE: Final = 19
_TOP, _BOTTOM = 90, 85


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
    *,
    rules: Mapping[str, float] | None = None,
    columns: int = 1,
) -> go.Figure:
    """Return a histogram for each strategy, all on the same axes, with tau across all of them.

    The custom data of a bar is the largest usage in it, in a plain list.
    `rules`, other values of tau by rule, are marked with thin lines. Above the panels stand the
    names of all lines.
    """
    rows = math.ceil(len(panels) / columns)
    marks = _marks(tau, rules or {})
    top = _TOP + _MARK_LINE * len(marks)
    height = rows * _ROW + (rows - 1) * _GAP
    end = max(bins.edges.size - 1, bins.position(tau)) + 0.3
    counts = [panel.in_bins(bins.edges, tau) for panel in panels]
    tallest = max(1.0, *(float((secure + vulnerable).max()) for secure, vulnerable in counts))
    bars: list[go.Bar] = []
    # Each change of a finished figure costs milliseconds, so its layout is made at once.
    axes: dict[str, Any] = {}
    lines: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    for place, (panel, (secure, vulnerable)) in enumerate(zip(panels, counts, strict=True)):
        suffix = f"{place + 1}" if place else ""
        x, y = f"x{suffix}", f"y{suffix}"
        bars += _bars(bins, secure, vulnerable, first=place == 0, xaxis=x, yaxis=y)
        axes[f"xaxis{suffix}"] = {
            "range": [0, end],
            **bins.ticks(),
            "tickangle": 0,
            # If a column ends earlier, its title stands below its last panel.
            "title": _x_title(bins, columns) if place + columns >= len(panels) else None,
        }
        axes[f"yaxis{suffix}"] = {
            "range": [0, 1.08 * tallest],
            "rangemode": "tozero",
            "tickformat": ",",
            "title": None if place % columns else "users",
        }
        texts.append(
            {
                "text": _heading(panel, tau, "" if columns > 1 else " of the users"),
                "x": 0,
                "xref": f"{x} domain",
                "xanchor": "left",
                "y": 1,
                "yref": f"{y} domain",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 14},
            }
        )
    for line, mark in enumerate(marks):
        # Each name has a line of text of its own, so none is covered.
        mark_lines, names = vertical_mark(
            bins.position(mark.tau),
            mark.name,
            end,
            panels=len(panels),
            lift=26 + _MARK_LINE * line,
            width=mark.width,
            dash=mark.dash,
        )
        lines += mark_lines
        texts += names
    return lay_out(
        go.Figure(bars),
        height=top + height + _BOTTOM,
        top=top,
        bottom=_BOTTOM,
        left=60,
        barmode="stack",
        bargap=0,
        hovermode="x",
        # Gaps are shares of a cell and the gap beside it.
        grid={
            "rows": rows,
            "columns": columns,
            "pattern": "independent",
            "xgap": 0.15,
            "ygap": _GAP / (_ROW + _GAP),
        },
        shapes=lines,
        annotations=texts,
        **axes,
    )


def _heading(panel: UsagePanel, tau: float, of_whom: str) -> str:
    share = panel.vulnerable_share(tau)
    finding = f"{percent(share)}{of_whom} vulnerable" if share else "nobody is vulnerable"
    return f"<b>{panel.name}</b>: {finding}"


def _x_title(bins: Bins, columns: int) -> str:
    # Two titles below two panels side by side have no room for more.
    title = "uses of a user's data" if columns == 1 else "uses"
    return f"{title}{bins.steps_note}" + (" (last bar: all above)" if bins.cut else "")


def _bars(
    bins: Bins, secure: np.ndarray, vulnerable: np.ndarray, *, first: bool, **axes: str
) -> list[go.Bar]:
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
        "selected": UNCHANGED,
        "unselected": UNCHANGED,
        **axes,
    }
    return [
        go.Bar(
            y=secure,
            name="secure users",
            legendgroup="secure",
            marker={"color": SECURE_COLOR, "line": {"width": 0}},
            customdata=[[high] for high in bins.highest.tolist()],
            # A label for each column, also where a bar is too low to point at. A hover template
            # would write the number of the bar at the axis.
            hovertext=says,
            hoverinfo="text",
            **shared,
        ),
        go.Bar(
            y=vulnerable,
            name="vulnerable users",
            legendgroup="vulnerable",
            marker={"color": VULNERABLE_COLOR, "line": {"width": 0}, "pattern": HATCH},
            hoverinfo="skip",
            **shared,
        ),
    ]


def _marks(tau: float, rules: Mapping[str, float]) -> list[_Mark]:
    """Return tau, and where the rules would put it; a rule that tau follows stands beside it."""
    same = [TAU_RULES[rule].lower() for rule, value in rules.items() if value == tau]
    return [
        _Mark(tau, tau_name(tau, *same), 2.5, "dash"),
        *(
            _Mark(value, f"{TAU_RULES[rule].lower()} {exactly(value)}", 1.5, "dot")
            for rule, value in rules.items()
            if value != tau
        ),
    ]
