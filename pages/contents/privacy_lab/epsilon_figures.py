"""The pictures and tables of what ε means for the settings on the screen."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.composition import compose_optimal, tabulate_worst_ratings
from engine.privacy import (
    Mechanism,
    paper_epsilon_of_each,
    strict_epsilon,
    whole_uses,
)
from engine.protection_summary import tabulate_paper_epsilon
from pages.contents.privacy_lab.epsilon import Accounts, odds
from pages.parts.drawing.layout import (
    HATCH,
    INK,
    SECURE_COLOR,
    VULNERABLE_COLOR,
    add_level,
    lay_out,
)
from pages.parts.drawing.scales import log_axis

#: Answers about one rating, for the table of what they reveal together.
_ANSWERS: Final = (1, 2, 5, 10, 100)
_BARS: Final = 25


def make_paper_figure(accounts: Accounts) -> go.Figure:
    """Return the paper's ε against the usage: the curve, and where the vulnerable users are."""
    by_usage = tabulate_paper_epsilon(accounts.usage, accounts.tau)
    users, largest = by_usage["users"], int(by_usage["data_usage"].max())
    first = whole_uses(accounts.tau) + 1
    curve = np.unique(np.geomspace(first, max(largest, first + 1), 200).round())
    figure = go.Figure(
        [
            go.Scatter(
                x=curve,
                y=paper_epsilon_of_each(curve, accounts.tau),
                mode="lines",
                line={"color": INK, "width": 2},
                name="the paper's ε",
                hoverinfo="skip",
            ),
            go.Scatter(
                x=by_usage["data_usage"],
                y=by_usage["epsilon_paper"],
                mode="markers",
                marker={
                    "color": VULNERABLE_COLOR,
                    "opacity": 0.6,
                    "size": 5 + 12 * np.sqrt(users / users.max()),
                },
                customdata=users,
                name="vulnerable users; a larger dot stands for more of them",
                hovertemplate="%{x:,} uses: ε = %{y:.2f}, %{customdata} users<extra></extra>",
            ),
        ]
    )
    one = strict_epsilon(accounts.mechanism)
    if math.isfinite(one):
        # The curve falls from the left: above the line its right end is free.
        name = f"one protected answer, strictly: {one:.2f}"
        add_level(figure, one, name, SECURE_COLOR, above=True)
    return lay_out(
        figure,
        height=400,
        bottom=95,
        xaxis={
            "title": "uses of a user's data (logarithmic)",
            **log_axis(first, max(largest, first + 1)),
        },
        yaxis={"title": "ε", "rangemode": "tozero"},
    )


def paper_table(accounts: Accounts) -> pd.DataFrame:
    """Return the numbers behind the paper's ε: how many users have which usage."""
    return tabulate_paper_epsilon(accounts.usage, accounts.tau).rename(
        columns={
            "data_usage": "data usage",
            "users": "vulnerable users",
            "epsilon_paper": "ε of the paper",
        }
    )


def composition_table(mechanism: Mechanism) -> pd.DataFrame:
    """Return what several answers about one rating reveal together, fresh and memoised."""
    epsilon = strict_epsilon(mechanism)

    def text(value: float) -> str:
        return f"{value:.2f}; {odds(value)}" if math.isfinite(value) else odds(value)

    return pd.DataFrame(
        {
            "answers about one rating": [str(n) for n in _ANSWERS],
            "fresh, added up: ε; odds": [text(n * epsilon) for n in _ANSWERS],
            "fresh, optimal composition": [text(compose_optimal(epsilon, n)) for n in _ANSWERS],
            "memoised": [text(epsilon)] * len(_ANSWERS),
        }
    )


def most_answers_table(accounts: Accounts) -> pd.DataFrame:
    """Return how many users have a worst rating with so many answers, and its ε."""
    return tabulate_worst_ratings(accounts.strict).rename(
        columns={
            "most_answers": "answers about the worst rating",
            "epsilon_basic": "ε, added up",
            "epsilon_optimal": "ε, optimal composition",
            "epsilon_memoised": "ε, memoised",
        }
    )


def make_strict_figure(accounts: Accounts) -> go.Figure:
    """Return how many users have a worst rating with each number of protected answers."""
    most = accounts.strict.most_answers
    most = most[most > 0]
    width = max(1, math.ceil(int(most.max()) / _BARS))
    edges = np.arange(1, int(most.max()) + width + 1, width)
    users = np.histogram(most, edges)[0]
    labels = [f"{a:,}" if width == 1 else f"{a:,}–{a + width - 1:,}" for a in edges[:-1]]
    figure = go.Figure(
        go.Bar(
            x=labels,
            y=users,
            marker={"color": VULNERABLE_COLOR, "pattern": HATCH},
            hovertemplate="%{y:,} users: %{x} answers<extra></extra>",
        )
    )
    return lay_out(
        figure,
        height=360,
        bottom=90,
        xaxis={"title": "most protected answers about one rating", "type": "category"},
        yaxis_title="users",
    )
