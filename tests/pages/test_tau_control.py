from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pages.parts.tau_control import nearest_step, tau_steps


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
