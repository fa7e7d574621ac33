"""The frame around every page: navigation, and the guard for deep links on a fresh server.

Until the first call of `st.navigation` a server runs a file of `pages/` on its own when its address
is asked for; such a page calls `this_screen` or `in_frame`, which set up the navigation and start
over.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.navigation.page import StreamlitPage

from pages.parts.screen import Screen

_ROOT: Final = Path(__file__).parents[2]
#: A file of ours: an icon by name would be fetched from a font server.
ICON: Final = Path(__file__).with_name("icon.png")
_STYLES: Final = [Path(__file__).with_name(name) for name in ("focus.css", "figures.css")]
_SCRIPTS: Final = [
    Path(__file__).with_name(name)
    for name in ("focus.js", "scrolling.js", "page_clicks.js", "saving.js", "printing.js")
]
#: Pixels: as wide as the six k side by side.
_SIDEBAR_WIDTH: Final = 340
#: The pages by their place in the address; the first is the default.
TITLES: Final = {
    "overview": "Overview",
    "learn": "Learn",
    "choose_tau": "Choose τ",
    "data_usage": "Data usage",
    "neighborhoods": "Neighborhoods",
    "tradeoff": "Trade-off",
    "popularity_bias": "Popularity bias",
    "people": "People",
    "privacy_lab": "Privacy lab",
    "paper": "The paper",
    "data": "Data",
}
#: Pages that show something also before there are results.
ALONE: Final = ("data", "learn")
HELP: Final = {
    "overview": "Who is exposed, what protection costs, and what else one could do.",
    "choose_tau": "Limits in, decision out: which τ, at which cost, and a record of the choice.",
    "data_usage": "How often each user's data is used, and how many users are vulnerable.",
    "neighborhoods": "How many neighbors a user meets, and how much they have in common.",
    "tradeoff": "What protection costs in accuracy, and what it saves in privacy risk.",
    "popularity_bias": "Whether popular items crowd out the others at the top of the lists.",
    "people": "One user: how often and for whom they are used, and what is protected.",
    "privacy_lab": "Throw the coins, run the attack, and see what is promised.",
    "paper": "The figures of the paper beside what is measured here, and why they differ.",
    "data": "Your own ratings, and the datasets that are known.",
    "learn": "A tour in six steps on the sample, and the words of the paper.",
}

# Of one run of the script, not of the session: each run of a page on its own needs the guard.
_screen: contextvars.ContextVar[Screen | None] = contextvars.ContextVar("screen", default=None)
_framed: contextvars.ContextVar[bool] = contextvars.ContextVar("framed", default=False)


def _page(name: str, **options: Any) -> StreamlitPage:
    script = _ROOT / "pages" / f"{name}.py"
    return st.Page(script, title=TITLES[name], help=HELP[name], **options)


def _pages() -> list[StreamlitPage]:
    """Return the pages; the first is there twice: as the default, and by its name."""
    first, *rest = TITLES
    return [
        _page(first, default=True, url_path="home"),
        _page(first, url_path=first),
        *map(_page, rest),
    ]


def begin_at_the_top() -> None:
    """Draw what follows at the top of the window, whatever was drawn before.

    Streamlit leaves a fragment's run where that fragment draws. The next run of the visit goes on
    in the same thread if it was asked for meanwhile (`fastReruns` is off): a whole page would be
    drawn within the fragment of the page before, where a browser cannot place it.
    """
    context_dg_stack.set(get_default_dg_stack_value())


def navigation() -> StreamlitPage:
    """Set up the window and the pages, and return the page that is asked for."""
    st.set_page_config(
        page_title="ReuseKNN explorer",
        page_icon=str(ICON),
        layout="wide",
        initial_sidebar_state=_SIDEBAR_WIDTH,
    )
    for style in _STYLES:
        st.html(style)
    # In one element: each takes a gap above the title.
    code = "\n".join(script.read_text(encoding="utf-8") for script in _SCRIPTS)
    st.html(f"<script>{code}</script>", unsafe_allow_javascript=True)
    # The menu is our own: links of Streamlit's would lead to a page without its settings.
    return st.navigation(_pages(), position="hidden")


def draw_menu(current: StreamlitPage, query: Mapping[str, str]) -> None:
    """Draw the links to the pages, each with the settings on the screen, also in a new tab."""
    home, *by_name = _pages()
    if current.url_path == home.url_path:
        by_name[0] = home
    with st.container(gap="xxsmall", key="menu"):
        for page in by_name:
            st.page_link(page, query_params=query)


def draw_page_link(name: str, label: str, query: Mapping[str, str]) -> None:
    """Draw a link to a page, with the settings on the screen."""
    page = next(page for page in _pages() if page.url_path == name)
    st.page_link(page, label=label, icon=":material/arrow_forward:", query_params=query)


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
