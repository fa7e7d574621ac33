"""The sections of the page People. A report has the one on all users only, who stay unnamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd

from engine.exposure import Exposure, UsesOverFolds, exposure_of, tabulate_items, tabulate_targets
from engine.usage_distribution import UsageDistribution
from pages.contents.people.figures import (
    make_strategies_figure,
    strategies_table,
    strategies_title,
)
from pages.contents.people.person import (
    MOST_ROWS,
    users_table,
    uses_in_results,
)
from pages.contents.people.summary import (
    make_summary_figure,
    protection_sentence,
    protection_table,
    summaries,
    summary_title,
)
from pages.contents.people.words import (
    person_numbers,
    person_sentence,
    promise,
    used_for_sentence,
)
from pages.parts.comparison.sides import same_ratings
from pages.parts.formulas import FORMULAS
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit, Section
from pages.parts.wording import number

QUESTION: Final = (
    "How often, by whom and for what is this one user used, and what does protection promise them?"
)
THIS_PERSON, ALL_PEOPLE = "One person", "All people"
_USES: Final = {
    "uses": Column(bar=True, width=105),
    "protected": Column(width=70, help="Uses after the first τ of a fold"),
}
_TARGETS: Final = {"user": Column(width=100), **_USES}
_ITEMS: Final = {
    "item": Column(width=190),
    **_USES,
    "rating": Column("%.4g", label="rated", width=50, help="The rating that a use exposes"),
}
_USERS: Final = {
    "user": Column(),
    "ratings": Column(),
    "uses per fold": Column(bar=True),
    "folds vulnerable": Column(),
    "protected uses": Column(),
    "privacy risk": Column(),
    "paper's ε": Column("%.2f"),
}


def person_sections(screen: Screen, user: int) -> list[Section]:
    """Return how often, by whom and for what a user is used, and what protection promises them."""
    tau, name = screen.tau, str(screen.ratings.users[user])
    people = {strategy: _exposure(screen, strategy, user) for strategy in screen.strategies}
    uses = uses_in_results(screen.results, screen.strategy, screen.k, user)
    promised = promise(name, people[screen.strategy], screen.experiment.mechanism, tau, uses)
    return [
        _usage_section(screen, user, people),
        _uses_section(screen, user, uses),
        Section(heading="What protection promises this user", points=promised),
    ]


def _exposure(screen: Screen, strategy: str, user: int) -> Exposure:
    return exposure_of(screen.experiment, strategy, screen.k, user, screen.folds)


def _usage_section(screen: Screen, user: int, people: dict[str, Exposure]) -> Section:
    tau = screen.tau
    strategy, other = screen.compared
    names = (name_of(strategy), name_of(other))
    person = people[strategy]
    then = (people[other], tau, names[1])
    if screen.pinned and same_ratings(screen, screen.pinned):
        a = screen.pinned
        then = (_exposure(a, a.strategy, user), a.tau, "A")
    over_strategies = Exhibit(
        name="person-strategies",
        alt="Uses of one user under each strategy, real and protected apart",
        title=strategies_title(people),
        table=strategies_table(people, tau),
        figure=make_strategies_figure(people, strategy, tau),
        formula=FORMULAS["one_user"],
    )
    user_id = str(screen.ratings.users[user])
    usage = UsageDistribution(screen.results.usages(strategy, screen.k))
    return Section(
        finding=[person_sentence(user_id, person, people[other], usage, names)],
        key_numbers=person_numbers(person, tau, *then),
        exhibits=[over_strategies],
        caption=f"{screen.title}, k = {screen.k}, {screen.folds_phrase}. Uses are counted anew in "
        "each fold.",
    )


def _uses_section(screen: Screen, user: int, uses: UsesOverFolds) -> Section:
    ratings, tau = screen.ratings, screen.tau

    def exhibit(
        name: str, title: str, alt: str, table: pd.DataFrame, columns: dict[str, Column]
    ) -> Exhibit:
        return Exhibit(
            name=name,
            alt=f"{alt}, with the uses of this user and how many of them are protected",
            title=title,
            table=table,
            rows=table.head(MOST_ROWS),
            columns=columns,
        )

    targets = tabulate_targets(uses, ratings, tau)
    items = tabulate_items(uses, ratings, user, tau)
    return Section(
        heading="Used for whom, and for what",
        finding=[used_for_sentence(uses, ratings, user, tau, len(screen.folds))],
        exhibits=[
            exhibit("for-whom", "For whom", "Users who asked", targets, _TARGETS),
            exhibit("for-what", "For what", "Items asked for", items, _ITEMS),
        ]
        if uses.item.size
        else [],
        widths=(2, 3) if uses.item.size else (),
    )


def summary_section(screen: Screen) -> Section:
    """Return how many of all users have how much of their use protected, as shares."""
    by_strategy = summaries(screen)
    title = summary_title(by_strategy, *screen.compared)
    return Section(
        finding=[protection_sentence(by_strategy, screen.tau, *screen.compared)],
        exhibits=[
            Exhibit(
                name="all-users",
                alt="Users by the share of their uses that is protected, a bar for each strategy",
                title=title,
                table=protection_table(by_strategy),
                figure=make_summary_figure(by_strategy, screen.strategy),
            )
        ],
    )


def users_section(screen: Screen, show_user: Callable[[str], None]) -> Section:
    """Return all users in a table; `show_user` takes the id of the one whose row is chosen."""
    ratings, name = screen.ratings, name_of(screen.strategy)
    table = users_table(screen.results, screen.strategy, screen.k, screen.tau)
    which = f"The {MOST_ROWS:,} most used of" if len(table) > MOST_ROWS else "All"
    return Section(
        finding=[f"{which} {number(ratings.n_users)} users with {name}, {screen.folds_phrase}."],
        exhibits=[
            Exhibit(
                name="users",
                alt="All users with uses, protected uses, privacy risk and the paper's epsilon",
                table=table,
                rows=table.head(MOST_ROWS),
                columns=_USERS,
                formula=FORMULAS["one_user"],
                on_pick=lambda row: show_user(str(table["user"].iloc[row])),
                hint=f"To see one of them, click the box at the start of the row, or type the id "
                f"on the tab “{THIS_PERSON}”.",
            )
        ],
    )


def make_sections(screen: Screen) -> list[Section]:
    """Return the sections of a report, which many may read: all users as shares, nobody by name."""
    note = (
        "A report may go from hand to hand, so it lists no individual user. The page People of the "
        "dashboard shows them one by one."
    )
    return [summary_section(screen), Section(finding=[note])]
