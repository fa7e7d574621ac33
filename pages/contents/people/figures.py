"""The figure of one user: real and noisy uses under each strategy."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from engine.exposure import Exposure
from pages.parts.drawing.layout import (
    HATCH,
    INK,
    NOISY_USE,
    REAL_USE,
    annotation,
    lay_out,
    tau_name,
    vertical_mark,
)
from pages.parts.looks import bar_label, name_of
from pages.parts.wording import number, times

_REAL, _PROTECTED = "real rating used", "noisy answer used"


def strategies_table(people: Mapping[str, Exposure], tau: float) -> pd.DataFrame:
    """Return one user's uses per fold under each strategy."""
    return pd.DataFrame(
        [
            {
                "strategy": name_of(strategy),
                "uses per fold": person.uses,
                "fewest": int(person.usage.min()),
                "most": int(person.usage.max()),
                "real uses": person.real(tau),
                "protected uses": person.protected(tau),
                "privacy risk": person.risk(tau),
                "paper's ε": person.epsilon(tau),
            }
            for strategy, person in people.items()
        ]
    )


def strategies_title(people: Mapping[str, Exposure]) -> str:
    """Return under which strategy this user is used most, and under which least."""
    most = max(people, key=lambda strategy: people[strategy].uses)
    least = min(people, key=lambda strategy: people[strategy].uses)
    if people[most].uses == 0:
        return "This user is never used, whatever the strategy"
    if people[most].uses == people[least].uses:
        return "This user is used equally often with every strategy"
    return (
        f"This user is used most with {name_of(most)} ({times(people[most].uses)}) and "
        f"least with {name_of(least)} ({times(people[least].uses)})"
    )


def make_strategies_figure(people: Mapping[str, Exposure], chosen: str, tau: float) -> go.Figure:
    """Return a bar for each strategy, real and protected uses apart, and tau across them."""
    names = [bar_label(strategy, strong=strategy == chosen) for strategy in people]
    exposures = list(people.values())
    most = [int(exposure.usage.max()) for exposure in exposures]
    bars = (
        (_REAL, REAL_USE, None, [exposure.real(tau) for exposure in exposures]),
        (_PROTECTED, NOISY_USE, HATCH, [exposure.protected(tau) for exposure in exposures]),
    )
    figure = go.Figure(
        [
            go.Bar(
                x=uses,
                y=names,
                orientation="h",
                name=name,
                marker={"color": color, "line_width": 0, "pattern": hatch},
                hovertemplate=f"%{{x:,.1f}} uses, {name}<extra></extra>",
            )
            for name, color, hatch, uses in bars
        ]
    )
    figure.add_scatter(
        x=[exposure.uses for exposure in exposures],
        y=names,
        mode="markers",
        marker={"size": 1, "opacity": 0, "color": INK},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [exposure.usage.max() - exposure.uses for exposure in exposures],
            "arrayminus": [exposure.uses - exposure.usage.min() for exposure in exposures],
            "color": INK,
            "thickness": 2,
            "width": 6,
        },
        hoverinfo="skip",
        showlegend=False,
    )
    labels = [
        annotation(number(exposure.uses), furthest, name, xref="x", yref="y")
        | {"yanchor": "middle", "xshift": 8, "font": {"size": 13}}
        for name, exposure, furthest in zip(names, exposures, most, strict=True)
    ]
    top = 1.16 * max(*most, 1)
    shapes, tau_label = vertical_mark(tau, tau_name(tau), top)
    return lay_out(
        figure,
        height=170 + 46 * len(people),
        top=95,
        bottom=95,
        left=20,
        barmode="stack",
        xaxis={
            "title": "uses per fold: mean, fewest and most",
            "range": [0, top],
            "tickformat": ",",
        },
        yaxis={"autorange": "reversed", "automargin": True},
        shapes=shapes,
        annotations=[*labels, *tau_label],
    )
