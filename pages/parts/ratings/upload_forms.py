"""Forms that correct how a file was read, and prepare its ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.parts.own_file import CONTINUOUS, ROLES, Choices, OwnFile, Refused, Understood

if TYPE_CHECKING:
    from engine.datasets import Ratings
    from engine.datasets.preview import Preview

_STEPS: Final = (None, CONTINUOUS, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01)


def draw_columns(own: OwnFile, refused: Refused, preview: Preview) -> None:
    """Draw which columns of a file that was refused are to be taken, and read it as chosen."""
    key = f"refused-{own.version}"
    _draw_first_lines(preview)
    with st.form(f"columns-{key}", border=False):
        _draw_choice(preview, (0, 1, 2), key)
        st.form_submit_button("Read the file again", on_click=_ask_again, args=(refused, key))


def draw_correction(own: OwnFile, draft: Understood) -> None:
    """Draw how the file is to be read; it is read again when the form is sent."""
    _draw_first_lines(draft.preview)
    # New keys for every file and every reading of it: what is chosen starts as it was read.
    key = f"draft-{own.version}"
    scale, chosen = draft.ratings.scale, draft.choices
    with st.form(f"correct-{key}", border=False):
        _draw_choice(draft.preview, _columns_now(draft), key)
        lowest, highest, steps = st.columns(3)
        lowest.number_input(
            "Lowest rating",
            value=chosen.minimum,
            placeholder=f"{scale.minimum:g} (found)",
            format="%0.12g",
            key=f"minimum-{key}",
        )
        highest.number_input(
            "Highest rating",
            value=chosen.maximum,
            placeholder=f"{scale.maximum:g} (found)",
            format="%0.12g",
            key=f"maximum-{key}",
        )
        steps.selectbox(
            "Step of the scale",
            _STEPS,
            index=_STEPS.index(chosen.step),
            format_func=_step_in_words,
            key=f"step-{key}",
        )
        st.checkbox(
            "These are listening counts: make ratings from 1 to 1000 of them, by min-max per user",
            value=chosen.counts,
            key=f"counts-{key}",
            help="As the paper's LastFM data was made. The scale above does not count then.",
        )
        st.form_submit_button("Read the file again", on_click=_ask_again, args=(draft, key))


def _ask_again(of: Understood | Refused, key: str) -> None:
    """Leave it to the page to read the file as the form says."""

    def said(name: str) -> Any:
        return st.session_state.get(f"{name}-{key}")

    user, item, rating = (said(f"column-{role}") for role in ROLES)
    columns = (user, item, rating) if user else None
    choices = Choices(columns, said("minimum"), said("maximum"), said("step"), bool(said("counts")))
    ask(lambda own: own.correct(of, choices))


def ask(reading: Callable[[OwnFile], None]) -> None:
    """Leave it to the page, which can say meanwhile what it is doing, to read a file."""
    st.session_state.to_be_read = reading


def _draw_first_lines(preview: Preview) -> None:
    if preview.rows:
        st.markdown("The first lines of the file:")
        st.dataframe(
            [dict(zip(preview.columns, row, strict=True)) for row in preview.rows],
            hide_index=True,
            alt="The first lines of the file, before anything was understood",
        )


def _draw_choice(preview: Preview, now: tuple[int, int, int], key: str) -> None:
    if not preview.columns:
        return
    for place, role, index in zip(st.columns(3), ROLES, now, strict=True):
        place.selectbox(
            f"Column of the {role}",
            range(1, len(preview.columns) + 1),
            index=index,
            format_func=lambda number: preview.columns[number - 1],
            key=f"column-{role}-{key}",
        )


def _columns_now(draft: Understood) -> tuple[int, int, int]:
    if draft.choices.columns:
        user, item, rating = draft.choices.columns
        return user - 1, item - 1, rating - 1
    names, taken = draft.preview.columns, draft.ratings.report.columns
    user, item, rating = (
        names.index(taken[role]) if taken.get(role) in names else place
        for place, role in enumerate(ROLES)
    )
    return user, item, rating


def _step_in_words(step: float | None) -> str:
    if step is None:
        return "as found"
    return "none: any value between" if step == CONTINUOUS else f"{step:g}"


def draw_preparation(own: OwnFile, ratings: Ratings) -> None:
    """Draw what is to be dropped; every change is carried out."""
    from engine.datasets import Preparation

    least, sample, core, seed = st.columns(4)
    key = own.version
    preparation = Preparation(
        min_ratings=least.number_input(
            "Ratings per user, at least",
            min_value=0,
            max_value=ratings.n_items,
            value=0,
            key=f"min-{key}",
        ),
        sample_users=sample.number_input(
            "Sample of users",
            min_value=1,
            max_value=ratings.n_users,
            value=None,
            placeholder="all",
            key=f"sample-{key}",
            help="So many users, drawn at random. The paper took 20,000 of Goodreads.",
        ),
        k_core=core.number_input(
            "k-core",
            min_value=0,
            max_value=ratings.n_items,
            value=0,
            key=f"core-{key}",
            help="The largest part in which every user and every item has at least k ratings.",
        ),
        seed=seed.number_input(
            "Seed of the sample", min_value=0, max_value=2**32 - 1, value=42, key=f"seed-{key}"
        ),
    )
    st.caption("The steps are taken in this order. What is dropped is said below.")
    own.prepare(preparation)
