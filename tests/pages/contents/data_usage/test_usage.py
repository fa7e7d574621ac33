from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.contents.data_usage.counts import (
    SCALES,
    Bins,
    UsagePanel,
    cumulative_table,
    load_table,
    usage_table,
)
from pages.contents.data_usage.cumulative import make_cumulative_figure
from pages.contents.data_usage.histogram import make_usage_figure
from pages.contents.data_usage.rules import RULE_SENTENCE, TAU_RULES, rules_table
from pages.contents.data_usage.words import (
    all_title,
    design_sentence,
    load_sentence,
    middle_sentence,
    usage_sentence,
    usage_title,
)

USERKNN = UsagePanel([np.array([10, 90, 93, 300]), np.array([20, 80, 92, 500])], "userknn")
EXPECT = UsagePanel([np.array([0, 0, 1, 2000]), np.array([0, 1, 1, 1500])], "expect")
BOTH = [USERKNN, EXPECT]
usages = st.lists(st.integers(0, 30_000), min_size=1, max_size=60).map(np.array)
taus = st.one_of(st.floats(0, 40_000), st.integers(0, 40_000).map(float))


@given(usages, taus, st.sampled_from(SCALES))
def test_every_user_is_in_one_bar_on_the_right_side(usage: np.ndarray, tau: float, scale: str):
    panel = UsagePanel([usage], "gain")
    bins = Bins.of(scale, [panel])
    table = usage_table([panel], bins, tau)
    assert table["Gain, secure users"].sum() == (usage <= tau).sum()
    assert table["Gain, vulnerable users"].sum() == (usage > tau).sum()
    counted, _ = np.histogram(usage, bins=bins.edges)
    assert (table["Gain, secure users"] + table["Gain, vulnerable users"]).tolist() == [*counted]


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_bars_are_few_and_hold_the_largest_usage(largest: int, upto: int):
    for bins in (Bins.logarithmic(largest), Bins.linear(largest, min(upto, largest))):
        assert bins.edges[0] == 0
        assert bins.edges[-1] > largest
        assert bins.edges[-2] <= largest
        assert (np.diff(bins.edges) > 0).all()
        assert bins.edges.size < 80


@given(usages, st.sampled_from(SCALES))
def test_the_numbers_of_an_axis_are_few_and_stand_at_their_bars(usage: np.ndarray, scale: str):
    bins = Bins.of(scale, [UsagePanel([usage])])
    ticks = bins.ticks()
    assert 1 <= len(ticks["tickvals"]) <= 20
    for bar, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        assert int(text.replace(",", "")) == bins.edges[bar]


@given(usages, taus, st.sampled_from(SCALES))
def test_tau_stands_between_secure_and_vulnerable_users(usage: np.ndarray, tau: float, scale: str):
    bins = Bins.of(scale, [UsagePanel([usage])])
    place = bins.position(tau)
    for value in usage:
        if value > tau:
            assert bins.position(value - 1) >= place
        else:
            assert bins.position(value) <= place


@given(usages, st.sampled_from(SCALES))
def test_tau_set_by_a_click_makes_no_bar_both(usage: np.ndarray, scale: str):
    panel = UsagePanel([usage], "gain")
    bins = Bins.of(scale, [panel])
    (secure, _) = make_usage_figure([panel], bins, 1).data
    assert isinstance(secure.customdata, tuple)  # plain lists come back from the browser
    for place, (tau,) in enumerate(secure.customdata):
        safe, exposed = panel.in_bins(bins.edges, tau)
        assert not exposed[: place + 1].any()
        assert not safe[place + 1 :].any()


@given(usages, taus, st.sampled_from(SCALES))
def test_the_cumulative_view_counts_users_used_at_most_so_often(
    usage: np.ndarray, tau: float, scale: str
):
    panel = UsagePanel([usage], "gain")
    bins = Bins.of(scale, [panel])
    table = cumulative_table([panel], bins, tau)
    for upto, share in zip(table["used at most"], table["Gain"], strict=True):
        assert share == pytest.approx((usage <= upto).mean())
    figure = make_cumulative_figure([panel], "gain", bins, tau)
    (line,) = figure.data
    assert list(line.y) == table["Gain"].tolist()
    assert [upto for (upto,) in line.customdata] == table["used at most"].tolist()
    assert line.x[0] == 0  # those who are never used
    assert len(line.x) <= 400
    (mark,) = figure.layout.shapes
    assert mark.x0 <= figure.layout.xaxis.range[1]
    if mark.x0 <= line.x[-1]:
        meets = line.y[list(line.x).index(mark.x0)]
        assert meets == pytest.approx((usage <= tau).mean())


