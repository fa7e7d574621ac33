"""NeuKNN and NeuKNN+Reuse in the sidebar: every page shows them, or says why it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import Ratings
from engine.experiment import Experiment
from engine.settings import Setting
from engine.sweep import SWEPT
from pages.parts.address import View
from pages.parts.frame import ALONE, TITLES
from pages.parts.looks import name_of
from pages.parts.reproduce import command_line
from pages.parts.runs import experiments, plan, results
from pages.parts.runs.conditions import Conditions
from pages.parts.screen import Screen
from tests.pages.driving import open_page, texts
from tests.pages.test_new_strategy import written

LEARNED = ("neuknn", "neuknn+reuse")


@pytest.fixture(autouse=True)
def one_k(folders: tuple[Path, Path]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (plan, results):
            patch.setattr(module, "PAPER_KS", (10,))
        yield


@pytest.fixture(scope="module")
def half(ratings: Ratings) -> Experiment:
    return Experiment(ratings, queries="half")


@pytest.mark.parametrize("strategy", LEARNED)
def test_every_page_shows_them_and_that_half_of_the_queries_are_asked(strategy: str):
    app = open_page("overview", dataset="small", strategy=strategy, tau=12)
    for name in TITLES:
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception, name
        assert not app.error, name
        if name in ALONE:
            continue
        assert "Not the default: half of the queries" in texts(app), name
        if name not in ("paper", "privacy_lab"):  # see below
            assert name_of(strategy) in written(app), name


@pytest.mark.parametrize("strategy", LEARNED)
def test_the_lab_shows_them_or_says_why_not(strategy: str):
    app = open_page("privacy_lab", dataset="small", strategy=strategy, tau=12)
    for tab, said in (
        ("Coins", ""),
        ("Adversary", f"The attack is not made for {name_of(strategy)}"),
        ("What ε means", name_of(strategy)),
        ("Audit", ""),
    ):
        app.session_state["lab_tab"] = tab
        app.run()
        assert not app.exception, tab
        assert not app.error, tab
        assert said in written(app) + infos(app), tab


@pytest.mark.parametrize("strategy", LEARNED)
def test_the_numbers_are_those_of_the_engine_on_the_same_queries(
    strategy: str, ratings: Ratings, half: Experiment
):
    open_page("overview", dataset="small", strategy=strategy, tau=12)
    screen = screen_of(ratings, View(dataset="small", strategy=strategy, tau=12))
    assert screen.strategy == strategy
    for name in (strategy, "userknn", "gain"):
        theirs = half.outcome(Setting(name, 10, 12), metrics=SWEPT)
        for metric in ("mae", "privacy_risk", "vulnerable_share"):
            assert screen.outcome(name).value(metric) == theirs.value(metric)
    assert "--queries half" in command_line(screen)
    assert "a tenth of the ratings are asked for" in screen.fold_sentence


def screen_of(ratings: Ratings, view: View) -> Screen:
    run = experiments.known_run(ratings, Conditions.of(view))
    assert run
    return Screen(view, view.tau or 0, "Small", run.result)


def test_tau_is_suggested_from_neuknn_s_own_usage(half: Experiment):
    app = open_page("data_usage", dataset="small", strategy="neuknn+reuse")
    expected = round(float(np.mean([half.tau("published", n, 10, "neuknn") for n in range(5)])))
    assert f"Published rule: {expected}" in suggestions(app)
    assert "NeuKNN's data usage" in texts(app)
    other = open_page("data_usage", dataset="small", strategy="gain")
    assert "UserKNN's data usage" in texts(other)


def suggestions(app: AppTest) -> str:
    return str([pills.options for pills in app.sidebar.get("button_group")])


def test_what_is_pinned_answers_the_same_half(ratings: Ratings, half: Experiment):
    for chosen, pinned in (("neuknn", "expect"), ("expect", "neuknn")):
        pin = View(dataset="small", k=10, tau=12, strategy=pinned)
        app = open_page(
            "overview", dataset="small", strategy=chosen, tau=12, pin=f"small_10_12_{pinned}"
        )
        said = texts(app)
        assert "half of the queries" in said
        assert "of different data" not in said
        view = View(dataset="small", strategy=chosen, tau=12, pin=pin)
        screen = screen_of(ratings, view)
        for name in (chosen, pinned):
            theirs = half.outcome(Setting(name, 10, 12), metrics=["mae"])
            assert screen.outcome(name).value("mae") == theirs.value("mae")


def test_a_page_that_has_nothing_to_say_says_why():
    paper = open_page("paper", dataset="small", strategy="neuknn", tau=12)
    assert "The paper's tables are of all queries" in infos(paper)
    choice = open_page("choose_tau", dataset="small", strategy="neuknn+reuse", tau=12)
    choice.session_state["over_time"] = True
    choice.run()
    assert "What becomes of NeuKNN+Reuse when the queries are asked again" in infos(choice)


def infos(app: AppTest) -> str:
    return "\n".join(info.value for info in app.info)


def test_the_best_setting_that_is_taken_keeps_to_the_limits():
    app = open_page(
        "choose_tau", dataset="small", strategy="neuknn", tau=12, limits="max_vulnerable:20%"
    )
    app.button(key="take_best").click().run()
    assert not app.exception
    assert app.session_state["memory"].view.strategy not in LEARNED
    said = texts(app)
    assert "half of the queries" in said
    assert "These settings keep to all your limits." in said
