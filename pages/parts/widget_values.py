"""What a widget shows, decided by the script and not by the widget."""

from __future__ import annotations

import streamlit as st


def show_value(key: str, value: object) -> None:
    """Let the widget of this key, which is not drawn yet, show a value.

    Only if it shows another one: a value that is set is sent to the browser, where it would
    replace what somebody has typed or moved in the meantime.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
