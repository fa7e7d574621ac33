"""Controls that are drawn from the memory of a visit.

The value of a control is never set: it would be mixed with what somebody types meanwhile. A control
stays while it holds the value to show, one that means the same, or one that was refused. Otherwise
a new control takes its place, with a new key. Streamlit may still call back for a control that is
gone, or for one that nobody touched but whose value was dropped. Such a call must change nothing:
`act_on` tells whether somebody acted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import streamlit as st

Value = TypeVar("Value")
#: For a figure or table to click on, which may hold whatever was clicked last.
ANYTHING: Final = object()
#: No act: the control is gone, or holds what it shows.
NOTHING: Final = object()


@dataclass(eq=False)
class Control(Generic[Value]):
    """A control that is drawn: its key, what it began with, what it is for, and what it shows."""

    key: str
    initial: Value
    scope: tuple[Any, ...]
    number: int
    value: Any


def act_on(key: str) -> Any:
    """Return what the user has set the control of this key to, or `NOTHING`. For callbacks.

    Nothing stops the run here, unlike at `st.session_state[key]`: see `pages.parts.memory`.
    """
    state = st.session_state.to_dict()
    control: Control[Any] | None = state.get(f"{key.rpartition('-')[0]}-control")
    if control is None or control.key != key or key not in state:
        return NOTHING
    value = state[key]
    if value == control.value:
        return NOTHING
    if control.value is not ANYTHING:
        control.value = value
    return value


@contextmanager
def control_for(
    name: str,
    value: Value,
    *scope: Any,
    refused: bool = False,
    means: Callable[[Any], bool] | None = None,
) -> Iterator[Control[Value]]:
    """Make place for the control of this name that shows a value, with its key and `initial`.

    The control keeps another value of the user's if that was `refused` and a message says so, or if
    it `means` the value to show: somebody may be typing over it.

    The choices are valid within a `scope`, such as dataset, k and range. With another scope it is
    another control.
    """
    state = st.session_state
    last: Control[Value] | None = state.get(f"{name}-control")
    if (
        last is not None
        and last.scope == scope
        and last.key in state  # it is on the screen
        and (
            value is ANYTHING
            or state[last.key] == value
            or (refused and state[last.key] == last.value)
            or (means is not None and means(state[last.key]))
        )
    ):
        control = last
        if not refused:
            control.value = ANYTHING if value is ANYTHING else state[last.key]
    else:
        number = last.number + 1 if last else 1
        control = state[f"{name}-control"] = Control(
            f"{name}-{number}", value, scope, number, value
        )
    # Two places are used in turn. In one place, a browser would show the old control beside the new
    # one until the run ends. It drops at once what is in a container that is emptied.
    with st.container(gap=None):
        places = [st.container, st.empty] if control.number % 2 else [st.empty, st.container]
        drawn = [draw() for draw in places]
    with drawn[places.index(st.container)]:
        yield control


def forget_scopes() -> None:
    """Drop the scopes of all controls, because they name data. The next drawing replaces each."""
    for control in st.session_state.to_dict().values():
        if isinstance(control, Control):
            control.scope = ()
