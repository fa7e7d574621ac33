"""The dashboard as a whole, without a browser."""

from __future__ import annotations

import csv
import dataclasses
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import Ratings, generate
from engine.strategies import PAPER_STRATEGIES
from pages.parts.looks import name_of, shown_strategies
from pages.parts.runs import experiments, forecast
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.results import Results
from pages.parts.wording import exactly, percent
from tests.pages.driving import (
    APP,
    PAGES,
    array,
    control,
    figures,
    open_fold,
    open_numbers,
    open_page,
    texts,
)

pytestmark = pytest.mark.usefixtures("folders")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("strategy", ["userknn", "gain", "expect+reuse"])
def test_every_page_has_figures_with_a_finding_a_name_and_a_table(name: str, strategy: str):
    app = open_page(name, dataset="small", strategy=strategy)
    if name == "popularity_bias":
        open_fold(app, "Every strategy: PP-Corr and coverage")
    open_numbers(app)
    charts = app.get("plotly_chart")
    assert charts
    for chart, figure in zip(charts, figures(app), strict=True):
        title = figure["layout"]["title"]["text"]
        assert len(title) > 20
        plain = title.replace("<br>", " ").replace("\xa0", " ")
        assert plain in chart.proto.alt.replace("\xa0", " ")
        axes = [
            axis for key, axis in figure["layout"].items() if key.startswith(("xaxis", "yaxis"))
        ]
        assert any(axis.get("title", {}).get("text") for axis in axes)
        assert sum(array(trace["y"]).size for trace in figure["data"]) <= 5000
    labels = [expander.label for expander in app.main.expander]
    downloads = [button.label for button in app.button if button.label.startswith("Download")]
    assert labels.count("The numbers behind the figure, downloads") == len(charts)
    assert len(downloads) >= len(charts)
    assert "The formula" in labels
    for table in app.dataframe:
        assert len(table.value)


@pytest.mark.parametrize("name", PAGES)
def test_pages_say_what_they_are_a_mean_of(name: str):
    said = texts(open_page(name, dataset="small"))
    assert "small" in said
    assert "5 folds" in said


def test_the_histogram_holds_every_user_and_the_share_in_words(results: Results):
    app = open_page("data_usage", dataset="small", strategy="gain", tau=40)
    bars = figures(app)[0]["data"]
    assert sum(array(bar["y"]).sum() for bar in bars) == pytest.approx(2 * 80)
    vulnerable = sum(
        array(bar["y"]).sum()
        for bar in bars
        if bar["name"] == "vulnerable users" and bar["yaxis"] == "y2"
    )
    share = results.outcome("gain", 10, 40).value("vulnerable_share")
    assert vulnerable / 80 == pytest.approx(share)
    assert f"**{percent(share)} of the users are used more than 40 times**" in texts(app)
    assert app.metric[0].value == percent(share)


def test_a_metric_never_stands_alone():
    for metric in open_page("data_usage", dataset="small", strategy="gain").metric:
        assert metric.proto.delta_description.startswith("UserKNN ")
        assert metric.delta


def test_tau_above_the_largest_usage_means_nobody_is_vulnerable():
    app = open_page("data_usage", dataset="small", tau=123456)
    assert "Nobody is vulnerable with Expect" in texts(app)
    assert control(app, "type_tau").value == "123456"
    assert control(app, "move_tau").value == 123456
    assert app.metric[0].value == "0\xa0%"
    for name in PAGES:
        open_page(name, dataset="small", tau=123456)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("tau", [0, 1])
def test_small_taus_work_everywhere(name: str, tau: int):
    open_page(name, dataset="small", tau=tau, strategy="gain")


def test_a_deep_link_sets_every_control():
    app = open_page("tradeoff", dataset="small", k=25, tau=55, strategy="userknn+reuse")
    assert control(app, "choose_dataset").value == "small"
    assert control(app, "choose_k").value == 25
    assert control(app, "choose_strategy").value == "userknn+reuse"
    assert control(app, "type_tau").value == "55"
    assert control(app, "move_tau").value == 55
    assert not app.warning


@pytest.mark.parametrize(
    ("address", "note"),
    [
        ({"dataset": "nowhere"}, "dataset = nowhere, which is not here"),
        ({"dataset": "small", "k": 7}, "k = 7, which is not one of 5, 10, 15, 20, 25, 30"),
        ({"dataset": "small", "tau": "-5"}, "tau = \\-5, which is not a whole number of uses"),
        ({"dataset": "small", "tau": "12,5"}, "tau = 12\\,5"),
        ({"dataset": "small", "tau": "92.71"}, "Showing τ = 93"),
        ({"dataset": "small", "tau": "abc"}, "tau = abc"),
        ({"dataset": "small", "tau": "nan"}, "tau = nan"),
        ({"dataset": "small", "strategy": "foo"}, "strategy = foo, which is not one of"),
    ],
)
def test_what_does_not_fit_is_said_with_what_is_shown(address: dict[str, object], note: str):
    app = open_page("data_usage", **address)
    (warning,) = app.warning
    assert note in warning.value
    assert "Showing" in warning.value
    assert app.get("plotly_chart")


