"""A button for a file that is made once somebody asks for it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from pages.parts import memory

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
    """Draw a button for a file; once it is clicked, the file is drawn beside it and saves itself.

    `options` go to `st.button`. Streamlit's download button can make its file on a click. But its
    server drops such a file after two runs of anybody: in a class, before the browser has fetched
    it. A file that a run has drawn stays.
    """
    st.button(label, icon=icon, key=key, on_click=memory.ask_for_file, args=(key,), **options)
    if memory.file_asked_for() == key:
        with st.spinner("Writing the file"):
            content = make()
        st.download_button(
            file,
            content,
            file_name=file,
            mime=_TYPES[file.rpartition(".")[2]],
            icon=":material/download_done:",
            type="tertiary",
            on_click="ignore",
            key=f"file-{secrets.token_hex(8)}",
        )
        memory.file_is_drawn()
