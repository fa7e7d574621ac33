"""Line charts with the name of each line at its end, so that nobody has to match colors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from pages.parts.drawing.layout import band, lay_out, with_room
from pages.parts.drawing.scales import log_axis
from pages.parts.looks import PROTECTION_LOOKS, STRATEGY_LOOKS, color_of, glyph_of, symbol_of
from pages.parts.wording import number

#: Pixels.
_HEIGHT: Final = 430
_TOP, _BOTTOM, _RIGHT = 85, 70, 215
#: Pixels that a label needs from the next one.
_LABEL_HEIGHT: Final = 19


@dataclass(frozen=True, eq=False)
class Line:
    """A line of a strategy; NaN where it has no value. The one looked at is drawn strong.

    `low` and `high`, if given, are the ends of an error bar at each value, or the edges of a band.
    """

    name: str
    strategy: str
    values: np.ndarray
    protection: str = "vulnerable"
    strong: bool = False
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    band: bool = False


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Return positions near the wanted ones, at least a gap apart, in the same order.

    >>> spread([0.0, 1.0, 10.0], 2.0)
    [-0.5, 1.5, 10.0]
    """
    order = np.argsort(wanted, kind="stable")
    groups: list[tuple[float, int]] = []  # center and size; groups that come too close are joined
    for index in order:
        groups.append((float(wanted[index]), 1))
        while len(groups) > 1:
            (below, n), (above, m) = groups[-2:]
            if above - below >= gap * (n + m) / 2:
                break
            groups[-2:] = [((below * n + above * m) / (n + m), n + m)]
    placed = np.empty(len(wanted))
    placed[order] = [
        center + gap * (member - (size - 1) / 2)
        for center, size in groups
        for member in range(size)
    ]
    return [float(place) for place in placed]


def make_lines_figure(
    x: Sequence[int],
    lines: Sequence[Line],
    *,
    x_title: str,
    y_title: str,
    log_y: bool = False,
    marker_every: int = 1,
    text: Callable[[float], str] = number,
) -> go.Figure:
    """Return one line for each strategy over x, labeled at its right end."""
    figure, positions = go.Figure(), np.array(x)
    ends: list[tuple[Line, float]] = []
    extent: list[float] = []
    for line in sorted(lines, key=lambda line: line.strong):
        drawable = np.isfinite(line.values) & ((line.values > 0) if log_y else True)
        places = np.flatnonzero(drawable)
        if places.size:
            ends.append((line, float(line.values[places[-1]])))
            drawn = [v[places] for v in (line.values, line.low, line.high) if v is not None]
            extent += [value for value in np.concatenate(drawn).tolist() if value > 0 or not log_y]
            if line.band and line.low is not None and line.high is not None:
                edges = line.low[places], line.high[places]
                color, name = color_of(line.strategy), f"{line.name}, folds"
                figure.add_trace(band(positions[places], *edges, color, 0.25, name=name))
            figure.add_trace(_trace(line, positions, places, marker_every))
    lay_out(
        figure,
        height=_HEIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        right=_RIGHT,
        xaxis_title=x_title,
        yaxis={"title": y_title, "type": "log" if log_y else "linear"},
        showlegend=False,
        hovermode="x unified",
    )
    if ends:
        _label(figure, ends, extent, log_y, text)
    else:
        # Plotly's own range of an empty axis begins below 0.
        figure.update_xaxes(range=[0, max(x)])
        figure.update_yaxes(range=[0, 1], showticklabels=False)
    return figure


def _trace(line: Line, x: np.ndarray, places: np.ndarray, marker_every: int) -> go.Scatter:
    marked = ((places + 1) % marker_every == 0) | (places == 0)
    return go.Scatter(
        x=x[places],
        y=line.values[places],
        mode="lines+markers",
        name=line.name,
        error_y=_error_bars(line, places),
        hovertemplate="%{y:,.4~r}<extra>" + line.name + "</extra>",
        **line_style(line.strategy, marked, line.strong, line.protection),
    )


def line_style(
    strategy: str, marked: np.ndarray, strong: bool, protection: str = "vulnerable"
) -> dict[str, Any]:
    """Return the line of a strategy in a figure, with its marker at the points that are marked."""
    color = color_of(strategy)
    return {
        "line": {
            "color": color,
            "width": 4 if strong else 2,
            "dash": PROTECTION_LOOKS[protection].dash,
        },
        "marker": {
            "symbol": symbol_of(strategy),
            "size": np.where(marked, 9 if strong else 7, 0),
            "color": color,
            "opacity": 1,
        },
    }


def _error_bars(line: Line, places: np.ndarray) -> dict[str, object] | None:
    if line.band or line.low is None or line.high is None:
        return None
    return {
        "type": "data",
        "array": (line.high - line.values)[places],
        "arrayminus": (line.values - line.low)[places],
        "color": color_of(line.strategy),
        "thickness": 2 if line.strong else 1,
        "width": 4,
    }


def _label(
    figure: go.Figure,
    ends: Sequence[tuple[Line, float]],
    extent: Sequence[float],
    log_y: bool,
    text: Callable[[float], str],
) -> None:
    """Set the range of the y axis, and name each line at its end without overlaps."""

    def scaled(value: float) -> float:
        return float(np.log10(value)) if log_y else value

    low, high = with_room([scaled(value) for value in extent], 0.06)
    if not log_y:
        low = max(0.0, low)  # nothing drawn here can be negative
    figure.update_yaxes(range=[low, high])
    if log_y:
        figure.update_yaxes(log_axis(10**low, 10**high))
    pixels = (_HEIGHT - _TOP - _BOTTOM) / (high - low)
    heights = [scaled(end) * pixels for _, end in ends]
    places = spread(heights, _LABEL_HEIGHT)
    # Lines that end together at the bottom would push their labels out of the figure.
    lift = max(0.0, low * pixels - min(places))
    # All at once: with each single one, Plotly would check all earlier ones again.
    figure.layout.annotations = [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 6,
            "y": scaled(end),
            "yshift": place - height + lift,
            "text": _end_label(line, text(end)),
            "showarrow": False,
            "font": {"size": 13},
        }
        for (line, end), height, place in zip(ends, heights, places, strict=True)
    ]


def _end_label(line: Line, value: str) -> str:
    dash, glyph = PROTECTION_LOOKS[line.protection].glyph_dash, STRATEGY_LOOKS[line.strategy].glyph
    name = f"<b>{line.name}</b>" if line.strong else line.name
    return f"{glyph_of(line.strategy, dash + glyph)} {name}  {value}"