def test_a_note_goes_once_the_user_chooses():
    app = open_page("data_usage", dataset="small", k=7)
    control(app, "choose_k").set_value(20).run()
    assert not app.warning
    assert control(app, "choose_k").value == 20


def test_a_note_stays_while_nothing_else_is_chosen():
    app = open_page("data_usage", dataset="small", k=7, tau="-5")
    app.run()
    assert "k = 7" in app.warning[0].value
    assert "tau = " in app.warning[1].value
    # What did not fit goes on in no link.
    assert app.query_params == {"dataset": "small", "k": "10", "strategy": "expect"}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("-5", "\\-5 is not a whole number of uses"),
        ("12,5", "12\\,5 is not a whole number of uses"),
        ("12.5", "12\\.5 is not a whole number of uses"),
        ("*a*", "\\*a\\* is not a whole number of uses"),
        ("9" * 20, f"{'9' * 20} is above 1,000,000,000,000, the largest τ"),
    ],
)
def test_a_tau_that_cannot_be_is_refused_beside_the_box(typed: str, why: str):
    app = open_page("data_usage", dataset="small", tau=17)
    box = control(app, "type_tau").key
    control(app, "type_tau").set_value(typed).run()
    assert control(app, "type_tau").key == box  # and so the focus is still in it
    (warning,) = app.warning
    assert warning.value == app.sidebar.warning[0].value == f"{why}. τ is still 17."
    assert control(app, "type_tau").value == typed
    control(app, "move_tau").set_value(4).run()
    assert not app.warning
    assert control(app, "type_tau").value == "4"  # the text that was refused is gone
    control(app, "type_tau").set_value(typed).run()
    control(app, "type_tau").set_value("3").run()
    assert not app.warning
    assert app.query_params["tau"] == "3"
    control(app, "type_tau").set_value("1,200").run()
    assert app.query_params["tau"] == "1200"


def test_an_emptied_box_follows_the_published_rule():
    app = open_page("data_usage", dataset="small")
    suggested = control(app, "type_tau").value
    control(app, "type_tau").set_value("3").run()
    control(app, "type_tau").set_value("").run()
    assert control(app, "type_tau").value == ""
    assert control(app, "type_tau").placeholder == suggested
    assert control(app, "tau_rule").value == "published"
    assert "tau" not in app.query_params


