"""Accuracy against privacy: the outcomes of strategies and protections, over k, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import plotly.graph_objects as go

from engine.outcome import Outcome
from pages.parts.drawing.layout import INK, annotation, lay_out, with_room
from pages.parts.drawing.margin_list import MarginLine, add_margin_list
from pages.parts.drawing.over_k import ByK
from pages.parts.looks import PROTECTION_LOOKS, color_of, glyph_of, name_of, symbol_of
from pages.parts.measures import less_or_more, outcome_order, value_text
from pages.parts.outcomes import find, outcome_name, protected_first
from pages.parts.runs.results import Results
from pages.parts.wording import listed

#: The right end of the picture, as a multiple of the largest risk among the marks.
REACH: Final = 1.05
#: By metric: the title of its axis, and what there is less or more of.
MEASURES: Final = {
    "mae": ("mean absolute error (scale points)", "error"),
    "privacy_risk": ("mean privacy risk (unprotected uses per user)", "privacy risk"),
}
_WORDS: Final = ("less", "more", "the same")


def tradeoff_outcomes(
    results: Results, strategies: Sequence[str], k: int, tau: float
) -> list[Outcome]:
    """Return the outcome of each strategy with DP, and of the baselines."""
    return [
        results.outcome(strategy, k, tau, protection)
        for strategy, protection in protected_first(strategies)
    ]


def over_k(results: Results, strategies: Sequence[str], ks: Sequence[int], tau: float) -> ByK:
    """Return the outcomes for each k, by strategy and protection."""
    finished = [s for s in strategies if all(s in results.strategies(k) for k in ks)]
    return {
        (strategy, protection): [results.outcome(strategy, k, tau, protection) for k in ks]
        for strategy, protection in protected_first(finished)
    }


def outcomes_table(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return the outcomes as a table, with the differences to UserKNN with DP."""
    base = find(outcomes, "userknn")
    error, risk = base.value("mae"), base.value("privacy_risk")
    return pd.DataFrame(
        [
            {
                "strategy": outcome_name(outcome),
                "MAE": outcome.value("mae"),
                "MAE, difference to UserKNN with DP": outcome.value("mae") - error,
                "mean privacy risk": outcome.value("privacy_risk"),
                "risk, difference to UserKNN with DP": outcome.value("privacy_risk") - risk,
                "share of uses protected": outcome.value("protected_uses"),
            }
            for outcome in outcomes
        ]
    )


def make_tradeoff_figure(
    outcomes: Sequence[Outcome], chosen: str, other_errors: Sequence[float] = ()
) -> go.Figure:
    """Return a mark for each outcome, privacy risk to the right, error upward, and their list.

    Marks crowd together where a strategy is good, so that their names stand in the margin, in the
    order of the errors. `other_errors` are to be within the picture, too.
    """
    furthest = max(outcome.value("privacy_risk") for outcome in outcomes)
    errors = [*(outcome.value("mae") for outcome in outcomes), *other_errors]
    figure = go.Figure([_mark(outcome, chosen) for outcome in outcomes])
    lay_out(
        figure,
        height=460,
        right=255,
        xaxis={
            "title": MEASURES["privacy_risk"][0],
            "range": [-0.04 * furthest - 0.01, REACH * furthest + 0.01],
        },
        yaxis={"title": MEASURES["mae"][0], "range": with_room(errors, 0.14)},
        showlegend=False,
    )
    by_error = sorted(outcomes, key=lambda outcome: -outcome.value("mae"))
    add_margin_list(figure, "MAE, privacy risk", [_entry(o, chosen) for o in by_error])
    better = annotation("↙ better", 0, 0, xshift=6, yshift=4, font={"color": INK})
    figure.layout.annotations += (better,)
    return figure


def _mark(outcome: Outcome, chosen: str) -> go.Scatter:
    strategy, protection = outcome.setting.strategy, outcome.setting.protection
    name, color = outcome_name(outcome), color_of(strategy)
    strong = (strategy, protection) == (chosen, "vulnerable")
    return go.Scatter(
        x=[outcome.value("privacy_risk")],
        y=[outcome.value("mae")],
        mode="markers",
        name=name,
        marker={
            "symbol": symbol_of(strategy, protection),
            "color": color,
            "size": 19 if strong else 13,
            "line": {"color": color, "width": 2.5},
        },
        hovertemplate=f"{name}<br>MAE %{{y:.4f}}<br>mean privacy risk %{{x:,.2f}}<extra></extra>",
    )


