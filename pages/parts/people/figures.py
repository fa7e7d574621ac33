"""The figures of one user: uses under each strategy, and real and protected uses over tau."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.people.person import Person
from pages.parts.people.words import times
from pages.parts.wording import STRATEGY, exactly, number, percent, wrapped

_REAL, _PROTECTED = "real rating used", "protected by DP"


def strategies_table(people: Mapping[str, Person], tau: float) -> pd.DataFrame:
    """Return one user's uses per fold under each strategy."""
    return pd.DataFrame(
        {
            "strategy": [STRATEGY[strategy] for strategy in people],
            "uses per fold": [person.uses for person in people.values()],
            "fewest": [int(person.usage.min()) for person in people.values()],
            "most": [int(person.usage.max()) for person in people.values()],
            "real uses": [person.real(tau) for person in people.values()],
            "protected uses": [person.protected(tau) for person in people.values()],
            "privacy risk": [person.risk(tau) for person in people.values()],
            "paper's ε": [person.epsilon(tau) for person in people.values()],
        }
    )


def strategies_title(people: Mapping[str, Person]) -> str:
    """Return under which strategy this user is used most, and under which least."""
    most = max(people, key=lambda strategy: people[strategy].uses)
    least = min(people, key=lambda strategy: people[strategy].uses)
    if people[most].uses == 0:
        return "This user is never used, whatever the strategy"
    if people[most].uses == people[least].uses:
        return "This user is used equally often with every strategy"
    return (
        f"This user is used most with {STRATEGY[most]} ({times(people[most].uses)}) and "
        f"least with {STRATEGY[least]} ({times(people[least].uses)})"
    )


def make_strategies_figure(
    people: Mapping[str, Person], chosen: str, tau: float, title: str
) -> go.Figure:
    """Return a bar a strategy, real and protected uses apart, with tau across all of them."""
    names = [
        f"{f'<b>{STRATEGY[strategy]}</b>' if strategy == chosen else STRATEGY[strategy]} "
        f'<span style="color:{palette.COLOR[strategy]}">{palette.GLYPH[strategy]}</span>'
        for strategy in people
    ]
    figure = go.Figure()
    uses = [person.uses for person in people.values()]
    for group, color, values in (
        (_REAL, palette.SECURE, [person.real(tau) for person in people.values()]),
        (_PROTECTED, palette.VULNERABLE, [person.protected(tau) for person in people.values()]),
    ):
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            name=group,
            marker_color=color,
            marker_line_width=0,
            marker_pattern=palette.HATCH if group == _PROTECTED else None,
            hovertemplate=f"%{{x:,.1f}} uses, {group}<extra></extra>",
        )
    largest = max(int(person.usage.max()) for person in people.values())
    labels = [
        {
            "x": int(person.usage.max()),
            "y": name,
            "text": number(person.uses),
            "showarrow": False,
            "xanchor": "left",
            "xshift": 8,
            "font": {"size": 13},
        }
        for name, person in zip(names, people.values(), strict=True)
    ]
    figure.add_scatter(
        x=uses,
        y=names,
        mode="markers",
        name="fewest to most in a fold",
        marker={"size": 1, "opacity": 0, "color": palette.INK},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [p.usage.max() - p.uses for p in people.values()],
            "arrayminus": [p.uses - p.usage.min() for p in people.values()],
            "color": palette.INK,
            "thickness": 2,
            "width": 6,
        },
        hoverinfo="skip",
        showlegend=False,
    )
    top = 1.16 * max(largest, 1)
    shapes, annotations = _tau_line(tau, top)
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        barmode="stack",
        bargap=0.35,
        height=170 + 46 * len(people),
        margin={"t": 95, "b": 95, "l": 20, "r": 20},
        xaxis={
            "title": "uses per fold, mean; whiskers: fewest and most in a fold",
            "range": [0, top],
            "zeroline": False,
            "tickformat": ",",
        },
        yaxis={"autorange": "reversed", "automargin": True},
        legend=palette.LEGEND_BELOW,
        shapes=shapes,
        annotations=[*labels, *annotations],
        uirevision="keep",
    )
    return figure


def tau_table(person: Person, tau: float) -> pd.DataFrame:
    """Return real and protected uses per fold for every tau that makes a difference, thinned."""
    largest = int(person.usage.max())
    even = np.linspace(0, max(largest, 1), 120).round()
    taus = np.unique(np.concatenate((even, person.usage, [min(np.floor(tau), largest)])))
    real = np.minimum(person.usage[:, np.newaxis], taus).mean(axis=0)
    return pd.DataFrame(
        {
            "tau": taus.astype(np.int64),
            "real uses": real,
            "protected uses": person.uses - real,
            "paper's ε": [person.epsilon(float(at)) for at in taus],
        }
    )


def tau_title(person: Person, tau: float) -> str:
    """Return what tau protects of this user, and what it would take to protect nothing."""
    largest = int(person.usage.max())
    if person.vulnerable_folds(tau) == 0:
        return (
            f"At τ = {exactly(tau)} none of this user's uses is protected; below {number(largest)} "
            "some are"
        )
    return (
        f"At τ = {exactly(tau)}, {percent(person.protected_share(tau))} of this user's uses are "
        f"protected; from τ = {number(largest)} on, none is"
    )


def make_tau_figure(person: Person, tau: float, title: str) -> go.Figure:
    """Return real and protected uses over tau, one on the other."""
    table = tau_table(person, tau)
    figure = go.Figure()
    for column, name, color in (
        ("real uses", _REAL, palette.SECURE),
        ("protected uses", _PROTECTED, palette.VULNERABLE),
    ):
        figure.add_scatter(
            x=table["tau"].tolist(),
            y=table[column],
            mode="lines",
            stackgroup="uses",
            name=name,
            line={"color": color, "width": 2},
            fillcolor=color,
            fillpattern=palette.HATCH if name == _PROTECTED else None,
            hovertemplate=f"%{{y:,.1f}} {name}<extra></extra>",
        )
    top = max(int(person.usage.max()), 1)
    shapes, annotations = _tau_line(tau, top)
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={
            "title": "threshold τ",
            "range": [0, top],
            "showgrid": False,
            "zeroline": False,
            "tickformat": ",",
            "unifiedhovertitle": {"text": "τ = %{x:,}"},
        },
        yaxis={
            "title": "uses per fold, mean",
            "rangemode": "tozero",
            "zeroline": False,
            "tickformat": ",",
        },
        height=400,
        margin={"t": 95, "b": 95, "l": 70, "r": 20},
        hovermode="x unified",
        legend=palette.LEGEND_BELOW,
        shapes=shapes,
        annotations=annotations,
        uirevision="keep",
    )
    return figure


def _tau_line(tau: float, top: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a dashed line at tau with its value above the picture; an arrow if it is outside."""
    inside = tau <= top
    at = tau if inside else top
    line = {
        "type": "line",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
        "line": {"color": palette.INK, "width": 2.5, "dash": "dash"},
    }
    label = {
        "x": at,
        "y": 1,
        "yref": "y domain",
        "yanchor": "bottom",
        "xanchor": "left" if at < 0.5 * top else "right",
        "text": f"<b>τ = {exactly(tau)}</b>" + ("" if inside else " →"),
        "showarrow": False,
    }
    return ([line] if inside else []), [label]
