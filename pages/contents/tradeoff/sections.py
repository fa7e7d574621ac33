"""The sections of the page Trade-off."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.pareto_front import FrontPoint
from pages.contents.tradeoff.figures import (
    MEASURES,
    hidden_marks_sentence,
    outcomes_table,
    over_k,
    over_k_title,
    tradeoff_outcomes,
    tradeoff_sentence,
    tradeoff_title,
)
from pages.contents.tradeoff.pareto import front_of_results, sweeps_of
from pages.contents.tradeoff.pareto_figure import (
    all_k_title,
    better_setting,
    front_sentence,
    front_table,
    make_pareto_figure,
    shown_front,
    take_point,
)
from pages.parts.drawing.over_k import make_over_k_figure, over_k_table
from pages.parts.formulas import FORMULAS
from pages.parts.measures import MAE_WITH, MAE_WITHOUT, PROTECTED, RISK, RISK_WITHOUT
from pages.parts.outcomes import find, setting_words
from pages.parts.screen import Screen
from pages.parts.sections import Action, Column, Exhibit, Folded, PagePart, Section

QUESTION: Final = "Which strategy, k and τ have the least error at a given privacy risk?"

DP_WORDS: Final = (
    "DP, differential privacy: a protected rating is replaced with a random one in a quarter of "
    "its uses. With DP: from a person's use τ + 1 on. Full DP: from the first use of everybody."
)
_FRONT_COLUMNS: Final = {
    "strategy": Column(),
    "k": Column(),
    "τ": Column(),
    "mean privacy risk": Column("%.2f"),
    "MAE": Column("%.4f"),
}


def make_sections(screen: Screen) -> list[PagePart]:
    """Return the trade-off at this k, and one click away the best settings and the other k."""
    front = front_of_results(screen.results, screen.strategies, screen.k)
    return [
        _tradeoff_section(screen, front),
        Folded("All settings on the Pareto front", lambda: [_front_section(front)]),
        Folded("What another k would do", lambda: [_over_k_section(screen, front)]),
    ]


def _tradeoff_section(screen: Screen, front: list[FrontPoint]) -> Section:
    results, strategy, k, tau = screen.results, screen.strategy, screen.k, screen.tau
    outcomes = tradeoff_outcomes(results, screen.strategies, k, tau)
    sweeps = [results.sweep(name, k) for name in screen.strategies]
    better = better_setting(find(outcomes, strategy), front)
    return Section(
        finding=[
            tradeoff_sentence(outcomes, strategy),
            front_sentence(outcomes, front, strategy, k),
            hidden_marks_sentence(outcomes),
        ],
        action=None
        if better is None
        else Action(
            f"Use this setting: {setting_words(better)}",
            partial(take_point, [better.strategy, better.k, better.tau]),
        ),
        compared=(MAE_WITH, MAE_WITHOUT, RISK, RISK_WITHOUT, PROTECTED),
        exhibits=[
            Exhibit(
                name="tradeoff",
                alt="Mean absolute error against mean privacy risk, a curve over τ for each "
                "strategy, and the best settings of all k as a line",
                title=tradeoff_title(outcomes, strategy),
                table=outcomes_table(outcomes),
                figure=make_pareto_figure(outcomes, sweeps, front, strategy=strategy, k=k, tau=tau),
                formula=FORMULAS["privacy_risk"],
                on_pick=take_point,
                caption=f"{screen.title}, {screen.folds_phrase}. Large marks: the k and τ you look "
                f"at. Lines: each strategy at k = {k}, from τ = 0 at the left to no protection at "
                "the right. Dotted line: the Pareto front. No setting of any strategy, k and whole "
                "τ lies below it. The front may go on to the right of the figure. " + DP_WORDS,
                hint="Click a point to set its strategy, k and τ.",
            ),
        ],
    )


def _front_section(front: list[FrontPoint]) -> Section:
    thinned = shown_front(front)
    is_thinned = len(front) > len(thinned)
    return Section(
        exhibits=[
            Exhibit(
                name="pareto-front",
                alt="Settings that no other beats in both error and privacy risk, safest first",
                table=front_table(front),
                rows=front_table(thinned),
                columns=_FRONT_COLUMNS,
                caption=f"A selection of {len(front):,} settings." if is_thinned else "",
                hint="The download has all." if is_thinned else "",
            )
        ]
    )


def _over_k_section(screen: Screen, front: list[FrontPoint]) -> Section:
    results, strategy, k, tau = screen.results, screen.strategy, screen.k, screen.tau
    ks = results.ks(k)
    by_k = over_k(results, screen.strategies, ks, tau)
    outcomes = tradeoff_outcomes(results, screen.strategies, k, tau)
    others = ", ".join(str(other) for other in ks if other != k) or "none yet"

    def exhibit(measure: str, name: str, alt: str, formula: str) -> Exhibit:
        title = over_k_title(by_k, ks, strategy, k, measure)
        return Exhibit(
            name=name,
            alt=alt,
            title=title,
            table=over_k_table(by_k, ks, measure),
            figure=make_over_k_figure(
                by_k,
                ks,
                strategy,
                measure,
                y_title=MEASURES[measure][0],
                log_y=measure == "privacy_risk",
            ),
            formula=FORMULAS[formula],
        )

    return Section(
        exhibits=[
            exhibit(
                "mae",
                "mae-over-k",
                "Mean absolute error for each k, a line for each strategy",
                "mae",
            ),
            exhibit(
                "privacy_risk",
                "risk-over-k",
                "Mean privacy risk for each k, a line for each strategy, logarithmic",
                "privacy_risk",
            ),
            Exhibit(
                name="tradeoff-all-k",
                alt="Mean absolute error against mean privacy risk, a curve over τ for each "
                "strategy and k",
                title=all_k_title(front),
                table=outcomes_table(outcomes),
                figure=make_pareto_figure(
                    outcomes,
                    sweeps_of(results, screen.strategies, k),
                    front,
                    strategy=strategy,
                    k=k,
                    tau=tau,
                ),
                on_pick=take_point,
                caption=f"Faint lines: the other k ({others}).",
                hint="Click a point to set its strategy, k and τ.",
            ),
        ],
        caption=f"{screen.title}, {screen.folds_phrase}; the same τ at every k. Error bars: from "
        "the lowest to the highest fold. With full DP the privacy risk is 0, which has no place on "
        f"a logarithmic axis. {DP_WORDS}",
    )
