from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.outcome import FoldOutcome, Outcome
from engine.settings import Setting
from pages.contents.popularity_bias.bias import (
    bias_sentence,
    bias_table,
    crowding_sentence,
    significance,
)
from pages.contents.popularity_bias.figures import (
    groups_table,
    groups_title,
    item_bins,
    items_title,
    make_groups_figure,
    make_items_figure,
)

POPULARITY = np.arange(1, 1001)
FREQUENCY = POPULARITY // 3


def bias(strategy: str, protection: str, pp_corr: float | None, coverage: float) -> Outcome:
    metrics = {"pp_corr": pp_corr, "coverage": coverage}
    return Outcome(
        Setting(strategy, 10, 10, protection),
        [FoldOutcome(0, 10.0, metrics, FREQUENCY)],
        origin=("made", 5, 0),
    )


NONE = bias("userknn", "none", 0.8402, 0.8794)
BASE = bias("userknn", "vulnerable", 0.8742, 0.8877)
GAIN = bias("gain", "vulnerable", 0.7725, 0.8807)
FOUND = [NONE, BASE, GAIN]
counts = st.lists(st.integers(0, 5000), min_size=1, max_size=300).map(np.array)


def test_differences_are_to_userknn_with_dp():
    table = bias_table(FOUND).set_index("Strategy")
    assert table.loc["Gain with DP"].tolist() == [
        "0.7725",
        "−0.1017",
        "cannot be told from one fold",
        "significant",
        "88.1\xa0%",
        "−0.7\xa0% points",
    ]
    assert table.loc["UserKNN with DP", "PP-Corr, difference"] == ""


def test_significance_is_said_only_where_it_is_found():
    assert significance(GAIN, BASE) == "significant"
    assert significance(bias("expect", "vulnerable", 0.8741, 0.88), BASE) == "may be chance"
    assert significance(bias("expect", "vulnerable", None, 0.88), BASE) == "n/a"
    assert significance(bias("expect", "vulnerable", 1.0, 0.88), BASE) == "n/a"


def test_the_sentence_compares_and_names_chance():
    sentence = bias_sentence(GAIN, FOUND)
    assert "**0.772** under Gain with DP" in sentence
    assert "lower than under UserKNN with DP (0.874), which one fold cannot tell" in sentence
    assert "without DP UserKNN has 0.840" in sentence
    near = bias("expect", "vulnerable", 0.8705, 0.88)
    assert "which one fold cannot tell from chance" in bias_sentence(near, [*FOUND, near])
    assert "undefined" in bias_sentence(bias("expect", "vulnerable", None, 0.0), FOUND)


def test_the_groups_figure_sets_places_against_ratings():
    figure = make_groups_figure(GAIN, BASE, POPULARITY)
    assert [trace.name for trace in figure.data] == [
        "places on top lists, UserKNN with DP",
        "places on top lists, Gain with DP",
        "all ratings",
    ]
    assert len(make_groups_figure(BASE, BASE, POPULARITY).data) == 2
    title = groups_title(GAIN, BASE, POPULARITY)
    assert title == (
        "The most popular tenth of the items has 19\xa0% of the ratings and gets 19\xa0% of the "
        "top places with Gain, 19\xa0% with UserKNN"
    )
    assert groups_table(FOUND, POPULARITY)["Gain with DP"].sum() == pytest.approx(1)


@given(counts, st.integers(0, 3))
def test_bins_hold_every_item_once_and_are_few(popularity: np.ndarray, divisor: int):
    frequency = popularity // (divisor + 1) if divisor else np.zeros_like(popularity)
    bins = item_bins(popularity, frequency)
    assert bins["items"].sum() == popularity.size
    assert len(bins) <= 40 * 40


def test_bins_are_few_however_many_items_there_are():
    random = np.random.default_rng(0)
    popularity = random.zipf(1.5, 500_000).clip(max=20_000)
    frequency = random.binomial(popularity, 0.3)
    assert len(item_bins(popularity, frequency)) <= 1600


def test_an_item_on_no_list_has_its_place():
    lists = FoldOutcome(0, 10.0, {"pp_corr": None, "coverage": 0.5}, np.array([0, 3]))
    outcome = Outcome(Setting("gain", 10, 10), [lists])
    figure = make_items_figure(outcome, np.array([1, 5]))
    assert figure.data[0].y.tolist() == [0.5, 3.0]
    assert figure.layout.yaxis.ticktext[0] == "never"


def test_titles_do_not_compare_a_strategy_with_itself():
    assert items_title(GAIN, BASE) == (
        "88.1\xa0% of the items are on somebody's list under Gain with DP, "
        "88.8\xa0% under UserKNN with DP"
    )
    assert items_title(BASE, BASE) == (
        "88.8\xa0% of the items are on somebody's list under UserKNN with DP"
    )


def test_the_verdict_says_yes_no_or_neither():
    def lists(frequency: np.ndarray) -> Outcome:
        metrics = {"pp_corr": 0.8, "coverage": 0.5}
        folds = [FoldOutcome(0, 10.0, metrics, frequency)]
        return Outcome(Setting("gain", 10, 10, "vulnerable"), folds, origin=("made", 5, 0))

    said = crowding_sentence(lists(POPULARITY**2), NONE, POPULARITY)
    assert said.startswith("**Yes, popular items crowd out others with Gain**: a tenth of the")
    assert "has 19\xa0% of the ratings and gets 27\xa0% of the places" in said
    assert "With UserKNN without protection it gets 19\xa0%." in said
    assert "50.0\xa0% of all items are in somebody's top ten" in said
    assert crowding_sentence(lists(POPULARITY[::-1]), NONE, POPULARITY).startswith("**No, popular")
    even = crowding_sentence(GAIN, NONE, POPULARITY)
    assert even.startswith("**Popular items get what their ratings suggest with Gain**")
    nobody = crowding_sentence(lists(0 * POPULARITY), NONE, POPULARITY)
    assert nobody == "No list has an item at the top, so there is nothing to compare."
