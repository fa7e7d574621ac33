"""What each page shows, for a report: its sentences, figures and tables at the same settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from pages.parts import neighborhood_figures, popularity, popularity_figures, tradeoff_figures
from pages.parts.compare import NOISE, differences_table, find_differences, sides_sentence
from pages.parts.cumulative_figure import make_cumulative_figure
from pages.parts.difference import COVERAGE, OVERVIEW, PP_CORR_WITH
from pages.parts.overview_figure import (
    make_overview_figure,
    overview_table,
    overview_title,
    standings,
)
from pages.parts.overview_words import alternatives_sentence, cost_sentence, exposure_sentence
from pages.parts.screen import Screen
from pages.parts.tau_rules import rules_table, suggestions
from pages.parts.usage_counts import (
    Bins,
    UsagePanel,
    cumulative_table,
    load_table,
    usage_table,
)
from pages.parts.usage_figure import make_usage_figure
from pages.parts.usage_words import (
    all_title,
    cumulative_title,
    design_sentence,
    load_sentence,
    usage_title,
)
from pages.parts.wording import STRATEGY


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
    bins = Bins.of("logarithmic", everyone)
    suggested = suggestions(results, k, patient=True)
    title, cumulative = usage_title(chosen, other), cumulative_title(chosen, other, tau)
    return Section(
        "Data usage",
        [load_sentence(chosen, other), design_sentence(panels, tau)],
        [
            Exhibit(
                "data-usage",
                title,
                usage_table([other, chosen], bins, tau),
                make_usage_figure([other, chosen], bins, tau, title, rules=suggested),
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
                rules_table(suggested, (chosen, other)),
            ),
            Exhibit("load", "Who carries the load", load_table(everyone)),
        ],
    )


def _neighborhoods(screen: Screen) -> Section:
    results, k = screen.results, screen.k
    exhibits = []
    for name, read, make_title, y_title in (
        (
            "neighbors",
            results.neighbors_at_q,
            neighborhood_figures.neighbors_title,
            "neighbors so far, mean over users",
        ),
        (
            "co-ratings",
            results.co_ratings_at_q,
            neighborhood_figures.co_ratings_title,
            "items rated by both, mean over neighbors",
        ),
    ):
        curves = {strategy: read(strategy, k) for strategy in screen.strategies}
        title = make_title(curves, *screen.compared)
        figure = neighborhood_figures.make_curves_figure(curves, screen.strategy, title, y_title)
        exhibits.append(Exhibit(name, title, neighborhood_figures.curves_table(curves), figure))
    return Section("Neighborhoods", [], exhibits)


def _tradeoff(screen: Screen) -> Section:
    results, strategy, k, tau = screen.results, screen.strategy, screen.k, screen.tau
    found = tradeoff_figures.outcomes(results, screen.strategies, k, tau)
    title = tradeoff_figures.tradeoff_title(found, strategy)
    exhibits = [
        Exhibit(
            "tradeoff",
            title,
            tradeoff_figures.outcomes_table(found),
            tradeoff_figures.make_tradeoff_figure(found, strategy, title),
        )
    ]
    ks = results.ks(k)
    by_k = tradeoff_figures.over_k(results, screen.strategies, ks, tau)
    for measure in ("mae", "privacy_risk"):
        title = tradeoff_figures.over_k_title(by_k, ks, strategy, k, measure)
        figure = tradeoff_figures.make_over_k_figure(by_k, ks, strategy, measure, title)
        table = tradeoff_figures.over_k_table(by_k, ks, measure)
        exhibits.append(Exhibit(f"{measure.replace('_', '-')}-over-k", title, table, figure))
    return Section("Trade-off", [tradeoff_figures.tradeoff_sentence(found, strategy)], exhibits)


def _popularity_bias(screen: Screen) -> Section:
    results, ratings = screen.results, screen.results.experiment.popularity
    found = popularity.find_biases(results, screen.strategies, screen.k, screen.tau)
    chosen = popularity.find(found, screen.strategy, "vulnerable")
    base = popularity.find(found, "userknn", "vulnerable")
    groups = popularity_figures.groups_title(chosen, base, ratings)
    items = popularity_figures.items_title(chosen, base)
    return Section(
        "Popularity bias",
        [popularity.bias_sentence(chosen, found)],
        [
            Exhibit(
                "popularity-bias",
                "Popularity bias and coverage of each strategy",
                popularity.bias_table(found),
            ),
            Exhibit(
                "popularity-groups",
                groups,
                popularity_figures.groups_table(found, ratings),
                popularity_figures.make_groups_figure(chosen, base, ratings, groups),
            ),
            Exhibit(
                "popularity-items",
                items,
                popularity_figures.item_bins(ratings, chosen.lists.item_frequency),
                popularity_figures.make_items_figure(chosen, ratings, items),
            ),
        ],
    )
