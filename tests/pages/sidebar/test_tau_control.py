from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Ratings
from pages.parts.runs import experiments
from pages.parts.sidebar.tau_control import nearest_step, tau_steps
from tests.pages.driving import open_page


@given(st.integers(0, 200_000), st.lists(st.floats(0, 1e6), max_size=3))
def test_the_slider_reaches_from_zero_to_the_largest_usage_in_few_steps(
    largest: int, suggested: list[float]
):
    steps = tau_steps(largest, suggested)
    assert {tau for tau in suggested if tau <= largest} <= set(steps)
    assert steps[0] == 0
    assert steps[-1] == largest
    assert steps == sorted(set(steps))
    assert len(steps) < 600


@given(st.integers(0, 20_000), st.floats(0, 1e6))
def test_the_slider_stands_at_a_step_near_tau(largest: int, tau: float):
    steps = tau_steps(largest)
    step = nearest_step(tau, steps)
    assert step in steps
    assert step >= min(tau, largest)


@pytest.mark.usefixtures("folders")
def test_what_the_controls_showed_before_a_suggestion_moved_is_no_wish(ratings: Ratings):
    app = open_page(dataset="small")
    run = experiments.runs().known(ratings.fingerprint)
    assert run
    whole = run.result
    try:
        first = {cell for cell in whole.done if cell[0] == 0}
        # Not finished, or what is missing would be computed at once.
        run.result, run.state = replace(whole, done=frozenset(first)), "cancelled"
        app.run()
        before = app.number_input(key="type_tau").value, app.get_by_key("move_tau").value
    finally:
        run.result, run.state = whole, "finished"
    app.run()
    now = app.number_input(key="type_tau").value
    assert now != before[0]
    app.number_input(key="type_tau").set_value(before[0])
    app.get_by_key("move_tau").set_value(before[1]).run()
    assert app.text_input(key="tau").value == ""
    assert app.number_input(key="type_tau").value == now
    app.get_by_key("move_tau").set_value(10).run()
    assert app.text_input(key="tau").value == "10"
    app.number_input(key="type_tau").set_value(before[0]).run()
    assert app.number_input(key="type_tau").value == before[0]


@pytest.mark.usefixtures("folders")
def test_the_suggestion_for_one_k_can_be_asked_for_at_another():
    app = open_page(dataset="small", k=10)
    before = app.number_input(key="type_tau").value
    app.get_by_key("choose_k").set_value(20).run()
    assert app.number_input(key="type_tau").value != before
    app.number_input(key="type_tau").set_value(before).run()
    assert app.number_input(key="type_tau").value == before
