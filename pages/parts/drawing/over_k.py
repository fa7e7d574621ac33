"""Outcomes over k: a line for each strategy and protection, and the table behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.outcome import Outcome
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.measures import metric_text
from pages.parts.outcomes import outcome_name

#: By strategy and protection, an outcome a k.
ByK: TypeAlias = Mapping[tuple[str, str], Sequence[Outcome]]


def over_k_table(by_k: ByK, ks: Sequence[int], metric: str) -> pd.DataFrame:
    """Return one metric by k, a column for each strategy and protection."""
    columns: dict[str, list[float]] = {}
    for row in by_k.values():
        name = outcome_name(row[0])
        columns[name] = [outcome.value(metric) for outcome in row]
        columns[f"{name}, lowest fold"] = [outcome.lowest(metric) for outcome in row]
        columns[f"{name}, highest fold"] = [outcome.highest(metric) for outcome in row]
    return pd.DataFrame({"k": list(ks), **columns})


def make_over_k_figure(
    by_k: ByK,
    ks: Sequence[int],
    chosen: str,
    metric: str,
    *,
    band: bool = False,
    **axes: Any,
) -> go.Figure:
    """Return one metric over k: with DP solid, without dashed, full DP dotted.

    Error bars, or bands, reach from the lowest to the highest fold. `axes` are more of
    `make_lines_figure`.
    """
    lines = [
        Line(
            outcome_name(row[0]),
            strategy,
            np.array([outcome.value(metric) for outcome in row]),
            protection,
            strong=(strategy, protection) == (chosen, "vulnerable"),
            low=np.array([outcome.lowest(metric) for outcome in row]),
            high=np.array([outcome.highest(metric) for outcome in row]),
            band=band,
        )
        for (strategy, protection), row in by_k.items()
    ]
    text = partial(metric_text, metric)
    figure = make_lines_figure(ks, lines, x_title="neighbors per query, k", text=text, **axes)
    return figure.update_xaxes(tickvals=list(ks))
