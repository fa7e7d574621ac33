"""One chart for the overview: what each strategy exposes, and what protecting it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from engine.outcome import Outcome
from pages.parts.drawing.layout import INK, annotation, lay_out, with_room
from pages.parts.drawing.scales import share_ticks
from pages.parts.looks import color_of, name_of, symbol_of
from pages.parts.measures import less_or_more, metric_text, value_text
from pages.parts.outcomes import find
from pages.parts.screen import Screen

_ROW: Final = 24  # pixels for a strategy
_GAP: Final = 85  # pixels between two panels: an axis with its title, and a heading
_SPACE: Final = "\N{NO-BREAK SPACE}"  # others are left out at the start of a text
_PANELS: Final = (
    "Vulnerable users",
    "Real uses per user (mean privacy risk)",
    "Prediction error (MAE)",
)
_COLUMNS: Final = {
    "share of users vulnerable": ("vulnerable_share", "vulnerable"),
    "mean privacy risk with DP": ("privacy_risk", "vulnerable"),
    "mean privacy risk without DP": ("privacy_risk", "none"),
    "MAE with DP": ("mae", "vulnerable"),
    "MAE without DP": ("mae", "none"),
}


def overview_outcomes(screen: Screen) -> list[Outcome]:
    """Return the outcome of every strategy at the k and tau on the screen, with and without DP."""
    return [
        screen.outcome(strategy, protection)
        for strategy in screen.strategies
        for protection in ("vulnerable", "none")
    ]


def values_of(outcomes: Sequence[Outcome], metric: str, protection: str) -> list[float]:
    """Return a metric of every strategy under a protection."""
    return [o.value(metric) for o in outcomes if o.setting.protection == protection]


def strategies_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the strategies, each once, in their order."""
    return list(dict.fromkeys(outcome.setting.strategy for outcome in outcomes))


