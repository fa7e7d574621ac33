"""The sections of the page Popularity bias."""

from __future__ import annotations

from typing import Final

from engine.outcome import Outcome
from engine.popularity_bias import ItemShares, group_biases
from engine.settings import Setting
from pages.contents.popularity_bias.bias import (
    bias_sentence,
    bias_table,
    crowding_sentence,
    frequency_of,
    list_outcomes,
)
from pages.contents.popularity_bias.figures import (
    groups_table,
    groups_title,
    item_bins,
    items_title,
    make_groups_figure,
    make_items_figure,
)
from pages.contents.popularity_bias.recommended_items import (
    items_sentence,
    recommended_items_table,
)
from pages.contents.popularity_bias.taste import make_taste_figure, taste_table, taste_title
from pages.parts.formulas import FORMULAS
from pages.parts.measures import COVERAGE, PP_CORR_WITH
from pages.parts.outcomes import find, outcome_name
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit, Folded, PagePart, Section
from pages.parts.wording import exactly, folds_phrase

QUESTION: Final = "Do popular items crowd out the others, which ones, and for whom?"
_ITEM_COLUMNS: Final = {
    "item": Column(width=200),
    "share of the ratings, %": Column("%.2f %%", label="ratings"),
    "share of the lists, %": Column("%.2f %%", label="lists"),
    "ratio": Column("%.2f"),
}


def make_sections(screen: Screen) -> list[PagePart]:
    """Return the verdict with one figure, and the rest folded away."""
    outcomes = list_outcomes(screen)
    chosen = find(outcomes, screen.strategy)
    return [
        _verdict_section(screen, outcomes, chosen),
        Folded("Every strategy: PP-Corr and coverage", lambda: [_bias_section(screen, outcomes)]),
        Folded("Which items", lambda: [_items_section(screen, outcomes)]),
        Folded("For whom: by the users' own taste", lambda: [_taste_section(screen)]),
    ]


def _verdict_section(screen: Screen, outcomes: list[Outcome], chosen: Outcome) -> Section:
    popularity, base = screen.experiment.popularity, find(outcomes, "userknn")
    bare = find(outcomes, "userknn", "none")
    return Section(
        finding=[crowding_sentence(chosen, bare, popularity)],
        compared=(PP_CORR_WITH, COVERAGE),
        exhibits=[
            Exhibit(
                name="popularity-groups",
                alt="Share of the top-list places that fall on each tenth of the items",
                title=groups_title(chosen, base, popularity),
                table=groups_table(outcomes, popularity),
                figure=make_groups_figure(chosen, base, popularity),
            )
        ],
        caption=f"{_settings(screen)} A bar above its dash: these items are on the lists more "
        "often than their ratings suggest.",
    )


def _settings(screen: Screen) -> str:
    folds = folds_phrase(len(screen.folds), screen.results.planned_folds, "summed over")
    return (
        f"{screen.title}, k = {screen.k}, τ = {exactly(screen.tau)}; the top-10 lists of all, "
        f"{folds}."
    )


def _bias_section(screen: Screen, outcomes: list[Outcome]) -> Section:
    items = screen.ratings.n_items
    chosen = find(outcomes, screen.strategy)
    return Section(
        finding=[bias_sentence(chosen, outcomes)],
        exhibits=[
            Exhibit(
                name="popularity-bias",
                alt="Popularity bias and coverage of each strategy",
                table=bias_table(outcomes),
                formula=FORMULAS["pp_corr"],
                caption="Differences are to UserKNN with DP, and clear by the same rule as on "
                "all pages: the same sign in every fold, and a mean of at least two standard "
                "errors. The paper's z-test asks something else: whether two correlations over "
                f"{items:,} items (all of them, also those on no list) could differ so by chance, "
                "at most once in a hundred times. PP-Corr says whether list places grow in step "
                "with popularity, over the items that are on a list. The figure above counts how "
                "many places the most popular items take. A strategy can be lower in one and "
                "higher in the other.",
            )
        ],
    )


def _items_section(screen: Screen, outcomes: list[Outcome]) -> Section:
    experiment = screen.experiment
    chosen, base = find(outcomes, screen.strategy), find(outcomes, "userknn")
    titles = experiment.ratings.item_names
    popularity = experiment.popularity
    shares = ItemShares.of(popularity, frequency_of(chosen))
    return Section(
        finding=[items_sentence(shares, titles, outcome_name(chosen))],
        exhibits=[
            Exhibit(
                name="popularity-items",
                alt="Items by their number of ratings and of top lists they are on",
                title=items_title(chosen, base),
                table=item_bins(popularity, frequency_of(chosen)),
                figure=make_items_figure(chosen, popularity),
            ),
            *(
                Exhibit(
                    name=f"items-{more_or_less}-often",
                    alt="Items with their shares of the ratings and of the places on top lists",
                    title=f"On the lists {more_or_less} often than their ratings suggest",
                    table=recommended_items_table(shares, titles, over=more_or_less == "more"),
                    columns=_ITEM_COLUMNS,
                )
                for more_or_less in ("more", "less")
            ),
        ],
        caption="Ratings: the item's share of all ratings. Lists: its share of all places on top "
        "lists. Ratio: lists divided by ratings; 1 is exactly in step. Sorted by the difference of "
        "the shares.",
    )


def _taste_section(screen: Screen) -> Section:
    settings = [Setting(strategy, screen.k, screen.tau) for strategy in screen.strategies]
    groups = {
        setting.strategy: group_biases(screen.experiment, setting, screen.folds)
        for setting in settings
    }
    title = taste_title(groups, screen.strategy)
    return Section(
        exhibits=[
            Exhibit(
                name="popularity-taste",
                alt="Popularity of the top lists of two groups of users, against what they rated",
                title=title,
                table=taste_table(groups),
                figure=make_taste_figure(groups, screen.strategy, "userknn"),
                formula=FORMULAS["taste"],
            )
        ],
        caption=_settings(screen),
    )
