"""Accuracy against privacy: the outcomes of strategies and protections, over k, and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.parts.drawing import palette
from pages.parts.drawing.charts import Formula
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.drawing.margin_list import Entry, add_margin_list
from pages.parts.runs.results import At, Results, mean_at
from pages.parts.wording import comparison, listed, named, number, wrapped

MAE: Final = Formula(
    words="The mean absolute error (MAE): how far predicted ratings are from the real ones, in "
    "points of the rating scale, averaged over all queries. Lower is better.",
    latex=r"\mathrm{MAE}@k = \frac{1}{|Q|} \sum_{(u,i) \in Q} |r_{u,i} - \mathcal{R}^k(u, i)|",
)
PRIVACY_RISK: Final = Formula(
    words="A user's privacy risk counts the uses of their real ratings: all uses without DP, the "
    "first τ with DP, none with full DP. Shown is the mean over all users. Lower is better.",
    latex=r"\mathrm{PrivacyRisk}@k(u) = \min\left[\tau, \mathrm{DataUsage}@k(u)\right]",
)
#: What stands in every picture beside the strategies with DP, as in the paper.
BASELINES: Final = (("userknn", "none"), ("userknn", "full"))
#: How far to the right the picture goes, in the largest risk of what is marked.
REACH: Final = 1.05
_MEASURES: Final = {
    "mae": ("mean absolute error (scale points)", 3, "error"),
    "privacy_risk": ("mean privacy risk (unprotected uses per user)", None, "privacy risk"),
}


@dataclass(frozen=True)
class Outcome:
    """What one strategy under one protection comes to."""

    strategy: str
    protection: str
    each: Sequence[At]  # one a fold

    @cached_property
    def at(self) -> At:
        """The mean over folds."""
        return mean_at(self.each)

    @property
    def name(self) -> str:
        """The name of the strategy and its protection."""
        return named(self.strategy, self.protection)

    def shown(self, measure: str) -> str:
        """Return a measure as it is shown."""
        return number(getattr(self.at, measure), _MEASURES[measure][1])

    def ends(self, measure: str) -> tuple[float, float]:
        """Return a measure in the fold where it is lowest, and where it is highest."""
        values = [getattr(at, measure) for at in self.each]
        return min(values), max(values)


ByK = Mapping[tuple[str, str], Sequence[Outcome]]  # by strategy and protection, one a k


def outcomes(results: Results, strategies: Sequence[str], k: int, tau: float) -> list[Outcome]:
    """Return the outcome of each strategy with DP, and of the baselines."""
    cases = [*BASELINES, *((strategy, "vulnerable") for strategy in strategies)]
    return [
        Outcome(strategy, protection, results.at_each(strategy, k, tau, protection))
        for strategy, protection in cases
    ]


def over_k(results: Results, strategies: Sequence[str], ks: Sequence[int], tau: float) -> ByK:
    """Return the outcomes for each k, by strategy and protection."""
    shown = [s for s in strategies if all(s in results.strategies(k) for k in ks)]
    rows = [outcomes(results, shown, k, tau) for k in ks]
    return {(row[0].strategy, row[0].protection): row for row in zip(*rows, strict=True)}


def find(found: Sequence[Outcome], strategy: str, protection: str) -> Outcome:
    """Return the outcome of a strategy under a protection."""
    return next(o for o in found if (o.strategy, o.protection) == (strategy, protection))


def outcomes_table(found: Sequence[Outcome]) -> pd.DataFrame:
    """Return the outcomes as a table, with the differences to UserKNN with DP."""
    base = find(found, "userknn", "vulnerable").at
    return pd.DataFrame(
        {
            "strategy": [outcome.name for outcome in found],
            "MAE": [outcome.at.mae for outcome in found],
            "MAE, difference to UserKNN with DP": [o.at.mae - base.mae for o in found],
            "mean privacy risk": [outcome.at.privacy_risk for outcome in found],
            "risk, difference to UserKNN with DP": [
                o.at.privacy_risk - base.privacy_risk for o in found
            ],
            "share of uses protected": [outcome.at.protected_uses for outcome in found],
        }
    )


def over_k_table(by_k: ByK, ks: Sequence[int], measure: str) -> pd.DataFrame:
    """Return one measure by k, a column for each strategy and protection."""
    columns: dict[str, list[float]] = {}
    for row in by_k.values():
        columns[row[0].name] = [getattr(o.at, measure) for o in row]
        columns[f"{row[0].name}, lowest fold"] = [o.ends(measure)[0] for o in row]
        columns[f"{row[0].name}, highest fold"] = [o.ends(measure)[1] for o in row]
    return pd.DataFrame({"k": list(ks), **columns})


def make_tradeoff_figure(
    found: Sequence[Outcome], chosen: str, title: str, other_errors: Sequence[float] = ()
) -> go.Figure:
    """Return a mark for each outcome, privacy risk to the right, error upward, and their list.

    Marks crowd together where a strategy is good, so that their names stand in the margin, in the
    order of the errors. `other_errors` are to be within the picture, too.
    """
    height = 460
    risks = np.array([outcome.at.privacy_risk for outcome in found])
    errors = np.array([outcome.at.mae for outcome in found])
    low, high = min([*errors, *other_errors]), max([*errors, *other_errors])
    room = 0.14 * (high - low or abs(high) or 1.0)
    figure = go.Figure()
    for outcome in found:
        color = palette.COLOR[outcome.strategy]
        strong = (outcome.strategy, outcome.protection) == (chosen, "vulnerable")
        figure.add_scatter(
            x=[outcome.at.privacy_risk],
            y=[outcome.at.mae],
            mode="markers",
            name=outcome.name,
            marker={
                "symbol": palette.symbol(outcome.strategy, outcome.protection),
                "color": color,
                "size": 19 if strong else 13,
                "line": {"color": color, "width": 2.5},
            },
            hovertemplate=f"{outcome.name}<br>MAE %{{y:.4f}}<br>mean privacy risk %{{x:,.2f}}"
            "<extra></extra>",
        )
    by_error = sorted(found, key=lambda outcome: -outcome.at.mae)
    add_margin_list(figure, "MAE, privacy risk", [_entry(o, chosen) for o in by_error])
    figure.update_layout(
        title={"text": wrapped(title), "x": 0, "xanchor": "left"},
        xaxis={
            "title": _MEASURES["privacy_risk"][0],
            "range": [-0.04 * risks.max() - 0.01, REACH * risks.max() + 0.01],
            "zeroline": False,
        },
        yaxis={"title": _MEASURES["mae"][0], "range": [low - room, high + room], "zeroline": False},
        height=height,
        margin={"t": 80, "b": 70, "l": 70, "r": 255},
        showlegend=False,
        uirevision="keep",
    )
    figure.add_annotation(
        text="↙ better",
        x=0,
        y=0,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        xshift=6,
        yshift=4,
        showarrow=False,
        font_color=palette.INK,
    )
    return figure


def _entry(outcome: Outcome, chosen: str) -> Entry:
    glyph = {"none": "○", "vulnerable": palette.GLYPH[outcome.strategy], "full": "⊕"}
    return Entry(
        glyph[outcome.protection],
        palette.COLOR[outcome.strategy],
        f"{outcome.name}  {outcome.shown('mae')}, {outcome.shown('privacy_risk')}",
        strong=(outcome.strategy, outcome.protection) == (chosen, "vulnerable"),
    )


def make_over_k_figure(
    by_k: ByK, ks: Sequence[int], chosen: str, measure: str, title: str
) -> go.Figure:
    """Return one measure over k: with DP solid, without dashed, full DP dotted.

    Error bars reach from the lowest to the highest fold.
    """
    y_title, decimals, _ = _MEASURES[measure]
    figure = make_lines_figure(
        ks,
        [
            Line(
                row[0].name,
                strategy,
                np.array([getattr(outcome.at, measure) for outcome in row]),
                protection,
                strong=(strategy, protection) == (chosen, "vulnerable"),
                low=np.array([outcome.ends(measure)[0] for outcome in row]),
                high=np.array([outcome.ends(measure)[1] for outcome in row]),
            )
            for (strategy, protection), row in by_k.items()
        ],
        title=title,
        x_title="neighbors per query, k",
        y_title=y_title,
        log_y=measure == "privacy_risk",
        decimals=decimals,
    )
    return figure.update_xaxes(tickvals=list(ks))


def tradeoff_sentence(found: Sequence[Outcome], strategy: str) -> str:
    """Return what the chosen strategy comes to, with what it is compared with."""
    chosen = find(found, strategy, "vulnerable")
    others = [find(found, "userknn", "vulnerable")] if strategy != "userknn" else []
    others.append(find(found, "userknn", "none"))
    compared = " ".join(
        f"{other.name}: {other.shown('mae')} and {other.shown('privacy_risk')}." for other in others
    )
    return (
        f"**{chosen.name}**: predicted ratings are off by **{chosen.shown('mae')}** on average, "
        f"and a user's ratings are used unprotected **{chosen.shown('privacy_risk')}** times. "
        f"{compared}"
    )


def tradeoff_title(found: Sequence[Outcome], strategy: str) -> str:
    """Return the finding: more or less error, more or less risk than UserKNN with DP."""
    chosen = find(found, strategy, "vulnerable")
    other = find(found, "userknn", "none" if strategy == "userknn" else "vulnerable")

    def words(measure: str, *words: str) -> str:
        return comparison(
            getattr(chosen.at, measure),
            getattr(other.at, measure),
            chosen.shown(measure),
            other.shown(measure),
            *words,
        )

    error = words("mae", "less error", "more error", "the same error")
    risk = words("privacy_risk", "less privacy risk", "more privacy risk", "the same privacy risk")
    return f"{chosen.name}: {error} and {risk} compared with {other.name}"


def over_k_title(by_k: ByK, ks: Sequence[int], strategy: str, k: int, measure: str) -> str:
    """Return the finding over k: where the strategy has less or more than what it is compared with.

    That is UserKNN with DP, and for UserKNN itself UserKNN without DP.
    """
    if (strategy, "vulnerable") not in by_k:
        strategy = "userknn"
    chosen = by_k[strategy, "vulnerable"]
    others = by_k["userknn", "none" if strategy == "userknn" else "vulnerable"]
    where: dict[str, list[str]] = {"less": [], "more": [], "the same": []}
    for at, mine, other in zip(ks, chosen, others, strict=True):
        verdict = comparison(
            getattr(mine.at, measure),
            getattr(other.at, measure),
            mine.shown(measure),
            other.shown(measure),
            *where,
        )
        where[verdict].append(str(at))
    what = _MEASURES[measure][2]
    parts: list[str] = []
    for verdict, at_ks in where.items():
        if at_ks:
            place = "every k" if len(at_ks) == len(ks) > 1 else f"k = {listed(at_ks)}"
            words = "as" if verdict == "the same" else "than"
            parts.append(
                f"{verdict} at {place}"
                if parts
                else f"{verdict} {what} {words} {others[0].name} at {place}"
            )
    now = list(ks).index(k)
    numbers = f"{chosen[now].shown(measure)} against {others[now].shown(measure)} at k = {k}"
    return f"{chosen[0].name} has {', '.join(parts)} ({numbers})"
