"""Forms that correct how a file was read, and prepare its ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from engine.datasets import Preparation, Ratings
from engine.datasets.preview import Preview
from engine.input_checks import LARGEST_SEED
from pages.parts.own_file import ROLES, OwnFile, Understood
from pages.parts.reading_choices import CONTINUOUS, Choices

#: What the first line holds, for `load`.
_HEADER: Final = {None: "as found", True: "names the columns", False: "holds a rating"}
_STEPS: Final = (None, CONTINUOUS, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01)


def draw_columns(own: OwnFile, preview: Preview) -> None:
    """Draw the choice of columns for a file that was refused; the file is read as chosen."""
    key = f"refused-{own.version}"
    _draw_first_lines(preview)
    with st.form(f"columns-{key}", border=False):
        _draw_choice(preview, (0, 1, 2), key)
        _draw_header(None, key)
        st.form_submit_button(
            "Read the file again", on_click=_ask_again, args=(key, own.version, True)
        )


def draw_correction(own: OwnFile, draft: Understood) -> None:
    """Draw how the file is read; sending the form reads it again."""
    _draw_first_lines(draft.preview)
    # Each file and each reading of it has new keys, so that the form starts with what was read.
    key = f"draft-{own.version}"
    scale, chosen = draft.ratings.scale, draft.choices
    steps = _STEPS if chosen.step in _STEPS else (*_STEPS, chosen.step)  # a link may say any
    with st.form(f"correct-{key}", border=False):
        _draw_choice(draft.preview, _columns_now(draft), key)
        _draw_header(chosen.has_header, key)
        lowest, highest, step = st.columns(3)
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
        step.selectbox(
            "Step of the scale",
            steps,
            index=steps.index(chosen.step),
            format_func=_step_in_words,
            key=f"step-{key}",
        )
        st.checkbox(
            "These are listening counts: make ratings of them, from 1 (the user's lowest) to 1000 "
            "(the highest)",
            value=chosen.counts,
            key=f"counts-{key}",
            help="The paper made its LastFM data like this. The scale above is then ignored.",
        )
        st.form_submit_button(
            "Read the file again", on_click=_ask_again, args=(key, own.version, False)
        )


def _ask_again(key: str, version: int, refused: bool) -> None:
    """Have the page read the file as the form says, be it one that was refused or one in draft.

    The button does not get the file itself: it would keep a file that somebody forgets.
    """

    def said(name: str) -> Any:
        return st.session_state.get(f"{name}-{key}")

    user, item, rating = (said(f"column-{role}") for role in ROLES)
    columns = (user, item, rating) if user else None
    choices = Choices(
        columns=columns,
        minimum=said("minimum"),
        maximum=said("maximum"),
        step=said("step"),
        counts=bool(said("counts")),
        has_header=said("header"),
    )

    def reading(own: OwnFile) -> None:
        of = own.refused if refused else own.draft
        if of is not None and version == own.version:
            own.correct(of, choices)

    ask(reading)


def ask(reading: Callable[[OwnFile], None]) -> None:
    """Have the page read a file: only the page can say meanwhile what it is doing."""
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


def _draw_header(now: bool | None, key: str) -> None:
    st.selectbox(
        "The first line",
        list(_HEADER),
        index=list(_HEADER).index(now),
        format_func=_HEADER.__getitem__,
        key=f"header-{key}",
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
    """Draw the choice of what is dropped; each change acts at once."""
    least, sample, core, seed = st.columns(4)
    # The form starts with what was prepared before the page was left, or with what a link says.
    key, chosen = own.version, own.preparation or Preparation()
    users, items = ratings.n_users, ratings.n_items
    preparation = Preparation(
        min_ratings=least.number_input(
            "Ratings per user, at least",
            min_value=0,
            max_value=items,
            value=min(chosen.min_ratings, items),
            key=f"min-{key}",
        ),
        sample_users=sample.number_input(
            "Sample of users",
            min_value=1,
            max_value=users,
            value=chosen.sample_users and min(chosen.sample_users, users),
            placeholder="all",
            key=f"sample-{key}",
            help="This many users are drawn at random. The paper took 20,000 of Goodreads.",
        ),
        k_core=core.number_input(
            "k-core",
            min_value=0,
            max_value=items,
            value=min(chosen.k_core, items),
            key=f"core-{key}",
            help="The largest part in which every user and every item has at least k ratings.",
        ),
        seed=seed.number_input(
            "Seed of the sample",
            min_value=0,
            max_value=LARGEST_SEED,
            value=chosen.seed,
            key=f"seed-{key}",
        ),
    )
    st.caption("The steps are taken in this order. The page says below what they drop.")
    own.prepare(preparation)
