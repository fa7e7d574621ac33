"""One chart for the overview: what each strategy exposes, and what protecting it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import pandas as pd
import plotly.graph_objects as go
from plotly.basedatatypes import BaseTraceType

from engine.outcome import Outcome
from pages.parts.drawing.layout import INK, annotation, lay_out, with_room
from pages.parts.drawing.scales import share_ticks
from pages.parts.looks import color_of, name_of, symbol_of
from pages.parts.measures import less_or_more, metric_text, value_text
from pages.parts.outcomes import find
from pages.parts.screen import Screen

_ROW: Final = 24  # pixels for a strategy
_GAP: Final = 85  # pixels between two panels: an axis with its title, and a heading
_SPACE: Final = "\N{NO-BREAK SPACE}"  # Plotly drops any other space at the start of a text
#: The heading of a panel, its traces, and the settings of its axis.
_Panel: TypeAlias = tuple[str, list[BaseTraceType], dict[str, Any]]
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
    """Return the numbers of the chart as a table."""
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
    panels = _panels(outcomes, strategies)
    panel = 30 + _ROW * len(strategies)
    rows = {
        "tickvals": list(range(len(strategies))),
        "ticktext": [f"<b>{name_of(s)}</b>" if s == chosen else name_of(s) for s in strategies],
        "range": [len(strategies) - 0.4, -0.6],
        "showgrid": False,
    }
    # Each change of a finished figure costs milliseconds, so its layout is made at once.
    axes: dict[str, Any] = {}
    headings = []
    for suffix, (heading, traces, axis) in zip(("", "2", "3"), panels, strict=True):
        for trace in traces:
            trace.xaxis, trace.yaxis = f"x{suffix}", f"y{suffix}"
        axes |= {f"xaxis{suffix}": axis, f"yaxis{suffix}": rows}
        place = {"yref": f"y{suffix} domain", "yanchor": "bottom", "yshift": 4}
        headings.append(annotation(f"<b>{heading}</b>", 0, 1, **place))
    return lay_out(
        go.Figure([trace for _, traces, _ in panels for trace in traces]),
        height=len(panels) * panel + (len(panels) - 1) * _GAP + 95 + 60,
        top=95,
        bottom=60,
        left=125,
        right=10,
        showlegend=False,
        # A gap is a share of a panel and the gap below it.
        grid={
            "rows": len(panels),
            "columns": 1,
            "pattern": "independent",
            "ygap": _GAP / (panel + _GAP),
        },
        annotations=headings,
        **axes,
    )


def _panels(outcomes: Sequence[Outcome], strategies: Sequence[str]) -> tuple[_Panel, ...]:
    """Return the heading, the traces and the axis of each panel."""
    shares, risks, risks_without, errors, errors_without = (
        values_of(outcomes, *column) for column in _COLUMNS.values()
    )
    share_end, risk_end = max(*shares, 0.1), max(*risks_without, *risks, 0.001)
    low, high = with_room(errors + errors_without, 0.08)
    share_texts, risk_texts = _texts("vulnerable_share", shares), _texts("privacy_risk", risks)
    of_all = [
        f"{risk} of {without}"
        for risk, without in zip(risk_texts, _texts("privacy_risk", risks_without), strict=True)
    ]
    circles = [symbol_of(strategy, "none") for strategy in strategies]
    # Filled for all: the row says which strategy it is.
    filled = [symbol_of(strategy, filled=True) for strategy in strategies]
    return (
        (
            "Vulnerable users",
            [_bars(strategies, shares, share_texts), _numbers(share_texts, shares)],
            {
                "title": "share of the users",
                "range": [0, 1.25 * share_end],
                **share_ticks(share_end),
            },
        ),
        (
            "Real uses per user (mean privacy risk)",
            [
                _bars(strategies, risks, of_all),
                _marks(strategies, "without DP", risks_without, "line-ns", ",.1f", size=16),
                _numbers(of_all, _furthest(risks, risks_without)),
            ],
            {
                "title": "uses (bar: with DP, | without)",
                "range": [0, 1.45 * risk_end],
                "nticks": 5,
            },
        ),
        (
            "Prediction error (MAE)",
            [
                _spans(errors_without, errors),
                _marks(strategies, "without DP", errors_without, circles, ".4f"),
                _marks(strategies, "with DP", errors, filled, ".4f"),
                _numbers(
                    [3 * _SPACE + error for error in _texts("mae", errors)],
                    _furthest(errors, errors_without),
                ),
            ],
            {
                "title": "scale points (filled: with DP)",
                "range": [low, high + 0.3 * (high - low)],
                "nticks": 5,
            },
        ),
    )


def _furthest(values: Sequence[float], others: Sequence[float]) -> list[float]:
    return [max(pair) for pair in zip(values, others, strict=True)]


def _texts(metric: str, values: Sequence[float]) -> list[str]:
    return [metric_text(metric, value) for value in values]


def _bars(strategies: Sequence[str], values: Sequence[float], texts: Sequence[str]) -> go.Bar:
    return go.Bar(
        x=values,
        y=list(range(len(values))),
        orientation="h",
        marker={"color": [color_of(strategy) for strategy in strategies], "line_width": 0},
        customdata=[name_of(strategy) for strategy in strategies],
        hovertext=texts,
        hovertemplate="%{customdata}: %{hovertext}<extra></extra>",
    )


def _numbers(texts: Sequence[str], ends: Sequence[float]) -> go.Scatter:
    """Return numbers right of what is drawn in each row."""
    return go.Scatter(
        x=ends,
        y=list(range(len(ends))),
        text=[f"{_SPACE}{text}" for text in texts],
        mode="text",
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )


def _spans(starts: Sequence[float], ends: Sequence[float]) -> go.Scatter:
    """Return a line in each row from a start to an end."""
    return go.Scatter(
        x=[x for pair in zip(starts, ends, strict=True) for x in (*pair, None)],
        y=[y for row in range(len(starts)) for y in (row, row, None)],
        mode="lines",
        line={"color": INK, "width": 2},
        hoverinfo="skip",
    )


def _marks(
    strategies: Sequence[str],
    name: str,
    values: Sequence[float],
    symbol: str | list[str],
    format: str,
    size: int = 12,
) -> go.Scatter:
    color = [color_of(strategy) for strategy in strategies]
    return go.Scatter(
        x=values,
        y=list(range(len(values))),
        mode="markers",
        name=name,
        marker={
            "symbol": symbol,
            "size": size,
            "color": color,
            "line": {"color": color, "width": 2},
        },
        customdata=[name_of(strategy) for strategy in strategies],
        hovertemplate=f"%{{customdata}} {name}: %{{x:{format}}}<extra></extra>",
    )
