"""nDCG@10 over k, under two definitions: what relevant means decides what a list can reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from engine.judgement import Judgement, compare
from engine.outcome import Outcome
from engine.settings import Setting
from engine.strategies import PAPER_STRATEGIES
from pages.parts.drawing.layout import add_settings
from pages.parts.drawing.lines import Line, make_lines_figure
from pages.parts.formulas import FORMULAS
from pages.parts.outcomes import outcome_name, protected_first
from pages.parts.paper.measured import RANKING, Measured, ranking_settings
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import comparison, number

_NAMES: Final = {
    "ndcg": "nDCG@10",
    "ndcg_published": "nDCG@10 as the published code computes it",
}
#: What the paper draws: UserKNN without DP and with full DP, and each strategy with DP.
_DRAWN: Final = protected_first(PAPER_STRATEGIES)
#: The outcomes over k of each strategy and protection.
_OverK = Mapping[tuple[str, str], Sequence[Outcome]]


def ranking_section(screen: Screen, measured: Measured) -> Section:
    """Return nDCG@10 over k in both definitions, with DP as the paper draws it, and without."""
    finding = [
        "A person sees a list, not a predicted rating. nDCG@10 says how good the order of the ten "
        "items with the highest predictions is: 1 where no list could be better. A band reaches "
        "from the lowest to the highest fold."
    ]
    if not measured.has_ranking or not measured.ks:
        return Section("Ranking", [*finding, "It is being measured. The figures will stand here."])
    over_k = {
        (first.strategy, first.protection): [
            measured.outcomes[Setting(first.strategy, k, "published", first.protection)]
            for k in measured.ks
        ]
        for first in ranking_settings(measured.ks[0])
    }
    return Section(
        heading="Ranking",
        finding=[
            *finding,
            "Both definitions compare a list with a perfect one. For the first it is the best list "
            "that the person’s ratings allow. For the published code it has ten relevant items, "
            "also if the person has fewer in a fold. So its values are lower, most of all where "
            "people have few ratings, and say more about how many relevant items there are.",
        ],
        exhibits=[_exhibit(over_k, measured.ks, screen, metric) for metric in RANKING],
        caption=f"{screen.title}, {screen.folds_phrase}, with DP at the τ of the published rule "
        "for each k, whatever the sidebar says. The strategies without DP are in the tables. "
        "The paper has this figure in its appendix, with the published definition, as a picture "
        "without numbers. So there is nothing to compare with.",
        hint="The report (Export in the sidebar) now holds this, too.",
    )


def _exhibit(over_k: _OverK, ks: Sequence[int], screen: Screen, metric: str) -> Exhibit:
    lines = [
        Line(
            outcome_name(over_k[drawn][0]),
            drawn[0],
            np.array([outcome.value(metric) for outcome in over_k[drawn]]),
            drawn[1],
            strong=drawn == (screen.strategy, "vulnerable"),
            low=np.array([outcome.lowest(metric) for outcome in over_k[drawn]]),
            high=np.array([outcome.highest(metric) for outcome in over_k[drawn]]),
            band=True,
        )
        for drawn in _DRAWN
    ]
    figure = make_lines_figure(
        ks,
        lines,
        x_title="neighbors per query, k",
        y_title=_NAMES["ndcg"],
        text=lambda value: number(value, 3),
    )
    columns: dict[str, Sequence[float]] = {"k": list(ks)}
    for outcomes in over_k.values():
        name = outcome_name(outcomes[0])
        columns[name] = [outcome.value(metric) for outcome in outcomes]
        columns[f"{name}, lowest fold"] = [outcome.lowest(metric) for outcome in outcomes]
        columns[f"{name}, highest fold"] = [outcome.highest(metric) for outcome in outcomes]
    exhibit = Exhibit(
        name=metric.replace("_", "-"),
        alt=f"{_NAMES[metric]} for each k, a line for each strategy with a band over the folds",
        title=_title(over_k, ks, screen, metric),
        table=pd.DataFrame(columns),
        figure=figure.update_xaxes(tickvals=list(ks)),
        formula=FORMULAS[metric],
    )
    add_settings(exhibit.figure, f"{screen.title}, for each k with τ by the published rule")
    return exhibit


def _title(over_k: _OverK, ks: Sequence[int], screen: Screen, metric: str) -> str:
    """Return the finding: the chosen strategy with DP beside UserKNN with DP, or with full DP."""
    place = list(ks).index(screen.k) if screen.k in ks else 0
    strategy = screen.strategy if screen.strategy in PAPER_STRATEGIES else "gain"
    ours = over_k[strategy, "vulnerable"][place]
    other = over_k["userknn", "full" if strategy == "userknn" else "vulnerable"][place]
    values = ours.value(metric), other.value(metric)
    texts = number(values[0], 3), number(values[1], 3)
    verdict = comparison(*values, *texts, "worse than", "better than", "as well as")
    verb = "ranks" if verdict == "as well as" else "ranks items"
    judgement = compare(other, ours, metric).judgement
    doubt = ", within the noise of the folds" if judgement is Judgement.WITHIN_NOISE else ""
    return (
        f"{_NAMES[metric]}: {outcome_name(ours)} {verb} {verdict} {outcome_name(other)} "
        f"({texts[0]} against {texts[1]} at k = {ks[place]}){doubt}"
    )
