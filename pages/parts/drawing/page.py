"""A page on the screen: the question that it answers, and its sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.comparison.sides import comparison_section
from pages.parts.drawing.exhibits import draw_caption, draw_exhibit
from pages.parts.drawing.standalone import slug
from pages.parts.screen import Screen
from pages.parts.sections import Action, Folded, Metric, PagePart, Section


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
    fold = st.expander(folded.heading, key=fold_key(folded), on_change="rerun")
    if fold.open:
        with fold:
            draw_sections(folded.make(), screen)


def _draw_section(section: Section, screen: Screen) -> None:
    if section.heading:
        st.header(section.heading)
    for paragraph in filter(None, section.finding):
        st.markdown(paragraph)
    if section.points:
        st.markdown("\n".join(f"- {point}" for point in section.points))
    if section.action:
        _draw_action(section.action)
    if section.metrics:
        _draw_metrics(section.metrics)
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


def _draw_metrics(metrics: Sequence[Metric]) -> None:
    per_row = len(metrics) if len(metrics) % 2 else 2
    with st.grid(per_row, min_column_width=215):
        for metric in metrics:
            with st.container(border=True, gap="xxsmall", height="stretch"):
                st.metric(**metric_arguments(metric))
                if metric.note:
                    st.caption(metric.note)


def metric_arguments(metric: Metric) -> dict[str, Any]:
    """Return the arguments of `st.metric`.

    >>> fewer = Metric("Uses", "4", "−2", -1, other_name="UserKNN", other_value="6", help="")
    >>> metric_arguments(fewer)["delta"], metric_arguments(fewer)["delta_description"]
    ('-2', 'UserKNN 6')
    """
    known = metric.direction is not None
    return {
        "label": metric.label,
        "value": metric.value,
        # Streamlit takes an ASCII minus for a decrease, and only a number for no change.
        "delta": metric.difference.replace("−", "-") if metric.direction != 0 else 0,
        "delta_color": "inverse" if known and metric.lower_is_better else "off",
        "delta_arrow": "auto" if known else "off",
        "delta_description": f"{metric.other_name} {metric.other_value}",
        "help": metric.help,
    }
