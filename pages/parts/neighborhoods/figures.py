"""Neighbors@q and CoRatings@q: curves with bands over folds, where they are significant, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.neighborhoods.curves import Curve, Curves, last_query
from pages.parts.wording import STRATEGY, number, percent

#: The q of the small table.
_Q: Final = (20, 50, 100)
#: Pixels of a strategy's row in the strip below the curves, and of the strip's heading.
_ROW: Final = 16
_HEADING: Final = 30


def make_curves_figure(
    curves: Curves, chosen: str, title: str, y_title: str, significant: str
) -> go.Figure:
    """Return one line a strategy over q, with a band from the lowest to the highest fold.

    Below them a strip has a row for each strategy that was tested against UserKNN, filled where
    the difference is significant in all folds; `significant` is the heading of the strip.
    """
    longest = max(curve.each.shape[1] for curve in curves.values())
    figure = make_lines_figure(
        range(1, longest + 1),
        [
            Line(
                STRATEGY[strategy],
                strategy,
                curve.mean,
                strong=strategy == chosen,
                low=curve.low,
                high=curve.high,
                band=True,
            )
            for strategy, curve in curves.items()
        ],
        title=title,
        x_title="queries answered for the user, q",
        y_title=y_title,
        marker_every=20,
    )
    if last_query(curves) < 10:
        figure.update_xaxes(dtick=1)  # there is no half query
    tested = [(strategy, curve) for strategy, curve in curves.items() if curve.tested.any()]
    if tested:
        _add_strip(figure, tested, significant)
    return figure


def _add_strip(figure: go.Figure, tested: Sequence[tuple[str, Curve]], heading: str) -> None:
    height, margin = figure.layout.height, figure.layout.margin
    plot = height - margin.t - margin.b
    strip = _ROW * len(tested) + _HEADING
    for row, (strategy, curve) in enumerate(reversed(tested)):
        for filled in (True, False):
            shown = curve.tested & (curve.significant == filled)
            q = (np.flatnonzero(shown) + 1).tolist()
            if not q:
                continue
            figure.add_scatter(
                x=q,
                y=[row] * len(q),
                yaxis="y2",
                mode="markers",
                name=STRATEGY[strategy],
                marker={
                    "symbol": "square" if filled else "line-ew-open",
                    "size": 6,
                    "color": palette.COLOR[strategy],
                },
                customdata=curve.effect_size[shown].tolist(),
                hovertemplate=("significant" if filled else "not significant")
                + ", r = %{customdata:.2f}<extra>"
                + STRATEGY[strategy]
                + "</extra>",
            )
    total = plot + strip
    figure.update_layout(
        height=height + strip,
        xaxis={"anchor": "free", "position": 0},
        yaxis={"domain": [strip / total, 1]},
        yaxis2={
            "domain": [0, _ROW * len(tested) / total],
            "range": [-0.6, len(tested) - 0.4],
            "visible": False,
            "anchor": "x",
        },
    )
    for row, (strategy, _) in enumerate(reversed(tested)):
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            xshift=6,
            y=row,
            yref="y2",
            text=f'<span style="color:{palette.COLOR[strategy]}">{palette.GLYPH[strategy]}</span> '
            f"{STRATEGY[strategy]}",
            showarrow=False,
            font_size=12,
        )
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="left",
        y=_ROW * len(tested) / total,
        yref="paper",
        yanchor="bottom",
        text=heading,
        showarrow=False,
        font_size=12,
    )


def curves_table(curves: Curves) -> pd.DataFrame:
    """Return the curves by q: mean, lowest and highest fold, and the tests against UserKNN."""
    columns: dict[str, np.ndarray | list[str]] = {}
    for strategy, curve in curves.items():
        name = STRATEGY[strategy]
        columns[name] = curve.mean
        columns[f"{name}, lowest fold"] = curve.low
        columns[f"{name}, highest fold"] = curve.high
        if curve.p is not None:
            columns[f"{name}, significant"] = [
                ("yes" if yes else "no") if known else ""
                for yes, known in zip(curve.significant, curve.tested, strict=True)
            ]
            columns[f"{name}, effect size r"] = curve.effect_size
    table = pd.DataFrame(columns)
    table.insert(0, "q", np.arange(1, len(table) + 1))
    return table.dropna(how="all", subset=[STRATEGY[strategy] for strategy in curves])


def small_table(curves: Curves) -> pd.DataFrame:
    """Return the curves at a few q as texts, with the difference to UserKNN, and effect sizes.

    An asterisk marks what is significant in all folds.
    """
    base = curves["userknn"].mean
    rows = {}
    for strategy, curve in curves.items():
        cells = []
        for q in _Q:
            value, other = float(curve.mean[q - 1]), float(base[q - 1])
            text = number(value)
            if strategy != "userknn" and np.isfinite([value, other]).all() and other:
                change = value / other - 1
                sign = "+" if change > 0 else "−" if change < 0 else ""
                text += f" ({sign}{percent(abs(change))})"
            cells.append(text + (" *" if curve.significant[q - 1] else ""))
        rows[STRATEGY[strategy]] = [*cells, _range(curve.effect_size)]
    names = [*(f"after {q} queries" for q in _Q), "effect size r"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names).rename_axis("strategy")


def _range(values: np.ndarray) -> str:
    """Return the least and the largest of the values that are known.

    >>> _range(np.array([np.nan, -0.001, -0.8]))
    '−0.80 to 0.00'
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return ""
    ends = [number(float(end), 2).replace("-", "−") for end in (known.min(), known.max())]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)
