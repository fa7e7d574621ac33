"""One chart for the overview: what each strategy exposes, and what protecting it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.comparison.difference import (
    MAE_WITH,
    MAE_WITHOUT,
    RISK,
    RISK_WITHOUT,
    VULNERABLE,
    mean_defined,
)
from pages.parts.drawing import palette
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY, comparison, number, percent, wrapped

_ROW: Final = 34  # pixels for a strategy
_DOMAINS: Final = ((0.0, 0.29), (0.37, 0.66), (0.74, 1.0))
_HEADINGS: Final = (
    "Vulnerable users",
    "Mean privacy risk: real uses per user",
    "Prediction error (MAE)",
)


@dataclass(frozen=True, eq=False)
class Standing:
    """What a strategy comes to, one value a fold."""

    strategy: str
    vulnerable: np.ndarray
    risk: np.ndarray
    risk_without: np.ndarray
    mae: np.ndarray
    mae_without: np.ndarray

    @property
    def name(self) -> str:
        """The strategy's name."""
        return STRATEGY[self.strategy]

    def mean(self, measure: str) -> float:
        """Return a measure's mean over folds."""
        return mean_defined(getattr(self, measure))


def standings(screen: Screen) -> list[Standing]:
    """Return the standing of every strategy at the k and tau on the screen."""
    folds = screen.results.folds(screen.k)
    found = []
    for strategy in screen.strategies:
        one = screen.with_strategy(strategy)
        measures = (VULNERABLE, RISK, RISK_WITHOUT, MAE_WITH, MAE_WITHOUT)
        found.append(Standing(strategy, *(measure.of(one, folds) for measure in measures)))
    return found


def find(found: Sequence[Standing], strategy: str) -> Standing:
    """Return the standing of a strategy."""
    return next(standing for standing in found if standing.strategy == strategy)


def overview_table(found: Sequence[Standing]) -> pd.DataFrame:
    """Return what the chart shows as a table."""
    return pd.DataFrame(
        {
            "strategy": [standing.name for standing in found],
            "share of users vulnerable": [standing.mean("vulnerable") for standing in found],
            "mean privacy risk with DP": [standing.mean("risk") for standing in found],
            "mean privacy risk without DP": [standing.mean("risk_without") for standing in found],
            "MAE with DP": [standing.mean("mae") for standing in found],
            "MAE without DP": [standing.mean("mae_without") for standing in found],
        }
    )


def overview_title(found: Sequence[Standing], chosen: str, other: str) -> str:
    """Return the finding: exposure and error of the chosen strategy against another."""
    mine, theirs = find(found, chosen), find(found, other)
    shares = mine.mean("vulnerable"), theirs.mean("vulnerable")
    errors = mine.mean("mae"), theirs.mean("mae")
    shown = percent(shares[0]), percent(shares[1])
    shown_errors = number(errors[0], 3), number(errors[1], 3)
    exposes = comparison(*shares, *shown, "fewer", "more", "as many")
    errs = comparison(*errors, *shown_errors, "less", "more", "the same")
    return (
        f"{mine.name} against {theirs.name}: {exposes} vulnerable users ({' and '.join(shown)}), "
        f"{errs} error ({' and '.join(shown_errors)})"
    )


