"""What each page shows, for a report: its sentences, figures and tables at the same settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from pages.parts.comparison.compare import (
    NOISE,
    differences_table,
    find_differences,
    sides_sentence,
)
from pages.parts.comparison.difference import COVERAGE, OVERVIEW, PP_CORR_WITH
from pages.parts.neighborhoods.curves import growth_curves
from pages.parts.neighborhoods.figures import curves_table, make_curves_figure
from pages.parts.neighborhoods.words import (
    MEASURES,
    TEST,
    bands_sentence,
    significance_sentence,
)
from pages.parts.overview.figure import (
    make_overview_figure,
    overview_table,
    overview_title,
    standings,
)
from pages.parts.overview.words import alternatives_sentence, cost_sentence, exposure_sentence
from pages.parts.people import summary as people_summary
from pages.parts.popularity import bias as popularity
from pages.parts.popularity import figures as popularity_figures
from pages.parts.popularity.recommended_items import (
    Gaps,
    item_names,
    items_heading,
    items_sentence,
    items_table,
)
from pages.parts.popularity.taste import make_taste_figure, taste_table, taste_title
from pages.parts.screen import Screen
from pages.parts.tradeoff import figures as tradeoff_figures
from pages.parts.tradeoff.pareto import find_curves, find_front
from pages.parts.tradeoff.pareto_figure import (
    front_sentence,
    front_table,
    make_pareto_figure,
    shown_front,
)
from pages.parts.usage.counts import (
    Bins,
    UsagePanel,
    cumulative_table,
    load_table,
    side_by_side,
    usage_table,
)
from pages.parts.usage.cumulative import make_cumulative_figure
from pages.parts.usage.histogram import make_usage_figure
from pages.parts.usage.rules import rules_table, suggestions
from pages.parts.usage.words import (
    all_title,
    cumulative_title,
    design_sentence,
    load_sentence,
    usage_title,
)
from pages.parts.wording import STRATEGY, percent


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A figure and the table behind it, or a table alone."""

    name: str
    title: str
    table: pd.DataFrame
    figure: go.Figure | None = None


@dataclass(frozen=True, eq=False)
class Section:
    """What a page shows; the sentences are in Markdown."""

    title: str
    sentences: Sequence[str]
    exhibits: Sequence[Exhibit]


def report_sections(screen: Screen) -> list[Section]:
    """Return what the pages show of this screen, and the comparison if something is pinned."""
    makers: list[Callable[[Screen], Section]] = [
        _overview,
        *([_comparison] if screen.pinned else []),
        _data_usage,
        _neighborhoods,
        _tradeoff,
        _popularity_bias,
        _people,
    ]
    return [make(screen) for make in makers]


def _overview(screen: Screen) -> Section:
    found = standings(screen)
    title = overview_title(found, *screen.compared)
    return Section(
        "Overview",
        [
            exposure_sentence(screen, found),
            cost_sentence(screen, found),
            alternatives_sentence(screen, found),
        ],
        [
            Exhibit(
                "overview",
                title,
                overview_table(found),
                make_overview_figure(found, screen.strategy, title),
            )
        ],
    )


def _comparison(screen: Screen) -> Section:
    differences = find_differences(screen, (*OVERVIEW, PP_CORR_WITH, COVERAGE))
    table = differences_table(differences).rename(columns={"": "measure"})
    return Section(
        "A and B",
        [sides_sentence(screen), NOISE],
        [Exhibit("compared", "Side A, side B and their differences", table)],
    )


def _data_usage(screen: Screen) -> Section:
    results, tau, k = screen.results, screen.tau, screen.k
    panels = {s: UsagePanel(STRATEGY[s], results.usages(s, k), s) for s in screen.strategies}
    everyone = list(panels.values())
    chosen, other = (panels[s] for s in screen.compared)
    two, bins = side_by_side(chosen, other), Bins.of("logarithmic", everyone)
    suggested = suggestions(results, k, patient=True)
    title, cumulative = usage_title(chosen, other), cumulative_title(chosen, other, tau)
    return Section(
        "Data usage",
        [load_sentence(chosen, other), design_sentence(panels, tau)],
        [
            Exhibit(
                "data-usage",
                title,
                usage_table(two, bins, tau),
                make_usage_figure(two, bins, tau, title, rules=suggested),
            ),
            Exhibit(
                "data-usage-all",
                all_title(everyone, tau),
                usage_table(everyone, bins, tau),
                make_usage_figure(everyone, bins, tau, all_title(everyone, tau), columns=2),
            ),
            Exhibit(
                "data-usage-cumulative",
                cumulative,
                cumulative_table(everyone, bins, tau),
                make_cumulative_figure(everyone, screen.strategy, bins, tau, cumulative),
            ),
            Exhibit(
                "tau-rules",
                "Rules that suggest τ",
                rules_table(
                    suggested,
                    {rule: results.tau_in_folds(rule, k) for rule in suggested},
                    (chosen, other),
                ),
            ),
            Exhibit(
                "load",
                "Who carries the load",
                load_table(everyone).set_index("strategy").map(percent).reset_index(),
            ),
        ],
    )


