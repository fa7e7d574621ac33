"""Forms that correct how a file was read, and prepare its ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.parts.own_file import CONTINUOUS, ROLES, Choices, OwnFile, Understood

if TYPE_CHECKING:
    from engine.datasets import Ratings
    from engine.datasets.preview import Preview

_STEPS: Final = (None, CONTINUOUS, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01)


def draw_correction(own: OwnFile, preview: Preview, draft: Understood | None) -> None:
    """Draw how the file is to be read; it is read again when the form is sent."""
    if preview.rows:
        st.markdown("The first lines of the file:")
        st.dataframe(
            [dict(zip(preview.columns, row, strict=True)) for row in preview.rows],
            hide_index=True,
            alt="The first lines of the file, before anything was understood",
        )
    # New keys for every file and every reading of it: what is chosen starts as it was read.
    key = f"{own.version}-{'draft' if draft else 'refused'}"
    scale = draft.ratings.scale if draft else None
    chosen = draft.choices if draft else Choices()
    with st.form(f"correct-{key}", border=False):
        columns: list[int] = []
        if preview.columns:
            for place, role in zip(st.columns(3), ROLES, strict=True):
                columns.append(
                    place.selectbox(
                        f"Column of the {role}",
                        range(1, len(preview.columns) + 1),
                        index=_column_now(preview, draft, role),
                        format_func=lambda number: preview.columns[number - 1],
                        key=f"column-{role}-{key}",
                    )
                )
        lowest, highest, steps = st.columns(3)
        minimum = lowest.number_input(
            "Lowest rating",
            value=chosen.minimum,
            placeholder=f"{scale.minimum:g} (found)" if scale else "as found",
            format="%0.12g",
            key=f"minimum-{key}",
        )
        maximum = highest.number_input(
            "Highest rating",
            value=chosen.maximum,
            placeholder=f"{scale.maximum:g} (found)" if scale else "as found",
            format="%0.12g",
            key=f"maximum-{key}",
        )
        step = steps.selectbox(
            "Step of the scale",
            _STEPS,
            index=_STEPS.index(chosen.step),
            format_func=_step_in_words,
            key=f"step-{key}",
        )
        counts = st.checkbox(
            "These are listening counts: make ratings from 1 to 1000 of them, by min-max per user",
            value=chosen.counts,
            key=f"counts-{key}",
            help="As the paper's LastFM data was made. The scale above does not count then.",
        )
        if st.form_submit_button("Read the file again"):
            with st.spinner("Reading the file again"):
                own.correct(
                    Choices(
                        (columns[0], columns[1], columns[2]) if columns else None,
                        minimum,
                        maximum,
                        step,
                        counts,
                    )
                )
            st.rerun()


def _column_now(preview: Preview, draft: Understood | None, role: str) -> int:
    place = ROLES.index(role)
    if draft is None:
        return min(place, len(preview.columns) - 1)
    if draft.choices.columns:
        return draft.choices.columns[place] - 1
    name = draft.ratings.report.columns.get(role, "")
    return preview.columns.index(name) if name in preview.columns else place


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
