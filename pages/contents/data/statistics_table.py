"""A table of datasets with the figures of the paper's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from engine.datasets.statistics import Statistics

_FORMATS: Final = {
    "Users": "%,d",
    "Items": "%,d",
    "Ratings": "%,d",
    "Ratings per user": "%,.2f",
    "Users per item": "%.4f",
    "Density, %": "%.2f",
}


def draw_statistics(names: Sequence[Mapping[str, str]], figures: Sequence[Statistics]) -> None:
    """Draw a row for each dataset: its name and its figures."""
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
