"""The question of the tour stays on the pages it opens, and what is folded away stays so."""

from __future__ import annotations

import pytest

from pages.contents.learn.tour import TOUR, answer_of
from pages.contents.learn.tour_bar import next_view
from pages.parts.address import View, address_parts, read_address
from pages.parts.address_values import TOUR_STEPS
from tests.pages.driving import control, open_page, texts

pytestmark = pytest.mark.usefixtures("folders")


def test_the_address_knows_the_steps_there_are():
    assert len(TOUR) == TOUR_STEPS
    for step in TOUR:
        view, notes = read_address(address_parts(step.view), ["sample"])
        assert (view, notes) == (step.view, {})
    view, notes = read_address({"tour": "7"}, ["sample"])
    assert view.tour == 0
    assert "is not a step of the tour from 1 to 6" in notes["tour"]


def test_every_step_leads_to_the_next_and_keeps_what_is_folded_away():
    view = View(tour=1, folded=True)
    seen = []
    while view.tour:
        seen.append(view.tour)
        page, view = next_view(view)
        assert view.folded
    assert seen == [1, 2, 3, 4, 5, 6]
    assert page == "learn"


def test_the_question_goes_along_with_hint_and_answer_until_the_tour_ends():
    app = open_page("data_usage", dataset="small", strategy="gain", tau=20, tour=3)
    step = TOUR[2]
    assert f"**Tour, 3 of 6. {step.title}** {step.question}" in texts(app)
    assert {step.hint, answer_of(step)} <= {element.value for element in app.main.markdown}
    control(app, "type_tau").set_value("33").run()
    assert "**Tour, 3 of 6." in texts(app)
    app.switch_page("pages/tradeoff.py").run()
    assert "**Tour, 3 of 6." in texts(app)
    assert app.button(key="tour_back").label == "Back to Data usage"
    app.button(key="tour_end").click().run()
    assert "**Tour" not in texts(app)
    assert control(app, "type_tau").value == "33"


def test_after_the_last_question_the_tour_is_over():
    app = open_page("people", dataset="small", strategy="gain", tau=20, tour=6)
    assert app.button(key="tour_next").label == "Finish"
    app.button(key="tour_next").click().run()
    assert app.session_state["memory"].view.tour == 0
    app.switch_page("pages/people.py").run()
    assert "**Tour" not in texts(app)


def test_the_example_stays_folded_on_every_link():
    app = open_page("overview", dataset="small", tau=20)
    assert len(app.get("image")) == 3
    app.button(key="story").click().run()
    assert not app.get("image")
    app.switch_page("pages/learn.py").run()
    bodies = [html.proto.body for html in app.get("html")]
    links = [body for body in bodies if "with these settings" in body]
    assert len(links) == len(TOUR)
    assert all("&amp;folded=yes" in link for link in links)
    again = open_page("overview", dataset="small", tau=20, folded="yes")
    assert not again.get("image")
    assert again.button(key="story").label == "Show the example"
