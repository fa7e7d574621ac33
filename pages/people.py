"""One user: how often and by whom they are used, for what, and what of it is protected."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np
import streamlit as st

from pages.parts.address import write_address
from pages.parts.comparison.difference import same_ratings
from pages.parts.drawing.charts import draw_below_table, draw_figure
from pages.parts.frame import this_screen
from pages.parts.people.figures import (
    make_strategies_figure,
    make_tau_figure,
    strategies_table,
    strategies_title,
    tau_table,
    tau_title,
)
from pages.parts.people.person import (
    MOST_ROWS,
    Person,
    items_table,
    targets_table,
    users_table,
    uses_of,
)
from pages.parts.people.summary import (
    make_summary_figure,
    summaries,
    summary_sentence,
    summary_table,
    summary_title,
)
from pages.parts.people.user_choice import draw_user_choice, take_row
from pages.parts.people.words import (
    ONE_USER,
    person_metrics,
    person_sentence,
    promise,
    uses_sentence,
)
from pages.parts.pin import asked_pin
from pages.parts.wording import STRATEGY, number, plain

#: What there is room for side by side; the download has the ids of items as well.
_COLUMNS = ("user", "item", "uses", "protected", "rating")

screen = this_screen()
results, k, tau = screen.results, screen.k, screen.tau
ratings = results.experiment.ratings
strategy, other = screen.compared
usages = results.usages(strategy, k)
names = (STRATEGY[strategy], STRATEGY[other])

user = draw_user_choice(
    ratings.users, np.mean(usages, axis=0), tau, f"the most used with {names[0]}"
)
name = str(ratings.users[user])
people = {s: Person.of(results.usages(s, k), user) for s in screen.strategies}
person = people[strategy]

st.markdown(person_sentence(name, person, people[other], usages, names))
then = (people[other], tau, names[1])
if screen.pinned and same_ratings(screen, screen.pinned):
    a = screen.pinned
    then = (Person.of(a.results.usages(a.strategy, a.k), user), a.tau, "A")
with st.grid(2):
    for metric in person_metrics(person, tau, *then):
        st.metric(**metric, border=True)

title = strategies_title(people)
draw_figure(
    make_strategies_figure(people, strategy, tau, title),
    strategies_table(people, tau),
    screen,
    name="person-strategies",
    alt=f"Uses of one user under each strategy, real and protected apart. {title}",
    formula=ONE_USER,
)
if person.uses:
    title = tau_title(person, tau)
    draw_figure(
        make_tau_figure(person, tau, title),
        tau_table(person, tau),
        screen,
        name="person-tau",
        alt=f"Real and protected uses of one user over τ, {names[0]}. {title}",
    )
st.caption(f"{screen.title}, k = {k}, {screen.folds_phrase}. Uses are counted anew in each fold.")

uses = uses_of(results, strategy, k, user)
st.header("Used for whom, and for what")
st.markdown(uses_sentence(uses, ratings, user, tau, len(results.folds(k))))
if uses.item.size:
    tables = {
        "for-whom": ("For whom", targets_table(uses, ratings, tau), "Users who asked"),
        "for-what": ("For what", items_table(uses, ratings, user, tau), "Items asked for"),
    }
    for place, (file, (heading, table, alt)) in zip(
        st.columns([2, 3]), tables.items(), strict=True
    ):
        with place:
            st.markdown(f"**{heading}**")
            st.dataframe(
                table.head(MOST_ROWS),
                hide_index=True,
                height=330,
                key=file,
                column_order=[column for column in _COLUMNS if column in table],
                alt=f"{alt}, with the uses of this user and how many of them are protected",
                column_config={
                    "user": st.column_config.TextColumn(width=100),
                    "item": st.column_config.TextColumn(width=190),
                    "uses": st.column_config.ProgressColumn(
                        format="localized",
                        min_value=0,
                        max_value=int(table["uses"].max()),
                        width=105,
                    ),
                    "protected": st.column_config.NumberColumn(
                        width=70, help="Uses after the first τ of a fold"
                    ),
                    "rating": st.column_config.NumberColumn(
                        "rated", width=50, help="The rating that a use exposes"
                    ),
                },
            )
            draw_below_table(table, screen, name=file)

st.header("What protection promises this user")
for sentence in promise(name, person, results.experiment.mechanism, tau, uses):
    st.markdown(f"- {sentence}")

st.header("All users")
found = summaries(screen)
st.markdown(summary_sentence(found, tau, strategy, other))
title = summary_title(found, strategy, other)
draw_figure(
    make_summary_figure(found, strategy, title),
    summary_table(found),
    screen,
    name="all-users",
    alt=f"Users by the share of their uses that is protected, a bar for each strategy. {title}",
)
table = users_table(ratings, usages, tau)
shown = f"The {MOST_ROWS:,} most used of" if len(table) > MOST_ROWS else "All"
st.markdown(
    f"{shown} {number(ratings.n_users)} users with {names[0]}, {screen.folds_phrase}. "
    "To see one of them above, click the box at the start of the row, or type the id into the "
    "field at the top of the page."
)
st.dataframe(
    table.head(MOST_ROWS),
    hide_index=True,
    height=330,
    key="all_users",
    on_select=lambda: take_row(table["user"].tolist()),
    selection_mode="single-row",
    alt="All users with uses, protected uses, privacy risk and the paper's epsilon",
    column_config={
        "uses per fold": st.column_config.ProgressColumn(
            format="localized",
            min_value=0.0,
            max_value=max(1.0, float(table["uses per fold"].max())),
        ),
        "protected uses": st.column_config.NumberColumn(format="localized"),
        "privacy risk": st.column_config.NumberColumn(format="localized"),
        "paper's ε": st.column_config.NumberColumn(format="%.2f"),
    },
)
draw_below_table(table, screen, name="users", formula=ONE_USER)
with st.expander("Link to this user", type="compact"):
    query = write_address(screen.view, tau, asked_pin())
    st.caption(f"Whoever opens it sees user {plain(name)} as you do now.")
    st.code(
        f"{st.context.url or ''}?{query}&{urlencode({'user': name})}",
        language=None,
        wrap_lines=True,
    )
