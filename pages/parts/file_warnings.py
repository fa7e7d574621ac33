"""Warnings about files, and reasons for refusing them, with what to do about it on a page."""

from __future__ import annotations

from typing import Final

import streamlit as st

from engine.datasets import Ratings
from engine.datasets.remedies import Advice, ChooseColumn, ChooseColumns, Remedy
from engine.datasets.roles import UnclearColumns
from pages.parts.wording import agreeing, verbatim

#: What the forms are called in which a file is corrected.
CORRECTION: Final = "Correct the columns, the scale, or read counts"
CHOICE: Final = "Say which column is what"
#: Where something can be done: beside the form of a file, on another page, and for a file that lies
#: on the server, which only its owner can read in another way.
IN_CORRECTION: Final = f'{{}} below, under "{CORRECTION}"'
IN_CHOICE: Final = f'{{}} below, under "{CHOICE}"'
ON_DATA: Final = "{} on the page Data"
OF_FOLDER: Final = "upload the file on the page Data, and {} there"


def draw_file_warnings(ratings: Ratings, where: str) -> None:
    """Draw each warning of the file beside its size, so that no number is read without it."""
    for warning in ratings.report.warnings:
        st.caption(f":material/warning: {said_on_page(warning, where)}")


def reason_of(error: Exception) -> str | Advice:
    """Return why a file was refused."""
    return error.reason if isinstance(error, UnclearColumns) else str(error)


def said_on_page(said: str | Advice, where: str) -> str:
    r"""Return a warning or a refusal as Markdown; what to do stands in the place of {} in `where`.

    >>> other = Advice("It may be the rating: ", ChooseColumn("rating", 4, "column 4"))
    >>> said_on_page(other, ON_DATA).replace("\\", "")
    'It may be the rating: choose column 4 as the rating on the page Data.'
    """
    if isinstance(said, Advice):
        said = said.worded(lambda remedy: where.format(_act(remedy)))
    return verbatim(said, longest=400)


def _act(remedy: Remedy) -> str:
    if isinstance(remedy, ChooseColumn):
        return f"choose {remedy.name} as the {remedy.role}"
    if isinstance(remedy, ChooseColumns):
        roles = list(remedy.example)
        return agreeing(len(roles), f"choose the column of the {roles[0]}", "choose the columns")
    return 'tick "These are listening counts"'
