from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import Ratings, generate
from engine.estimate import Estimate
from pages.parts.runs.forecast import forecast, forecast_words, is_tight, machine_memory


def test_a_small_run_is_not_announced(ratings: Ratings):
    expected = forecast(ratings)
    assert expected.seconds < 30
    assert forecast_words(expected, 64e9) == ""


def test_a_long_run_says_time_memory_and_disk():
    words = forecast_words(Estimate(240.0, 0.9e9, 2.5e9), 8e9)
    assert "4 min" in words
    assert "900 MB of memory and 2.5 GB of disk" in words
    assert "This machine" not in words


@pytest.mark.parametrize("seconds", [5.0, 500.0])
def test_a_run_that_hardly_fits_says_so(seconds: float):
    expected = Estimate(seconds, 5e9, 1e9)
    assert is_tight(expected, 8e9)
    assert "This machine has 8.0 GB of memory" in forecast_words(expected, 8e9)
    assert not is_tight(expected, None)


def test_the_memory_of_the_machine_is_a_size_or_unknown():
    memory = machine_memory()
    assert memory is None or memory > 1e8


def test_a_large_run_says_what_it_takes_beside_its_progress():
    def script() -> None:
        import streamlit as st

        from engine.datasets import generate
        from engine.experiment import Experiment
        from pages.parts.runs import progress
        from pages.parts.runs.results import Results
        from pages.parts.runs.worker import Run

        ratings = generate(users=40, items=60, ratings=900)
        run = Run(
            Results(Experiment(ratings)),
            lambda run: None,
            "key",
            state=st.session_state.run_state,
            error="The disk is full.",
        )
        progress.draw_state(run, ratings)

    def draw(state: str, seconds: float, memory: float) -> AppTest:
        app = AppTest.from_function(script)
        app.session_state["run_state"] = state
        fingerprint = generate(users=40, items=60, ratings=900).fingerprint
        app.session_state["forecasts"] = {(fingerprint, False): Estimate(seconds, memory, 2e9)}
        return app.run()

    app = draw("running", 600.0, 1e8)
    assert "about 10 minutes, 100 MB of memory and 2.0 GB of disk" in app.caption[0].value
    assert app.get("progress")
    assert "This machine has" in draw("running", 5.0, 1e15).warning[0].value or not machine_memory()
    assert not draw("running", 5.0, 1e8).caption
    failed = draw("failed", 600.0, 1e8)
    assert failed.error[0].value == "The disk is full\\."
    assert "is kept" in failed.caption[0].value
    assert failed.button(key="go_on").label == "Start again"
    assert "What was finished is kept" in draw("cancelled", 600.0, 1e8).info[0].value
