"""The overview: what it says, and that it never says more than the numbers do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.parts.address import View
from pages.parts.overview.figure import (
    Standing,
    make_overview_figure,
    overview_table,
    overview_title,
    standings,
)
from pages.parts.overview.words import (
    alternatives_sentence,
    cards,
    cost_sentence,
    exposure_sentence,
)
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY, number, percent
from tests.pages.driving import array, figures, open_page, texts

FOLDS = 5


@pytest.fixture
def screen(results: Results) -> Screen:
    return Screen(View("small", 10, "gain", 30.0), 30.0, "small", results)


def standing(strategy: str, vulnerable: float, mae: float, noise: float = 0.0) -> Standing:
    wobble = noise * np.array([1, -1, 1, -1, 0.5])
    whole = np.ones(FOLDS)
    return Standing(
        strategy,
        vulnerable=vulnerable + wobble,
        risk=30 * whole,
        risk_without=200 * whole,
        mae=mae + wobble,
        mae_without=(mae - 0.04) * whole,
    )


def test_the_numbers_are_those_of_the_other_pages(screen: Screen):
    for found in standings(screen):
        with_dp, without = (
            screen.results.at(found.strategy, 10, 30.0, protection)
            for protection in ("vulnerable", "none")
        )
        assert found.mean("vulnerable") == pytest.approx(with_dp.vulnerable_share)
        assert found.mean("risk") == pytest.approx(with_dp.privacy_risk)
        assert found.mean("mae") == pytest.approx(with_dp.mae)
        assert found.mean("mae_without") == pytest.approx(without.mae)
        assert found.mean("risk_without") == pytest.approx(without.privacy_risk)


def test_people_are_counted(screen: Screen):
    found = standings(screen)
    share = screen.results.at("gain", 10, 30.0).vulnerable_share
    sentence = exposure_sentence(screen, found)
    assert f"**{round(80 * share)} of 80 users ({percent(share)})**" in sentence
    assert "With UserKNN: " in sentence


def test_userknn_is_compared_with_expect_and_said_to_be_improvable(screen: Screen):
    app = open_page("overview", dataset="small", strategy="userknn", tau=30)
    assert "With Expect: " in texts(app)
    assert texts(app).count("Expect: ") >= len(app.metric)


def test_above_the_largest_usage_nothing_is_protected_and_nothing_paid(screen: Screen):
    high = replace(screen, tau=1e9)
    found = standings(high)
    assert "Nobody is vulnerable with Gain" in exposure_sentence(high, found)
    assert "With UserKNN nobody is either" in exposure_sentence(high, found)
    assert "nothing is protected" in cost_sentence(high, found)
    assert "worse" not in cost_sentence(high, found)


def test_at_tau_zero_everybody_who_is_used_is_protected(screen: Screen):
    low = replace(screen, tau=0.0)
    found = standings(low)
    assert "are used at all" in exposure_sentence(low, found)
    assert "the mean privacy risk is 0 uses without DP per user" in cost_sentence(low, found)


def test_a_better_strategy_is_named(screen: Screen):
    found = [standing("userknn", 0.8, 0.84), standing("expect", 0.2, 0.80)]
    shown = screen.with_strategy("userknn")
    assert alternatives_sentence(shown, found).startswith("**Expect** would do better on both")
    best = alternatives_sentence(screen.with_strategy("expect"), found)
    assert best == "No other strategy makes fewer users vulnerable, and none errs less."


def test_what_is_better_within_the_noise_is_not_called_better(screen: Screen):
    found = [standing("gain", 0.3, 0.81), standing("expect", 0.28, 0.80, noise=0.05)]
    said = alternatives_sentence(screen, found)
    assert "would" not in said
    assert said.count("clearly") == 2


def test_one_strategy_for_people_and_one_for_errors(screen: Screen):
    found = [
        standing("gain", 0.3, 0.81),
        standing("expect", 0.2, 0.82),
        standing("userknn+reuse", 0.6, 0.79),
    ]
    said = alternatives_sentence(screen, found)
    assert "Expect would make fewer users vulnerable (20 %)" in said
    assert "UserKNN+Reuse would err less (MAE 0.790)" in said


def test_equal_once_rounded_is_not_better(screen: Screen):
    found = [standing("gain", 0.3001, 0.81004), standing("expect", 0.3, 0.81)]
    assert "would" not in alternatives_sentence(screen, found)
    title = overview_title(found, "gain", "expect")
    assert "as many vulnerable users" in title
    assert "the same error" in title


def test_noise_of_the_costs_is_said(screen: Screen):
    noisy = replace(
        standing("gain", 0.3, 0.81), mae_without=0.81 + 0.01 * np.array([1, -1, 1, -1, 0.2])
    )
    assert "about as it was" in cost_sentence(screen, [noisy])


def test_cards_compare_with_a_if_it_is_pinned(screen: Screen):
    a = screen.with_strategy("userknn+reuse")
    pinned = replace(screen, pinned=a)
    for card in cards(pinned, standings(pinned)):
        assert card.compared.startswith("A: ")
    error = cards(pinned, standings(pinned))[2]
    assert number(a.results.at("userknn+reuse", 10, 30.0).mae, 3) in error.compared


def test_the_figure_has_a_row_for_every_strategy(screen: Screen):
    found = standings(screen)
    figure = make_overview_figure(found, "gain", "title")
    assert list(figure.layout.yaxis.ticktext) == [
        "<b>Gain</b>" if s == "gain" else STRATEGY[s] for s in screen.strategies
    ]
    assert [float(x) for x in figure.data[0].x] == list(
        overview_table(found)["share of users vulnerable"]
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
    app.selectbox(key="choose_strategy").set_value("userknn").run()
    assert "**A**: small, k = 10, τ = 30, Gain. **B**: small, k = 10, τ = 30, UserKNN." in texts(
        app
    )
    app.button(key="swap").click().run()
    assert "**A**: small, k = 10, τ = 30, UserKNN. **B**: small, k = 10, τ = 30, Gain." in texts(
        app
    )
    assert app.selectbox(key="choose_strategy").value == "gain"
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


def test_a_pin_that_is_none_can_be_removed(folders: object):
    app = open_page("overview", dataset="small", pin="nonsense")
    assert "Nothing is pinned" in app.sidebar.warning[0].value
    app.button(key="unpin").click().run()
    assert not app.sidebar.warning
