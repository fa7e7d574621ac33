"""The pinned settings, side A of a comparison, as they stand in the address: `pin=`.

One word with all four settings, so that a link holds both sides: the address's other parts are B.

>>> write_pin(View("ml-1m", 10, "userknn+reuse", None), 92.89)
'ml-1m_10_92.89_userknn+reuse'
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.address import View, read_address, write_tau
from pages.parts.wording import plain


def write_pin(view: View, tau: float) -> str:
    """Return settings as one part of the address, tau always with them."""
    return "_".join((view.dataset, str(view.k), write_tau(tau), view.strategy))


def read_pin(text: str, datasets: Sequence[str]) -> tuple[View | None, str]:
    r"""Return the pinned settings, None if there are none, and a note (Markdown) if they misfit.

    The name of a dataset may hold the separator: the other three are read from the end.

    >>> read_pin("my_data_10_92.89_gain", ["sample", "my_data"])
    (View(dataset='my_data', k=10, strategy='gain', tau=92.89), '')
    >>> print(read_pin("sample_7_1_gain", ["sample"])[1])
    The address asks for pin = sample\_7\_1\_gain, which are not settings. Nothing is pinned.
    """
    if not text:
        return None, ""
    parts = text.strip().rsplit("_", 3)
    view, misfits = None, True
    if len(parts) == 4 and all(parts):
        view, notes = read_address(
            dict(zip(("dataset", "k", "tau", "strategy"), parts, strict=True)), datasets
        )
        misfits = bool(notes)
        if parts[0] not in datasets:
            name = plain(parts[0], longest=40)
            return None, f"The pinned dataset {name} is not here. Nothing is pinned."
    if misfits:
        shown = plain(text, longest=40)
        return (
            None,
            f"The address asks for pin = {shown}, which are not settings. Nothing is pinned.",
        )
    return view, ""


def asked_pin() -> str:
    """Return the pin as it stands in the address."""
    return str(st.session_state.get("pin") or "")
