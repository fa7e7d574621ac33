"""Exhibits on a page: what is clicked, and numbers beside what they are compared with."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from pages.parts.control import ANYTHING, Control
from pages.parts.drawing import exhibits
from pages.parts.drawing.page import key_number_arguments
from pages.parts.sections import Column, Exhibit, KeyNumber
from pages.parts.wording import signed
from tests.pages.driving import SessionState

TABLE = pd.DataFrame({"user": ["a", "b", "<c>"]})


def state_with(name: str, **selection: Any) -> SessionState:
    """Return the state of a session in which a figure or table is drawn, with what is picked."""
    drawn = Control(f"{name}-1", ANYTHING, (), 1, ANYTHING)
    picked = SimpleNamespace(selection=SimpleNamespace(**selection))
    return SessionState({f"{name}-control": drawn, f"{name}-1": picked})


def test_a_row_that_is_clicked_is_told_and_nothing_once_the_page_is_gone(
    monkeypatch: pytest.MonkeyPatch,
):
    picked: list[int] = []
    exhibit = Exhibit("users", "Users", TABLE, columns={"user": Column()}, on_pick=picked.append)
    state = state_with("users", rows=[2])
    monkeypatch.setattr(exhibits.st, "session_state", state)
    exhibits.row_picked(exhibit, "users-1")
    assert picked == [2]
    state["users-1"].selection.rows = []
    exhibits.row_picked(exhibit, "users-1")
    del state["users-1"]
    exhibits.row_picked(exhibit, "users-1")
    assert picked == [2]


def test_a_point_that_is_clicked_is_told_with_its_custom_data(monkeypatch: pytest.MonkeyPatch):
    picked: list[object] = []
    exhibit = Exhibit("bars", "Bars", TABLE, figure=go.Figure(), on_pick=picked.append)
    state = state_with("bars", points=[{"customdata": [7]}])
    monkeypatch.setattr(exhibits.st, "session_state", state)
    exhibits.point_picked(exhibit, "bars-1")
    state["bars-1"].selection.points = [{"x": 1}]
    exhibits.point_picked(exhibit, "bars-1")
    state["bars-1"].selection.points = []
    exhibits.point_picked(exhibit, "bars-1")
    del state["bars-1"]
    exhibits.point_picked(exhibit, "bars-1")
    assert picked == [[7]]


def test_numbers_come_with_their_comparison():
    less = key_number_arguments(KeyNumber("Users", "24 %", "−56 points", -1, "UserKNN", "80 %", ""))
    assert (less["value"], less["delta"]) == ("24 %", "-56 points")
    assert less["delta_description"] == "UserKNN 80 %"
    assert less["delta_color"] == "inverse"
    same = key_number_arguments(KeyNumber("Users", "24 %", "0 points", 0, "UserKNN", "24 %", ""))
    assert same["delta"] == 0


def test_a_difference_that_is_rounded_away_is_none():
    def metric(value: float, other: float) -> KeyNumber:
        return KeyNumber.of(
            "MAE", value, other, str, partial(signed, decimals=3), other_name="A", help=""
        )

    assert metric(0.8, 0.9).direction == -1
    assert metric(0.9, 0.8).direction == 1
    assert metric(0.80001, 0.8).direction == 0
    assert metric(float("nan"), 0.8).direction is None


def test_a_file_of_numbers_has_the_spaces_of_the_keyboard():
    table = pd.DataFrame({"rule": ["tail"], "vulnerable": ["25\xa0%"], "τ": [93], "error": [0.5]})
    plain = exhibits.with_plain_spaces(table)
    assert plain.to_dict("records") == [
        {"rule": "tail", "vulnerable": "25 %", "τ": 93, "error": 0.5}
    ]
