"""A button for a file that is made once somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

_TYPES: Final = {"csv": "text/csv", "html": "text/html", "md": "text/markdown"}


def draw_download(
    label: str,
    make: Callable[[], str | bytes],
    file: str,
    key: str,
    *,
    icon: str = ":material/download:",
    **options: Any,
) -> None:
    """Draw a button for a file; `options` are more of `st.download_button`.

    The page does not run again when the button is clicked.
    """
    st.download_button(
        label,
        make,
        file_name=file,
        mime=_TYPES[file.rpartition(".")[2]],
        icon=icon,
        on_click="ignore",
        key=key,
        **options,
    )
