"""All users at once: how much of their use is protected, and the paper's epsilon, nobody by name.

A user counts once in each fold, as in the share of vulnerable users: the last three classes
together are that share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.privacy import is_vulnerable, paper_epsilon_of_each
from pages.parts.drawing import palette
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY, exactly, number, percent, wrapped

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


@dataclass(frozen=True, eq=False)
class Summary:
    """The users under one strategy at one tau.

    >>> summary = Summary.of([np.array([0, 10, 12, 30, 200])], 10.5)
    >>> summary.shares.tolist(), round(summary.epsilon, 2)
    ([0.2, 0.2, 0.2, 0.2, 0.2], 2.08)
    """

    shares: np.ndarray  # (5,) float64: which share of the users is in each of the classes
    epsilon: float  # the paper's, mean over vulnerable users, then over folds; NaN if nobody is
    quantiles: np.ndarray  # (3,): what 10, 50 and 90 % of the vulnerable users have at most

    @classmethod
    def of(cls, usages: Sequence[np.ndarray], tau: float) -> Summary:
        """Return the summary of a data usage, an array (n_users,) a fold."""
        epsilons = [paper_epsilon_of_each(usage, tau) for usage in usages]
        epsilons = [fold[np.isfinite(fold)] for fold in epsilons]
        means = [float(fold.mean()) for fold in epsilons if fold.size]
        known = np.concatenate(epsilons)
        return cls(
            _class_shares(np.concatenate(usages), tau),
            float(np.mean(means)) if means else np.nan,
            np.quantile(known, (0.1, 0.5, 0.9)) if known.size else np.full(3, np.nan),
        )


Summaries = Mapping[str, Summary]  # by strategy


def summaries(screen: Screen) -> Summaries:
    """Return the users under every strategy that has results."""
    return {
        strategy: Summary.of(screen.results.usages(strategy, screen.k), screen.tau)
        for strategy in screen.strategies
    }


def _class_shares(usage: np.ndarray, tau: float) -> np.ndarray:
    protected = np.maximum(usage - np.floor(tau), 0) / np.maximum(usage, 1)
    place = 2 + np.searchsorted([0.5, 0.9], protected, side="right")
    place[~is_vulnerable(usage, tau)] = 1
    place[usage == 0] = 0
    return np.bincount(place, minlength=len(CLASSES)) / max(1, usage.size)


def summary_table(found: Summaries) -> pd.DataFrame:
    """Return a row for each strategy: shares of the users, and the paper's epsilon."""
    rows = []
    for strategy, summary in found.items():
        shares = zip(CLASSES, summary.shares, strict=True)
        low, middle, high = summary.quantiles
        rows.append(
            {
                "strategy": STRATEGY[strategy],
                **{f"{name}, % of users": 100 * share for name, share in shares},
                "paper's ε, mean": summary.epsilon,
                "a tenth has at most": low,
                "half have at most": middle,
                "nine tenths have at most": high,
            }
        )
    return pd.DataFrame(rows)


def summary_title(found: Summaries, chosen: str, other: str) -> str:
    """Return how many users have at least half of their uses protected."""
    mine, others = (found[strategy].shares[3:].sum() for strategy in (chosen, other))
    return (
        f"{percent(mine)} of the users have half or more of their uses protected with "
        f"{STRATEGY[chosen]}, {percent(others)} with {STRATEGY[other]}"
    )


def summary_sentence(found: Summaries, tau: float, chosen: str, other: str) -> str:
    """Return for whom nothing is protected, and the epsilon of the others, in words (Markdown)."""
    shares = found[chosen].shares
    middle, others = (found[strategy].quantiles[1] for strategy in (chosen, other))
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


def make_summary_figure(found: Summaries, chosen: str, title: str) -> go.Figure:
    """Return a bar for each strategy: all users, by how much of their use is protected."""
    names = [
        f"{f'<b>{STRATEGY[strategy]}</b>' if strategy == chosen else STRATEGY[strategy]} "
        f'<span style="color:{palette.COLOR[strategy]}">{palette.GLYPH[strategy]}</span>'
        for strategy in found
    ]
    figure = go.Figure()
    for place, (name, (color, hatch)) in enumerate(zip(CLASSES, _STYLE, strict=True)):
        values = [float(summary.shares[place]) for summary in found.values()]
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
        height=180 + 46 * len(found),
        margin={"t": 80, "b": 100, "l": 20, "r": 20},
        xaxis={
            "title": "share of the users, by the share of their uses that is protected",
            "range": [0, 1],
            "tickformat": ".0%",
            "zeroline": False,
        },
        yaxis={"autorange": "reversed", "automargin": True},
        legend=palette.LEGEND_BELOW | {"x": 0, "xanchor": "left"},
        uirevision="keep",
    )
