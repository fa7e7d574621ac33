from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.popularity.bias import Bias, bias_sentence, bias_table, significance
from pages.parts.popularity.figures import (
    group_shares,
    groups_table,
    groups_title,
    item_bins,
    items_title,
    make_groups_figure,
    make_items_figure,
    popularity_groups,
)
from pages.parts.runs.results import TopLists

POPULARITY = np.arange(1, 1001)
FREQUENCY = POPULARITY // 3


def bias(
    strategy: str, protection: str, pp_corr: float | None, coverage: float, scale: int = 1
) -> Bias:
    return Bias(strategy, protection, TopLists(FREQUENCY * scale, pp_corr, coverage))


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
        "significant",
        "88.1 %",
        "−0.7 points",
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
    assert "lower than under UserKNN with DP (0.874); without DP UserKNN has 0.840" in sentence
    near = bias("expect", "vulnerable", 0.8705, 0.88)
    assert "a difference that may be chance" in bias_sentence(near, [*FOUND, near])
    assert "undefined" in bias_sentence(bias("expect", "vulnerable", None, 0.0), FOUND)


@given(counts)
def test_groups_are_of_nearly_the_same_size_and_in_order(popularity: np.ndarray):
    group = popularity_groups(popularity)
    sizes = np.bincount(group, minlength=10)
    assert sizes.max() - sizes.min() <= 1
    for low in range(9):
        if (group == low).any() and (group == low + 1).any():
            assert popularity[group == low].max() <= popularity[group == low + 1].min()


@given(counts)
def test_shares_sum_to_one(popularity: np.ndarray):
    total = group_shares(popularity, popularity).sum()
    assert total == pytest.approx(1.0 if popularity.any() else 0.0)


def test_the_groups_figure_sets_places_against_ratings():
    figure = make_groups_figure(GAIN, BASE, POPULARITY, "Title")
    assert [trace.name for trace in figure.data] == [
        "places on top lists, UserKNN with DP",
        "places on top lists, Gain with DP",
        "all ratings",
    ]
    assert len(make_groups_figure(BASE, BASE, POPULARITY, "Title").data) == 2
    title = groups_title(GAIN, BASE, POPULARITY)
    assert title.startswith("The most popular tenth of the items: 19 % of the top places")
    assert title.endswith("19 % of the ratings")
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
    lists = TopLists(np.array([0, 3]), None, 0.5)
    figure = make_items_figure(Bias("gain", "vulnerable", lists), np.array([1, 5]), "Title")
    assert figure.data[0].y.tolist() == [0.5, 3.0]
    assert figure.layout.yaxis.ticktext[0] == "never"


def test_titles_do_not_compare_a_strategy_with_itself():
    assert items_title(GAIN, BASE) == (
        "88.1 % of the items are on somebody's list under Gain with DP, "
        "88.8 % under UserKNN with DP"
    )
    assert items_title(BASE, BASE) == (
        "88.8 % of the items are on somebody's list under UserKNN with DP"
    )