def test_a_cumulative_curve_is_the_mean_of_the_folds():
    table = cumulative_table(BOTH, Bins.of("logarithmic", BOTH), 92.89).set_index("used at most")
    assert table.loc[0].tolist() == [0, 3 / 8]
    assert table.loc[92].tolist() == [5 / 8, 6 / 8]
    assert table.iloc[-1].tolist() == [1, 1]


def test_an_axis_that_is_cut_says_so():
    usage = np.append(np.arange(100), 50_000)
    panel = UsagePanel([usage], "gain")
    for cut, bins in ((True, Bins.of("linear", [panel])), (False, Bins.linear(99, 95))):
        assert bins.cut == cut
        bars = make_usage_figure([panel], bins, 5).layout.xaxis.title.text
        assert ("last bar: all above" in bars) == cut
        line = make_cumulative_figure([panel], "gain", bins, 5)
        assert ("some have more" in line.layout.xaxis.title.text) == cut
        assert line.data[0].y[-1] == pytest.approx(100 / 101 if cut else 1, abs=0.05)


def test_bars_are_means_over_folds():
    figure = make_usage_figure(BOTH, Bins.of("logarithmic", BOTH), 92.89)
    heights = {(bar.name, bar.yaxis): np.sum(bar.y) for bar in figure.data}
    assert heights == {
        ("secure users", "y"): 2.5,
        ("vulnerable users", "y"): 1.5,
        ("secure users", "y2"): 3.0,
        ("vulnerable users", "y2"): 1.0,
    }


def test_vulnerable_bars_are_hatched_and_tau_is_a_dashed_line_with_its_value():
    figure = make_usage_figure([USERKNN], Bins.logarithmic(500), 92.89)
    assert [bar.marker.pattern.shape for bar in figure.data] == [None, "/"]
    (line,) = figure.layout.shapes
    assert line.line.dash == "dash"
    assert "τ = 92.89" in figure.layout.annotations[-1].text


def test_lines_have_a_name_each_on_a_line_of_its_own():
    rules = {"published": 92.89, "tail": 100.0, "q90": 101.0}
    figure = make_usage_figure([USERKNN], Bins.logarithmic(500), 92.89, rules=rules)
    assert [shape.line.dash for shape in figure.layout.shapes] == ["dash", "dot", "dot"]
    *_, here, tail, top = figure.layout.annotations
    assert "<b>τ = 92.89, published rule</b>" in here.text
    assert "start of the tail 100" in tail.text
    assert "top tenth 101" in top.text
    assert top.yshift - tail.yshift == tail.yshift - here.yshift >= 19


def test_a_tau_beyond_all_usage_is_at_the_right_end_and_on_the_picture():
    figure = make_usage_figure([USERKNN], Bins.logarithmic(500), 10**6)
    assert figure.layout.xaxis.range[1] > figure.layout.shapes[0].x0
    assert "nobody is vulnerable" in figure.layout.annotations[0].text


@pytest.mark.parametrize("columns", [1, 2])
def test_panels_share_their_axes(columns: int):
    panels = [USERKNN, EXPECT, USERKNN]
    figure = make_usage_figure(panels, Bins.logarithmic(2000), 10, columns=columns)
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range == figure.layout.xaxis3.range
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range == figure.layout.yaxis3.range
    assert len(figure.layout.shapes) == 3


def test_a_rule_comes_with_what_it_would_come_to():
    in_folds = {"published": [91.0, 94.78], "q90": [400.0, 400.0]}
    table = rules_table({"published": 93, "q90": 400}, in_folds, (EXPECT, USERKNN))
    assert table["τ"].tolist() == ["93", "400"]
    assert table["exactly"].tolist() == ["92.89", "400"]
    assert table["in the folds"].tolist() == ["91 to 94.8", "400 to 400"]
    assert table["vulnerable with Expect"].tolist() == ["25\xa0%", "25\xa0%"]
    assert table["vulnerable with UserKNN"].tolist() == ["25\xa0%", "12\xa0%"]
    assert set(RULE_SENTENCE) == set(TAU_RULES)


