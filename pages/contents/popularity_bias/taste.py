"""Popularity bias for users who like popular items and for those who do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import plotly.graph_objects as go

from engine.popularity_bias import GroupBias
from pages.contents.popularity_bias.figures import Bars, make_bars_figure
from pages.parts.looks import named
from pages.parts.wording import listed, number

Groups = Mapping[str, tuple[GroupBias, GroupBias]]  # by strategy; fans of popular items first

NAMES: Final = ("fans of popular items", "other users")


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


def make_taste_figure(groups: Groups, chosen: str, base: str) -> go.Figure:
    """Return how popular the lists of each group are, against the items they rated themselves."""
    return make_bars_figure(
        NAMES,
        [
            Bars(
                named(strategy, "vulnerable"),
                strategy,
                [bias.lists for bias in groups[strategy]],
                outlined=strategy != chosen,
            )
            for strategy in dict.fromkeys((base, chosen))
        ],
        [bias.profile for bias in groups[chosen]],
        names=("their top lists", "the items they rated"),
        format=number,
        xaxis={"title": "halves of the users, by their own ratings"},
        yaxis={"title": "ratings per item (mean)"},
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
