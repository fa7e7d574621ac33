from __future__ import annotations

import warnings

import numpy as np
import pytest

from engine.growth_curves import GrowthCurve, last_query
from engine.significance import ALPHA
from pages.contents.neighborhoods.curves import growth_curves
from pages.contents.neighborhoods.figures import curves_table, make_curves_figure, small_table
from pages.contents.neighborhoods.words import (
    CO_RATINGS,
    CURVE_WORDS,
    NEIGHBORS,
    bands_sentence,
    significance_sentence,
)
from pages.parts.runs.results import Results

NAN = np.nan
CURVES = {
    "userknn": GrowthCurve(np.array([[10.0, 17.0, 24.0, NAN], [10.0, 19.0, 26.0, NAN]])),
    "gain": GrowthCurve(
        np.array([[10.0, 10.0, 12.0, NAN], [10.0, 12.0, 13.0, NAN]]),
        p_values=np.array([[NAN, 0.001, 0.001, NAN], [NAN, 0.02, 0.001, NAN]]),
        effects=np.array([[NAN, -0.4, -0.6, NAN], [NAN, -0.2, -0.8, NAN]]),
    ),
    "expect": GrowthCurve(np.array([[9.0, 10.0, 11.0, NAN], [9.0, 10.0, 11.0, NAN]])),
}
TWO = {strategy: CURVES[strategy] for strategy in ("userknn", "gain")}


def test_a_line_and_a_band_for_each_strategy_as_far_as_there_are_users():
    figure = make_curves_figure(TWO, "gain", "neighbors", "fewer")
    lines = [trace for trace in figure.data if "markers" in trace.mode and trace.yaxis != "y2"]
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    assert [list(trace.x) for trace in lines] == [[1, 2, 3], [1, 2, 3]]
    assert lines[-1].name == "Gain"
    assert list(bands[-1].x) == [1, 2, 3, 3, 2, 1]
    assert list(bands[-1].y) == [10, 12, 13, 12, 10, 10]
    assert {band.hoverinfo for band in bands} == {"skip"}
    assert figure.layout.yaxis.range[0] >= 0
    assert figure.layout.xaxis.dtick == 1


def test_the_strip_is_filled_where_a_difference_is_significant():
    figure = make_curves_figure(TWO, "gain", "neighbors", "fewer")
    strip = [trace for trace in figure.data if trace.yaxis == "y2"]
    assert [(list(t.x), t.marker.symbol) for t in strip] == [([3], "square"), ([2], "line-ew-open")]
    everywhere = GrowthCurve(
        CURVES["gain"].in_folds, np.array([[NAN, 1e-9, 1e-9, NAN]] * 2), np.full((2, 4), -0.5)
    )
    full = make_curves_figure({**TWO, "gain": everywhere}, "gain", "neighbors", "fewer")
    assert all(trace.yaxis != "y2" for trace in full.data)
    untested = {"userknn": CURVES["userknn"], "expect": CURVES["expect"]}
    figure = make_curves_figure(untested, "expect", "neighbors", "fewer")
    assert all(trace.yaxis != "y2" for trace in figure.data)


def test_the_table_has_the_numbers_of_the_figure():
    table = curves_table(CURVES)
    assert table["q"].tolist() == [1, 2, 3]
    assert table["Gain"].tolist() == [10.0, 11.0, 12.5]
    assert table["Gain, highest fold"].tolist() == [10, 12, 13]
    assert table["Gain, significant"].tolist() == ["", "no", "yes"]
    assert table["Gain, effect size r"][1:].tolist() == pytest.approx([-0.3, -0.7])
    assert "Expect, significant" not in table


def test_the_small_table_compares_with_userknn_and_marks_what_is_significant():
    values = np.tile(np.linspace(10, 109, 100), (2, 1))
    half = GrowthCurve(
        values / 2, p_values=np.full((2, 100), 1e-9), effects=np.full((2, 100), -0.5)
    )
    table = small_table({"userknn": GrowthCurve(values), "gain": half})
    assert table.loc["UserKNN"].tolist() == ["29", "59", "109", ""]
    assert table.loc["Gain"].tolist() == [
        "14.5 (−50\xa0%) *",
        "29.5 (−50\xa0%) *",
        "54.5 (−50\xa0%) *",
        "−0.50",
    ]


