"""The tab with the worked example: settings to change, one step a screen, Back and Next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from engine.errors import InputError
from engine.explanation import Explanation
from pages.contents.privacy_lab import example
from pages.contents.privacy_lab.example import FILMS, PEOPLE, QUESTIONS, RATINGS, Step
from pages.parts.looks import STRATEGY_LOOKS, name_of, shown_strategies
from pages.parts.screen import Screen

_WORDS: Final = """\
- **A use**: somebody's rating goes into a prediction for somebody else. The first **τ** uses of a \
person are answered with the real rating.
- **The coins**: from then on two coins are thrown before each answer. In a quarter of the cases a \
random rating goes out instead.
- **“Vulnerable”** users are used more than τ times. They are exposed most, so they get the coins. \
**“Secure”** users are used at most τ times. They are used rarely, and nothing of theirs is \
protected.
- **Not protected**: the first τ uses of everybody, and who becomes a neighbor. Many answers with \
new coins about the same rating give it away.
"""
_INTRODUCTION: Final = (
    "Ann, Ben, Cy and Dora rated a few films. Ann asks for those that she has not seen. UserKNN "
    "stands beside another strategy. Think of an answer before you open it."
)


def draw_example(_: Screen) -> None:
    """Draw the settings of the example and the step that is looked at."""
    st.markdown(_WORDS)
    st.markdown(_INTRODUCTION)
    strategy, k, tau, ratings = _draw_settings()
    try:
        fold = example.make_fold(ratings)
        both = [example.explain_queries(fold, name, k, tau) for name in ("userknn", strategy)]
    except InputError as error:
        st.error(str(error))
        return
    steps = example.steps_of(both[0])
    place = min(int(st.session_state.get("lab_step", 0)), len(steps) - 1)
    _draw_step(both, steps[place])
    _draw_ways(place, len(steps))


def _draw_settings() -> tuple[str, int, int, pd.DataFrame]:
    with st.expander("Change the ratings, k, τ and the strategy", type="compact"):
        with st.container(horizontal=True):
            strategy = st.selectbox(
                "Beside UserKNN",
                [name for name in shown_strategies() if name != "userknn"],
                index=[name for name in shown_strategies() if name != "userknn"].index("gain"),
                format_func=name_of,
                key="lab_example_strategy",
            )
            k = st.number_input("Neighbors per query, k", 1, 3, 1, key="lab_example_k")
            tau = st.number_input("Threshold τ", 0, 3, 1, key="lab_example_tau")
        st.caption(STRATEGY_LOOKS[strategy].sentence)
        ratings = st.data_editor(
            RATINGS,
            key="lab_example_ratings",
            column_config={
                name: st.column_config.NumberColumn(min_value=1, max_value=5, step=1)
                for name in PEOPLE
            },
            num_rows="fixed",
        )
        st.caption("Stars from 1 to 5; empty where somebody has not rated a film.")
    return str(strategy), int(k), int(tau), ratings


def _draw_step(both: Sequence[Sequence[Explanation]], step: Step) -> None:
    query, part = step.query, step.part
    if part == "summary":
        st.header("All queries together")
        st.markdown("**On whom do the uses fall? How many real ratings went out?**")
    else:
        film = FILMS[both[0][query].item]
        st.header(f"Query {query + 1} of {len(both[0])}: Ann asks for {film}")
        st.markdown(f"**{QUESTIONS[part].format(film=film)}**")
    if not st.toggle("Show the answer", key=f"lab_answer_{query}_{part}"):
        return
    if part == "summary":
        st.markdown(example.summary_sentence(both))
        _draw_table(example.summary_table(both), "Uses of everybody under both strategies")
        return
    if part == "candidates":
        st.markdown(example.candidates_sentence(both[0][query]))
        _draw_table(example.candidates_table(both[0][query]), "The candidates")
        return
    for place, explanations in zip(st.columns(2), both, strict=True):
        with place:
            _draw_part(explanations, query, part)


def _draw_part(explanations: Sequence[Explanation], query: int, part: str) -> None:
    explanation = explanations[query]
    if part == "ranks":
        st.markdown(example.ranks_sentence(explanation))
        _draw_table(example.ranks_table(explanation), "Ranks of the candidates")
    elif part == "uses":
        st.markdown(example.uses_sentence(explanation))
        _draw_table(example.uses_table(explanations[: query + 1]), "Uses so far")
    else:
        st.markdown(example.prediction_sentence(explanation))
        _draw_table(example.answers_table(explanation), "Coins and answers")


def _draw_table(table: pd.DataFrame, alt: str) -> None:
    if len(table):
        st.table(table.set_index(table.columns[0]), alt=alt)


def _draw_ways(place: int, steps: int) -> None:
    def go_to(step: int) -> None:
        st.session_state.lab_step = step

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Back", key="lab_back", on_click=go_to, args=(place - 1,), disabled=place == 0)
        st.button(
            "Next",
            key="lab_next",
            on_click=go_to,
            args=(place + 1,),
            disabled=place == steps - 1,
            type="primary",
        )
        st.caption(f"Step {place + 1} of {steps}")
