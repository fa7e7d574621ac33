"""The page Choose tau, run without a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from engine.experiment import Experiment
from engine.popularity_sweep import PopularitySweep
from engine.settings import PAPER_KS
from pages.parts.looks import shown_strategies
from tests.pages.driving import array, control, figures, open_page, texts, wait_for_runs

pytestmark = pytest.mark.usefixtures("folders")
SMALL = {"dataset": "small", "k": 10, "tau": 20, "strategy": "gain"}


def test_limits_of_the_address_are_answered():
    app = open_page("choose_tau", **SMALL, limits="max_vulnerable:40%;max_risk:30")
    said = texts(app)
    assert "**Now**, with Gain, k = 10, τ = 20" in said
    assert "**Best (least error)" in said
    app.get_by_key("take_best").click().run()
    assert not app.exception
    assert "These settings keep to all your limits." in texts(app)


def test_a_limit_is_switched_on_typed_and_refused():
    app = open_page("choose_tau", **SMALL)
    assert "No limit is on" in texts(app)
    control(app, "switch_max_vulnerable").set_value(True).run()
    assert control(app, "value_max_vulnerable").value == "20 %"
    box = control(app, "value_max_vulnerable").key
    control(app, "value_max_vulnerable").set_value("35").run()
    assert control(app, "value_max_vulnerable").key == box  # somebody may be typing in it
    assert app.session_state["memory"].view.limits.max_vulnerable == 0.35
    control(app, "value_max_vulnerable").set_value("12,5").run()
    assert app.session_state["memory"].view.limits.max_vulnerable == 0.35
    assert "is no value for this limit: write it like 20\xa0%" in texts(app)
    assert not app.exception


def test_the_example_leads_to_an_answer_in_two_clicks():
    app = open_page("choose_tau", **SMALL)
    app.get_by_key("example_limits").click().run()
    said = texts(app)
    assert "Best" in said or "Nothing keeps to all these limits" in said


def test_limits_that_make_no_sense_are_named_once():
    app = open_page("choose_tau", **SMALL, limits="max_vulnerable:lots")
    assert "limits = max" in texts(app).replace("\\", "")
    assert "No limit is on" in texts(app)


def test_the_views_have_a_point_for_each_tau_that_is_drawn():
    app = open_page("choose_tau", **SMALL)
    views = figures(app)[0]
    strong = [trace for trace in views["data"] if trace.get("customdata")]
    assert len(strong) == 3 * len(shown_strategies())  # three views of all strategies
    for trace in strong:
        assert len(array(trace["x"])) == len(trace["customdata"])


def test_what_time_does_is_worked_out_on_request_and_for_each_tau_anew():
    app = open_page("choose_tau", **SMALL, limits="max_vulnerable:100%")
    assert "fixed once and for all" not in texts(app)
    app.get_by_key("over_time").set_value(True).run()
    wait_for_runs(app)
    assert "With τ = 20 fixed once and for all" in texts(app)
    assert "reaches your limit of 100\xa0%" in texts(app)
    control(app, "type_tau").set_value("35").run()
    wait_for_runs(app)
    assert "With τ = 35 fixed once and for all" in texts(app)


def test_what_time_does_can_be_canceled_and_begun_again(monkeypatch: pytest.MonkeyPatch):
    go_on = threading.Event()

    def held_up(*_: object, progress: Callable[[float], None], **__: object) -> None:
        while not go_on.wait(0.05):
            progress(0.5)  # raises once somebody has canceled

    monkeypatch.setattr(Experiment, "neighborhoods_again", held_up)
    app = open_page("choose_tau", **SMALL | {"tau": 21})
    app.get_by_key("over_time").set_value(True).run()
    assert "Asking all queries again under Gain" in app.get("progress")[0].proto.text
    app.button(key="over-time-cancel").click().run()
    wait_for_runs(app)
    assert app.info[0].value.startswith("Stopped.")
    monkeypatch.undo()
    app.button(key="over-time-again").click().run()
    wait_for_runs(app)
    assert "With τ = 21 fixed once and for all" in texts(app)


def test_limits_on_the_top_lists_wait_for_them_and_the_rest_does_not(
    monkeypatch: pytest.MonkeyPatch,
):
    followed = threading.Event()
    follow = Experiment.popularity_sweep

    def held_up(experiment: Experiment, *settings: Any) -> PopularitySweep:
        followed.wait(60)
        return follow(experiment, *settings)

    monkeypatch.setattr(Experiment, "popularity_sweep", held_up)
    app = open_page("choose_tau", **SMALL)
    control(app, "switch_max_vulnerable").set_value(True).run()
    control(app, "switch_min_coverage").set_value(True).run()
    assert "Following the top lists of UserKNN" in app.get("progress")[0].proto.text
    assert "leaves out your limits on coverage" in texts(app)
    assert f"of {len(shown_strategies()) * len(PAPER_KS)} combinations" in texts(app)
    followed.set()
    wait_for_runs(app)
    assert "leaves out your limits" not in texts(app)
    assert "of 6 combinations" in texts(app)  # at the k of the sidebar alone


@pytest.mark.parametrize("tau", [0, 10**6])
@pytest.mark.parametrize("dataset", ["small", "alone"])
def test_extremes_are_said_as_what_they_are(dataset: str, tau: int):
    app = open_page("choose_tau", dataset=dataset, k=10, tau=tau, limits="max_risk:5")
    assert not app.exception
    said = texts(app)
    if tau:
        assert "nobody is protected" in said