def make_overview_figure(found: Sequence[Standing], chosen: str, title: str) -> go.Figure:
    """Return three panels with a row for each strategy: exposure, risk, and error."""
    rows = list(range(len(found)))
    colors = [palette.COLOR[standing.strategy] for standing in found]
    names = [standing.name for standing in found]
    shares = [standing.mean("vulnerable") for standing in found]
    risks = [standing.mean("risk") for standing in found]
    risks_without = [standing.mean("risk_without") for standing in found]
    errors = [standing.mean("mae") for standing in found]
    errors_without = [standing.mean("mae_without") for standing in found]
    figure = go.Figure(
        [
            _bars(shares, rows, colors, names, "x", [percent(share) for share in shares]),
            _bars(risks, rows, colors, names, "x2", [number(risk) for risk in risks]),
            _ticks(risks_without, rows, colors, names),
            *_dumbbells(errors_without, errors, rows, colors, found),
        ]
    )
    bold = [f"<b>{n}</b>" if s.strategy == chosen else n for n, s in zip(names, found, strict=True)]
    low, high = min(errors + errors_without), max(errors + errors_without)
    room = 0.08 * (high - low or high or 1.0)
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left", "y": 0.94, "yanchor": "top"},
        xaxis=_axis(0, [0, 1.28 * max(*shares, 0.1)], "share of the users", tickformat=".0%"),
        xaxis2=_axis(
            1, [0, 1.12 * max(*risks_without, *risks, 0.001)], "uses (bar: with DP, | without)"
        ),
        xaxis3=_axis(2, [low - room, high + 4.5 * room], "scale points (filled: with DP)"),
        yaxis={
            "tickvals": rows,
            "ticktext": bold,
            "range": [len(rows) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
        },
        annotations=[
            {
                "text": f"<b>{heading}</b>",
                "x": domain[0],
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "yshift": 6,
                "showarrow": False,
            }
            for heading, domain in zip(_HEADINGS, _DOMAINS, strict=True)
        ],
        height=180 + _ROW * len(rows),
        margin={"t": 95, "b": 75, "l": 125, "r": 10},
        bargap=0.35,
        showlegend=False,
        uirevision="keep",
    )
    return figure


def _axis(panel: int, shown: list[float], title: str, **more: Any) -> dict[str, Any]:
    return {
        "domain": _DOMAINS[panel],
        "range": shown,
        "title": title,
        "zeroline": False,
        "nticks": 5,
        **more,
    }


def _bars(
    values: list[float],
    rows: list[int],
    colors: list[str],
    names: list[str],
    axis: str,
    texts: list[str],
) -> go.Bar:
    return go.Bar(
        x=values,
        y=rows,
        xaxis=axis,
        orientation="h",
        marker={"color": colors, "line_width": 0},
        text=texts,
        textposition="outside",
        cliponaxis=False,
        customdata=names,
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )


def _ticks(values: list[float], rows: list[int], colors: list[str], names: list[str]) -> go.Scatter:
    return go.Scatter(
        x=values,
        y=rows,
        xaxis="x2",
        mode="markers",
        name="without DP",
        marker={
            "symbol": "line-ns",
            "size": 18,
            "line": {"width": 2.5, "color": colors},
            "color": colors,
        },
        customdata=names,
        hovertemplate="%{customdata} without DP: %{x:,.1f}<extra></extra>",
    )


def _dumbbells(
    start: list[float],
    end: list[float],
    rows: list[int],
    colors: list[str],
    found: Sequence[Standing],
) -> list[go.Scatter]:
    lines = go.Scatter(
        x=[x for a, b in zip(start, end, strict=True) for x in (a, b, None)],
        y=[y for row in rows for y in (row, row, None)],
        xaxis="x3",
        mode="lines",
        line={"color": palette.INK, "width": 2},
        hoverinfo="skip",
    )
    names = [standing.name for standing in found]

    def points(values: list[float], suffix: str, label: str, **more: Any) -> go.Scatter:
        return go.Scatter(
            x=values,
            y=rows,
            xaxis="x3",
            name=label,
            marker={
                # Filled with DP for all: the row says which strategy it is.
                "symbol": [
                    palette.SYMBOL[standing.strategy].removesuffix("-open") + suffix
                    for standing in found
                ],
                "size": 12,
                "color": colors,
                "line": {"color": colors, "width": 2},
            },
            customdata=names,
            hovertemplate="%{customdata} " + label + ": %{x:.4f}<extra></extra>",
            **more,
        )

    return [
        lines,
        points(start, "-open", "without DP", mode="markers"),
        points(
            end,
            "",
            "with DP",
            mode="markers+text",
            text=[f"  {number(value, 3)}" for value in end],
            textposition="middle right",
            cliponaxis=False,
        ),
    ]
