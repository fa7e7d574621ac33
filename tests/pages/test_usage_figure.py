from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.results import At
from pages.parts.usage_figure import (
    UsagePanel,
    make_usage_figure,
    position,
    usage_edges,
    usage_table,
)
from pages.parts.usage_words import (
    concentration_sentence,
    usage_metrics,
    usage_sentence,
    usage_title,
)

USERKNN = UsagePanel("UserKNN", [np.array([10, 90, 93, 300]), np.array([20, 80, 92, 500])])
EXPECT = UsagePanel("Expect", [np.array([0, 0, 1, 2000]), np.array([0, 1, 1, 1500])])
usages = st.lists(st.integers(0, 30_000), min_size=1, max_size=60).map(np.array)
taus = st.one_of(st.floats(0, 40_000), st.integers(0, 40_000).map(float))


@given(usages, taus)
def test_every_user_is_in_one_bar_on_the_right_side(usage: np.ndarray, tau: float):
    table = usage_table([UsagePanel("Gain", [usage])], tau)
    assert table["Gain, secure users"].sum() == (usage <= tau).sum()
    assert table["Gain, vulnerable users"].sum() == (usage > tau).sum()


@given(st.integers(0, 10**7))
def test_bars_are_few_and_hold_the_largest_usage(largest: int):
    edges = usage_edges(largest)
    assert edges[-1] > largest
    assert edges[-2] <= largest
    assert (np.diff(edges) > 0).all()
    assert edges.size < 80


@given(usages, taus)
def test_tau_stands_between_secure_and_vulnerable_users(usage: np.ndarray, tau: float):
    edges = usage_edges(int(usage.max()))
    at = position(tau, edges)
    for value in usage:
        if value > tau:
            assert position(value - 1, edges) >= at
        else:
            assert position(value, edges) <= at


def test_bars_are_means_over_folds():
    figure = make_usage_figure([USERKNN, EXPECT], 92.89, "Title")
    heights = {(bar.name, bar.yaxis): np.sum(bar.y) for bar in figure.data}
    assert heights == {
        ("secure users", "y"): 2.5,
        ("vulnerable users", "y"): 1.5,
        ("secure users", "y2"): 3.0,
        ("vulnerable users", "y2"): 1.0,
    }


def test_vulnerable_bars_are_hatched_and_tau_is_a_dashed_line_with_its_value():
    figure = make_usage_figure([USERKNN], 92.89, "Title")
    assert [bar.marker.pattern.shape for bar in figure.data] == [None, "/"]
    (line,) = figure.layout.shapes
    assert line.line.dash == "dash"
    assert "τ = 92.89" in figure.layout.annotations[-1].text


def test_a_tau_beyond_all_usage_is_at_the_right_end_and_on_the_picture():
    figure = make_usage_figure([USERKNN], 10**6, "Title")
    assert figure.layout.xaxis.range[1] > figure.layout.shapes[0].x0
    assert "nobody is vulnerable" in figure.layout.annotations[0].text


def test_panels_share_their_axes():
    figure = make_usage_figure([USERKNN, EXPECT], 10, "Title")
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range


def test_the_sentence_compares_with_userknn():
    sentence = usage_sentence(EXPECT, USERKNN, 92.89)
    assert "25 % of the users are used more than 92.89 times" in sentence
    assert "With UserKNN it is 38 %" in sentence


def test_above_the_largest_usage_nobody_is_vulnerable_and_the_sentence_says_so():
    sentence = usage_sentence(USERKNN, USERKNN, 500)
    assert "Nobody is vulnerable" in sentence
    assert "is used 500 times" in sentence
    assert "With UserKNN 38 %" not in usage_sentence(EXPECT, USERKNN, 2000)
    assert "With Expect 25 % of the users are." in usage_sentence(USERKNN, EXPECT, 500)
    assert "With UserKNN nobody is either" in usage_sentence(EXPECT, USERKNN, 2000)


def test_the_title_says_where_the_middle_user_stands():
    assert usage_title(EXPECT, USERKNN) == (
        "Half of the users are used at most once with Expect, at most 90 times with UserKNN"
    )
    unused = UsagePanel("Gain", [np.array([0, 0, 0, 5])])
    assert usage_title(unused, USERKNN).startswith("Half of the users are never used with Gain")


def test_numbers_come_with_their_comparison():
    mine, other = At(0.8, 31.1, 0.7, 0.24, 11.4), At(0.82, 84.6, 0.7, 0.8, 50.8)
    vulnerable, risk, secure = usage_metrics(mine, other, "UserKNN")
    assert (vulnerable["value"], vulnerable["delta"]) == ("24 %", "-56 points")
    assert (risk["delta"], risk["delta_description"]) == ("-53.5", "UserKNN 84.6")
    assert secure["delta"] == "-39.4"
    assert usage_metrics(mine, mine, "UserKNN")[0]["delta"] == 0


def test_the_other_side_is_told():
    sentence = concentration_sentence(EXPECT, USERKNN)
    assert "carry more than 99.9 % of all uses (67 % with UserKNN)" in sentence
    assert "38 % of the users are never used (0 % with UserKNN)" in sentence


@pytest.mark.parametrize("tau", [0, 1, 92.89, 5000])
def test_a_dataset_nobody_is_used_in_can_be_shown(tau: float):
    unused = UsagePanel("UserKNN", [np.zeros(3, dtype=np.int64)])
    make_usage_figure([unused], tau, usage_title(unused, unused))
    assert "Nobody is vulnerable" in usage_sentence(unused, unused, tau)
