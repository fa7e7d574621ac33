"""The control of tau: a box for the exact number, a slider to move it, and rules that suggest one.

The box is not limited: a tau above the largest usage is a fair question, whose answer is that
nobody is vulnerable. The slider has the steps of a logarithm, because one pixel of an even one
would be tens of uses.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import streamlit as st

from pages.parts.address import parse_tau, write_tau
from pages.parts.usage.rules import RULE_SENTENCE, TAU_RULES
from pages.parts.widget_values import show_value
from pages.parts.wording import exactly

_STEPS = ((30, 1), (100, 2), (300, 5), (1000, 20), (5000, 100))


def tau_steps(largest: int, suggested: Iterable[float] = ()) -> list[float]:
    """Return the steps of the slider from 0 to the largest usage, among them what is suggested.

    >>> tau_steps(36, [31.7])
    [0, 1, 2, ..., 29, 30, 31.7, 32, 34, 36]
    """
    steps: list[float] = []
    low = 0
    for high, width in (*_STEPS, (largest + 1, 500)):
        steps += range(low, min(high, largest + 1), width)
        low = max(low, high)
    return sorted({*steps, largest, *(tau for tau in suggested if tau < largest)})


def nearest_step(tau: float, steps: list[float]) -> float:
    """Return the step at which the slider stands for tau: the first that is not below it.

    >>> nearest_step(92.89, [0, 92, 94]), nearest_step(500, [0, 92, 94])
    (94, 94)
    """
    return steps[min(bisect_left(steps, tau), len(steps) - 1)]


@dataclass(frozen=True)
class _Shown:
    """What box and slider have shown of the same dataset, k and wish for tau, the latest last.

    As a run goes on the suggestion moves, and the controls with it. A browser that has not drawn
    that yet may send what it shows once more, which is not somebody's wish.
    """

    of: tuple[str, ...] = ()
    typed: tuple[float, ...] = ()
    moved: tuple[float, ...] = ()

    def with_these(self, typed: float, moved: float) -> _Shown:
        return _Shown(self.of, (*self.typed[-3:], typed), (*self.moved[-3:], moved))


def _typed(now: float) -> None:
    state = st.session_state
    if "type_tau" not in state:  # of a page that is gone, like the two below
        return
    state.pop("refused_tau", None)
    if state.type_tau is None:  # emptied: follow the suggestion
        state.tau = ""
        return
    if state.type_tau in state.tau_shown.typed:
        return
    tau, misfit = parse_tau(str(state.type_tau))
    if misfit:
        state.refused_tau = now, f"{state.type_tau:.12g} {misfit}. τ is still {exactly(now)}."
    else:
        state.tau = write_tau(tau)


def _moved() -> None:
    state = st.session_state
    if "move_tau" in state and state.move_tau not in state.tau_shown.moved:
        state.tau = write_tau(state.move_tau)


def draw_tau(asked: float | None, suggested: Mapping[str, float], largest: int) -> float:
    """Draw the box and the slider, and return tau. `asked` None follows the published rule."""
    state = st.session_state
    tau = suggested["published"] if asked is None else asked
    shown: _Shown = state.get("tau_shown", _Shown())
    if shown.of != (of := (state.dataset, state.k, state.tau)):
        shown = _Shown(of)
    # With the steps that it stood at before: of one that is gone the slider would make a 0.
    steps = tau_steps(largest, [*suggested.values(), *shown.moved])
    refused_at, refusal = state.get("refused_tau", (None, ""))
    step = nearest_step(tau, steps)
    show_value("type_tau", tau)
    show_value("move_tau", step)
    state.tau_shown = shown.with_these(tau, step)
    # No limits and no value of its own: the browser would keep what is outside of them in the
    # box and tell nobody, and make a 0 of an emptied box.
    st.number_input(
        "Threshold τ",
        value=None,
        step=1.0,
        format="%0.12g",
        key="type_tau",
        on_change=_typed,
        args=(tau,),
        help="Users whose data is used more than τ times are vulnerable: from then on their "
        "ratings are protected by differential privacy (DP). Empty the box to follow the "
        "published rule.",
    )
    if tau == refused_at:
        st.warning(refusal)
    else:
        state.pop("refused_tau", None)
    st.select_slider(
        "Move τ",
        steps,
        key="move_tau",
        format_func=exactly,
        on_change=_moved,
        label_visibility="collapsed",
    )
    return tau


def draw_suggestions(tau: float, suggested: Mapping[str, float]) -> None:
    """Draw the rules that suggest a tau."""
    state = st.session_state

    def chosen() -> None:
        # Choosing the published rule, or none, means to follow it, also for another k or dataset.
        if "tau_rule" not in state:
            return
        rule = state.tau_rule
        state.tau = "" if rule in (None, "published") else write_tau(suggested[rule])

    show_value("tau_rule", next((rule for rule, value in suggested.items() if value == tau), None))
    st.pills(
        "Suggestions for τ",
        list(suggested),
        key="tau_rule",
        format_func=lambda rule: f"{TAU_RULES[rule]}: {exactly(suggested[rule])}",
        on_change=chosen,
        help="All from UserKNN's data usage at this k, mean over folds. "
        + " ".join(f"**{TAU_RULES[rule]}**: {RULE_SENTENCE[rule]}" for rule in suggested),
    )
