from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Ratings
from pages.parts.runs import experiments
from pages.parts.runs.conditions import Conditions
from pages.sidebar.tau_control import tau_steps
from tests.pages.driving import control, open_page


@given(st.integers(0, 200_000), st.lists(st.integers(0, 1_000_000), max_size=4))
def test_the_slider_reaches_from_zero_to_the_largest_usage_in_few_steps(
    largest: int, also: list[int]
):
    steps = tau_steps(largest, also)
    assert {0, largest, *also} <= set(steps)
    assert steps == sorted(set(steps))
    assert len(steps) < 600


@pytest.mark.usefixtures("folders")
def test_a_suggestion_that_moves_is_followed_and_changes_no_tau_that_was_set(ratings: Ratings):
    app = open_page(dataset="small")
    run = experiments.known_run(ratings, Conditions())
    assert run
    whole = run.result
    published = whole.suggested_tau("published", 10)
    positions = []
    try:
        run.state = "cancelled"  # or what is missing would be computed at once
        for fold in range(5):
            done = frozenset(cell for cell in whole.done if cell[0] == fold)
            run.result = replace(whole, done=done)
            app.run()
            positions.append((control(app, "type_tau").value, str(control(app, "move_tau").value)))
            assert "tau" not in app.query_params
        control(app, "type_tau").set_value("12").run()
        run.result = whole
        app.run()
        assert control(app, "type_tau").value == app.query_params["tau"] == "12"
    finally:
        run.result, run.state = whole, "finished"
    assert all(box == slider for box, slider in positions)
    control(app, "type_tau").set_value("").run()
    box = control(app, "type_tau")
    assert (box.value, box.placeholder) == ("", str(round(published)))
    assert control(app, "move_tau").value == round(published)


@pytest.mark.usefixtures("folders")
def test_the_suggestion_for_one_k_can_be_asked_for_at_another():
    app = open_page(dataset="small", k=10)
    before = control(app, "type_tau").value
    control(app, "choose_k").set_value(5).run()
    assert control(app, "type_tau").value != before
    control(app, "type_tau").set_value(before).run()
    assert control(app, "type_tau").value == before
    assert app.query_params["tau"] == before


@pytest.mark.usefixtures("folders")
def test_dataset_and_k_come_with_controls_of_tau_of_their_own():
    app = open_page(dataset="small", tau=12)
    for name, value in (("choose_dataset", "alone"), ("choose_k", 20), ("choose_dataset", "small")):
        before = {control(app, tau).key for tau in ("type_tau", "move_tau", "tau_rule")}
        control(app, name).set_value(value).run()
        now = {control(app, tau).key for tau in ("type_tau", "move_tau", "tau_rule")}
        assert not before & now
        assert app.query_params["tau"] == control(app, "type_tau").value == "12"
