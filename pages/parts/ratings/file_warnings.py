"""Warnings about the file whose ratings are on the screen."""

from __future__ import annotations

import streamlit as st

from engine.datasets import Ratings
from pages.parts.wording import plain


def draw_file_warnings(ratings: Ratings) -> None:
    """Draw each warning of the file beside its size, so that no number is read without it."""
    for warning in ratings.report.warnings:
        st.caption(f":material/warning: {plain(warning, longest=400)}")
