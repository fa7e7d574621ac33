"""The overview: what it says, and that it never says more than the numbers do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.datasets import load
from engine.outcome import Outcome
from pages.contents.overview.figure import (
    make_overview_figure,
    overview_outcomes,
    overview_table,
    overview_title,
)
from pages.contents.overview.headline import (
    error_sentence,
    everybody_sentence,
    headline,
    worse_off_sentence,
)
from pages.contents.overview.words import (
    alternatives_sentence,
    exposure_sentence,
    overview_numbers,
)
from pages.parts.address import View
from pages.parts.looks import name_of
from pages.parts.measures import real_uses_text
from pages.parts.runs import experiments
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.wording import counted_share, number, percent
from tests.pages.driving import array, control, figures, open_page, texts, wait_for_runs
from tests.pages.made_outcomes import make_outcome

FOLDS = 5


@pytest.fixture
def screen(results: Results) -> Screen:
    return Screen(View(dataset="small", tau=30, strategy="gain"), 30, "small", results)


def made_outcomes(
    strategy: str, vulnerable: float, mae: float, noise: float = 0.0, risk: float = 30.0
) -> list[Outcome]:
    """Return what a strategy comes to with and without DP."""
    wobble = noise * np.array([1, -1, 1, -1, 0.5])
    whole = np.ones(FOLDS)
    share = vulnerable + wobble
    return [
        make_outcome(strategy, vulnerable_share=share, privacy_risk=risk * whole, mae=mae + wobble),
        make_outcome(
            strategy,
            "none",
            vulnerable_share=share,
            privacy_risk=200 * whole,
            mae=(mae - 0.04) * whole,
        ),
    ]


def test_the_numbers_are_those_of_the_other_pages(screen: Screen):
    table = overview_table(overview_outcomes(screen)).set_index("strategy")
    assert list(table.index) == [name_of(strategy) for strategy in screen.strategies]
    for strategy in screen.strategies:
        with_dp, without = (
            screen.results.outcome(strategy, 10, 30.0, protection)
            for protection in ("vulnerable", "none")
        )
        assert table.loc[name_of(strategy)].tolist() == pytest.approx(
            [
                with_dp.value("vulnerable_share"),
                with_dp.value("privacy_risk"),
                without.value("privacy_risk"),
                with_dp.value("mae"),
                without.value("mae"),
            ]
        )


def test_people_are_a_number_and_a_share(screen: Screen):
    outcomes = overview_outcomes(screen)
    share = screen.results.outcome("gain", 10, 30.0).value("vulnerable_share")
    sentence = exposure_sentence(screen, outcomes)
    assert f"**{round(80 * share)} of 80 users ({percent(share)})**" in sentence
    assert "With UserKNN, " in sentence


def test_userknn_is_compared_with_expect_and_said_to_be_improvable(screen: Screen):
    app = open_page("overview", dataset="small", strategy="userknn", tau=30)
    assert "With Expect, " in texts(app)


def test_above_the_largest_usage_nothing_is_protected_and_nothing_paid(screen: Screen):
    high = replace(screen, tau=1e9)
    outcomes = overview_outcomes(high)
    assert "Nobody is vulnerable with Gain" in exposure_sentence(high, outcomes)
    assert "With UserKNN nobody is either" in exposure_sentence(high, outcomes)
    said = headline(high)
    assert said[0].startswith("**Nobody is protected with Gain**")
    assert "answered with noise" not in said[0]
    assert "0\xa0%" not in said[0]


@pytest.mark.parametrize(("risk", "said"), [(1.0, "1 time"), (30.9, "30.9 times")])
def test_a_single_real_use_is_one_time(risk: float, said: str):
    with_dp, _ = made_outcomes("gain", 0.3, 0.8, risk=risk)
    assert real_uses_text(with_dp) == said


def test_at_tau_zero_everybody_who_is_used_is_protected(screen: Screen):
    low = replace(screen, tau=0.0)
    outcomes = overview_outcomes(low)
    assert "are used at all" in exposure_sentence(low, outcomes)
    assert "everybody who is used is protected from the first use on" in headline(low)[0]
    assert "(“vulnerable”)" not in exposure_sentence(low, outcomes)


def test_a_better_strategy_is_named(screen: Screen):
    outcomes = [
        *made_outcomes("userknn", 0.8, 0.84),
        *made_outcomes("expect", 0.2, 0.80, risk=20.0),
    ]
    userknn = screen.with_strategy("userknn")
    assert alternatives_sentence(userknn, outcomes).startswith(
        "**Expect** would do better on all counts"
    )
    best = alternatives_sentence(screen.with_strategy("expect"), outcomes)
    assert best == "No other strategy is clearly better for people or for predictions."


def test_equal_or_better_by_chance_on_one_count_is_not_better_on_all(screen: Screen):
    userknn = screen.with_strategy("userknn")
    for noise, risk in ((0.0, 30.0), (0.04, 20.0)):
        outcomes = [
            *made_outcomes("userknn", 0.8, 0.82),
            *made_outcomes("expect", 0.2, 0.80, noise, risk),
        ]
        said = alternatives_sentence(userknn, outcomes)
        assert "on all counts" not in said
        assert "Expect would make fewer users vulnerable (20\xa0%)" in said


def test_what_is_better_within_the_noise_is_not_called_better(screen: Screen):
    outcomes = [
        *made_outcomes("gain", 0.3, 0.81),
        *made_outcomes("expect", 0.28, 0.80, noise=0.05),
    ]
    said = alternatives_sentence(screen, outcomes)
    assert "would" not in said
    assert said == "No other strategy is clearly better for people or for predictions."


def test_one_strategy_for_people_and_one_for_errors(screen: Screen):
    outcomes = [
        *made_outcomes("gain", 0.3, 0.81),
        *made_outcomes("expect", 0.2, 0.82),
        *made_outcomes("userknn+reuse", 0.6, 0.79),
    ]
    said = alternatives_sentence(screen, outcomes)
    assert "Expect would make fewer users vulnerable (20\xa0%)" in said
    assert "UserKNN+Reuse would miss by less (0.790)" in said


def test_equal_once_rounded_is_not_better(screen: Screen):
    outcomes = [*made_outcomes("gain", 0.3001, 0.81004), *made_outcomes("expect", 0.3, 0.81)]
    assert "would" not in alternatives_sentence(screen, outcomes)
    title = overview_title(outcomes, "gain", "expect")
    assert "as many vulnerable users" in title
    assert "the same error" in title


def test_the_headline_compares_with_userknn_without_protection(screen: Screen):
    chosen = screen.results.outcome("gain", 10, 30.0)
    baseline = screen.results.outcome("userknn", 10, 30.0, "none")
    said = " ".join(headline(screen))
    for outcome, metric, decimals in (
        (chosen, "privacy_risk", None),
        (baseline, "privacy_risk", None),
        (chosen, "mae", 3),
        (baseline, "mae", 3),
    ):
        assert number(outcome.value(metric), decimals) in said
    for metric in overview_numbers(screen):
        assert metric.other_name.startswith("UserKNN")


def test_differences_of_errors_are_said_as_what_they_are():
    base = make_outcome("userknn", "none", mae=[0.80, 0.81, 0.79])
    for errors, words in (
        ([0.82, 0.83, 0.81], "2.5\xa0% more"),
        ([0.81, 0.80, 0.80], "within the noise of the folds"),
        ([0.80, 0.81, 0.79], "as they do there"),
    ):
        assert words in error_sentence(make_outcome("gain", mae=errors), base)
    one = make_outcome("userknn", "none", mae=[0.8]), make_outcome("gain", mae=[0.9])
    assert "one fold cannot tell" in error_sentence(one[1], one[0])


def test_a_change_in_percent_is_that_of_the_figures_beside_it():
    """0.3 % stood beside 0.830 and 0.827, of which anybody works out 0.4 %; other pages say 0.3."""
    usual = make_outcome("userknn", "none", mae=[0.8274] * 5)
    said = error_sentence(make_outcome("gain", mae=[0.8296] * 5), usual)
    assert "by 0.8296 points of the scale instead of 0.8274, 0.3\xa0% more" in said


def test_who_is_used_more_often_is_a_share(screen: Screen):
    results = screen.results
    pairs = zip(results.usages("gain", 10), results.usages("userknn", 10), strict=True)
    share = float(np.mean([(gain > userknn).mean() for gain, userknn in pairs]))
    assert f"{percent(share)} of the people are used more often" in worse_off_sentence(screen)
    assert worse_off_sentence(screen.with_strategy("userknn")) == ""


def test_protecting_everybody_is_judged_with_the_strategy_that_does_it_best(screen: Screen):
    baseline = screen.outcome("userknn", "none")
    best = min(
        (screen.outcome(strategy, "full") for strategy in screen.strategies),
        key=lambda outcome: outcome.value("mae"),
    )
    said = everybody_sentence(screen, baseline)
    assert name_of(best.setting.strategy) in said
    assert number(best.value("mae"), 3) in said


def test_cards_compare_with_a_if_it_is_pinned(screen: Screen):
    a = screen.with_strategy("userknn+reuse")
    pinned = replace(screen, pinned=a)
    for metric in overview_numbers(pinned):
        assert metric.other_name == "A"
    error = overview_numbers(pinned)[2]
    assert error.other_value == number(a.results.outcome("userknn+reuse", 10, 30.0).value("mae"), 3)


def test_the_figure_has_a_row_for_every_strategy(screen: Screen):
    outcomes = overview_outcomes(screen)
    figure = make_overview_figure(outcomes, "gain")
    assert list(figure.layout.yaxis.ticktext) == [
        "<b>Gain</b>" if s == "gain" else name_of(s) for s in screen.strategies
    ]
    assert [float(x) for x in figure.data[0].x] == list(
        overview_table(outcomes)["share of users vulnerable"]
    )


@pytest.mark.parametrize("address", [{}, {"pin": "small_20_12_userknn"}, {"dataset": "alone"}])
def test_the_page_shows_four_numbers_and_a_chart(address: dict[str, str], folders: object):
    app = open_page("overview", **{"dataset": "small", "tau": 30, "strategy": "gain", **address})
    assert len(app.metric) == 4
    assert len(figures(app)) == 1
    assert array(figures(app)[0]["data"][0]["x"]).size >= 4


def test_a_pin_in_the_address_brings_the_table_to_every_page(folders: object):
    for name in ("overview", "data_usage", "neighborhoods", "tradeoff", "popularity_bias"):
        app = open_page(name, dataset="small", tau=30, strategy="gain", pin="small_20_12_userknn")
        assert "**A**: small, k = 20, τ = 12, UserKNN." in texts(app)
        assert list(app.table[0].value.columns) == ["A", "B", "B − A", "a clear difference?"]


def test_pin_swap_and_unpin(folders: object):
    app = open_page("overview", dataset="small", tau=30, strategy="gain")
    app.button(key="pin_a").click().run()
    control(app, "choose_strategy").set_value("userknn").run()
    assert "**A**: small, k = 10, τ = 30, Gain. **B**: small, k = 10, τ = 30, UserKNN." in texts(
        app
    )
    app.button(key="swap").click().run()
    assert "**A**: small, k = 10, τ = 30, UserKNN. **B**: small, k = 10, τ = 30, Gain." in texts(
        app
    )
    assert control(app, "choose_strategy").value == "gain"
    app.button(key="unpin").click().run()
    assert not app.table
    assert "**A**" not in texts(app)


def test_a_pin_of_other_data_says_that_nothing_can_be_paired(folders: object):
    app = open_page("overview", dataset="small", tau=30, pin="alone_10_5_expect")
    for _ in range(100):
        if app.table:
            break
        app.run()
    assert "different data" in texts(app)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("failed", "A has no numbers: its run failed. The disk is full."),
        ("cancelled", "A has no numbers: its run was stopped."),
    ],
)
def test_a_pin_without_numbers_says_why(folders: tuple[Path, Path], state: str, said: str):
    app = open_page("overview", dataset="small", tau=30, pin="alone_10_5_expect")
    wait_for_runs(app)
    run = experiments.known_run(load(str(folders[0] / "alone.csv")), Conditions())
    assert run
    whole = run.result
    try:
        run.state, run.error, run.result = state, "The disk is full.", Results(whole.experiment)
        app.run()
        beside = [entry.value for entry in (*app.sidebar.warning, *app.sidebar.caption)]
        assert said in [text.replace("\\", "") for text in beside]
    finally:
        run.state, run.error, run.result = "finished", "", whole


def test_a_pin_that_is_none_is_said_and_leaves_the_address(folders: object):
    app = open_page("overview", dataset="small", pin="nonsense")
    assert "Nothing is pinned" in app.main.warning[0].value
    assert "pin" not in app.query_params
    app.button(key="pin_a").click().run()
    assert not app.warning
    assert app.query_params["pin"].startswith("small_10_")
    app.button(key="unpin").click().run()
    assert "pin" not in app.query_params


@pytest.mark.parametrize("tau", [1.0, 12.0, 30.0, 1000.0])
def test_numbers_of_the_figure_stand_right_of_all_that_is_drawn(screen: Screen, tau: float):
    outcomes = overview_outcomes(replace(screen, tau=tau))
    figure = make_overview_figure(outcomes, "gain")
    assert len({trace.yaxis or "y" for trace in figure.data}) == 3
    scatters = [trace for trace in figure.data if trace.type == "scatter"]
    for numbers in (trace for trace in scatters if trace.mode == "text"):
        assert numbers.textposition == "middle right"
        ends = dict(zip(numbers.y, numbers.x, strict=True))
        drawn = [t for t in figure.data if (t.yaxis or "y") == (numbers.yaxis or "y")]
        for trace in drawn:
            assert all(x is None or x <= ends[y] for y, x in zip(trace.y, trace.x, strict=True))


def test_nearly_all_users_are_not_all():
    assert counted_share(0.9996, 943) == (942, "99.9\xa0%")
    assert counted_share(1.0, 943) == (943, "100\xa0%")
