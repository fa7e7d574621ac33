"""Parts of a page that look by themselves whether there is something new."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

Arguments = ParamSpec("Arguments")


def polling(
    every: str | None,
) -> Callable[[Callable[Arguments, None]], Callable[Arguments, None]]:
    """Return a decorator: the function draws again by itself, every so often (`None`: never).

    What it draws is alone in a container. When it draws again before the page has been sent,
    Streamlit takes back what it drew first and sends the new one last, behind what follows on the
    page. A browser cannot place what follows then, and shows a blank page.
    """

    def decorate(draw: Callable[Arguments, None]) -> Callable[Arguments, None]:
        fragment = st.fragment(draw, run_every=every)

        @wraps(draw)
        def draw_alone(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
            with st.container():
                fragment(*args, **kwargs)

        return draw_alone

    return decorate
