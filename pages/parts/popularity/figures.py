"""Popular items at the top of the lists: tenths of the items, and every item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.popularity.bias import Bias
from pages.parts.wording import percent, wrapped

GROUPS: Final = 10
#: Bins of an axis of the picture of items.
_BINS: Final = 36


def popularity_groups(popularity: np.ndarray, groups: int = GROUPS) -> np.ndarray:
    """Return the group of each item, 0 the least popular, all groups of nearly the same size.

    >>> popularity_groups(np.array([5, 1, 9, 3]), 2).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(popularity, kind="stable")
    group = np.empty(popularity.size, dtype=np.int64)
    group[order] = np.arange(popularity.size) * groups // max(1, popularity.size)
    return group


def group_shares(counts: np.ndarray, popularity: np.ndarray) -> np.ndarray:
    """Return which share of the counts falls on each group of items: (10,) float64."""
    sums = np.bincount(popularity_groups(popularity), weights=counts, minlength=GROUPS)
    total = sums.sum()
    return sums / total if total else sums


def groups_table(found: Sequence[Bias], popularity: np.ndarray) -> pd.DataFrame:
    """Return the shares of each tenth of the items: of all ratings, and of all top-list places."""
    group = popularity_groups(popularity)
    ratings = [popularity[group == g] for g in range(GROUPS)]
    return pd.DataFrame(
        {
            "tenth of the items": [f"{g + 1}." for g in range(GROUPS)],
            "ratings per item": [
                f"{items.min()} to {items.max()}" if items.size else "" for items in ratings
            ],
            "share of all ratings": group_shares(popularity, popularity),
            **{bias.name: group_shares(bias.lists.item_frequency, popularity) for bias in found},
        }
    )


def make_groups_figure(chosen: Bias, base: Bias, popularity: np.ndarray, title: str) -> go.Figure:
    """Return the share of the top-list places of each tenth of the items, against their ratings."""
    x = [f"{g + 1}." for g in range(GROUPS)]
    x[0], x[-1] = "least<br>popular", "most<br>popular"
    figure = go.Figure()
    shown = [chosen] if chosen is base else [base, chosen]
    for bias in shown:
        figure.add_bar(
            x=x,
            y=group_shares(bias.lists.item_frequency, popularity),
            name=f"places on top lists, {bias.name}",
            # What it is compared with is an outline.
            marker={
                "color": palette.COLOR[bias.strategy] if bias is chosen else "rgba(0,0,0,0)",
                "line": {"width": 2, "color": palette.COLOR[bias.strategy]},
            },
            hovertemplate=f"%{{y:.1%}} of the places, {bias.name}<extra></extra>",
        )
    figure.add_scatter(
        x=x,
        y=group_shares(popularity, popularity),
        mode="markers",
        name="all ratings",
        marker={"symbol": "line-ew", "size": 26, "line": {"width": 3, "color": palette.INK}},
        hovertemplate="%{y:.1%} of all ratings<extra></extra>",
    )
    return figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={"title": "tenths of the items, by number of ratings", "type": "category"},
        yaxis={
            "title": "share that falls on these items",
            "tickformat": ".0%",
            "zeroline": False,
            "range": [0, 1.08 * max(float(np.max(trace.y)) for trace in figure.data) or 1.0],
        },
        height=430,
        margin={"t": 80, "b": 110, "l": 70, "r": 20},
        legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top"},
        bargap=0.25,
        bargroupgap=0.05,
        uirevision="keep",
    )


def groups_title(chosen: Bias, base: Bias, popularity: np.ndarray) -> str:
    """Return the finding on the most popular tenth of the items."""
    if popularity.size < 10:
        return "There are fewer than ten items, so that some tenths of the items are empty"
    mine = group_shares(chosen.lists.item_frequency, popularity)[-1]
    ratings = group_shares(popularity, popularity)[-1]
    title = f"The most popular tenth of the items: {percent(mine)} of the top places"
    if chosen is not base:
        other = group_shares(base.lists.item_frequency, popularity)[-1]
        title += f" under {chosen.name}, {percent(other)} under {base.name}"
    return f"{title}, {percent(ratings)} of the ratings"


def item_bins(popularity: np.ndarray, frequency: np.ndarray) -> pd.DataFrame:
    """Return how many items have about so many ratings and are on about so many lists.

    Both axes grow like a logarithm; there are at most 36 x 36 rows, however many items there are.
    """
    x, x_at = _log_bins(popularity)
    y, y_at = _log_bins(frequency)
    cells, counts = np.unique(np.stack([x, y]), axis=1, return_counts=True)
    return pd.DataFrame({"ratings": x_at[cells[0]], "lists": y_at[cells[1]], "items": counts})


def _log_bins(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    largest = max(1, int(counts.max(initial=0)))
    edges = np.unique(np.round(np.geomspace(1, largest + 1, _BINS)).astype(np.int64))
    edges = np.concatenate(([0], edges))
    if edges[-1] <= largest:
        edges = np.append(edges, largest + 1)
    middle = (edges[:-1] + edges[1:] - 1) / 2
    return np.searchsorted(edges, counts, side="right") - 1, middle


def make_items_figure(bias: Bias, popularity: np.ndarray, title: str) -> go.Figure:
    """Return the items by their number of ratings and of lists, larger dots for more items."""
    bins = item_bins(popularity, bias.lists.item_frequency)
    never = bins["lists"] == 0
    figure = go.Figure()
    figure.add_scatter(
        x=bins["ratings"],
        # Never on a list has no place on a logarithmic axis: it stands below 1.
        y=np.where(never, 0.5, bins["lists"]),
        mode="markers",
        marker={
            "size": 4 + 3.2 * np.sqrt(bins["items"]).clip(upper=8),
            "color": palette.COLOR[bias.strategy],
            "opacity": 0.65,
            "line_width": 0,
        },
        customdata=bins[["items", "lists"]].to_numpy(),
        hovertemplate="%{customdata[0]:,} items with about %{x:,.0f} ratings,"
        "<br>on about %{customdata[1]:,.0f} lists<extra></extra>",
    )
    lists = bias.lists.item_frequency.sum()
    ends = np.array([max(1.0, float(popularity[popularity > 0].min(initial=1))), popularity.max()])
    figure.add_scatter(
        x=ends,
        y=ends * lists / max(1, popularity.sum()),
        mode="lines",
        line={"color": palette.INK, "dash": "dot", "width": 2},
        hoverinfo="skip",
    )
    figure.add_annotation(
        text="larger dots: more items<br>dotted line: exactly in step with popularity",
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="top",
        xshift=10,
        align="left",
        showarrow=False,
        font_color=palette.INK,
    )
    top = int(bins["lists"].max())
    ticks = [0.5, *(10**power for power in range(len(str(top))))]
    return figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={"title": "ratings of the item (logarithmic)", "type": "log", "dtick": 1},
        yaxis={
            "title": "lists with the item among the top 10 (logarithmic)",
            "type": "log",
            "tickvals": ticks,
            "ticktext": ["never", *(f"{tick:,}" for tick in ticks[1:])],
        },
        height=460,
        margin={"t": 80, "b": 70, "l": 80, "r": 20},
        showlegend=False,
        uirevision="keep",
    )


def items_title(bias: Bias, base: Bias) -> str:
    """Return the finding on items and lists."""
    title = f"{bias.coverage} of the items are on somebody's list under {bias.name}"
    return title if bias is base else f"{title}, {base.coverage} under {base.name}"
