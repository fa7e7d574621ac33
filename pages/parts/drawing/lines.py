"""Line charts with the name of each line at its end, so that nobody has to match colors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.wording import number, wrapped

_HEIGHT: Final = 430
_MARGIN: Final = {"t": 85, "b": 70, "l": 70, "r": 215}
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


def log_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten between two numbers.

    >>> log_ticks(3, 120)
    [5.0, 10.0, 20.0, 50.0, 100.0]
    """
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    ticks = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]


def make_lines_figure(
    x: Sequence[int],
    lines: Sequence[Line],
    *,
    title: str,
    x_title: str,
    y_title: str,
    log_y: bool = False,
    marker_every: int = 1,
    decimals: int | None = None,
) -> go.Figure:
    """Return one line a strategy over x, labeled at its right end."""
    figure = go.Figure()
    ends: list[tuple[Line, float]] = []
    extent: list[float] = []
    for line in sorted(lines, key=lambda line: line.strong):
        shown = np.isfinite(line.values) & ((line.values > 0) if log_y else True)
        places = np.flatnonzero(shown)
        if places.size:
            ends.append((line, float(line.values[places[-1]])))
            extent += [
                value
                for values in (line.values, line.low, line.high)
                if values is not None
                for value in values[places].tolist()
                if value > 0 or not log_y
            ]
            if line.band and line.low is not None and line.high is not None:
                figure.add_trace(_band(line, x, places, line.low, line.high))
            figure.add_trace(_trace(line, x, places, marker_every))
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={"title": x_title, "showgrid": False, "zeroline": False},
        yaxis={"title": y_title, "type": "log" if log_y else "linear", "zeroline": False},
        height=_HEIGHT,
        margin=_MARGIN,
        showlegend=False,
        hovermode="x unified",
        uirevision="keep",
    )
    if ends:
        _label(figure, ends, extent, log_y, decimals)
    else:
        # Plotly's own range of an empty axis begins below 0.
        figure.update_xaxes(range=[0, max(x)])
        figure.update_yaxes(range=[0, 1], showticklabels=False)
    return figure


def _trace(line: Line, x: Sequence[int], places: np.ndarray, marker_every: int) -> go.Scatter:
    color = palette.COLOR[line.strategy]
    size = 9 if line.strong else 7
    marked = ((places + 1) % marker_every == 0) | (places == 0)
    return go.Scatter(
        x=[x[place] for place in places],
        y=line.values[places],
        mode="lines+markers",
        name=line.name,
        line={
            "color": color,
            "width": 4 if line.strong else 2,
            "dash": palette.DASH[line.protection],
        },
        marker={
            "symbol": palette.SYMBOL[line.strategy],
            "size": np.where(marked, size, 0),
            "color": color,
            "opacity": 1,
        },
        error_y=_error_bars(line, places, color),
        hovertemplate="%{y:,.4~r}<extra>" + line.name + "</extra>",
    )


def _band(
    line: Line, x: Sequence[int], places: np.ndarray, low: np.ndarray, high: np.ndarray
) -> go.Scatter:
    around = [*places, *places[::-1]]
    return go.Scatter(
        x=[x[place] for place in around],
        y=np.concatenate((high[places], low[places[::-1]])),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=palette.COLOR[line.strategy],
        opacity=0.25,
        name=f"{line.name}, folds",
        hoverinfo="skip",
    )


def _error_bars(line: Line, places: np.ndarray, color: str) -> dict[str, object] | None:
    if line.band or line.low is None or line.high is None:
        return None
    return {
        "type": "data",
        "array": (line.high - line.values)[places],
        "arrayminus": (line.values - line.low)[places],
        "color": color,
        "thickness": 2 if line.strong else 1,
        "width": 4,
    }


def _label(
    figure: go.Figure,
    ends: Sequence[tuple[Line, float]],
    extent: Sequence[float],
    log_y: bool,
    decimals: int | None,
) -> None:
    """Set the range of the y axis, and name each line at its end without overlaps."""

    def scaled(value: float) -> float:
        return float(np.log10(value)) if log_y else value

    low, high = scaled(min(extent)), scaled(max(extent))
    room = 0.06 * (high - low or abs(high) or 1.0)
    # Nothing drawn here can be negative.
    low, high = low - room if log_y else max(0.0, low - room), high + room
    figure.update_yaxes(range=[low, high])
    if log_y:
        ticks = log_ticks(10**low, 10**high)
        figure.update_yaxes(tickvals=ticks, ticktext=[number(tick) for tick in ticks])
    pixels = (_HEIGHT - _MARGIN["t"] - _MARGIN["b"]) / (high - low)
    heights = [scaled(end) * pixels for _, end in ends]
    places = spread(heights, _LABEL_HEIGHT)
    # Lines that end together at the bottom would push their labels out of the figure.
    lift = max(0.0, low * pixels - min(places))
    labels = []
    for (line, end), height, place in zip(ends, heights, places, strict=True):
        glyph = f'<span style="color:{palette.COLOR[line.strategy]}">'
        name = f"<b>{line.name}</b>" if line.strong else line.name
        mark = palette.GLYPH_DASH[line.protection] + palette.GLYPH[line.strategy]
        text = f"{glyph}{mark}</span> {name}  {number(end, decimals)}"
        labels.append(
            {
                "x": 1,
                "xref": "paper",
                "xanchor": "left",
                "xshift": 6,
                "y": scaled(end),
                "yshift": place - height + lift,
                "text": text,
                "showarrow": False,
                "font": {"size": 13},
            }
        )
    # All at once: one after the other, Plotly would check those before again each time.
    figure.layout.annotations = labels