def test_the_sentence_says_where_a_difference_is_significant():
    assert significance_sentence(TWO, "fewer neighbors", 2) == (
        "**Significantly fewer neighbors than UserKNN**, in all 2 folds: Gain at 1 of 2 q: 3."
    )
    assert "is not tested yet" in significance_sentence(CURVES, "fewer neighbors", 2)
    never = GrowthCurve(CURVES["gain"].in_folds, np.full((2, 4), 0.5), np.full((2, 4), 0.0))
    sentence = significance_sentence({**TWO, "expect": never}, "fewer neighbors", 1)
    assert "Expect at no q from 1 to 4" in sentence
    assert "in the fold finished so far" in sentence


def test_how_wide_the_bands_are_is_said_as_thin_ones_cannot_be_seen():
    thin = {"gain": GrowthCurve(np.array([[10.0, 10.25], [10.0, 10.0]]))}
    both = dict(zip(CURVE_WORDS, (TWO, thin), strict=True))
    assert bands_sentence(both, 2) == (
        "Bands: from the lowest to the highest fold. These differ by at most 2 in neighbors and "
        "0.25 in items in common."
    )
    assert "no bands" in bands_sentence(both, 1)


def test_titles_compare_at_the_last_query_that_anybody_has():
    assert last_query(CURVES) == 3
    assert NEIGHBORS.make_title(CURVES, "gain", "userknn") == (
        "After 3 queries a user has met 12.5 neighbors with Gain, 25 with UserKNN"
    )
    title = CO_RATINGS.make_title(CURVES, "userknn", "gain")
    assert "25 rated items with a neighbor of UserKNN, 12.5 with one of Gain" in title


def test_no_answered_query_is_said():
    nobody = {"userknn": GrowthCurve(np.full((5, 100), NAN))}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert last_query(nobody) == 0
        assert NEIGHBORS.make_title(nobody, "userknn", "userknn") == "No query has been answered"
        assert curves_table(nobody).empty
        assert bands_sentence(dict.fromkeys(CURVE_WORDS, nobody), 5) == ""
        assert significance_sentence(nobody, "fewer neighbors", 5) == ""
        assert small_table(nobody).loc["UserKNN"].tolist() == ["n/a", "n/a", "n/a", ""]
        layout = make_curves_figure(nobody, "userknn", "neighbors", "fewer").layout
        assert (layout.xaxis.range, layout.yaxis.range) == ((0, 100), (0, 1))


def test_why_nothing_is_tested_is_said():
    values, nothing = np.array([[5.0, 5.0]]), np.full((1, 2), NAN)
    same = {"userknn": GrowthCurve(values), "gain": GrowthCurve(values, nothing, nothing)}
    assert "all users have the same value" in significance_sentence(same, "fewer neighbors", 1)
    once = {
        "userknn": GrowthCurve(values[:, :1]),
        "gain": GrowthCurve(values[:, :1], nothing[:, :1], nothing[:, :1]),
    }
    assert "No user has two answered queries" in significance_sentence(once, "fewer neighbors", 1)


def test_curves_come_with_their_tests_once_these_are_worked_out(results: Results):
    fresh = Results(results.experiment).with_done(set(results.done))
    assert growth_curves(fresh, ("userknn", "gain"), 10, "neighbors")["gain"].p_values is None
    for fold in fresh.folds(10):
        fresh.test_growth((fold, "gain", 10))
    for measure in ("neighbors", "co_ratings"):
        curves = growth_curves(fresh, ("userknn", "gain"), 10, measure)
        assert curves["userknn"].p_values is None
        p_values = curves["gain"].p_values
        assert p_values is not None
        expected = [fresh.experiment.growth_tests(f, "gain", 10)[f"{measure}_p"] for f in range(5)]
        assert np.array_equal(p_values, expected, equal_nan=True)
        assert (curves["gain"].significant == (np.array(expected) < ALPHA).all(axis=0)).all()


def test_the_small_table_has_only_queries_that_somebody_has():
    curve = GrowthCurve(np.tile(np.append(np.linspace(10, 27, 18), np.full(82, np.nan)), (2, 1)))
    table = small_table({"userknn": curve})
    assert list(table) == [
        "after 2 queries",
        "after 5 queries",
        "after 10 queries",
        "effect size r",
    ]
