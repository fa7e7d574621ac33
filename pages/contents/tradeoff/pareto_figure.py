"""The trade-off over every strategy, k and tau, as a picture to click on, and in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from engine.outcome import Outcome
from engine.pareto_front import FrontPoint, least_error_within
from engine.privacy import unprotected_uses
from engine.sweep import SweepOverFolds
from pages.contents.tradeoff.figures import REACH, make_tradeoff_figure
from pages.contents.tradeoff.pareto import thinned_taus
from pages.parts.drawing.layout import UNCHANGED
from pages.parts.looks import color_of, name_of, shown_strategies
from pages.parts.measures import metric_text, value_text
from pages.parts.outcomes import find, setting_words
from pages.parts.runs.take_setting import take_setting
from pages.parts.wording import listed, number, order_as_read

#: A color that means nothing else; its contrast is 4.3 : 1 on white and 4.4 : 1 on dark.
_FRONT_COLOR: Final = "#8E6BBF"
#: A longer front is thinned to every other point, or to every third, and so on.
_MOST_OF_FRONT: Final = 100
#: Thresholds of a curve that is drawn, evenly apart on a logarithmic scale; the k looked at has
#: more of them.
_FINE, _COARSE = 200, 60


def take_point(setting: list[Any]) -> None:
    """Set strategy, k and tau to those of a point that was clicked."""
    strategy, k, tau = setting
    if strategy not in shown_strategies(embeddings=True):
        return
    take_setting(strategy, int(k), int(tau))


def make_pareto_figure(
    outcomes: Sequence[Outcome],
    sweeps: Sequence[SweepOverFolds],
    front: Sequence[FrontPoint],
    *,
    strategy: str,
    k: int,
    tau: float,
) -> go.Figure:
    """Return the outcomes at this k and tau, on the curves over tau of the sweeps.

    Curves of other k are faint. The front is one line. The custom data of every point are the
    strategy, k and tau that lead to it, as plain lists: arrays would not come back from the
    browser.
    """
    reach = REACH * max(outcome.value("privacy_risk") for outcome in outcomes)
    best = [point.mae for point in front if point.privacy_risk <= reach]
    figure = make_tradeoff_figure(outcomes, strategy, best)
    largest = {sweep.strategy: sweep.largest for sweep in sweeps if sweep.k == k}
    for mark, outcome in zip(figure.data, outcomes, strict=True):
        strategy_, protection = outcome.setting.strategy, outcome.setting.protection
        real = unprotected_uses(protection, tau)
        reached = largest.get(strategy_, tau) if math.isinf(real) else real
        mark.update(customdata=[[strategy_, k, reached]], selected=UNCHANGED, unselected=UNCHANGED)
    marks = figure.data
    for sweep in sweeps:
        figure.add_trace(_curve(sweep, strong=sweep.k == k))
    if front:
        figure.add_trace(_front(shown_front(front)))
    figure.data = (*figure.data[len(marks) :], *marks)
    return figure.update_layout(hovermode="closest")


def shown_front(front: Sequence[FrontPoint]) -> Sequence[FrontPoint]:
    """Return as many points of a front as a figure or a table has room for, evenly among all."""
    return front[:: 1 + len(front) // _MOST_OF_FRONT]


def _curve(sweep: SweepOverFolds, strong: bool) -> go.Scatter:
    color = color_of(sweep.strategy)
    taus = thinned_taus(sweep.largest, _FINE if strong else _COARSE)
    return _settings(
        sweep.mean("privacy_risk")[taus].tolist(),
        sweep.mean("mae")[taus].tolist(),
        [[sweep.strategy, sweep.k, tau] for tau in taus.tolist()],
        f"{name_of(sweep.strategy)}, k = {sweep.k}",
        "",
        line={"color": color, "width": 1.5 if strong else 1},
        # Without a marker there is nothing to click on.
        marker={"size": 3, "color": color, "opacity": 1},
        opacity=0.8 if strong else 0.2,
    )


def _front(front: Sequence[FrontPoint]) -> go.Scatter:
    return _settings(
        [point.privacy_risk for point in front],
        [point.mae for point in front],
        [[point.strategy, point.k, point.tau] for point in front],
        "Pareto front",
        "<br>on the Pareto front",
        line={"color": _FRONT_COLOR, "width": 3, "dash": "dot", "shape": "hv"},
        # As wide as the line, to click on.
        marker={"size": 3, "color": _FRONT_COLOR, "opacity": 1},
    )


def _settings(
    risks: list[float],
    errors: list[float],
    settings: list[list[Any]],
    name: str,
    hover: str,
    **style: Any,
) -> go.Scatter:
    names = [name_of(strategy) for strategy, _, _ in settings]
    return go.Scatter(
        x=risks,
        y=errors,
        customdata=settings,
        text=names,
        mode="lines+markers",
        name=name,
        selected=UNCHANGED,
        unselected=UNCHANGED,
        hovertemplate="%{text}, k = %{customdata[1]}, τ = %{customdata[2]:,}<br>MAE %{y:.4f}<br>"
        f"mean privacy risk %{{x:,.2f}}{hover}<extra></extra>",
        **style,
    )


def front_table(front: Sequence[FrontPoint]) -> pd.DataFrame:
    """Return the settings on the front, the safest first."""
    return pd.DataFrame(
        {
            "strategy": [name_of(point.strategy) for point in front],
            "k": [point.k for point in front],
            "τ": [point.tau for point in front],
            "mean privacy risk": [point.privacy_risk for point in front],
            "MAE": [point.mae for point in front],
        }
    )


def better_setting(now: Outcome, front: Sequence[FrontPoint]) -> FrontPoint | None:
    """Return the setting with the least error at no more risk than now.

    None if its error is no less once both are rounded.
    """
    best = least_error_within(front, now.value("privacy_risk"))
    text = partial(metric_text, "mae")
    return best if best and order_as_read(best.mae, now.value("mae"), text) < 0 else None


def all_k_title(front: Sequence[FrontPoint]) -> str:
    """Return the strategies and k of the settings that no other beats.

    >>> all_k_title([FrontPoint("gain", 30, 40, 12.0, 0.8), FrontPoint("gain", 5, 9, 3.0, 0.9)])
    'The settings that no other beats are with Gain, at k = 5 and 30'
    """
    if not front:
        return "There is no setting to compare"
    names = [name_of(name) for name in dict.fromkeys(point.strategy for point in front)]
    ks = [str(k) for k in sorted({point.k for point in front})]
    return f"The settings that no other beats are with {listed(names)}, at k = {listed(ks)}"


def front_sentence(
    outcomes: Sequence[Outcome], front: Sequence[FrontPoint], strategy: str, k: int
) -> str:
    """Return the setting with the least error at no more risk than the one looked at."""
    now = find(outcomes, strategy)
    best = better_setting(now, front)
    error, risk = value_text(now, "mae"), value_text(now, "privacy_risk")
    if best is None:
        return (
            f"**No setting is better**: none has less error (MAE {error}, rounded) at no more than "
            f"the {risk} real uses per person that you look at."
        )
    best_risk = number(best.privacy_risk)
    uses = f"as many real uses per person ({risk})"
    if best_risk != risk:
        uses = f"{best_risk} real uses per person instead of {risk}"
    return (
        f"**There is a better setting**: {setting_words(best)}. "
        f"Predictions miss by {number(best.mae, 3)} instead of {error}, "
        f"with {uses}."
        + (
            " With a larger k there are more noisy uses, too, and answers about the same rating "
            "add up."
            if best.k > k
            else ""
        )
    )