def _neighborhoods(screen: Screen) -> Section:
    results, k = screen.results, screen.k
    folds = len(results.folds(k))
    curves = {m: growth_curves(results, screen.strategies, k, m.name) for m in MEASURES}
    exhibits = []
    for measure, found in curves.items():
        title = measure.make_title(found, *screen.compared)
        figure = make_curves_figure(
            found, screen.strategy, title, measure.y_title, measure.significant
        )
        name = measure.name.replace("_", "-")
        exhibits.append(Exhibit(name, title, curves_table(found), figure))
    return Section(
        "Neighborhoods",
        [
            *(significance_sentence(found, m.reuse, folds) for m, found in curves.items()),
            bands_sentence(curves, folds),
            TEST,
        ],
        exhibits,
    )


def _tradeoff(screen: Screen) -> Section:
    results, strategy, k, tau = screen.results, screen.strategy, screen.k, screen.tau
    found = tradeoff_figures.outcomes(results, screen.strategies, k, tau)
    curves = find_curves(results, screen.strategies, k)
    front = find_front(results, screen.strategies, k)
    title = tradeoff_figures.tradeoff_title(found, strategy)
    exhibits = [
        Exhibit(
            "tradeoff",
            title,
            tradeoff_figures.outcomes_table(found),
            make_pareto_figure(found, curves, front, strategy=strategy, k=k, tau=tau, title=title),
        ),
        Exhibit(
            "pareto-front",
            f"Settings on the Pareto front, {len(shown_front(front)):,} of {len(front):,}",
            front_table(shown_front(front)),
        ),
    ]
    ks = results.ks(k)
    by_k = tradeoff_figures.over_k(results, screen.strategies, ks, tau)
    for measure in ("mae", "privacy_risk"):
        title = tradeoff_figures.over_k_title(by_k, ks, strategy, k, measure)
        figure = tradeoff_figures.make_over_k_figure(by_k, ks, strategy, measure, title)
        table = tradeoff_figures.over_k_table(by_k, ks, measure)
        exhibits.append(Exhibit(f"{measure.replace('_', '-')}-over-k", title, table, figure))
    return Section(
        "Trade-off",
        [
            tradeoff_figures.tradeoff_sentence(found, strategy),
            front_sentence(found, front, strategy, k),
            f"In the first figure, lines go from τ = 0, left, to no DP at k = {k}, faint ones at "
            "the other k. Blue circles are the Pareto front: settings that no other one beats in "
            "both error and privacy risk, of all these strategies and k with every whole τ.",
        ],
        exhibits,
    )


def _popularity_bias(screen: Screen) -> Section:
    results, strategy, k, tau = screen.results, screen.strategy, screen.k, screen.tau
    experiment = results.experiment
    counts, titles = experiment.popularity, item_names(experiment.ratings)
    found = popularity.find_biases(results, screen.strategies, k, tau)
    chosen = popularity.find(found, strategy, "vulnerable")
    base = popularity.find(found, "userknn", "vulnerable")
    gaps = Gaps.of(counts, chosen.lists.item_frequency)
    groups = {s: results.group_biases(s, k, tau) for s in screen.strategies}
    by_tenth = popularity_figures.groups_title(chosen, base, counts)
    by_item = popularity_figures.items_title(chosen, base)
    by_taste = taste_title(groups, strategy)
    return Section(
        "Popularity bias",
        [
            popularity.bias_sentence(chosen, found),
            items_sentence(gaps, titles, chosen.name),
        ],
        [
            Exhibit(
                "popularity-bias",
                "Popularity bias and coverage of each strategy",
                popularity.bias_table(found),
            ),
            Exhibit(
                "popularity-groups",
                by_tenth,
                popularity_figures.groups_table(found, counts),
                popularity_figures.make_groups_figure(chosen, base, counts, by_tenth),
            ),
            Exhibit(
                "popularity-items",
                by_item,
                popularity_figures.item_bins(counts, chosen.lists.item_frequency),
                popularity_figures.make_items_figure(chosen, counts, by_item),
            ),
            *(
                Exhibit(f"items-{name}", items_heading(over), items_table(gaps, titles, over))
                for name, over in (("over", True), ("under", False))
            ),
            Exhibit(
                "popularity-taste",
                by_taste,
                taste_table(groups),
                make_taste_figure(groups, strategy, "userknn", by_taste),
            ),
        ],
    )


def _people(screen: Screen) -> Section:
    """Return the users as shares only: a report goes from hand to hand."""
    found = people_summary.summaries(screen)
    title = people_summary.summary_title(found, *screen.compared)
    return Section(
        "People",
        [
            people_summary.summary_sentence(found, screen.tau, *screen.compared),
            "A report may go from hand to hand, so it lists no individual user. The page People "
            "of the dashboard shows them one by one.",
        ],
        [
            Exhibit(
                "people",
                title,
                people_summary.summary_table(found),
                people_summary.make_summary_figure(found, screen.strategy, title),
            )
        ],
    )
