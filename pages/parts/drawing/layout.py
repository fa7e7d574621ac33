"""The layout that all figures share, a Plotly template, and marks that many of them have."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import streamlit  # noqa: F401 (registers the template of its theme)

from pages.parts.wording import exactly

#: For lines and marks that belong to no strategy; 4.3 : 1 on white, 4.2 : 1 on the dark theme.
INK: Final = "#7A7A7A"
#: Uses: the real rating in a warning color, a noisy answer in a calm one.
REAL_USE: Final = "#B2182B"
NOISY_USE: Final = "#3A8F8F"
#: People: used at most tau times, or more often.
SECURE_COLOR: Final = "#0072B2"
VULNERABLE_COLOR: Final = "#D55E00"
#: Pixels of the line below the title.
_SUBTITLE: Final = 24
#: The hatch of what is vulnerable or protected, beside its color.
HATCH: Final = {"shape": "/", "fillmode": "overlay", "fgcolor": "white", "size": 6}
#: A click on a point does not make the others pale.
UNCHANGED: Final = {"marker": {"opacity": 1}}
_AT_TOP: Final = {"y": 1, "yref": "y domain", "yanchor": "bottom", "showarrow": False}

SHARED: Final = go.layout.Template(
    layout={
        "font": {
            "family": '"Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, sans-serif',
            "color": "#262730",
        },
        "title": {
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 14},
            "font": {"weight": 600, "size": 17},
        },
        "xaxis": {"zeroline": False, "showgrid": False},
        "yaxis": {"zeroline": False},
        "bargap": 0.35,
        # Below a figure, at its left end.
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        # What is zoomed stays so when tau moves.
        "uirevision": "keep",
    }
)
# On a page Streamlit lays its theme over it: its fonts and colors, light or dark.
pio.templates["reuseknn"] = pio.templates.merge_templates("streamlit", SHARED)
pio.templates.default = "reuseknn"


def lay_out(
    figure: go.Figure,
    *,
    height: int,
    top: int = 80,
    bottom: int = 70,
    left: int = 70,
    right: int = 20,
    **layout: Any,
) -> go.Figure:
    """Give a figure its size and margins, in pixels, and what else of the layout is its own."""
    margin = {"t": top, "b": bottom, "l": left, "r": right}
    return figure.update_layout(height=height, margin=margin, **layout)


def add_settings(figure: go.Figure, settings: str) -> None:
    """Write below the title which data and settings a figure is of, also where it is saved.

    >>> figure = lay_out(go.Figure(), height=300, title_text="A finding")
    >>> add_settings(figure, "<my> data, k = 10")
    >>> figure.layout.title.subtitle.text, figure.layout.height
    ('&lt;my&gt; data, k = 10', 324)
    """
    layout = figure.layout
    if not layout.title.text or layout.title.subtitle.text:
        return
    layout.title.subtitle = {"text": escape(settings), "font": {"size": 13, "color": INK}}
    layout.height += _SUBTITLE
    layout.margin.t += _SUBTITLE


def tau_name(tau: float, *more: str) -> str:
    """Return what stands at the line of tau, with the names of rules that give the same.

    >>> tau_name(93), tau_name(93, "published rule")
    ('<b>τ = 93</b>', '<b>τ = 93, published rule</b>')
    """
    return f"<b>{', '.join([f'τ = {exactly(tau)}', *more])}</b>"


def vertical_mark(
    x: float, name: str, end: float, *, panels: int = 1, lift: int = 0, **line: Any
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a dashed line across panels, and its name above the first, `lift` pixels higher.

    The axis goes from 0 to its end; what lies beyond it is named with an arrow.

    >>> vertical_mark(3, "τ = 3", 10)[1][0]["text"], vertical_mark(8, "τ = 8", 10)[1][0]["text"]
    ('↓ τ = 3', 'τ = 8 ↓')
    >>> vertical_mark(12, "τ = 12", 10)[1][0]["text"]
    'τ = 12 →'
    """
    style = {"color": INK, "width": 2.5, "dash": "dash", **line}
    inside, left = x <= end, x > 0.5 * end
    lines = [
        {
            "type": "line",
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "xref": f"x{number or ''}",
            "yref": f"y{number or ''} domain",
            "line": style,
        }
        for number in [0, *range(2, panels + 1)]
        if inside
    ]
    text = f"{name} →" if not inside else f"{name} ↓" if left else f"↓ {name}"
    shift = 0 if not inside else 6 if left else -6
    label = {
        **_AT_TOP,
        "x": min(x, end),
        "xref": "x",
        "xanchor": "right" if left else "left",
        "xshift": shift,
        "yshift": lift,
        "text": text,
        "font": {"size": 13},
    }
    return lines, [label]


def add_level(
    figure: go.Figure,
    y: float,
    name: str,
    color: str = INK,
    *,
    above: bool = False,
) -> None:
    """Draw a dashed line across a figure at a height, and its name at the right, below or above.

    >>> figure = go.Figure()
    >>> add_level(figure, 2, "two")
    >>> figure.layout.shapes[0].y1, figure.layout.annotations[0].xanchor
    (2, 'right')
    """
    line = {"color": color, "width": 2, "dash": "dash"}
    figure.layout.shapes += (
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line},
    )
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": y}
    anchor = "bottom" if above else "top"
    figure.layout.annotations += ({"text": name, **place, "yanchor": anchor, "showarrow": False},)


def add_mark(figure: go.Figure, x: float, name: str) -> None:
    """Draw a dashed line up a figure at a number, and its name above it.

    >>> figure = go.Figure()
    >>> add_mark(figure, 2, "two")
    >>> figure.layout.shapes[0].x1, figure.layout.annotations[0].text
    (2, 'two')
    """
    line = {"color": INK, "width": 2.5, "dash": "dash"}
    figure.layout.shapes += (
        {"type": "line", "x0": x, "x1": x, "yref": "y domain", "y0": 0, "y1": 1, "line": line},
    )
    figure.layout.annotations += ({**_AT_TOP, "text": name, "x": x, "font": {"size": 13}},)


def band(
    x: np.ndarray, low: np.ndarray, high: np.ndarray, color: str, opacity: float, **trace: Any
) -> go.Scatter:
    """Return the area between two curves: along the upper one, and back along the lower one."""
    return go.Scatter(
        x=np.concatenate((x, x[::-1])),
        y=np.concatenate((high, low[::-1])),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=color,
        opacity=opacity,
        hoverinfo="skip",
        **trace,
    )


def annotation(text: str, x: float, y: float | str, **more: Any) -> dict[str, Any]:
    """Return a text in a figure, placed from 0 to 1 over its plotting area.

    >>> annotation("better", 0, 1, xshift=6)["xshift"]
    6
    """
    anchors = {"xanchor": "left", "yanchor": "top" if y == 1 else "bottom"}
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper"}
    return {"text": text, **place, **anchors, "showarrow": False, **more}


def with_room(values: Sequence[float], share: float) -> tuple[float, float]:
    """Return the ends of an axis that holds these values, with a share of their range around them.

    >>> with_room([2.0, 4.0], 0.5), with_room([3.0], 0.5)
    ((1.0, 5.0), (1.5, 4.5))
    """
    low, high = min(values), max(values)
    room = share * (high - low or abs(high) or 1.0)
    return low - room, high + room
