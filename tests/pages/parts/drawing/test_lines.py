from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.drawing.lines import Line, make_lines_figure, spread

WORDS = {"x_title": "x", "y_title": "y"}


@given(st.lists(st.floats(-1e3, 1e3), max_size=9), st.floats(0.1, 50))
def test_labels_keep_their_order_and_distance(wanted: list[float], gap: float):
    placed = spread(wanted, gap)
    order = np.argsort(wanted, kind="stable")
    ordered = np.array(placed)[order]
    assert (np.diff(ordered) >= gap - 1e-6).all()


def test_labels_that_fit_stay_where_they_are():
    assert spread([30.0, 0.0, 10.0], 5.0) == [30.0, 0.0, 10.0]


def test_each_line_is_named_at_its_end_with_its_value():
    lines = [
        Line("Expect", "expect", np.array([1.0, 2.0, np.nan]), strong=True),
        Line("UserKNN", "userknn", np.array([3.0, 4.0, 5.0]), "none"),
    ]
    figure = make_lines_figure([5, 10, 15], lines, **WORDS)
    labels = sorted(a.text.split("</span> ")[1] for a in figure.layout.annotations)
    assert labels == ["<b>Expect</b>  2", "UserKNN  5"]
    weak, strong = figure.data
    assert (weak.name, weak.line.dash) == ("UserKNN", "dash")
    assert (strong.name, strong.line.dash) == ("Expect", "solid")
    assert strong.line.width > weak.line.width
    assert list(strong.x) == [5, 10]


def test_a_logarithmic_axis_leaves_out_what_has_no_place_on_it():
    lines = [
        Line("UserKNN full DP", "userknn", np.zeros(2), "full"),
        Line("Gain", "gain", np.array([3.0, 120.0])),
    ]
    figure = make_lines_figure([5, 10], lines, log_y=True, **WORDS)
    assert [trace.name for trace in figure.data] == ["Gain"]
    assert list(figure.layout.yaxis.ticktext) == ["5", "10", "20", "50", "100"]


def test_lines_without_values_give_an_empty_figure():
    line = Line("Gain", "gain", np.full(3, np.nan))
    assert not make_lines_figure([1, 2, 3], [line], **WORDS).data
    assert make_lines_figure([5], [Line("Gain", "gain", np.array([2.0]))], **WORDS).data


def test_labels_of_lines_that_end_together_at_the_bottom_stay_in_the_figure():
    lines = [Line(f"{n}", "gain", np.array([9.0, 0.0])) for n in range(8)]
    figure = make_lines_figure([5, 10], lines, **WORDS)
    assert min(a.yshift for a in figure.layout.annotations) >= 0


def test_a_label_shows_how_its_line_is_drawn():
    lines = [
        Line("UserKNN", "userknn", np.array([1.0]), protection)
        for protection in ("none", "vulnerable", "full")
    ]
    labels = [a.text for a in make_lines_figure([5], lines, **WORDS).layout.annotations]
    assert sorted(label.split(">")[1].split("<")[0] for label in labels) == ["┈●", "╌●", "●"]
