"""People and Learn as pages, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import generate
from pages.contents.learn.glossary import ON_PAGE, TERMS
from pages.contents.learn.tour import TOUR
from pages.contents.people import user_choice
from pages.contents.people.person import MOST_ROWS
from pages.contents.people.sections import ALL_PEOPLE, THIS_PERSON, users_section
from pages.parts import memory
from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.wording import number
from tests.pages.driving import (
    PAGES,
    SessionState,
    array,
    control,
    figures,
    open_page,
    texts,
)

pytestmark = pytest.mark.usefixtures("folders")


def most_used(results: Results, strategy: str) -> str:
    user = int(np.mean(results.usages(strategy, 10), axis=0).argmax())
    return str(results.experiment.ratings.users[user])


@pytest.mark.parametrize("strategy", ["userknn", "gain"])
def test_without_a_user_the_most_used_one_is_shown(results: Results, strategy: str):
    app = open_page("people", dataset="small", strategy=strategy)
    assert f"user {most_used(results, strategy)} is used" in texts(app)
    assert control(app, "pick_user").value == "Most used"
    assert control(app, "find_user").value == ""
    assert not app.warning


def test_the_bars_are_the_usage_under_each_strategy(results: Results):
    name = str(results.experiment.ratings.users[5])
    app = open_page("people", dataset="small", strategy="gain", tau=20, user=name)
    real, protected = figures(app)[0]["data"][:2]
    expected = [np.mean([u[5] for u in results.usages(s, 10)]) for s in results.strategies(10)]
    assert array(real["x"]) + array(protected["x"]) == pytest.approx(expected)
    assert app.metric[0].value.replace(",", "") == f"{expected[3]:.3g}"


def test_an_unknown_user_is_said_and_similar_ids_are_offered(results: Results):
    app = open_page("people", dataset="small", user="7*<b>")
    assert "There is no user 7\\*\\<b\\>. Showing user" in app.warning[0].value
    app = open_page("people", dataset="small", user="0")
    assert "There is no user 0." in app.warning[0].value
    offered = control(app, "match_user")
    assert offered.options
    assert all("0" in option for option in offered.options)
    ids = results.experiment.ratings.users.tolist()
    offered.set_value(ids.index(offered.options[1])).run()
    assert control(app, "find_user").value == offered.options[1]
    assert not app.warning


def test_picks_lead_to_users_and_the_most_used_follows_the_strategy(results: Results):
    app = open_page("people", dataset="small", strategy="gain", tau=30)
    control(app, "pick_user").set_value("Just above τ").run()
    picked = control(app, "find_user").value
    app.session_state[user_choice.TAB] = ALL_PEOPLE
    app.run()
    table = app.dataframe[-1].value.set_index("user")
    app.session_state[user_choice.TAB] = THIS_PERSON
    app.run()
    assert control(app, "find_user").value == picked
    above = table["uses per fold"][table["uses per fold"] > 30]
    assert table.loc[picked, "uses per fold"] == above.min()
    control(app, "pick_user").set_value("Most used").run()
    control(app, "choose_strategy").set_value("userknn").run()
    assert f"user {most_used(results, 'userknn')} is" in texts(app)


def test_tau_changes_protection_and_leaves_the_user():
    app = open_page("people", dataset="small", strategy="gain", tau=0)
    assert "every use is protected" in texts(app)
    assert app.metric[2].value == "100\xa0%"
    control(app, "type_tau").set_value("123456").run()
    assert app.metric[2].value == "0\xa0%"
    assert not [metric.label for metric in app.metric if "ε" in metric.label]
    assert "none of these uses is protected" in texts(app)


def test_a_row_of_the_table_is_the_user_it_shows(monkeypatch: pytest.MonkeyPatch, results: Results):
    view = View(dataset="small", tau=30, strategy="gain")
    monkeypatch.setattr(user_choice.st, "session_state", SessionState(memory=memory.Memory(view)))
    screen = Screen(view, 30, "small", results)
    (exhibit,) = users_section(screen, user_choice.show_user).exhibits
    assert exhibit.on_pick
    exhibit.on_pick(2)
    assert memory.view() == replace(view, user=exhibit.table["user"][2])
    assert user_choice.st.session_state[user_choice.TAB] == THIS_PERSON


def test_a_user_who_is_never_used_has_a_page():
    app = open_page("people", dataset="alone")
    assert "is never used" in texts(app)
    assert "Nobody's ratings were predicted" in texts(app)
    assert len(app.get("plotly_chart")) == 1


def test_ids_and_titles_stay_text(folders: tuple[Path, Path]):
    odd = generate(users=30, items=40, ratings=500, seed=2)
    users = np.array([f"<i>*{user}*</i> $x$ [a](b)" for user in odd.users], dtype=object)
    pd.DataFrame(
        {
            "user": users[odd.user],
            "item": np.array([f"<b>{i}</b>" for i in odd.items])[odd.item],
            "rating": odd.value,
        }
    ).to_csv(folders[0] / "markup.csv", index=False)
    app = open_page("people", dataset="markup", user=users[3])
    assert not app.warning
    said = texts(app)
    assert "\\<i\\>\\*" in said
    assert not re.search(r"(?<!\\)<i>|(?<!\\)\$x", said)
    (chart,) = app.get("plotly_chart")
    assert "<i>" not in chart.proto.alt + chart.proto.spec


def test_few_rows_go_to_the_browser():
    app = open_page("people", dataset="small", strategy="gain")
    for tab in (THIS_PERSON, ALL_PEOPLE):
        app.session_state[user_choice.TAB] = tab
        app.run()
        assert app.dataframe
        assert all(len(table.value) <= MOST_ROWS for table in app.dataframe)


def test_the_person_comes_first_and_everybody_has_a_tab():
    app = open_page("people", dataset="small", strategy="gain", tau=30)
    assert [tab.label for tab in app.main.tabs] == [THIS_PERSON, ALL_PEOPLE]
    assert len(app.get("plotly_chart")) == 1
    assert "What protection promises this user" in [heading.value for heading in app.header]
    app.session_state[user_choice.TAB] = ALL_PEOPLE
    app.run()
    assert "of the users are used, but at most τ times" in texts(app)
    assert len(app.dataframe[-1].value) == 80


def test_the_link_reproduces_the_user():
    app = open_page("people", dataset="small", tau=30, user="1")
    assert app.main.code[0].value.endswith("?dataset=small&k=10&tau=30&strategy=expect&user=1")


def test_learn_has_six_steps_with_links_and_all_terms():
    app = open_page("learn", dataset="small")
    pieces = [element.proto.body for element in app.get("html")]
    links = [piece for piece in pieces if "href" in piece]
    assert len(links) == len(TOUR) == 6
    for step, link in zip(TOUR, links, strict=True):
        assert f'href="{step.link.replace("&", "&amp;")}" target="_self"' in link
    labels = [expander.label for expander in app.main.expander]
    assert labels.count("The answer") == labels.count("A hint") == 6
    assert labels.count("The formula") == sum(term.formula is not None for term in TERMS.values())
    said = texts(app)
    for name, term in TERMS.items():
        assert term.sentence in said
        assert name in [heading.value for heading in app.subheader]
    assert app.main.code[0].value.count("\n") == 5


@pytest.mark.parametrize("name", ["learn", "data", *PAGES])
def test_every_page_begins_with_the_question_it_answers(name: str):
    app = open_page(name, dataset="small", folded="yes")
    first, second = (element.value for element in app.main.markdown[:2])
    question = second if name == "overview" else first  # it says first what all this is
    assert re.fullmatch(r"\*[A-Z].+\?\*", question)


@pytest.mark.parametrize("dataset", ["empty", "three"])
def test_learn_needs_no_results(dataset: str):
    app = open_page("learn", dataset=dataset)
    assert "1. What does a neighbor reveal?" in [heading.value for heading in app.subheader]


@pytest.mark.parametrize("name", ["data_usage", "people", "learn", "popularity_bias"])
def test_the_glossary_is_in_the_sidebar_of_every_page(name: str):
    app: AppTest = open_page(name, dataset="small")
    said = "\n".join(element.value for element in app.sidebar.markdown)
    terms = ON_PAGE.get(app.title[0].value, ("Rating query", "MAE"))
    for term in terms:
        assert f"**{term}**: {TERMS[term].sentence}" in said
    assert app.sidebar.get("page_link")


def test_a_pinned_view_is_what_the_numbers_are_compared_with(results: Results):
    app = open_page(
        "people", dataset="small", strategy="gain", tau=20, user="7", pin="small_5_9_expect"
    )
    user = int(np.flatnonzero(results.experiment.ratings.users == "7")[0])
    before = np.mean([usage[user] for usage in results.usages("expect", 5)])
    assert app.metric[0].proto.delta_description == f"A {number(float(before))}"
    assert app.main.code[0].value.endswith("&pin=small_5_9_expect&user=7")
    other = open_page("people", dataset="small", user="7", pin="sample_10_9_gain")
    assert other.metric[0].proto.delta_description.startswith("UserKNN ")
