"""Folds that are filled once somebody opens them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st


def draw_fold(label: str, key: str, draw: Callable[[], None], **options: Any) -> None:
    """Draw a fold, and in it what belongs there if it is open. `options` go to `st.expander`.

    What draws tables, formulas and code is large: for closed folds a browser would load and run it
    before it draws the first figure.
    """
    fold = st.expander(label, key=key, on_change="rerun", **options)
    if fold.open:
        with fold:
            draw()
