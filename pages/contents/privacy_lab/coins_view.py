"""The tab on randomized response: the controls, and the sections they make."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from engine.datasets import Scale
from engine.many_answers import (
    count_answers_by_value,
    count_certain_answers,
    follow_estimates,
    levels_of,
)
from engine.privacy import Mechanism
from engine.randomized_response import throw
from pages.contents.privacy_lab.coins import (
    MANY,
    OBSERVERS,
    SHOWN,
    continuous_noise_sentence,
    continuous_title,
    default_rating,
    estimates_table,
    estimates_title,
    lab_scale,
    observer_sentence,
    tally_table,
    tally_title,
    throw_sentence,
)
from pages.contents.privacy_lab.coins_figures import (
    make_estimates_figure,
    make_noise_figure,
    make_tally_figure,
)
from pages.parts import memory
from pages.parts.drawing.exhibits import draw_exhibit
from pages.parts.drawing.page import draw_sections
from pages.parts.formulas import FORMULAS
from pages.parts.polling import polling
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import PERCENT, exactly

#: The numbers of throws at which the film of the answers stops for a moment.
_FILM: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200, 300, 500, 700, MANY)
_FRAME: Final = "0.8s"
_INTRODUCTION: Final = (
    "A protected answer is made with two fair coins. Unless both show tails, the answer is the "
    "real rating. If both show tails, the answer is a random value of the scale. Choose a rating "
    "and throw."
)


def draw_coins(screen: Screen) -> None:
    """Draw the coins to throw, and what many answers reveal."""
    data_scale = screen.ratings.scale
    scale = lab_scale(data_scale)
    st.markdown(_INTRODUCTION)
    if scale != data_scale:
        st.caption(
            f"The ratings of these data go from {data_scale}. The coins are thrown here for "
            "ratings from 1 to 5 in steps of 1."
        )
    levels = levels_of(scale).tolist()
    rating = float(
        st.select_slider(
            "The real rating, which is to be hidden",
            levels,
            value=default_rating(scale),
            format_func=exactly,
            key=f"lab_rating_{scale}",
        )
    )
    _throws(screen, scale, rating)
    draw_sections([_many_answers(scale, rating), _continuous(scale, rating)], screen)


def _throws(screen: Screen, scale: Scale, rating: float) -> None:
    """Draw the buttons and what was thrown; the film goes on by itself until it is paused."""
    state = st.session_state
    playing = bool(state.get("lab_playing"))

    def film() -> None:
        if playing and state.lab_playing:
            throws = state.get("lab_throws", 0)
            state.lab_throws = next((count for count in _FILM if count > throws), MANY)
            state.lab_playing = state.lab_throws < MANY
        _draw_throws(screen, scale, rating)
        if bool(state.get("lab_playing")) != playing:
            memory.run_again()  # begins or ends the polling

    polling(_FRAME if playing else None)(film)()


def _draw_throws(screen: Screen, scale: Scale, rating: float) -> None:
    state = st.session_state
    throws, seed = int(state.get("lab_throws", 0)), int(state.get("lab_throw_seed", 1))
    playing = bool(state.get("lab_playing"))

    def again(count: int, *, film: bool = False) -> None:
        state.lab_throw_seed, state.lab_throws = seed + 1, count
        state.lab_playing = film

    def more() -> None:
        state.lab_throws, state.lab_playing = min(throws + 1, MANY), False

    def play_or_pause() -> None:
        if playing or throws < MANY:
            state.lab_playing = not playing
        else:
            again(0, film=True)

    with st.container(horizontal=True):
        st.button("Throw once", key="lab_once", on_click=more, type="primary")
        st.button(f"Throw {MANY:,} times", key="lab_many", on_click=again, args=(MANY,))
        st.button(
            "Pause" if playing else "Play: more and more throws",
            key="lab_film",
            on_click=play_or_pause,
        )
        st.button("Begin anew", key="lab_anew", on_click=again, args=(0,), type="tertiary")
    if not throws:
        st.info("Nothing is thrown yet. What share of the answers will be the real rating?")
        return
    coins = throw(rating, MANY, Mechanism.for_scale(scale, "discrete"), seed).first(throws)
    counts = count_answers_by_value(coins, rating, scale)
    st.markdown(throw_sentence(coins, rating) if throws < MANY else observer_sentence(scale))
    draw_exhibit(
        Exhibit(
            name="lab-answers",
            alt="How often each value was answered, real answers below and random ones above",
            title=tally_title(counts),
            table=tally_table(counts),
            figure=make_tally_figure(counts, max(10, round(1.05 * counts.true))),
        ),
        screen,
    )


def _many_answers(scale: Scale, rating: float) -> Section:
    step = float(np.diff(levels_of(scale))[0])
    fresh = follow_estimates(rating, scale, memoised=False, observers=OBSERVERS)
    memoised = follow_estimates(rating, scale, memoised=True, observers=OBSERVERS)
    return Section(
        heading="Many answers about the same rating",
        finding=[
            "Coins that are thrown anew for each answer even out: whoever sees many answers "
            "about one rating can compute it. A memoised answer is thrown once and kept. Whoever "
            "asks again hears the same answer again and learns nothing new."
        ],
        exhibits=[
            Exhibit(
                name="lab-estimates",
                alt="Estimates of one rating against the number of answers, fresh and memoised",
                title=estimates_title(fresh, memoised, rating, step),
                table=estimates_table(fresh, memoised),
                formula=FORMULAS["randomized_response"],
                figure=make_estimates_figure(fresh, memoised, rating),
                caption=f"{OBSERVERS} observers estimate the rating as (mean of the answers − a "
                "quarter of the mean random rating) ÷ ¾. Lines: the middle observer. Bands: "
                f"90{PERCENT} of the observers. An estimate from few answers can lie beside the "
                "scale.",
            )
        ],
    )


def _continuous(scale: Scale, rating: float) -> Section:
    discrete = throw(rating, MANY, Mechanism.for_scale(scale, "discrete"))
    continuous = throw(rating, MANY, Mechanism.for_scale(scale, "continuous"))
    table = pd.DataFrame(
        {
            "answer": np.arange(1, MANY + 1),
            "discrete": discrete.answers,
            "discrete, real": discrete.real,
            "continuous": continuous.answers,
            "continuous, real": continuous.real,
        }
    )
    return Section(
        heading="Discrete and continuous noise",
        finding=[continuous_noise_sentence(scale)],
        exhibits=[
            Exhibit(
                name="lab-noise",
                alt="Answers with discrete and with continuous noise, a dot each",
                title=continuous_title(count_certain_answers(continuous.answers, scale), MANY),
                table=table,
                figure=make_noise_figure(
                    discrete.first(SHOWN), continuous.first(SHOWN), levels_of(scale)
                ),
                caption=f"The first {SHOWN} answers of both, from below. The colors are for you: "
                "an observer sees none. Left, the random answers hide among the real ones. Right, "
                "they stand between the values of the scale.",
            )
        ],
    )
