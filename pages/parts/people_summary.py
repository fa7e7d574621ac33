"""All users at once: how much of their use is protected, and the paper's epsilon, nobody by name.

A user counts once in each fold, as in the share of vulnerable users: the last three classes
together are that share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.privacy import is_vulnerable, paper_epsilon, paper_epsilon_of_each
from pages.parts import palette
from pages.parts.wording import STRATEGY, exactly, number, percent, wrapped

Usages = Mapping[str, Sequence[np.ndarray]]  # by strategy: an array (n_users,) a fold

#: By the share of a user's uses that is protected; those of the last three are vulnerable.
CLASSES: Final = (
    "never used",
    "no use protected",
    "less than half",
    "half to nine tenths",
    "nine tenths or more",
)
_STYLE: Final = (
    (palette.INK, ""),
    (palette.SECURE, ""),
    (palette.VULNERABLE, ""),
    (palette.VULNERABLE, "/"),
    (palette.VULNERABLE, "x"),
)
#: Of hatches: dark, so that the numbers in front of them can be read.
_DARK: Final = "#8A3D00"
#: Bars narrower than this have no room for their number.
_NARROW: Final = 0.06


def class_shares(usages: Sequence[np.ndarray], tau: float) -> np.ndarray:
    """Return which share of the users is in each of the classes: (5,) float64.

    >>> class_shares([np.array([0, 10, 12, 30, 200])], 10.5).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.2]
    """
    usage = np.concatenate(usages)
    protected = np.maximum(usage - np.floor(tau), 0) / np.maximum(usage, 1)
    place = 2 + np.searchsorted([0.5, 0.9], protected, side="right")
    place[~is_vulnerable(usage, tau)] = 1
    place[usage == 0] = 0
    return np.bincount(place, minlength=len(CLASSES)) / max(1, usage.size)


def mean_epsilon(usages: Sequence[np.ndarray], tau: float) -> float:
    """Return the paper's epsilon over vulnerable users, mean over folds; NaN if nobody is."""
    means = [paper_epsilon(usage, "vulnerable", tau) for usage in usages]
    defined = [mean for mean in means if mean is not None]
    return float(np.mean(defined)) if defined else np.nan


def epsilon_quantiles(usages: Sequence[np.ndarray], tau: float) -> np.ndarray:
    """Return the epsilon that 10, 50 and 90 % of the vulnerable users have at most: (3,)."""
    epsilon = np.concatenate([paper_epsilon_of_each(usage, tau) for usage in usages])
    known = epsilon[np.isfinite(epsilon)]
    return np.quantile(known, (0.1, 0.5, 0.9)) if known.size else np.full(3, np.nan)


def summary_table(usages: Usages, tau: float) -> pd.DataFrame:
    """Return a row for each strategy: shares of the users, and the paper's epsilon."""
    rows = []
    for strategy, found in usages.items():
        shares = zip(CLASSES, class_shares(found, tau), strict=True)
        low, middle, high = epsilon_quantiles(found, tau)
        rows.append(
            {
                "strategy": STRATEGY[strategy],
                **{f"{name}, % of users": 100 * share for name, share in shares},
                "paper's ε, mean": mean_epsilon(found, tau),
                "a tenth has at most": low,
                "half have at most": middle,
                "nine tenths have at most": high,
            }
        )
    return pd.DataFrame(rows)


def summary_title(usages: Usages, tau: float, chosen: str, other: str) -> str:
    """Return how many users have at least half of their uses protected."""
    mine, others = (class_shares(usages[s], tau)[3:].sum() for s in (chosen, other))
    return (
        f"{percent(mine)} of the users have half or more of their uses protected with "
        f"{STRATEGY[chosen]}, {percent(others)} with {STRATEGY[other]}"
    )


def summary_sentence(usages: Usages, tau: float, chosen: str, other: str) -> str:
    """Return for whom nothing is protected, and the epsilon of the others, in words (Markdown)."""
    shares = class_shares(usages[chosen], tau)
    middle, others = (epsilon_quantiles(usages[s], tau)[1] for s in (chosen, other))
    never = f"; {percent(shares[0])} are never used" if shares[0] else ""
    start = (
        f"With {STRATEGY[chosen]} at τ = {exactly(tau)}, **{percent(shares[1])} of the users are "
        f"used, but at most τ times, so that no use is protected**{never}."
    )
    if np.isnan(middle):
        return f"{start} Nobody is vulnerable."
    against = "" if np.isnan(others) else f" ({number(others, 2)} with {STRATEGY[other]})"
    return (
        f"{start} Half of the vulnerable users have the paper's ε at **{number(middle, 2)}** or "
        f"less{against}; ln 3 = 1.10 is where every use is protected, and it is never lower."
    )


def make_summary_figure(usages: Usages, tau: float, chosen: str, title: str) -> go.Figure:
    """Return a bar for each strategy: all users, by how much of their use is protected."""
    shares = {strategy: class_shares(found, tau) for strategy, found in usages.items()}
    names = [
        f"{f'<b>{STRATEGY[strategy]}</b>' if strategy == chosen else STRATEGY[strategy]} "
        f'<span style="color:{palette.COLOR[strategy]}">{palette.GLYPH[strategy]}</span>'
        for strategy in usages
    ]
    figure = go.Figure()
    for place, (name, (color, hatch)) in enumerate(zip(CLASSES, _STYLE, strict=True)):
        values = [float(found[place]) for found in shares.values()]
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            name=name,
            marker={
                "color": color,
                "line": {"width": 1, "color": "white"},
                "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": _DARK, "size": 8},
            },
            text=[percent(value) if value >= _NARROW else "" for value in values],
            textposition="inside",
            textangle=0,
            insidetextanchor="middle",
            insidetextfont={"color": "white", "size": 13, "weight": 600},
            hovertemplate=f"%{{x:.1%}} of the users: {name}<extra></extra>",
        )
    return figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        barmode="stack",
        bargap=0.35,
        height=180 + 46 * len(usages),
        margin={"t": 80, "b": 100, "l": 20, "r": 20},
        xaxis={
            "title": "share of the users, by the share of their uses that is protected",
            "range": [0, 1],
            "tickformat": ".0%",
            "zeroline": False,
        },
        yaxis={"autorange": "reversed", "automargin": True},
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        uirevision="keep",
    )
