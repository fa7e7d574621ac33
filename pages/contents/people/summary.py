"""All users at once: the figure, table and words of how much of their use is protected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from engine.protection_summary import PROTECTION_CLASSES, ProtectionSummary
from pages.parts.drawing.layout import HATCH, INK, SECURE_COLOR, VULNERABLE_COLOR, lay_out
from pages.parts.drawing.scales import share_ticks
from pages.parts.looks import bar_label, name_of
from pages.parts.screen import Screen
from pages.parts.wording import exactly, number, percent

_STYLE: Final = (
    (INK, ""),
    (SECURE_COLOR, ""),
    (VULNERABLE_COLOR, ""),
    (VULNERABLE_COLOR, "/"),
    (VULNERABLE_COLOR, "x"),
)
#: The color of hatches: dark, so that the numbers in front of them can be read.
_DARK: Final = "#8A3D00"
#: Bars narrower than this have no room for their number.
_NARROW: Final = 0.06


Summaries = Mapping[str, ProtectionSummary]  # by strategy


def summaries(screen: Screen) -> Summaries:
    """Return the users under every strategy that has results."""
    return {
        strategy: ProtectionSummary.of(screen.results.usages(strategy, screen.k), screen.tau)
        for strategy in screen.strategies
    }


def protection_table(by_strategy: Summaries) -> pd.DataFrame:
    """Return a row for each strategy: shares of the users, and the paper's epsilon."""
    rows = []
    for strategy, summary in by_strategy.items():
        shares = zip(PROTECTION_CLASSES, summary.shares, strict=True)
        low, middle, high = summary.quantiles
        rows.append(
            {
                "strategy": name_of(strategy),
                **{f"{name}, % of users": 100 * share for name, share in shares},
                "paper's ε, mean": summary.epsilon,
                "a tenth has at most": low,
                "half have at most": middle,
                "nine tenths have at most": high,
            }
        )
    return pd.DataFrame(rows)


def summary_title(by_strategy: Summaries, chosen: str, other: str) -> str:
    """Return how many users have at least half of their uses protected."""
    mine, others = (by_strategy[strategy].shares[3:].sum() for strategy in (chosen, other))
    return (
        f"{percent(mine)} of the users have half or more of their uses protected with "
        f"{name_of(chosen)}, {percent(others)} with {name_of(other)}"
    )


def protection_sentence(by_strategy: Summaries, tau: float, chosen: str, other: str) -> str:
    """Return for whom nothing is protected, and the epsilon of the others, in words (Markdown)."""
    shares = by_strategy[chosen].shares
    middle, others = (by_strategy[strategy].quantiles[1] for strategy in (chosen, other))
    never = f"; {percent(shares[0])} are never used" if shares[0] else ""
    start = (
        f"With {name_of(chosen)} at τ = {exactly(tau)}, **{percent(shares[1])} of the users are "
        f"used, but at most τ times, so that no use is protected**{never}."
    )
    if np.isnan(middle):
        return f"{start} Nobody is vulnerable."
    against = "" if np.isnan(others) else f" ({number(others, 2)} with {name_of(other)})"
    return (
        f"{start} Half of the vulnerable users have the paper's ε at **{number(middle, 2)}** or "
        f"less{against}; ln 3 = 1.10 is where every use is protected, and it is never lower."
    )


def make_summary_figure(by_strategy: Summaries, chosen: str) -> go.Figure:
    """Return a bar for each strategy: all users, by how much of their use is protected."""
    names = [bar_label(strategy, strong=strategy == chosen) for strategy in by_strategy]
    figure = go.Figure()
    for place, (name, (color, hatch)) in enumerate(zip(PROTECTION_CLASSES, _STYLE, strict=True)):
        values = [float(summary.shares[place]) for summary in by_strategy.values()]
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            name=name,
            marker={
                "color": color,
                "line": {"width": 1, "color": "white"},
                "pattern": HATCH | {"shape": hatch, "fgcolor": _DARK, "size": 8},
            },
            text=[percent(value) if value >= _NARROW else "" for value in values],
            textposition="inside",
            textangle=0,
            insidetextanchor="middle",
            insidetextfont={"color": "white", "size": 13, "weight": 600},
            customdata=[percent(value) for value in values],
            hovertemplate=f"%{{customdata}} of the users: {name}<extra></extra>",
        )
    return lay_out(
        figure,
        height=180 + 46 * len(by_strategy),
        bottom=100,
        left=20,
        barmode="stack",
        xaxis={
            "title": "share of the users, by their protected uses",
            "range": [0, 1],
            **share_ticks(1),
        },
        yaxis={"autorange": "reversed", "automargin": True},
    )
