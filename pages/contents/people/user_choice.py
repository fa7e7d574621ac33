"""Finding a user: by id, typed or in the address (`user=`), or one who stands for something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from engine.datasets.wording import harmless
from engine.usage_distribution import UsageDistribution
from pages.contents.people.sections import THIS_PERSON
from pages.parts import memory
from pages.parts.address import write_address
from pages.parts.control import control_for
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.wording import verbatim

#: Ids that are offered where what was typed is only a part of them.
_MOST_MATCHES: Final = 12
#: The key of the tabs.
TAB: Final = "people_tab"


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


def picks(usage: UsageDistribution, tau: float) -> dict[str, int]:
    """Return the users who are offered, by what they stand for.

    >>> picks(UsageDistribution([np.array([3, 50, 0, 12, 9])]), 10)
    {'Most used': 1, 'Just above τ': 3, 'In the middle': 4, 'Least used': 2}
    """
    landmarks = usage.landmarks(tau)
    offered = {
        "Most used": landmarks.most_used,
        "Just above τ": landmarks.just_above_tau,
        "In the middle": landmarks.in_the_middle,
        "Least used": landmarks.least_used,
    }
    return {name: user for name, user in offered.items() if user is not None}


def draw_user_choice(screen: Screen) -> int:
    """Draw the field and the picks, and return the user. An empty field is the most used user."""
    ids = screen.ratings.users
    usage = UsageDistribution(screen.results.usages(screen.strategy, screen.k))
    most_used = f"the most used with {name_of(screen.strategy)}"
    users_offered = picks(usage, screen.tau)
    default = users_offered["Most used"]

    def picked(name: str | None) -> str:
        # Picking the most used, or none, means to follow them, also with another strategy.
        return "" if name in (None, "Most used") else str(ids[users_offered[name]])

    text = screen.view.user
    user, matches = find_user(text, ids) if text else (default, [])
    field, offered = st.columns([2, 3], vertical_alignment="bottom")
    with field, control_for("find_user", text, means=lambda typed: typed.strip() == text) as box:
        st.text_input(
            "Find a user by id",
            box.initial,
            key=box.key,
            on_change=memory.take,
            args=("user", box.key, str.strip),
            placeholder=f"{harmless(str(ids[default]))} ({most_used})",
            icon=":material/search:",
        )
    pick = next((name for name, code in users_offered.items() if code == user), None)
    with offered, control_for("pick_user", pick, *users_offered.items()) as pills:
        st.pills(
            "Or take one who is",
            list(users_offered),
            default=pills.initial,
            key=pills.key,
            on_change=memory.take,
            args=("user", pills.key, picked),
        )
    if user is not None:
        return user
    st.warning(
        f"There is no user {verbatim(text, longest=40)}. "
        f"Showing user {verbatim(str(ids[default]))}, {most_used}."
    )
    if matches:
        with control_for("match_user", None, *matches) as match:
            st.pills(
                "Ids that contain it",
                matches,
                key=match.key,
                format_func=lambda code: verbatim(str(ids[code])),
                on_change=memory.take,
                args=("user", match.key, lambda code: text if code is None else str(ids[code])),
            )
    return default


def show_user(user: str) -> None:
    """Show the user with this id, on the tab of one person."""
    st.session_state[TAB] = THIS_PERSON
    memory.change(user=user)


def draw_user_link(screen: Screen, user: int) -> None:
    """Draw the address that shows this user in this view."""
    name = str(screen.ratings.users[user])
    query = write_address(replace(screen.view, tau=screen.tau, user=name))
    with st.expander("Link to this user", type="compact"):
        st.caption(f"Whoever opens it sees user {verbatim(name)} as you do now.")
        st.code(f"{st.context.url or ''}?{query}", language=None, wrap_lines=True)