def overview_table(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return what the chart shows as a table."""
    values = {name: values_of(outcomes, *column) for name, column in _COLUMNS.items()}
    return pd.DataFrame({"strategy": map(name_of, strategies_of(outcomes)), **values})


def overview_title(outcomes: Sequence[Outcome], chosen: str, other: str) -> str:
    """Return the finding: exposure and error of the chosen strategy against another."""
    both = find(outcomes, chosen), find(outcomes, other)
    exposes = less_or_more(*both, "vulnerable_share", "fewer", "more", "as many")
    errs = less_or_more(*both, "mae", "less", "more", "the same")
    shares, errors = (
        " and ".join(value_text(outcome, metric) for outcome in both)
        for metric in ("vulnerable_share", "mae")
    )
    return (
        f"{name_of(chosen)} against {name_of(other)}: {exposes} vulnerable users ({shares}), "
        f"{errs} error ({errors})"
    )


def make_overview_figure(outcomes: Sequence[Outcome], chosen: str) -> go.Figure:
    """Return three panels with a row for each strategy: exposure, risk, and error.

    They lie below each other, as three beside each other do not fit on a phone. Numbers stand right
    of bar and mark, where neither covers them.
    """
    strategies = strategies_of(outcomes)
    shares, risks, risks_without, errors, errors_without = (
        values_of(outcomes, *column) for column in _COLUMNS.values()
    )
    rows: dict[str, Any] = {
        "y": list(range(len(strategies))),
        "customdata": [name_of(strategy) for strategy in strategies],
    }
    color = [color_of(strategy) for strategy in strategies]
    bars: dict[str, Any] = {
        "orientation": "h",
        "marker": {"color": color, "line_width": 0},
        "hovertemplate": "%{customdata}: %{hovertext}<extra></extra>",
    }
    of_all = [
        f"{risk} of {without}"
        for risk, without in zip(
            _texts("privacy_risk", risks), _texts("privacy_risk", risks_without), strict=True
        )
    ]
    ends = zip(errors_without, errors, strict=True)
    figure = go.Figure(
        [
            go.Bar(x=shares, hovertext=_texts("vulnerable_share", shares), **bars, **rows),
            _numbers(_texts("vulnerable_share", shares), shares, 1, rows),
            go.Bar(x=risks, hovertext=of_all, **_axes(2), **bars, **rows),
            _marks("without DP", risks_without, "line-ns", 2, color, ",.1f", size=16, **rows),
            _numbers(of_all, _ends(risks, risks_without), 2, rows),
            go.Scatter(
                x=[x for pair in ends for x in (*pair, None)],
                y=[y for row in rows["y"] for y in (row, row, None)],
                mode="lines",
                line={"color": INK, "width": 2},
                hoverinfo="skip",
                **_axes(3),
            ),
            _marks(
                "without DP",
                errors_without,
                [symbol_of(strategy, "none") for strategy in strategies],
                3,
                color,
                ".4f",
                **rows,
            ),
            _marks(
                "with DP",
                errors,
                # Filled for all: the row says which strategy it is.
                [symbol_of(strategy, filled=True) for strategy in strategies],
                3,
                color,
                ".4f",
                **rows,
            ),
            _numbers(
                [3 * _SPACE + error for error in _texts("mae", errors)],
                _ends(errors, errors_without),
                3,
                rows,
            ),
        ]
    )
    low, high = with_room(errors + errors_without, 0.08)
    share_end, risk_end = max(*shares, 0.1), max(*risks_without, *risks, 0.001)
    axes: tuple[dict[str, Any], ...] = (
        {
            "range": [0, 1.25 * share_end],
            "title": "share of the users",
            **share_ticks(share_end),
        },
        {"range": [0, 1.45 * risk_end], "title": "uses (bar: with DP, | without)", "nticks": 5},
        {
            "range": [low, high + 0.3 * (high - low)],
            "title": "scale points (filled: with DP)",
            "nticks": 5,
        },
    )
    panel = 30 + _ROW * len(strategies)
    inner = len(_PANELS) * panel + (len(_PANELS) - 1) * _GAP
    tops = [1 - place * (panel + _GAP) / inner for place in range(len(_PANELS))]
    lay_out(
        figure,
        height=inner + 95 + 60,
        top=95,
        bottom=60,
        left=125,
        right=10,
        showlegend=False,
        annotations=[
            annotation(f"<b>{heading}</b>", 0, top, yanchor="bottom", yshift=4)
            for heading, top in zip(_PANELS, tops, strict=True)
        ],
    )
    for place, (axis, top) in enumerate(zip(axes, tops, strict=True), start=1):
        figure.layout[f"xaxis{place}"] = {**axis, "anchor": f"y{place}"}
        figure.layout[f"yaxis{place}"] = {
            "tickvals": rows["y"],
            "ticktext": [f"<b>{name_of(s)}</b>" if s == chosen else name_of(s) for s in strategies],
            "range": [len(strategies) - 0.4, -0.6],
            "showgrid": False,
            "domain": [max(0.0, top - panel / inner), top],
            "anchor": f"x{place}",
        }
    return figure


def _axes(panel: int) -> dict[str, str]:
    return {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}


def _ends(values: Sequence[float], others: Sequence[float]) -> list[float]:
    return [max(pair) for pair in zip(values, others, strict=True)]


def _numbers(
    texts: Sequence[str], ends: Sequence[float], panel: int, rows: dict[str, Any]
) -> go.Scatter:
    """Return numbers right of what is drawn in each row."""
    return go.Scatter(
        x=ends,
        y=rows["y"],
        text=[f"{_SPACE}{text}" for text in texts],
        mode="text",
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
        **_axes(panel),
    )


def _texts(metric: str, values: Sequence[float]) -> list[str]:
    return [metric_text(metric, value) for value in values]


def _marks(
    name: str,
    values: list[float],
    symbol: str | list[str],
    panel: int,
    color: list[str],
    format: str,
    *,
    size: int = 12,
    **rows: Any,
) -> go.Scatter:
    return go.Scatter(
        x=values,
        mode="markers",
        name=name,
        marker={
            "symbol": symbol,
            "size": size,
            "color": color,
            "line": {"color": color, "width": 2},
        },
        hovertemplate=f"%{{customdata}} {name}: %{{x:{format}}}<extra></extra>",
        **_axes(panel),
        **rows,
    )
