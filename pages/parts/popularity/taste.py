"""Popularity bias for users who like popular items and for those who do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import pandas as pd
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.drawing.charts import Formula
from pages.parts.wording import listed, named, number, wrapped

if TYPE_CHECKING:
    from engine.popularity_groups import GroupBias

    Groups = Mapping[str, tuple[GroupBias, GroupBias]]  # by strategy; who like popular items first

NAMES: Final = ("fans of popular items", "other users")
TASTE: Final = Formula(
    words="How popular a user's taste is: the number of ratings of an item, averaged over the "
    "items the user rated. Users above the median like popular items. The same average over the "
    "places of their top lists shows whether the lists are more popular than their taste.",
    latex=r"""\begin{aligned}
\mathrm{ProfilePop}(u) &= \frac{1}{|I_u|} \sum_{i \in I_u} \mathrm{ItemPop}(i) \\
\mathrm{ListPop}@k(u) &= \frac{1}{|\mathcal{R}^k_{top}(u)|}
\sum_{i \in \mathcal{R}^k_{top}(u)} \mathrm{ItemPop}(i)
\end{aligned}\;""",
)


def taste_table(groups: Groups) -> pd.DataFrame:
    """Return a row for each strategy and group."""
    return pd.DataFrame(
        [
            {
                "strategy": named(strategy, "vulnerable"),
                "group": name,
                "users": bias.users,
                "popularity of their ratings": bias.profile,
                "popularity of their lists": bias.lists,
                "lists against ratings": bias.lift,
                "PP-Corr": bias.pp_corr,
            }
            for strategy, both in groups.items()
            for name, bias in zip(NAMES, both, strict=True)
        ]
    )


def make_taste_figure(groups: Groups, chosen: str, base: str, title: str) -> go.Figure:
    """Return how popular the lists of each group are, against the items they rated themselves."""
    figure = go.Figure()
    x = list(NAMES)
    for strategy in dict.fromkeys((base, chosen)):
        name = named(strategy, "vulnerable")
        figure.add_bar(
            x=x,
            y=[bias.lists for bias in groups[strategy]],
            name=f"their top lists, {name}",
            # What it is compared with is an outline.
            marker={
                "color": palette.COLOR[strategy] if strategy == chosen else "rgba(0,0,0,0)",
                "line": {"width": 2, "color": palette.COLOR[strategy]},
            },
            hovertemplate=f"%{{y:,.0f}} ratings per item on their lists, {name}<extra></extra>",
        )
    figure.add_scatter(
        x=x,
        y=[bias.profile for bias in groups[chosen]],
        mode="markers",
        name="the items they rated",
        marker={"symbol": "line-ew", "size": 60, "line": {"width": 3, "color": palette.INK}},
        hovertemplate="%{y:,.0f} ratings per item they rated<extra></extra>",
    )
    return figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={"title": "halves of the users, by their own ratings", "type": "category"},
        yaxis={"title": "ratings per item (mean)", "zeroline": False},
        height=400,
        margin={"t": 80, "b": 120, "l": 70, "r": 20},
        legend={"orientation": "h", "x": 0, "y": -0.34, "yanchor": "top"},
        bargap=0.4,
        bargroupgap=0.08,
        uirevision="keep",
    )


def taste_title(groups: Groups, strategy: str) -> str:
    """Return the finding: how popular the lists of both groups are, against their own ratings."""
    name = named(strategy, "vulnerable")
    first, second = (bias.lift for bias in groups[strategy])
    parts = [
        f"{number(lift, 2)} times as popular as {whose}"
        for lift, whose in (
            (first, f"what {NAMES[0]} rated"),
            (second, f"what {NAMES[1]} rated"),
        )
        if lift is not None
    ]
    return f"{name}: top lists are {listed(parts)}" if parts else f"{name}: nobody has a top list"