def test_a_large_run_begins_when_somebody_says_so(
    tmp_path: Path, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    few = generate(users=40, items=60, ratings=900, seed=11)
    labels = {"user": few.users[few.user], "item": few.items[few.item], "rating": few.value}
    pd.DataFrame(labels).to_csv(folders[0] / "few.csv", index=False)
    monkeypatch.setattr(forecast, "LONG", 0.0)
    monkeypatch.setattr(forecast, "LARGE", 0.0)
    try:
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params["dataset"] = "few"
        app.run()
        assert not app.get("plotly_chart")
        assert "of memory" in app.main.caption[0].value
        app.button(key="begin").click().run()
        assert not app.exception
        assert app.get("plotly_chart") or app.get("progress")
    finally:
        (folders[0] / "few.csv").unlink()


def test_the_sample_is_the_default_and_named_as_generated():
    app = AppTest.from_file(APP, default_timeout=60).run()
    choice = control(app, "choose_dataset")
    assert choice.value == "sample"
    assert choice.options[0] == "Sample: generated movie ratings"


@pytest.mark.parametrize("name", PAGES)
def test_a_user_alone_has_no_neighbors_and_breaks_nothing(name: str):
    app = open_page(name, dataset="alone", strategy="gain")
    assert not app.error
    if name == "data_usage":
        assert "no user's data is used at all" in texts(app)


@pytest.mark.parametrize(
    ("dataset", "said"),
    [("empty", "empty"), ("<b>*odd*", "not a number"), ("three", "cannot be split into 5 folds")],
)
def test_a_file_that_cannot_be_read_says_why_and_breaks_nothing(dataset: str, said: str):
    app = open_page("data_usage", dataset=dataset)
    (error,) = app.error
    assert said in error.value
    assert "<b>" not in error.value.replace("\\<", "")
    control(app, "choose_dataset").set_value("small").run()
    assert not app.error


def test_suggestions_follow_k_until_tau_is_set(results: Results):
    def published(k: int) -> str:
        return str(round(results.suggested_tau("published", k)))

    app = open_page("data_usage", dataset="small")
    rules = control(app, "tau_rule")
    assert rules.value == "published"
    tail = round(results.suggested_tau("tail", 10))
    assert f"Start of the tail: {exactly(tail)}" in rules.options
    for k in (10, 20):
        control(app, "choose_k").set_value(k).run()
        assert control(app, "type_tau").value == published(k)
    control(app, "tau_rule").set_value("q90").run()
    top = str(round(results.suggested_tau("q90", 20)))
    assert control(app, "type_tau").value == top
    control(app, "choose_k").set_value(10).run()
    assert control(app, "type_tau").value == top
    control(app, "tau_rule").set_value("published").run()
    assert control(app, "type_tau").value == published(10)


def test_box_and_slider_move_each_other():
    app = open_page("data_usage", dataset="small")
    control(app, "move_tau").set_value(25).run()
    assert control(app, "type_tau").value == "25"
    for typed in (13, 55, 100_001):  # also where the slider has no step
        control(app, "type_tau").set_value(str(typed)).run()
        assert control(app, "move_tau").value == typed
    control(app, "move_tau").set_value(40).run()
    assert control(app, "type_tau").value == "40"
    assert "more than 40 times" in texts(app)


def test_tau_stays_when_the_page_changes():
    app = open_page("data_usage", dataset="small", strategy="gain")
    control(app, "type_tau").set_value("33").run()
    for name in PAGES:
        app.switch_page(f"pages/{name}.py").run()
        assert control(app, "type_tau").value == "33"
        assert control(app, "choose_strategy").value == "gain"


def test_the_link_reproduces_the_view():
    app = open_page("data_usage", dataset="small", strategy="userknn+reuse", k=5)
    tau = control(app, "type_tau").value
    assert not app.code
    app.session_state["link"] = True
    app.run()
    assert app.code[0].value.endswith(f"?dataset=small&k=5&tau={tau}&strategy=userknn%2Breuse")


def test_popularity_bias_compares_with_userknn_with_dp():
    app = open_page("popularity_bias", dataset="small", strategy="gain")
    open_fold(app, "Every strategy: PP-Corr and coverage")
    table = app.table[0].value
    assert list(table.index[:3]) == ["UserKNN without DP", "UserKNN with DP", "UserKNN full DP"]
    assert len(table) == 2 + len(shown_strategies())
    assert table.loc["UserKNN with DP", "PP-Corr, difference"] == ""
    assert all(table["PP-Corr, difference"].drop("UserKNN with DP"))


def test_tables_are_what_the_figures_show():
    app = open_page("neighborhoods", dataset="small", strategy="gain")
    drawn = figures(app)[0]["data"]
    lines = {t["name"]: array(t["y"]) for t in drawn if "lines" in t["mode"] and "fill" not in t}
    assert lines.keys() >= set(map(name_of, PAPER_STRATEGIES))
    assert not app.dataframe  # a browser would load what draws it before the figure
    open_numbers(app)
    table = app.dataframe[0].value
    for name, values in lines.items():
        assert np.allclose(table[name].dropna(), values)
    text = table.to_csv(index=False)
    assert next(csv.reader(io.StringIO(text)))[0] == "q"


def test_differences_of_the_curves_are_tested_once_the_run_has_finished():
    app = open_page("neighborhoods", dataset="small", strategy="gain")
    assert "**Significantly fewer neighbors than UserKNN**, in all 5 folds" in texts(app)
    open_numbers(app)
    assert "Gain, significant" in app.dataframe[0].value
    curves = figures(app)
    assert ("at every q" in texts(app)) or any(t.get("yaxis") == "y2" for t in curves[0]["data"])


def test_a_strategy_that_is_not_there_yet_is_named(ratings: Ratings, results: Results):
    run = experiments.runs().ask(Conditions().key(ratings), lambda: pytest.fail("not begun"))
    whole = run.result
    cells = {cell for cell in whole.done if cell[1] in PAPER_STRATEGIES}
    run.result, run.state = dataclasses.replace(whole, done=frozenset(cells)), "cancelled"
    try:
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params["dataset"], app.query_params["strategy"] = "small", "gain+reuse"
        app.run()
        assert (
            "Gain+Reuse has not been computed; until it is, UserKNN is shown" in app.info[0].value
        )
        assert app.button(key="go_on").label == "Start again"
        assert "With UserKNN, **" in texts(app)
    finally:
        run.result, run.state = whole, "finished"