def test_the_sentence_compares_with_userknn():
    sentence = usage_sentence(EXPECT, USERKNN, 92.89)
    assert "25\xa0% of the users are used more than 92.89 times" in sentence
    assert "With UserKNN it is 38\xa0%" in sentence


def test_above_the_largest_usage_nobody_is_vulnerable_and_the_sentence_says_so():
    sentence = usage_sentence(USERKNN, USERKNN, 500)
    assert "Nobody is vulnerable" in sentence
    assert "is used 500 times" in sentence
    assert "With UserKNN 38\xa0%" not in usage_sentence(EXPECT, USERKNN, 2000)
    assert "With Expect 25\xa0% of the users are." in usage_sentence(USERKNN, EXPECT, 500)
    assert "With UserKNN nobody is either" in usage_sentence(EXPECT, USERKNN, 2000)


def test_the_title_says_which_share_is_above_tau():
    assert usage_title(EXPECT, USERKNN, 92.89) == (
        "25\xa0% of the users are used more than 92.89 times with Expect, 38\xa0% with UserKNN"
    )
    assert usage_title(EXPECT, USERKNN, 1e6) == (
        "Nobody is used more than 1,000,000 times with Expect, nobody with UserKNN"
    )
    assert "are used at all with Expect" in usage_title(EXPECT, USERKNN, 0)


def test_the_sentence_says_where_the_middle_user_stands():
    assert middle_sentence(EXPECT, USERKNN) == (
        "Half of the users are used at most once with Expect, at most 90 times with UserKNN."
    )
    unused = UsagePanel([np.array([0, 0, 0, 5])], "gain")
    assert middle_sentence(unused, USERKNN).startswith("Half of the users are never used with Gain")


def test_the_other_side_is_told():
    sentence = load_sentence(EXPECT, USERKNN)
    assert "carry more than 99.9\xa0% of all uses (67\xa0% with UserKNN)" in sentence
    assert "38\xa0% of the users are never used (0\xa0% with UserKNN)" in sentence


def test_what_expect_and_gain_are_made_for_is_said_where_they_do_it():
    panels = {"userknn": USERKNN, "expect": EXPECT, "gain": EXPECT}
    sentence = design_sentence(panels, 80)
    assert "At τ = 80 a vulnerable user is used 1,750 times on average with Expect" in sentence
    assert "and 228 with UserKNN" in sentence
    assert not design_sentence(panels, 5000)
    assert not design_sentence(dict.fromkeys(panels, USERKNN), 92.89)


def test_the_load_falls_on_those_who_are_used_most():
    usage = np.arange(1, 101)
    table = load_table([UsagePanel([usage], "gain"), UsagePanel([usage[::-1]], "expect")])
    for percent in (1, 5, 10):
        share = usage[-percent:].sum() / usage.sum()
        assert table[f"uses that fall on the top {percent} %"].tolist() == [share, share]
    assert table["users never used"].tolist() == [0, 0]


def test_the_title_of_all_names_the_ends_or_says_that_there_are_none():
    assert (
        "Expect has the fewest vulnerable users (25\xa0%), UserKNN the most (38\xa0%)"
        in all_title(BOTH, 92.89)
    )
    assert all_title(BOTH, 5000) == "At τ = 5,000 nobody is vulnerable with any strategy"
    assert all_title([EXPECT, EXPECT], 92.89) == (
        "At τ = 92.89 25\xa0% of the users are vulnerable, whatever the strategy"
    )


@pytest.mark.parametrize("tau", [0, 1, 92.89, 5000])
@pytest.mark.parametrize("scale", SCALES)
def test_a_dataset_nobody_is_used_in_can_be_shown(tau: float, scale: str):
    unused = UsagePanel([np.zeros(3, dtype=np.int64)], "userknn")
    bins = Bins.of(scale, [unused])
    figure = make_usage_figure([unused], bins, tau)
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.yaxis.range[0] == 0
    make_cumulative_figure([unused], "userknn", bins, tau)
    assert "Nobody is vulnerable" in usage_sentence(unused, unused, tau)
    assert load_table([unused]).iloc[0, 1:4].isna().all()
    assert unused.unused_share == 1
    assert load_sentence(unused, unused).startswith("No user's data is used at all")
    assert not design_sentence(dict.fromkeys(("userknn", "expect", "gain"), unused), tau)
