"""The frame around every page: navigation, and the guard for deep links on a fresh server.

Until the first call of `st.navigation` a server runs a file of `pages/` on its own when its address
is asked for; such a page calls `this_screen` or `in_frame`, which set up the navigation and start
over.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

    from pages.parts.screen import Screen

_ROOT: Final = Path(__file__).parents[2]
#: A file of ours: an icon by name would be fetched from a font server.
ICON: Final = Path(__file__).with_name("icon.png")
#: Pixels: as wide as the six k side by side.
_SIDEBAR_WIDTH: Final = 340
#: The pages by their place in the address; the first is the default.
TITLES: Final = {
    "overview": "Overview",
    "data_usage": "Data usage",
    "neighborhoods": "Neighborhoods",
    "tradeoff": "Trade-off",
    "popularity_bias": "Popularity bias",
    "people": "People",
    "data": "Data",
    "learn": "Learn",
}
#: Pages that show something also before there are results.
ALONE: Final = ("data", "learn")
HELP: Final = {
    "overview": "Who is exposed, what protection costs, and what else one could do.",
    "data_usage": "How often each user's data is used, and how many users are vulnerable.",
    "neighborhoods": "How many neighbors a user meets, and how much they have in common.",
    "tradeoff": "What protection costs in accuracy, and what it saves in privacy risk.",
    "popularity_bias": "Whether popular items crowd out the others at the top of the lists.",
    "people": "One user: how often and for whom they are used, and what is protected.",
    "data": "Your own ratings, and the datasets that are known.",
    "learn": "A tour in six steps on the sample, and the words of the paper.",
}

# Of one run of the script, not of the session: each run of a page on its own needs the guard.
_screen: contextvars.ContextVar[Screen | None] = contextvars.ContextVar("screen", default=None)
_framed: contextvars.ContextVar[bool] = contextvars.ContextVar("framed", default=False)


def _page(name: str) -> StreamlitPage:
    return st.Page(_ROOT / "pages" / f"{name}.py", title=TITLES[name], help=HELP[name])


def _pages() -> list[StreamlitPage]:
    first, *rest = TITLES
    script = _ROOT / "pages" / f"{first}.py"
    # The default page lives at "/"; to make its name an address too it is there twice, and the
    # navigation shows the one that is asked for.
    by_name = (st.context.url or "").rstrip("/").endswith(f"/{first}")
    return [
        st.Page(
            script,
            title=TITLES[first],
            help=HELP[first],
            default=True,
            url_path="home",
            visibility="hidden" if by_name else "visible",
        ),
        st.Page(
            script,
            title=TITLES[first],
            help=HELP[first],
            url_path=first,
            visibility="visible" if by_name else "hidden",
        ),
        *map(_page, rest),
    ]


def navigation() -> StreamlitPage:
    """Set up the window, draw the navigation, and return the page that is asked for."""
    st.set_page_config(
        page_title="ReuseKNN explorer",
        page_icon=str(ICON),
        layout="wide",
        initial_sidebar_state=_SIDEBAR_WIDTH,
    )
    return st.navigation(_pages())


def needs_results(page: StreamlitPage) -> bool:
    """Return whether the page has nothing to show before there are results."""
    return page.url_path not in ALONE


@contextlib.contextmanager
def showing(screen: Screen | None) -> Iterator[None]:
    """Run a page with this on the screen."""
    tokens = _screen.set(screen), _framed.set(True)
    try:
        yield
    finally:
        _screen.reset(tokens[0])
        _framed.reset(tokens[1])


def in_frame() -> None:
    """Start over if the page runs without the frame around it."""
    if not _framed.get():
        navigation()
        st.rerun()


def this_screen() -> Screen:
    """Return what the page is to show; a page without the frame around it starts over."""
    in_frame()
    screen = _screen.get()
    assert screen is not None, "only pages of ALONE run before there are results"
    return screen