def _entry(outcome: Outcome, chosen: str) -> MarginLine:
    strategy, protection = outcome.setting.strategy, outcome.setting.protection
    return MarginLine(
        glyph_of(strategy, PROTECTION_LOOKS[protection].glyph),
        f"{outcome_name(outcome)}  {value_text(outcome, 'mae')}, "
        f"{value_text(outcome, 'privacy_risk')}",
        strong=(strategy, protection) == (chosen, "vulnerable"),
    )


def hidden_marks_sentence(outcomes: Sequence[Outcome]) -> str:
    """Return which marks lie on each other. At τ = 0, UserKNN with DP and with full DP do."""
    places: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        place = value_text(outcome, "privacy_risk"), value_text(outcome, "mae")
        places.setdefault(place, []).append(outcome_name(outcome))
    return " ".join(
        f"**The marks of {listed(names)} lie on each other**: error and risk are the same."
        for names in places.values()
        if len(names) > 1
    )


def tradeoff_sentence(outcomes: Sequence[Outcome], strategy: str) -> str:
    """Return what the chosen strategy comes to, with what it is compared with."""
    chosen, bare = find(outcomes, strategy), find(outcomes, "userknn", "none")
    mine, usual = (
        (value_text(outcome, "mae"), value_text(outcome, "privacy_risk"))
        for outcome in (chosen, bare)
    )
    sentence = (
        f"With {name_of(strategy)}, predictions miss by **{mine[0]}** points of the scale on "
        f"average, and a person's real ratings are used **{mine[1]}** times. UserKNN without "
        f"protection misses by {usual[0]} and uses a person's real ratings {usual[1]} times."
    )
    if strategy == "userknn":
        return sentence
    other = find(outcomes, "userknn")
    return (
        f"{sentence} UserKNN with the same τ misses by {value_text(other, 'mae')} and uses them "
        f"{value_text(other, 'privacy_risk')} times."
    )


def tradeoff_title(outcomes: Sequence[Outcome], strategy: str) -> str:
    """Return the finding: more or less error, more or less risk than UserKNN with DP."""
    chosen = find(outcomes, strategy)
    other = find(outcomes, "userknn", "none" if strategy == "userknn" else "vulnerable")
    error, risk = (
        less_or_more(chosen, other, metric, *(f"{word} {noun}" for word in _WORDS))
        for metric, noun in (("mae", "error"), ("privacy_risk", "privacy risk"))
    )
    return f"{outcome_name(chosen)}: {error} and {risk} compared with {outcome_name(other)}"


def over_k_title(by_k: ByK, ks: Sequence[int], strategy: str, k: int, measure: str) -> str:
    """Return the finding over k: where the strategy has less or more than what it is compared with.

    That is UserKNN with DP, and for UserKNN itself UserKNN without DP.
    """
    if (strategy, "vulnerable") not in by_k:
        strategy = "userknn"
    chosen = by_k[strategy, "vulnerable"]
    others = by_k["userknn", "none" if strategy == "userknn" else "vulnerable"]
    where: dict[int, list[str]] = {order: [] for order in (-1, 1, 0)}
    for other_k, mine, other in zip(ks, chosen, others, strict=True):
        where[outcome_order(mine, other, measure)].append(str(other_k))
    what = MEASURES[measure][1]
    parts: list[str] = []
    for word, (order, at_ks) in zip(_WORDS, where.items(), strict=True):
        if at_ks:
            place = "every k" if len(at_ks) == len(ks) > 1 else f"k = {listed(at_ks)}"
            compared = f"{what} {'than' if order else 'as'} {outcome_name(others[0])} "
            parts.append(f"{word} {'' if parts else compared}at {place}")
    now = list(ks).index(k)
    numbers = " against ".join(value_text(row[now], measure) for row in (chosen, others))
    return f"{outcome_name(chosen[0])} has {', '.join(parts)} ({numbers} at k = {k})"
