"""The form in which limits are stated: a switch and a box for each, the criterion, the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from engine.errors import InputError
from engine.limits import BASELINES, CRITERIA, LIMITS, Limits
from pages.contents.choose_tau.words import BASELINE, CRITERION, SENTENCE, limit_text
from pages.parts import memory
from pages.parts.control import NOTHING, act_on, control_for
from pages.parts.limits_text import set_limit
from pages.parts.wording import verbatim

#: What a limit begins with when it is switched on.
_FIRST_VALUES: Final[dict[str, Any]] = {
    "max_error_increase": 0.02,
    "max_error_points": 0.02,
    "max_vulnerable": 0.2,
    "max_risk": 40.0,
    "max_real_uses": 100,
    "max_protected": 0.6,
    "min_coverage": 0.7,
    "max_pp_corr": 0.95,
}
#: What the limits mean beside their sentences.
_HELP: Final = {
    "max_vulnerable": "Vulnerable: used more than τ times in a fold. From then on a user's "
    "answers are noisy.",
    "max_risk": "The paper's privacy risk: the uses of a user's real ratings, min(τ, uses).",
    "max_real_uses": "In the fold with the most. τ itself is this bound.",
    "max_protected": "A noisy answer costs accuracy, and many of them about one rating add up, "
    "unless they are memoised.",
    "min_coverage": "Looks at the k of the sidebar alone. On large data it takes a while, once.",
    "max_pp_corr": "Looks at the k of the sidebar alone. On large data it takes a while, once.",
}
_FLIPS: Final = (
    "The answer can flip with it: a strategy may err more than it would without protection, and "
    "still less than today's usual system."
)
#: Limits that are offered at once; the others are folded away.
_FIRST: Final = ("max_error_increase", "max_vulnerable", "max_risk", "max_real_uses")
#: The example of the button.
EXAMPLE: Final = Limits(max_error_increase=0.02, max_vulnerable=0.2, max_risk=40.0)
#: The note on what was typed for a limit.
_TYPED: Final = "value_{}"


def draw_limits_form(limits: Limits) -> None:
    """Draw the form. What is stated goes to the memory of the visit, and so into the address."""
    with st.container(border=True):
        st.markdown("**Your limits**")
        for name in _FIRST:
            _draw_limit(limits, name)
        others = [name for name in LIMITS if name not in _FIRST]
        with st.expander(
            "More limits", type="compact", expanded=any(name in limits.stated for name in others)
        ):
            for name in others:
                _draw_limit(limits, name)
        _draw_choices(limits)
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Try an example",
                key="example_limits",
                on_click=partial(memory.change, limits=EXAMPLE),
                disabled=limits == EXAMPLE,
            )
            st.button(
                "Clear all",
                key="clear_limits",
                on_click=partial(memory.change, limits=Limits()),
                disabled=limits == Limits(),
            )


def _draw_limit(limits: Limits, name: str) -> None:
    value = limits.stated.get(name)
    label = SENTENCE[name].format("…" if value is None else limit_text(name, value))
    with control_for(f"switch_{name}", value is not None) as switch:
        st.toggle(
            label,
            value=switch.initial,
            key=switch.key,
            help=_HELP.get(name),
            on_change=_switch,
            args=(name, switch.key),
        )
    if value is not None:
        # With a space that a person can type.
        as_typed = LIMITS[name].text(value, " %")
        refused = _TYPED.format(name) in memory.notes()
        with control_for(
            f"value_{name}",
            as_typed,
            refused=refused,
            means=lambda text: _sets(text, name, limits),
        ) as typed:
            st.text_input(
                f"Value: {label}",
                typed.initial,
                key=typed.key,
                label_visibility="collapsed",
                width=110,
                on_change=_type,
                args=(name, typed.key),
            )


def _draw_choices(limits: Limits) -> None:
    for name, value, label, choices, words, help in (
        ("baseline", limits.baseline, "The error is compared with", BASELINES, BASELINE, _FLIPS),
        ("criterion", limits.criterion, "The best has the", CRITERIA, CRITERION, None),
    ):
        with control_for(name, value) as choice:
            st.radio(
                label,
                list(choices),
                index=list(choices).index(choice.initial),
                key=choice.key,
                format_func=words.__getitem__,
                on_change=_take,
                args=(name, choice.key),
                horizontal=True,
                help=help,
            )
    with control_for("allow_unprotected", limits.allow_unprotected) as allowed:
        st.checkbox(
            "A choice may protect nobody",
            value=allowed.initial,
            key=allowed.key,
            on_change=_take,
            args=("allow_unprotected", allowed.key),
            help="A τ at or above the largest usage protects nobody. It keeps to most limits, "
            "which says nothing good about it.",
        )


def _switch(name: str, key: str) -> None:
    switched = act_on(key)
    if switched is NOTHING:
        return
    changed: dict[str, Any] = {name: _FIRST_VALUES[name] if switched else None}
    memory.change(limits=replace(memory.view().limits, **changed))


def _type(name: str, key: str) -> None:
    """Take what was typed. If it cannot be understood, a note says so and the limit stays."""
    text = act_on(key)
    if text is NOTHING:
        return
    try:
        memory.change(limits=_set(memory.view().limits, name, text))
    except InputError:
        example = limit_text(name, _FIRST_VALUES[name])
        memory.note(
            _TYPED.format(name),
            f"{verbatim(text.strip(), longest=40)} is no value for this limit: write it like "
            f"{example}. The limit is as before.",
        )


def _set(limits: Limits, name: str, text: str) -> Limits:
    """Return limits with one of them as it was typed. Raises `InputError`."""
    typed = text.replace("\N{NO-BREAK SPACE}", " ").strip()
    # The box says percent.
    percent = "%" if LIMITS[name].form == "share" and not typed.endswith("%") else ""
    return set_limit(limits, name, typed + percent)


def _sets(text: str, name: str, limits: Limits) -> bool:
    try:
        return _set(limits, name, text) == limits
    except InputError:
        return False


def _take(name: str, key: str) -> None:
    chosen = act_on(key)
    if chosen is not NOTHING:
        memory.change(limits=replace(memory.view().limits, **{name: chosen}))
