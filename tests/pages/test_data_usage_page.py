"""The page on data usage in all its views, without a browser."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import Ratings
from pages.contents.data_usage.counts import SCALES
from pages.parts.looks import name_of, shown_strategies
from pages.parts.runs import experiments
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.results import Results
from pages.parts.wording import percent
from tests.pages.driving import array, figures, open_page, texts

pytestmark = pytest.mark.usefixtures("folders")
VIEWS = ("Two strategies", "All strategies", "Cumulative")


def choose(app: AppTest, view: str, scale: str) -> AppTest:
    app.get_by_key("choose_usage_view").set_value(view).run()
    app.get_by_key("choose_usage_scale").set_value(scale).run()
    assert not app.exception
    return app


def test_all_strategies_stand_side_by_side_and_hold_every_user(results: Results):
    app = open_page("data_usage", dataset="small", strategy="gain", tau=40)
    for scale in SCALES:
        (figure,) = figures(choose(app, "All strategies", scale))
        bars = figure["data"]
        assert len(bars) == 2 * len(shown_strategies())
        vulnerable = [array(bar["y"]).sum() / 80 for bar in bars[1::2]]
        wanted = [
            results.outcome(strategy, 10, 40).value("vulnerable_share")
            for strategy in shown_strategies()
        ]
        assert vulnerable == pytest.approx(wanted)
        assert sum(array(bar["y"]).sum() for bar in bars) == pytest.approx(
            80 * len(shown_strategies())
        )
        headings = [note["text"] for note in figure["layout"]["annotations"]]
        for name in map(name_of, shown_strategies()):
            assert any(f"<b>{name}</b>" in heading for heading in headings)


def test_the_cumulative_view_has_a_line_a_strategy_and_their_secure_users(results: Results):
    app = open_page("data_usage", dataset="small", strategy="gain", tau=40)
    for scale in SCALES:
        (figure,) = figures(choose(app, "Cumulative", scale))
        assert {line["name"] for line in figure["data"]} == set(map(name_of, shown_strategies()))
        for line in figure["data"]:
            uptos = [upto for (upto,) in line["customdata"]]
            strategy = next(s for s in shown_strategies() if name_of(s) == line["name"])
            usages = results.usages(strategy, 10)
            wanted = [np.mean([(usage <= upto).mean() for usage in usages]) for upto in uptos]
            assert array(line["y"]).tolist() == pytest.approx(wanted)
        notes = " ".join(note["text"] for note in figure["layout"]["annotations"])
        secure = 1 - results.outcome("gain", 10, 40).value("vulnerable_share")
        assert f"Gain  {percent(secure)}" in notes


def test_view_and_scale_are_kept_when_one_comes_back():
    app = choose(open_page("data_usage", dataset="small"), "Cumulative", "linear")
    app.switch_page("pages/tradeoff.py").run()
    app.switch_page("pages/data_usage.py").run()
    assert app.get_by_key("choose_usage_view").value == "Cumulative"
    assert app.get_by_key("choose_usage_scale").value == "linear"


def test_rules_are_marked_and_say_what_they_would_come_to(results: Results):
    app = open_page("data_usage", dataset="small", strategy="gain", tau=40)
    table = app.table[0].value
    assert list(table.index) == ["Published rule", "Start of the tail", "Top tenth"]
    for rule, (_, row) in zip(("published", "tail", "q90"), table.iterrows(), strict=True):
        tau = round(results.suggested_tau(rule, 10))
        for strategy in ("gain", "userknn"):
            share = results.outcome(strategy, 10, tau).value("vulnerable_share")
            assert row[f"vulnerable with {name_of(strategy)}"] == percent(share)
    notes = " ".join(note["text"] for note in figures(app)[0]["layout"]["annotations"])
    for name in ("published rule", "start of the tail", "top tenth", "<b>τ = 40</b>"):
        assert name in notes


def test_a_tail_that_is_not_known_yet_is_left_out(ratings: Ratings):
    run = experiments.known_run(ratings, Conditions())
    if run is None:
        open_page("data_usage", dataset="small")
        run = experiments.known_run(ratings, Conditions())
    assert run
    whole = run.result
    # As while it works: nothing is worked out for a page that asks.
    run.result, run.state = Results(whole.experiment).with_done(set(whole.done)), "running"
    try:
        app = AppTest.from_file(Path(__file__).parents[2] / "app.py", default_timeout=60)
        app.query_params["dataset"] = "small"
        app.run()
        app.switch_page("pages/data_usage.py").run()
        assert not app.exception
        assert list(app.table[0].value.index) == ["Published rule", "Top tenth"]
        assert "is known once the run has finished" in texts(app)
    finally:
        run.result, run.state = dataclasses.replace(whole), "finished"


@pytest.mark.parametrize("tau", ["", 0, 7])
def test_a_user_alone_is_shown_in_every_view(tau: object):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        app = open_page("data_usage", dataset="alone", tau=tau)
        for view in VIEWS:
            for scale in SCALES:
                (figure,) = figures(choose(app, view, scale))
                for name, axis in figure["layout"].items():
                    if name.startswith(("xaxis", "yaxis")):
                        assert axis["range"][0] == 0
    assert "there is no load to carry" in texts(app)
    assert "nan" not in texts(app).lower().split()
