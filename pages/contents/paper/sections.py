"""The sections of the page The paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from engine.datasets.known import KNOWN
from engine.paper import CITATION, PaperDataset, PaperFigure, paper_tables
from engine.paper_tests import STARS
from engine.reproduction import Cause, ReproducedFigure, compare_figures
from engine.strategies import PAPER_STRATEGIES
from pages.contents.neighborhoods.curves import growth_curves
from pages.contents.neighborhoods.words import CURVE_WORDS, significance_sentence
from pages.contents.paper.measured import Measured, known_run
from pages.contents.paper.ranking import ranking_section
from pages.parts.looks import name_of, named
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit, Section
from pages.parts.wording import agreeing, counted, listed

QUESTION: Final = "Does this program give the figures of the paper, and where not, why?"

#: The metrics of the tables in words.
_WORDS: Final = {
    "tau": "τ, mean over the folds",
    "vulnerable_percent": "vulnerable users (%)",
    "mae": "mean absolute error",
    "privacy_risk": "mean privacy risk",
    "secure_privacy_risk": "mean privacy risk of secure users",
    "pp_corr": "PP-Corr",
    "coverage_percent": "item coverage (%)",
}
#: What stands where a figure agrees in all digits that the paper prints.
_AS_PRINTED: Final = "equal as printed"
#: The k of the paper's tables.
PAPER_K: Final = 10
#: Metrics that follow from the data usage alone, whatever the protection.
_OF_USAGE: Final = ("tau", "vulnerable_percent", "secure_privacy_risk")
_COLUMNS: Final = {
    "metric": Column(),
    "strategy": Column(),
    "paper": Column("%.4g"),
    "paper’s mark": Column(help="** in the paper: significantly lower than UserKNN with DP"),
    "here": Column("%.4g"),
    "mark here": Column(help="** here: significantly lower than UserKNN with DP, in every fold"),
    "difference": Column("%+.2g", help="what is measured here less the paper's figure"),
    "within": Column(help="whether the difference is within the tolerance"),
    "why": Column(help="the known cause of a difference that rounding does not explain"),
    "tolerance": Column("%.2g", help="how large a difference may be"),
    "spread": Column("%.2g", help="standard deviation over the folds, where each has a figure"),
    "p, one-tailed": Column("%.2g", help="the largest of the folds"),
    "p, two-tailed": Column("%.2g", help="the largest of the folds"),
    "effect": Column("%+.3f", help="r = z / sqrt(n), mean over folds; PP-Corr: Fisher’s z"),
}


def dataset_on_screen(screen: Screen) -> PaperDataset | None:
    """Return the dataset of the paper that is on the screen, by its counts, else by its name."""
    ratings = screen.ratings
    return paper_tables().with_counts(ratings) or paper_tables().with_name(ratings.name)


def make_sections(screen: Screen, dataset: str, measured: Measured | None) -> list[Section]:
    """Return the paper's figures of a dataset, measured here if it is on the screen, and ranking.

    They are measured at the k of the paper's tables and with its rule for tau.
    """
    figures = paper_tables().figures_of(dataset)
    own = dataset_on_screen(screen)
    is_own = own is not None and own.name == dataset
    if own is None or not is_own or measured is None or not measured.has_figures:
        waits = is_own and measured is not None and bool(measured.figures)
        sections = [
            _paper_section(dataset, figures, foreign="" if own else screen.title, waits=waits)
        ]
    else:
        sections = [_compared_section(screen, own, figures, measured), *_growth_sections(screen)]
    if measured is not None:
        sections.append(ranking_section(screen, measured))
    return sections


def report_sections(screen: Screen) -> list[Section]:
    """Return what the page has measured of what is on the screen; nothing until it has."""
    run = known_run(screen)
    if run is None or not run.result.has_ranking:
        return []
    own = dataset_on_screen(screen)
    if own is None:
        return [ranking_section(screen, run.result)]
    return make_sections(screen, own.name, run.result)


def _compared_section(
    screen: Screen, dataset: PaperDataset, figures: Sequence[PaperFigure], measured: Measured
) -> Section:
    mechanism = measured.experiment.mechanism.name
    compared = compare_figures(
        figures, measured.outcomes.values(), mechanism=mechanism, tests=measured.tests
    )
    within = sum(row.within for row in compared)
    missed = [row for row in compared if not row.within]
    finding = [
        f"**{within} of {len(compared)}** figures of the paper for {screen.title} are met here, "
        f"within a tolerance that is stated for each. {_marks_sentence(compared)}"
    ]
    ratings = measured.experiment.ratings
    if not dataset.has_counts_of(ratings):
        finding.append(
            f"The paper’s {KNOWN[dataset.name].title} has {dataset.users:,} users, "
            f"{dataset.items:,} items and {dataset.ratings:,} ratings. Here are "
            f"{ratings.n_users:,}, {ratings.n_items:,} and {ratings.n_ratings:,}: these are other "
            "ratings, and their figures may differ for that reason alone."
        )
    if mechanism != "continuous":
        from_noise = sum(row.cause is Cause.MECHANISM for row in compared)
        finding.append(
            "The paper draws continuous noise, which hides nothing on a scale with steps. The "
            "noise here is discrete. "
            f"{counted(from_noise, 'figure').capitalize()} with DP "
            f"{agreeing(from_noise, 'differs', 'differ')} for that reason. Continuous noise can "
            "be chosen in the sidebar, under More; `python -m engine reproduce` takes it by itself."
        )
    return Section(
        finding=finding,
        points=[
            f"{_WORDS[row.figure.metric]}, {_strategy(row.figure)}: {row.here:.4g}, in the paper "
            f"{row.figure.value:.4g}. Cause: {row.cause.value if row.cause else 'none'}."
            for row in missed
        ],
        exhibits=[
            Exhibit(
                name="paper-figures",
                alt="The figures of the paper beside those measured here",
                title=f"{screen.title}: the paper and here",
                table=_table(compared),
                columns=_COLUMNS,
                caption=f"k = {figures[0].k}, τ by the published rule, {measured.experiment.folds} "
                "folds, whatever the sidebar says. PP-Corr and coverage follow from all folds "
                f"together. {STARS}: significantly lower than UserKNN with DP in every fold "
                "(one-tailed Mann-Whitney U test of absolute errors or of users, α = 0.01); for "
                "PP-Corr a z-test after Fisher’s transformation. The paper marks no figure of "
                f"UserKNN+Reuse. Figures of the paper: {CITATION}",
            )
        ],
    )


def _marks_sentence(compared: Sequence[ReproducedFigure]) -> str:
    tested = [row for row in compared if row.test is not None]
    if not tested:
        return ""
    others = [row for row in tested if row.stars != row.figure.stars]
    alike = f"{len(tested) - len(others)} of {len(tested)}"
    sentence = f"{alike} marks of significance are those of the paper"
    if not others:
        return f"{sentence}."
    names = [
        f"{_WORDS[row.figure.metric]} of {_strategy(row.figure)} "
        f"({'marked here only' if row.stars else 'marked in the paper only'})"
        for row in others
    ]
    return f"{sentence}. Different: {listed(names)}."


def _growth_sections(screen: Screen) -> list[Section]:
    """Return where neighborhoods are significantly smaller, and have more in common, for each q."""
    k = PAPER_K
    strategies = tuple(s for s in PAPER_STRATEGIES if s in screen.results.strategies(k))
    sentences = []
    for measure in CURVE_WORDS:
        curves = growth_curves(screen.results, strategies, k, measure.name)
        sentences.append(significance_sentence(curves, measure.reuse, len(screen.results.folds(k))))
    return [
        Section(
            heading="Neighborhoods, query by query",
            finding=sentences,
            caption=f"k = {k}. In the paper (5.1.1) every reuse strategy has significantly fewer "
            "neighbors at every q from 2 to 100 on all its datasets but Ciao. There the "
            "differences are significant at a few q only, and Gain’s at none. The page "
            "Neighborhoods draws the curves, with the effect sizes.",
        )
    ]


def _table(compared: Sequence[ReproducedFigure]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                **_figure_row(row.figure),
                "here": row.here,
                "difference": row.difference,
                "tolerance": row.tolerance,
                "within": "yes" if row.within else "no",
                "spread": row.spread,
                "why": row.cause.value if row.cause else _AS_PRINTED,
                "paper’s mark": row.figure.stars,
                "mark here": row.stars,
                "p, one-tailed": row.test.p_one_tailed if row.test else None,
                "p, two-tailed": row.test.p_two_tailed if row.test else None,
                "effect": row.test.effect if row.test else None,
            }
            for row in compared
        ]
    )


def _figure_row(figure: PaperFigure) -> dict[str, str | float]:
    return {
        "metric": _WORDS[figure.metric],
        "strategy": _strategy(figure),
        "paper": figure.value,
    }


def _paper_section(
    dataset: str, figures: Sequence[PaperFigure], *, foreign: str = "", waits: bool = False
) -> Section:
    """Return the paper's figures alone; `foreign` are data on the screen that it does not have."""
    known = KNOWN[dataset]
    nothing = f"**The paper has no figures of {foreign}** to compare with. " if foreign else ""
    if waits:
        how = "They are being measured here, and will then stand beside the paper’s."
    else:
        how = (
            "To measure them here, choose the dataset and a strategy other than NeuKNN in the "
            f"sidebar, and compute k = {figures[0].k}."
        )
    origin = f" Where it is from: {known.origin}" if known.origin else ""
    return Section(
        finding=[
            f"{nothing}These are the paper's figures for **{known.title}**: {known.users:,} users, "
            f"{known.items:,} items, {known.ratings:,} ratings. {how}",
            f"**How to get the data**: {known.how_to_get}{origin}",
            f"License: {known.license}. Citation: {known.citation}",
        ],
        exhibits=[
            Exhibit(
                name="paper-figures-alone",
                alt="The figures of the paper",
                title=f"{known.title}: the paper alone",
                table=pd.DataFrame([_figure_row(figure) for figure in figures]),
                columns={name: _COLUMNS[name] for name in ("metric", "strategy", "paper")},
                caption=f"k = {figures[0].k}. Figures of the paper: {CITATION}",
            )
        ],
    )


def _strategy(figure: PaperFigure) -> str:
    if figure.metric in _OF_USAGE:
        return name_of(figure.strategy)
    return named(figure.strategy, figure.protection)
