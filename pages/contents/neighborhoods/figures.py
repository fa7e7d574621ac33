"""Neighbors@q and CoRatings@q: curves with bands over folds, where they are significant, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.growth_curves import GrowthCurve, last_query
from engine.round_numbers import round_numbers
from pages.contents.neighborhoods.curves import Curves
from pages.contents.neighborhoods.words import tested_name
from pages.parts.drawing.layout import annotation
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.looks import color_of, glyph_of, name_of
from pages.parts.wording import after_queries_words, number, percent, sign_of

#: The q that the small table may show, and how many it shows: the last that users reach.
_Q: Final = [round(q) for q in round_numbers(1, 100)]
_MOST: Final = 3
#: Pixels of a strategy's row in the strip below the curves, and of the strip's heading.
_ROW: Final = 16
_HEADING: Final = 30


def make_curves_figure(curves: Curves, chosen: str, y_title: str, significant: str) -> go.Figure:
    """Return one line for each strategy over q, with a band from the lowest to the highest fold.

    Below them a strip has a row for each strategy whose difference to UserKNN is significant at
    some q and not at others; `significant` is the heading of the strip. What is significant at
    every q needs no strip: the sentence says so.
    """
    longest = max(curve.in_folds.shape[1] for curve in curves.values())
    figure = make_lines_figure(
        range(1, longest + 1),
        [
            Line(
                name_of(strategy),
                strategy,
                curve.mean,
                strong=strategy == chosen,
                low=curve.lowest,
                high=curve.highest,
                band=True,
            )
            for strategy, curve in curves.items()
        ],
        x_title="queries answered for the user, q",
        y_title=y_title,
        marker_every=20,
    )
    if last_query(curves) < 10:
        figure.update_xaxes(dtick=1)  # there is no half query
    mixed = [
        (strategy, curve)
        for strategy, curve in curves.items()
        if curve.tested.any() and not curve.significant[curve.tested].all()
    ]
    if mixed:
        _add_strip(figure, mixed[::-1], significant)
    return figure


def _add_strip(figure: go.Figure, tested: Sequence[tuple[str, GrowthCurve]], heading: str) -> None:
    height, margin = figure.layout.height, figure.layout.margin
    strip = _ROW * len(tested) + _HEADING
    total = height - margin.t - margin.b + strip
    for row, (strategy, curve) in enumerate(tested):
        for filled in (True, False):
            marked = curve.tested & (curve.significant == filled)
            q = (np.flatnonzero(marked) + 1).tolist()
            if q:
                figure.add_trace(_marks(strategy, row, q, curve.effect_size[marked], filled))
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
    small = {"size": 12}
    figure.layout.annotations += (
        *(
            annotation(f"{glyph_of(strategy)} {tested_name(strategy)}", 1, row, yref="y2")
            | {"yanchor": "middle", "xshift": 6, "font": small}
            for row, (strategy, _) in enumerate(tested)
        ),
        annotation(heading, 0, _ROW * len(tested) / total, font=small),
    )


def _marks(
    strategy: str, row: int, q: list[int], effect_size: np.ndarray, filled: bool
) -> go.Scatter:
    significance = "significant" if filled else "not significant"
    return go.Scatter(
        x=q,
        y=[row] * len(q),
        yaxis="y2",
        mode="markers",
        name=name_of(strategy),
        marker={
            "symbol": "square" if filled else "line-ew-open",
            "size": 6,
            "color": color_of(strategy),
        },
        customdata=effect_size.tolist(),
        hovertemplate=f"{significance}, r = %{{customdata:.2f}}<extra>{name_of(strategy)}</extra>",
    )


def curves_table(curves: Curves) -> pd.DataFrame:
    """Return the curves by q: mean, lowest and highest fold, and its tests against the baseline."""
    columns: dict[str, np.ndarray | list[str]] = {}
    for strategy, curve in curves.items():
        name = name_of(strategy)
        columns[name] = curve.mean
        columns[f"{name}, lowest fold"] = curve.lowest
        columns[f"{name}, highest fold"] = curve.highest
        if curve.p_values is not None:
            columns[f"{name}, significant"] = [
                ("yes" if yes else "no") if known else ""
                for yes, known in zip(curve.significant, curve.tested, strict=True)
            ]
            columns[f"{name}, effect size r"] = curve.effect_size
    table = pd.DataFrame(columns)
    table.insert(0, "q", np.arange(1, len(table) + 1))
    return table.dropna(how="all", subset=[name_of(strategy) for strategy in curves])


def small_table(curves: Curves) -> pd.DataFrame:
    """Return the curves at a few q as texts, with the difference to UserKNN, and effect sizes.

    An asterisk marks what is significant in all folds.
    """
    base = curves["userknn"].mean
    chosen_qs = ([q for q in _Q if q <= last_query(curves)] or _Q)[-_MOST:]
    rows = {}
    for strategy, curve in curves.items():
        cells = []
        for q in chosen_qs:
            value, other = float(curve.mean[q - 1]), float(base[q - 1])
            text = number(value)
            if strategy != "userknn" and np.isfinite([value, other]).all() and other:
                change = value / other - 1
                text += f" ({sign_of(change)}{percent(abs(change))})"
            cells.append(text + (" *" if curve.significant[q - 1] else ""))
        rows[tested_name(strategy)] = [*cells, _range(curve.effect_size)]
    names = [
        *(after_queries_words(q) for q in chosen_qs),
        "effect size r",
    ]
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
