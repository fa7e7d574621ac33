"""The figures of datasets, as in the paper's table, beside the paper's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

if TYPE_CHECKING:
    from engine.datasets import Ratings
    from engine.datasets.statistics import Statistics


def draw_statistics(name: str, rows: Mapping[str, Ratings]) -> None:
    """Draw the figures of ratings, and the row of the paper where they are one of its datasets."""
    from engine.datasets.statistics import Statistics, paper_statistics

    figures = {label: Statistics.of(ratings) for label, ratings in rows.items()}
    first = next(iter(figures.values()))
    if found := paper_statistics(name, first):
        title, paper = found
        figures[f"Paper: {title}"] = paper
    st.table(
        pd.DataFrame.from_dict(
            {label: in_words(entry) for label, entry in figures.items()}, orient="index"
        ),
        border="horizontal",
    )


def in_words(figures: Statistics) -> dict[str, str]:
    """Return a row of the table."""
    return {
        "Users": f"{figures.users:,}",
        "Items": f"{figures.items:,}",
        "Ratings": f"{figures.ratings:,}",
        "Ratings per user": f"{figures.ratings_per_user:.2f}",
        "Users per item": f"{figures.users_per_item:.4f}",
        "Density": f"{100 * figures.density:.2f} %",
    }
