"""Finding a user: by id, typed or in the address (`user=`), or one who stands for something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from pages.parts.widget_values import show_value
from pages.parts.wording import plain

#: Ids that are offered where what was typed is only a part of them.
_MOST_MATCHES: Final = 12
PICKS: Final = ("Most used", "Just above τ", "In the middle", "Least used")


def find_user(text: str, ids: Sequence[str] | np.ndarray) -> tuple[int | None, list[int]]:
    """Return the user with this id, or None and some whose ids contain the text.

    >>> find_user("7", ["70", "7", "17"]), find_user("1", ["70", "7", "17"])
    ((1, []), (None, [2]))
    """
    text = text.strip()
    matches: list[int] = []
    for code, known in enumerate(ids):
        if known == text:
            return code, []
        if len(matches) < _MOST_MATCHES and text.casefold() in known.casefold():
            matches.append(code)
    return None, matches


def picks(uses: np.ndarray, tau: float) -> dict[str, int]:
    """Return users who stand for something, by mean uses per fold; the first in a tie.

    >>> picks(np.array([3.0, 50.0, 0.0, 12.0, 9.0]), 10)
    {'Most used': 1, 'Just above τ': 3, 'In the middle': 4, 'Least used': 2}
    """
    above = np.where(uses > tau, uses, np.inf)
    found = {
        "Most used": int(uses.argmax()),
        "Just above τ": int(above.argmin()) if np.isfinite(above).any() else None,
        "In the middle": int(np.argsort(uses, kind="stable")[uses.size // 2]),
        "Least used": int(uses.argmin()),
    }
    return {name: user for name, user in found.items() if user is not None}


def draw_user_choice(ids: np.ndarray, uses: np.ndarray, tau: float, most_used: str) -> int:
    """Draw the field and the picks, and return the user. An empty field is the most used user."""
    state = st.session_state
    found = picks(uses, tau)
    default = found["Most used"]

    def pick() -> None:
        # Picking the most used, or none, means to follow them, also with another strategy.
        name = state.get("pick_user")
        state.user = "" if name in (None, "Most used") else str(ids[found[name]])

    def match() -> None:
        if state.get("match_user") is not None:
            state.user = str(ids[state.match_user])

    field, offered = st.columns([2, 3], vertical_alignment="bottom")
    text = field.text_input(
        "Find a user by id",
        key="user",
        bind="query-params",
        placeholder=f"{ids[default]} ({most_used})",
        icon=":material/search:",
    ).strip()
    user, matches = find_user(text, ids) if text else (default, [])
    show_value("pick_user", next((name for name, code in found.items() if code == user), None))
    offered.pills("Or take one who is", list(found), key="pick_user", on_change=pick)
    if user is not None:
        return user
    st.warning(
        f"There is no user {plain(text, longest=40)}. Showing user {plain(str(ids[default]))}, "
        f"{most_used}."
    )
    if matches:
        state.match_user = None
        st.pills(
            "Ids that contain it",
            matches,
            key="match_user",
            format_func=lambda code: plain(str(ids[code])),
            on_change=match,
        )
    return default


def take_row(ids: Sequence[str]) -> None:
    """Take over the user whose row was chosen in the table of all users."""
    # While the click was on its way another page may have come.
    chosen = st.session_state.get("all_users")
    rows = chosen.selection.rows if chosen else []
    if rows:
        st.session_state.user = str(ids[rows[0]])
