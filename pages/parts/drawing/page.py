"""A page on the screen: the question that it answers, and its sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.comparison.sides import comparison_section
from pages.parts.drawing.exhibits import draw_caption, draw_exhibit
from pages.parts.drawing.folds import draw_fold
from pages.parts.drawing.standalone import slug
from pages.parts.screen import Screen
from pages.parts.sections import Action, Folded, KeyNumber, PagePart, Section


def draw_question(question: str) -> None:
    """Draw what the page answers."""
    st.markdown(f"*{question}*")


def draw_sections(parts: Sequence[PagePart], screen: Screen) -> None:
    """Draw sections from top to bottom; what is folded away is made once somebody opens it."""
    for part in parts:
        if isinstance(part, Section):
            _draw_section(part, screen)
        else:
            _draw_folded(part, screen)


def fold_key(folded: Folded) -> str:
    """Return the key under which the session knows whether this is open."""
    return f"fold-{slug(folded.heading)}"


def _draw_folded(folded: Folded, screen: Screen) -> None:
    draw_fold(folded.heading, fold_key(folded), lambda: draw_sections(folded.make(), screen))


def _draw_section(section: Section, screen: Screen) -> None:
    if section.heading:
        st.header(section.heading)
    for paragraph in filter(None, section.finding):
        st.markdown(paragraph)
    if section.points:
        st.markdown("\n".join(f"- {point}" for point in section.points))
    if section.action:
        _draw_action(section.action)
    if section.key_numbers:
        _draw_key_numbers(section.key_numbers)
    if section.compared and screen.pinned:
        _draw_section(comparison_section(screen, section.compared), screen)
    if section.widths:
        for place, exhibit in zip(st.columns(section.widths), section.exhibits, strict=True):
            with place:
                draw_exhibit(exhibit, screen)
    else:
        for exhibit in section.exhibits:
            draw_exhibit(exhibit, screen)
    draw_caption(section.caption, section.hint, f"section {section.heading}")
    for heading, words in (section.details or {}).items():
        with st.expander(heading, type="compact", icon=":material/rule:"):
            st.markdown(words)


def _draw_action(action: Action) -> None:
    # The key is the label: what is clicked is what it says.
    st.button(action.label, key=action.label, on_click=action.act, icon=":material/check:")


def _draw_key_numbers(key_numbers: Sequence[KeyNumber]) -> None:
    per_row = len(key_numbers) if len(key_numbers) % 2 else 2
    with st.grid(per_row, min_column_width=215):
        for key_number in key_numbers:
            with st.container(border=True, gap="xxsmall", height="stretch"):
                st.metric(**key_number_arguments(key_number))
                if key_number.note:
                    st.caption(key_number.note)


def key_number_arguments(key_number: KeyNumber) -> dict[str, Any]:
    """Return the arguments of `st.metric`.

    >>> fewer = KeyNumber("Uses", "4", "−2", -1, other_name="UserKNN", other_value="6", help="")
    >>> key_number_arguments(fewer)["delta"], key_number_arguments(fewer)["delta_description"]
    ('-2', 'UserKNN 6')
    """
    known = key_number.direction is not None
    return {
        "label": key_number.label,
        "value": key_number.value,
        # Streamlit takes an ASCII minus for a decrease, and only a number for no change.
        "delta": key_number.difference.replace("−", "-") if key_number.direction != 0 else 0,
        "delta_color": "inverse" if known and key_number.lower_is_better else "off",
        "delta_arrow": "auto" if known else "off",
        "delta_description": f"{key_number.other_name} {key_number.other_value}",
        "help": key_number.help,
    }
