"""Popular items at the top of the lists: tenths of the items, and every item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.outcome import Outcome
from engine.popularity_bias import GROUPS, group_shares, popularity_groups
from pages.contents.popularity_bias.bias import coverage_text, frequency_of
from pages.parts.drawing.layout import INK, annotation, lay_out
from pages.parts.drawing.scales import log_edges, share_ticks
from pages.parts.looks import color_of, name_of
from pages.parts.outcomes import outcome_name
from pages.parts.wording import percent


def groups_table(outcomes: Sequence[Outcome], popularity: np.ndarray) -> pd.DataFrame:
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
            **{
                outcome_name(outcome): group_shares(frequency_of(outcome), popularity)
                for outcome in outcomes
            },
        }
    )


@dataclass(frozen=True)
class Bars:
    """The bars of a strategy; those of what it is compared with are outlines."""

    name: str
    strategy: str
    values: Sequence[float | None]
    outlined: bool


def make_bars_figure(
    x: Sequence[str],
    compared: Sequence[Bars],
    reference: Sequence[float | None],
    *,
    names: tuple[str, str],
    format: Callable[[float], str],
    **layout: Any,
) -> go.Figure:
    """Return bars of two strategies side by side, with dashes where the reference stands.

    `names` are those of the bars, before the strategy's, and of the reference.
    """
    of_bars, of_reference = names
    figure = go.Figure()
    for bars in compared:
        color = color_of(bars.strategy)
        figure.add_bar(
            x=x,
            y=bars.values,
            customdata=_formatted(bars.values, format),
            name=f"{of_bars}, {bars.name}",
            marker={
                "color": "rgba(0,0,0,0)" if bars.outlined else color,
                "line": {"width": 2, "color": color},
            },
            hovertemplate=f"{of_bars}, {bars.name}: %{{customdata}}<extra></extra>",
        )
    figure.add_scatter(
        x=x,
        y=reference,
        customdata=_formatted(reference, format),
        mode="markers",
        name=of_reference,
        # Narrow enough to lie within the two bars, also on a phone.
        marker={"symbol": "line-ew", "size": 150 / len(x), "line": {"width": 3, "color": INK}},
        hovertemplate=f"{of_reference}: %{{customdata}}<extra></extra>",
    )
    heights = [y for trace in figure.data for y in trace.y if y is not None]
    top = 1.08 * max(heights, default=0.0) or 1.0
    lay_out(figure, height=430, bottom=120, bargroupgap=0.05, **layout)
    return figure.update_yaxes(range=[0, top]).update_xaxes(type="category")


def _formatted(values: Sequence[float | None], format: Callable[[float], str]) -> list[str]:
    return ["" if value is None else format(value) for value in values]


def make_groups_figure(chosen: Outcome, base: Outcome, popularity: np.ndarray) -> go.Figure:
    """Return the share of the top-list places of each tenth of the items, against their ratings."""
    tenths = [f"{group + 1}." for group in range(GROUPS)]
    figure = make_bars_figure(
        tenths,
        [
            Bars(
                outcome_name(outcome),
                outcome.setting.strategy,
                group_shares(frequency_of(outcome), popularity).tolist(),
                outlined=outcome is not chosen,
            )
            for outcome in ([chosen] if chosen is base else [base, chosen])
        ],
        group_shares(popularity, popularity).tolist(),
        names=("places on top lists", "all ratings"),
        format=percent,
        xaxis={"title": "tenths of the items (10.: the most rated)"},
        yaxis={"title": "share that falls on these items"},
    )
    return figure.update_yaxes(**share_ticks(figure.layout.yaxis.range[1]))


def groups_title(chosen: Outcome, base: Outcome, popularity: np.ndarray) -> str:
    """Return the finding on the most popular tenth of the items."""
    if popularity.size < 10:
        return "There are fewer than ten items, so that some tenths of the items are empty"
    mine = group_shares(frequency_of(chosen), popularity)[-1]
    ratings = group_shares(popularity, popularity)[-1]
    title = (
        f"The most popular tenth of the items has {percent(ratings)} of the ratings and gets "
        f"{percent(mine)} of the top places with {name_of(chosen.setting.strategy)}"
    )
    if chosen is base:
        return title
    other = group_shares(frequency_of(base), popularity)[-1]
    return f"{title}, {percent(other)} with {name_of(base.setting.strategy)}"


def item_bins(popularity: np.ndarray, frequency: np.ndarray) -> pd.DataFrame:
    """Return the number of items by their number of ratings and of lists, both in bins.

    Both axes grow like a logarithm: there are few rows, however many items there are.
    """
    x, x_at = _in_log_bins(popularity)
    y, y_at = _in_log_bins(frequency)
    cells, counts = np.unique(np.stack([x, y]), axis=1, return_counts=True)
    return pd.DataFrame({"ratings": x_at[cells[0]], "lists": y_at[cells[1]], "items": counts})


def _in_log_bins(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bin of each count, and the middle of each bin."""
    edges = log_edges(int(counts.max(initial=0)))
    return np.searchsorted(edges, counts, side="right") - 1, (edges[:-1] + edges[1:] - 1) / 2


def make_items_figure(outcome: Outcome, popularity: np.ndarray) -> go.Figure:
    """Return the items by their number of ratings and of lists, larger dots for more items."""
    frequency = frequency_of(outcome)
    bins = item_bins(popularity, frequency)
    ends = np.array([max(1.0, float(popularity[popularity > 0].min(initial=1))), popularity.max()])
    figure = go.Figure(
        [
            go.Scatter(
                x=bins["ratings"],
                # Items that are on no list have no place on a logarithmic axis: they stand below 1.
                y=np.where(bins["lists"] == 0, 0.5, bins["lists"]),
                mode="markers",
                marker={
                    "size": 4 + 3.2 * np.sqrt(bins["items"]).clip(upper=8),
                    "color": color_of(outcome.setting.strategy),
                    "opacity": 0.65,
                    "line_width": 0,
                },
                customdata=bins[["items", "lists"]].to_numpy(),
                hovertemplate="%{customdata[0]:,} items with about %{x:,.0f} ratings,"
                "<br>on about %{customdata[1]:,.0f} lists<extra></extra>",
            ),
            go.Scatter(
                x=ends,
                y=ends * frequency.sum() / max(1, popularity.sum()),
                mode="lines",
                line={"color": INK, "dash": "dot", "width": 2},
                hoverinfo="skip",
            ),
        ]
    )
    ticks = [10**power for power in range(len(str(int(bins["lists"].max()))))]
    legend = "larger dots: more items<br>dotted line: exactly in step with popularity"
    return lay_out(
        figure,
        height=460,
        left=80,
        xaxis={"title": "ratings of the item (logarithmic)", "type": "log", "dtick": 1},
        yaxis={
            "title": "lists with the item among the top 10 (logarithmic)",
            "type": "log",
            "tickvals": [0.5, *ticks],
            "ticktext": ["never", *(f"{tick:,}" for tick in ticks)],
        },
        showlegend=False,
        annotations=[annotation(legend, 0, 1, xshift=10, align="left", font={"color": INK})],
    )


def items_title(chosen: Outcome, base: Outcome) -> str:
    """Return the finding on items and lists."""
    listed, other = (coverage_text(outcome.value("coverage")) for outcome in (chosen, base))
    title = f"{listed} of the items are on somebody's list under {outcome_name(chosen)}"
    return title if chosen is base else f"{title}, {other} under {outcome_name(base)}"
