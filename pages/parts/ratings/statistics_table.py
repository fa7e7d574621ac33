"""The figures of datasets, as in the paper's table of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

if TYPE_CHECKING:
    from engine.datasets.statistics import Statistics

_FORMATS: Final = {
    "Users": "localized",
    "Items": "localized",
    "Ratings": "localized",
    "Ratings per user": "%.2f",
    "Users per item": "%.4f",
    "Density, %": "%.2f",
}


def draw_statistics(names: Sequence[Mapping[str, str]], figures: Sequence[Statistics]) -> None:
    """Draw a row for each dataset: what it is called, and its figures."""
    rows = [{**name, **_row(entry)} for name, entry in zip(names, figures, strict=True)]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(name, format=form)
            for name, form in _FORMATS.items()
        },
        alt="Users, items, ratings, ratings per user, users per item, and density",
    )


def _row(figures: Statistics) -> dict[str, float]:
    values = (
        figures.users,
        figures.items,
        figures.ratings,
        figures.ratings_per_user,
        figures.users_per_item,
        100 * figures.density,
    )
    return dict(zip(_FORMATS, values, strict=True))
