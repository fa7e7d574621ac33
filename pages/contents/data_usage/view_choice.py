"""Which view of data usage is shown, and on which scale."""

from __future__ import annotations

import streamlit as st

from pages.contents.data_usage.counts import SCALES
from pages.contents.data_usage.sections import VIEWS


def draw_view_choice() -> tuple[str, str]:
    """Draw the choices of a view and a scale, and return what is chosen."""
    with st.container(horizontal=True, gap="large"):
        return _choose("Show", VIEWS, "usage_view"), _choose("Scale", SCALES, "usage_scale")


def _choose(label: str, options: tuple[str, ...], name: str) -> str:
    """Draw a choice that stays while another page is open."""
    return str(
        st.segmented_control(
            label,
            options,
            default=options[0],
            key=f"choose_{name}",
            required=True,
            format_func=str.capitalize,
            persist_state="session",
        )
    )
