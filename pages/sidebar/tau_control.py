"""The control of tau: a box for the number, a slider to move it, and rules that suggest one.

The box is not limited: a tau above the largest usage is a fair question, and the answer is that
nobody is vulnerable. The slider has logarithmic steps, because a pixel of an even one would be
tens of uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import streamlit as st

from engine.strategies import STRATEGIES
from pages.contents.data_usage.rules import RULE_SENTENCE, TAU_RULES
from pages.parts import memory
from pages.parts.address import View
from pages.parts.address_values import Misfit, parse_tau
from pages.parts.control import NOTHING, act_on, control_for
from pages.parts.looks import name_of
from pages.parts.wording import exactly, verbatim

_STEPS: Final = ((30, 1), (100, 2), (300, 5), (1000, 20), (5000, 100))
#: The note on what was typed, which stands below the box.
TYPED: Final = "typed"


def tau_steps(largest: int, also: Iterable[int] = ()) -> list[int]:
    """Return the steps of the slider from 0 to the largest usage, with those of `also` among them.

    >>> tau_steps(36, [31])
    [0, 1, 2, ..., 29, 30, 31, 32, 34, 36]
    """
    steps: list[int] = []
    low = 0
    for high, width in (*_STEPS, (largest + 1, 500)):
        steps += range(low, min(high, largest + 1), width)
        low = max(low, high)
    return sorted({*steps, largest, *also})


def _typed(key: str, tau: int) -> None:
    typed = act_on(key)
    if typed is NOTHING:
        return
    try:
        memory.change(tau=_read(typed))
    except Misfit as misfit:
        memory.note(TYPED, f"{verbatim(typed, longest=40)} {misfit}. τ is still {exactly(tau)}.")


def _read(typed: str) -> int | None:
    """Return the tau that a text sets. An empty one follows the suggestion. Raises `Misfit`."""
    return parse_tau(typed) if typed.strip() else None


def _sets(typed: str, tau: int | None) -> bool:
    try:
        return _read(typed) == tau
    except Misfit:
        return False


def draw_tau(view: View, suggested: Mapping[str, int], largest: int) -> int:
    """Draw the box and the slider, and return tau."""
    tau = suggested["published"] if view.tau is None else view.tau
    refusal = memory.notes().get(TYPED)
    with control_for(
        "type_tau",
        str(tau),
        view.dataset,
        view.k,
        refused=refusal is not None,
        means=lambda typed: _sets(typed, view.tau),
    ) as box:
        # The box is for texts, because one for numbers makes 125 of "12,5" without a word.
        st.text_input(
            "Threshold τ",
            # The box begins with tau again when another page draws it anew.
            str(tau),
            key=box.key,
            on_change=_typed,
            args=(box.key, tau),
            placeholder=str(tau),
            help="Users whose data is used more than τ times are vulnerable: from then on their "
            "ratings are answered with noise (differential privacy, DP). The first τ uses are "
            "real. Empty the box to follow the "
            "published rule.",
        )
    if refusal:
        st.warning(refusal)
    marks = sorted(suggested.values())
    with control_for("move_tau", tau, view.dataset, view.k, largest, *marks) as slider:
        st.select_slider(
            "Move τ",
            # The default of the slider stays the step that it began at, wherever it is moved.
            tau_steps(largest, [slider.initial, *marks]),
            slider.initial,
            key=slider.key,
            format_func=exactly,
            on_change=memory.take,
            args=("tau", slider.key),
            label_visibility="collapsed",
        )
    return tau


def draw_suggestions(view: View, suggested: Mapping[str, int]) -> None:
    """Draw the rules that suggest a tau."""
    # A tau that was set stays for another dataset or k, even if it is the published one here.
    same = [rule for rule, tau in suggested.items() if tau == view.tau and rule != "published"]
    chosen = "published" if view.tau is None else next(iter(same), None)
    baseline = name_of(STRATEGIES[view.strategy].baseline)
    with control_for("tau_rule", chosen, view.dataset, view.k, *suggested.items()) as rules:
        st.pills(
            "Suggestions for τ",
            list(suggested),
            default=rules.initial,
            key=rules.key,
            format_func=lambda rule: f"{TAU_RULES[rule]}: {exactly(suggested[rule])}",
            on_change=memory.take,
            # The published rule is followed for each other k and dataset, too.
            args=("tau", rules.key, {**suggested, "published": None}.get),
            help=f"All look at {baseline}'s data usage at this k, mean over folds. "
            + " ".join(f"**{TAU_RULES[rule]}**: {RULE_SENTENCE[rule]}" for rule in suggested),
        )
