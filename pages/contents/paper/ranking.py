"""nDCG@10 over k, under two definitions: what relevant means decides what a list can reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.judgement import Judgement, compare
from engine.settings import Setting
from engine.strategies import PAPER_STRATEGIES
from pages.contents.paper.measured import RANKING, Measured, ranking_settings
from pages.parts.drawing.layout import add_settings
from pages.parts.drawing.over_k import ByK, make_over_k_figure, over_k_table
from pages.parts.formulas import FORMULAS
from pages.parts.measures import outcome_order, value_text
from pages.parts.outcomes import outcome_name, protected_first
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section

_NAMES: Final = {
    "ndcg": "nDCG@10",
    "ndcg_published": "nDCG@10 as the published code computes it",
}
#: What the paper draws: UserKNN without DP and with full DP, and each strategy with DP.
_DRAWN: Final = protected_first(PAPER_STRATEGIES)


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


def _exhibit(over_k: ByK, ks: Sequence[int], screen: Screen, metric: str) -> Exhibit:
    figure = make_over_k_figure(
        {drawn: over_k[drawn] for drawn in _DRAWN},
        ks,
        screen.strategy,
        metric,
        y_title=_NAMES["ndcg"],
        band=True,
    )
    exhibit = Exhibit(
        name=metric.replace("_", "-"),
        alt=f"{_NAMES[metric]} for each k, a line for each strategy with a band over the folds",
        title=_title(over_k, ks, screen, metric),
        table=over_k_table(over_k, ks, metric),
        figure=figure,
        formula=FORMULAS[metric],
    )
    add_settings(figure, f"{screen.title_in_figure}, for each k with τ by the published rule")
    return exhibit


def _title(over_k: ByK, ks: Sequence[int], screen: Screen, metric: str) -> str:
    """Return the finding: the chosen strategy with DP beside UserKNN with DP, or with full DP."""
    place = list(ks).index(screen.k) if screen.k in ks else 0
    strategy = screen.strategy if screen.strategy in PAPER_STRATEGIES else "gain"
    ours = over_k[strategy, "vulnerable"][place]
    other = over_k["userknn", "full" if strategy == "userknn" else "vulnerable"][place]
    verdicts = {-1: "ranks items worse than", 1: "ranks items better than", 0: "ranks as well as"}
    verdict = verdicts[outcome_order(ours, other, metric)]
    values = " against ".join(value_text(outcome, metric) for outcome in (ours, other))
    judgement = compare(other, ours, metric).judgement
    doubt = ", within the noise of the folds" if judgement is Judgement.WITHIN_NOISE else ""
    return (
        f"{_NAMES[metric]}: {outcome_name(ours)} {verdict} {outcome_name(other)} "
        f"({values} at k = {ks[place]}){doubt}"
    )
