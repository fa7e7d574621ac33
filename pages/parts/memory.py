"""The memory of a visit, what is on the screen, and its mirror, the address.

The memory alone decides. It is read from the address when a visit begins, and when somebody goes
back or forward in the browser; from then on only `change` changes it, which acts of the user call.
The address is written, whole, in every run: whatever gets lost of it is there again after the next
one.

An act of the user is taken whole. `st.session_state[...]` is a place where Streamlit stops a run
for the next act, in a callback, too, and a callback that was stopped does not run again: the act
would be lost. Callbacks read `st.session_state.to_dict()` instead, and change a `Memory` in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.address import View, address_parts, read_address
from pages.parts.control import NOTHING, act_on


@dataclass
class Memory:
    """What is on the screen of a visit, what is said about it, and which file was asked for."""

    view: View = field(default_factory=View)
    notes: dict[str, str] = field(default_factory=dict)
    file: str = ""


def remember(datasets: Sequence[str]) -> None:
    """Begin a run: read the address if it is to be read. `datasets` are the names of those there.

    What was on the screen and is not there any more is replaced like what an address asks for.
    """
    run = get_script_run_ctx()
    read = "memory" not in st.session_state or (run is not None and run.is_history_navigation)
    asked = st.query_params.to_dict() if read else address_parts(view())
    remembered, notes = read_address(asked, datasets)
    if read or notes:
        st.session_state["memory"] = Memory(remembered, notes)


def remember_page() -> None:
    """Note the page of this run, which the user asked for last."""
    st.session_state["page"] = _page_of_this_run()


def update_address(datasets: Sequence[str]) -> None:
    """Write the address; it stays as it is if it says what is on the screen.

    It is written in every run, also where nothing differs: the address that the browser sent with
    this run may have changed meanwhile.
    """
    sent = st.query_params.to_dict()
    says_it = read_address(sent, datasets) == (view(), {})
    st.query_params.from_dict(sent if says_it else address_parts(view()))


def view() -> View:
    """Return what is on the screen."""
    return _memory().view


def change(**parts: Any) -> None:
    """Change parts of what is on the screen. For callbacks: the run that follows shows it."""
    memory = _memory()
    memory.view, memory.notes = replace(memory.view, **parts), {}


def show(view: View) -> None:
    """Show another view as a whole."""
    memory = _memory()
    memory.view, memory.notes = view, {}


def take(part: str, key: str, read: Callable[[Any], Any] | None = None) -> None:
    """Change a part to what the user has set a control to, or to what is read from that."""
    value = act_on(key)
    if value is not NOTHING:
        change(**{part: read(value) if read else value})


def run_again() -> NoReturn:
    """Run the page anew if the user is still on it. For fragments, which look by themselves.

    A user who has left meanwhile is on the way to another page, and a run of this one would take
    that page's place.
    """
    if _page_of_this_run() == st.session_state["page"]:
        st.rerun()
    st.stop()


def give_way() -> None:
    """Let the user's next act, if there is one, take the place of this run. For runs that wait."""
    st.session_state.get("memory")


def note(name: str, sentence: str) -> None:
    """Note something about what is on the screen; it is said until that changes."""
    memory = _memory()
    memory.notes = {**memory.notes, name: sentence}


def notes() -> dict[str, str]:
    """Return the sentences (Markdown) about what is on the screen, by what they are about."""
    return _memory().notes


def ask_for_file(key: str) -> None:
    """Note that a file is to be made, and where it is drawn. For callbacks."""
    _memory().file = key


def file_asked_for() -> str:
    """Return which file was asked for and is not on the screen yet, or nothing."""
    return _memory().file


def file_is_drawn() -> None:
    """Note that the file that was asked for is on the screen, or that this page has none."""
    _memory().file = ""


def _memory() -> Memory:
    memory: Memory = st.session_state.to_dict()["memory"]
    return memory


def _page_of_this_run() -> str:
    run = get_script_run_ctx()
    return run.page_script_hash if run else ""
