from __future__ import annotations

import numpy as np

from pages.parts.neighborhood_figures import (
    co_ratings_title,
    curves_table,
    last_query,
    make_curves_figure,
    neighbors_title,
)

CURVES = {
    "userknn": np.array([10.0, 18.0, 25.0, np.nan]),
    "gain": np.array([10.0, 11.0, 12.5, np.nan]),
}


def test_a_line_for_each_strategy_as_far_as_there_are_users():
    figure = make_curves_figure(CURVES, "gain", "Title", "neighbors")
    assert [list(trace.x) for trace in figure.data] == [[1, 2, 3], [1, 2, 3]]
    assert figure.data[-1].name == "Gain"


def test_the_table_has_the_numbers_of_the_figure():
    table = curves_table(CURVES)
    assert list(table.columns) == ["q", "UserKNN", "Gain"]
    assert table["q"].tolist() == [1, 2, 3]
    assert table["Gain"].tolist() == [10.0, 11.0, 12.5]


def test_titles_compare_at_the_last_query_that_anybody_has():
    assert last_query(CURVES) == 3
    assert neighbors_title(CURVES, "gain", "userknn") == (
        "After 3 queries a user has met 12.5 neighbors with Gain, 25 with UserKNN"
    )
    assert "25 rated items with a neighbor of UserKNN, 12.5 with one of Gain" in co_ratings_title(
        CURVES, "userknn", "gain"
    )


def test_no_answered_query_is_said():
    nobody = {"userknn": np.full(100, np.nan)}
    assert last_query(nobody) == 0
    assert neighbors_title(nobody, "userknn", "userknn") == "No query has been answered"
    assert curves_table(nobody).empty
