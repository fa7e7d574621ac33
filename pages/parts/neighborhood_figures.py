"""Neighbors@q and CoRatings@q: curves, tables, and what they show in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.charts import Formula
from pages.parts.lines_figure import Line, make_lines_figure
from pages.parts.wording import STRATEGY, number

NEIGHBORS: Final = Formula(
    words="How many different users have been neighbors of u after u's first q queries, averaged "
    "over the users with at least q queries.",
    latex=r"\mathrm{Neighbors}@q(u) = |N_u^{(q)}|, \qquad "
    r"N_u^{(q)} = \bigcup_{i \in \text{first } q \text{ of } Q_u} N^k_{u,i}",
)
CO_RATINGS: Final = Formula(
    words="How many items a user and a neighbor have both rated, averaged over the neighbors of "
    "the first q queries, and then over users.",
    latex=r"\mathrm{CoRatings}@q(u) = \frac{1}{|N_u^{(q)}|} \sum_{n \in N_u^{(q)}} |I_u \cap I_n|",
)

Curves = Mapping[str, np.ndarray]  # by strategy: (100,), NaN where nobody has so many queries


def make_curves_figure(curves: Curves, chosen: str, title: str, y_title: str) -> go.Figure:
    """Return one line a strategy over q, labeled at its end."""
    return make_lines_figure(
        range(1, max(map(len, curves.values())) + 1),
        [
            Line(STRATEGY[strategy], strategy, curve, strong=strategy == chosen)
            for strategy, curve in curves.items()
        ],
        title=title,
        x_title="queries answered for the user, q",
        y_title=y_title,
        marker_every=20,
    )


def curves_table(curves: Curves) -> pd.DataFrame:
    """Return the curves as columns, by q."""
    table = pd.DataFrame({STRATEGY[strategy]: curve for strategy, curve in curves.items()})
    table.insert(0, "q", np.arange(1, len(table) + 1))
    return table.dropna(how="all", subset=list(table.columns[1:]))


def last_query(curves: Curves) -> int:
    """Return the largest q that all strategies have a value for; 0 if there is none.

    >>> last_query({"expect": np.array([3.0, 4.0, np.nan])})
    2
    """
    known = np.all([np.isfinite(curve) for curve in curves.values()], axis=0)
    return int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0


def neighbors_title(curves: Curves, chosen: str, other: str) -> str:
    """Return the finding on the size of neighborhoods."""
    return _title(curves, chosen, other, "a user has met {} neighbors with {}", "{} with {}")


def co_ratings_title(curves: Curves, chosen: str, other: str) -> str:
    """Return the finding on what users and neighbors have in common."""
    first = "a user shares {} rated items with a neighbor of {}"
    return _title(curves, chosen, other, first, "{} with one of {}")


def _title(curves: Curves, chosen: str, other: str, first: str, second: str) -> str:
    q = last_query(curves)
    if q == 0:
        return "No query has been answered"

    def at_q(strategy: str) -> tuple[str, str]:
        return number(float(curves[strategy][q - 1])), STRATEGY[strategy]

    start = "After one query" if q == 1 else f"After {q} queries"
    return f"{start} {first.format(*at_q(chosen))}, {second.format(*at_q(other))}"
