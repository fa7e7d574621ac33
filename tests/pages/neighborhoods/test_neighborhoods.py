from __future__ import annotations

import warnings

import numpy as np
import pytest

from engine.significance import ALPHA
from pages.parts.neighborhoods.curves import Curve, growth_curves, last_query
from pages.parts.neighborhoods.figures import curves_table, make_curves_figure, small_table
from pages.parts.neighborhoods.words import (
    MEASURES,
    bands_sentence,
    co_ratings_title,
    neighbors_title,
    significance_sentence,
)
from pages.parts.runs.results import Results

NAN = np.nan
CURVES = {
    "userknn": Curve(np.array([[10.0, 17.0, 24.0, NAN], [10.0, 19.0, 26.0, NAN]])),
    "gain": Curve(
        np.array([[10.0, 10.0, 12.0, NAN], [10.0, 12.0, 13.0, NAN]]),
        p=np.array([[NAN, 0.001, 0.001, NAN], [NAN, 0.02, 0.001, NAN]]),
        effect=np.array([[NAN, -0.4, -0.6, NAN], [NAN, -0.2, -0.8, NAN]]),
    ),
    "expect": Curve(np.array([[9.0, 10.0, 11.0, NAN], [9.0, 10.0, 11.0, NAN]])),
}
TWO = {strategy: CURVES[strategy] for strategy in ("userknn", "gain")}


def test_a_curve_is_a_mean_over_folds_with_its_ends():
    curve = CURVES["gain"]
    assert curve.mean[:3].tolist() == [10, 11, 12.5]
    assert curve.low[:3].tolist() == [10, 10, 12]
    assert curve.high[:3].tolist() == [10, 12, 13]
    assert np.isnan(curve.mean[3])


def test_what_is_significant_is_so_in_all_folds():
    curve = CURVES["gain"]
    assert curve.significant.tolist() == [False, False, True, False]
    assert curve.tested.tolist() == [False, True, True, False]
    assert curve.effect_size[1:3].tolist() == pytest.approx([-0.3, -0.7])


def test_a_line_and_a_band_for_each_strategy_as_far_as_there_are_users():
    figure = make_curves_figure(TWO, "gain", "Title", "neighbors", "fewer")
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
    figure = make_curves_figure(TWO, "gain", "Title", "neighbors", "fewer")
    strip = [trace for trace in figure.data if trace.yaxis == "y2"]
    assert [(list(t.x), t.marker.symbol) for t in strip] == [([3], "square"), ([2], "line-ew-open")]
    untested = {"userknn": CURVES["userknn"], "expect": CURVES["expect"]}
    figure = make_curves_figure(untested, "expect", "Title", "neighbors", "fewer")
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
    each = np.tile(np.linspace(10, 109, 100), (2, 1))
    half = Curve(each / 2, p=np.full((2, 100), 1e-9), effect=np.full((2, 100), -0.5))
    table = small_table({"userknn": Curve(each), "gain": half})
    assert table.loc["UserKNN"].tolist() == ["29", "59", "109", ""]
    assert table.loc["Gain"].tolist() == [
        "14.5 (−50 %) *",
        "29.5 (−50 %) *",
        "54.5 (−50 %) *",
        "−0.50",
    ]


def test_the_sentence_says_where_a_difference_is_significant():
    assert significance_sentence(TWO, "fewer neighbors", 2) == (
        "**Significantly fewer neighbors than UserKNN**, in all 2 folds: Gain at 1 of 2 q: 3."
    )
    assert "is not tested yet" in significance_sentence(CURVES, "fewer neighbors", 2)
    never = Curve(CURVES["gain"].each, np.full((2, 4), 0.5), np.full((2, 4), 0.0))
    sentence = significance_sentence({**TWO, "expect": never}, "fewer neighbors", 1)
    assert "Expect at no q from 1 to 4" in sentence
    assert "in the fold finished so far" in sentence


def test_how_wide_the_bands_are_is_said_as_thin_ones_cannot_be_seen():
    thin = {"gain": Curve(np.array([[10.0, 10.25], [10.0, 10.0]]))}
    both = dict(zip(MEASURES, (TWO, thin), strict=True))
    assert bands_sentence(both, 2) == (
        "Bands: from the lowest to the highest fold. These differ by at most 2 in neighbors and "
        "0.25 in items in common."
    )
    assert "no bands" in bands_sentence(both, 1)


def test_titles_compare_at_the_last_query_that_anybody_has():
    assert last_query(CURVES) == 3
    assert neighbors_title(CURVES, "gain", "userknn") == (
        "After 3 queries a user has met 12.5 neighbors with Gain, 25 with UserKNN"
    )
    assert "25 rated items with a neighbor of UserKNN, 12.5 with one of Gain" in co_ratings_title(
        CURVES, "userknn", "gain"
    )


def test_no_answered_query_is_said():
    nobody = {"userknn": Curve(np.full((5, 100), NAN))}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert last_query(nobody) == 0
        assert neighbors_title(nobody, "userknn", "userknn") == "No query has been answered"
        assert curves_table(nobody).empty
        assert bands_sentence(dict.fromkeys(MEASURES, nobody), 5) == ""
        assert significance_sentence(nobody, "fewer neighbors", 5) == ""
        assert small_table(nobody).loc["UserKNN"].tolist() == ["n/a", "n/a", "n/a", ""]
        layout = make_curves_figure(nobody, "userknn", "Title", "neighbors", "fewer").layout
        assert (layout.xaxis.range, layout.yaxis.range) == ((0, 100), (0, 1))


def test_why_nothing_is_tested_is_said():
    values, nothing = np.array([[5.0, 5.0]]), np.full((1, 2), NAN)
    same = {"userknn": Curve(values), "gain": Curve(values, nothing, nothing)}
    assert "all users have the same value" in significance_sentence(same, "fewer neighbors", 1)
    once = {
        "userknn": Curve(values[:, :1]),
        "gain": Curve(values[:, :1], nothing[:, :1], nothing[:, :1]),
    }
    assert "No user has two answered queries" in significance_sentence(once, "fewer neighbors", 1)


def test_curves_come_with_their_tests_once_these_are_worked_out(results: Results):
    fresh = Results.of(results.experiment).with_done(set(results.done))
    assert growth_curves(fresh, ("userknn", "gain"), 10, "neighbors")["gain"].p is None
    for fold in fresh.folds(10):
        fresh.test_growth((fold, "gain", 10))
    for measure in ("neighbors", "co_ratings"):
        curves = growth_curves(fresh, ("userknn", "gain"), 10, measure)
        assert curves["userknn"].p is None
        p = curves["gain"].p
        assert p is not None
        expected = [fresh.experiment.growth_tests(f, "gain", 10)[f"{measure}_p"] for f in range(5)]
        assert np.array_equal(p, expected, equal_nan=True)
        assert (curves["gain"].significant == (np.array(expected) < ALPHA).all(axis=0)).all()
