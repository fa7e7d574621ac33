"""How far a run is, on the screen: it looks every two seconds, and can stop or go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from engine.datasets import Ratings
from engine.estimate import Estimate
from pages.parts import memory
from pages.parts.polling import polling
from pages.parts.runs import experiments
from pages.parts.runs.conditions import Conditions
from pages.parts.runs.forecast import forecast, forecast_words, is_large, is_tight, machine_memory
from pages.parts.runs.plan import Wish, is_complete
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run, in_words
from pages.parts.wording import verbatim

#: Looking more often makes the server slow for everybody else.
_LOOK_EVERY: Final = "2s"
#: A run that only reads what was computed before is there sooner than this,
_PATIENCE: Final = 2.0
#: and each of its parts so soon after the one before.
_PART_PATIENCE: Final = 0.2


def wait_briefly(run: Run[Results], wish: Wish) -> None:
    """Wait a moment for what is wished for, so that what is there at once shows at once.

    Also for what is read after it: a page with the first fold alone would be drawn anew while a
    browser that has just come is still busy with its first figure.

    Only the first time it is wished for: moving tau must not wait for what takes long.
    """
    if st.session_state.get("waited_for") == (run.key, wish):
        return
    st.session_state["waited_for"] = run.key, wish
    if wish.strategy in run.result.strategies(wish.k):
        return
    deadline = time.monotonic() + _PATIENCE
    wait_for(run, _PATIENCE, until=lambda: wish.strategy in run.result.strategies(wish.k))
    while not is_complete(run.result, wish) and time.monotonic() < deadline:
        if not _more_comes_soon(run):
            return


def _more_comes_soon(run: Run[Results]) -> bool:
    """Wait for the next part, and return whether it came as soon as what is only read."""
    seen = run.version
    wait_for(run, _PART_PATIENCE, until=lambda: run.version != seen)
    return run.version != seen


def wait_for(run: Run[Any], seconds: float, until: Callable[[], bool] = lambda: False) -> None:
    """Wait this long at most: for the end of a run, for something else, or for the user's next act.

    Raises Streamlit's own exception if the user acts: a run of the script for that comes next.
    """
    deadline = time.monotonic() + seconds
    while run.active and not until() and time.monotonic() < deadline:
        memory.give_way()
        time.sleep(0.02)


def draw_state(run: Run[Results], ratings: Ratings) -> None:
    """Draw how far the run is; nothing once it has finished."""
    if run.active:
        watch(run, run.version)
        # The pace so far tells more than the data alone.
        if run.seconds_left() is None:
            _draw_forecast(ratings, half=run.result.half)
    elif run.state == "cancelled":
        st.info("Stopped, for all who look at these data. What was finished is kept.")
    elif run.state == "failed":
        st.error(verbatim(run.error, longest=300))
        st.caption("What was finished before is kept.")
    if run.state in ("cancelled", "failed"):
        st.button("Start again", key="go_on", on_click=experiments.runs().again, args=(run.key,))
        _watch_stopped(run)


def waits_for_consent(ratings: Ratings, conditions: Conditions) -> bool:
    """Return whether a run is large enough to ask before it begins."""
    return (
        experiments.known_run(ratings, conditions) is None
        and st.session_state.get("begun") != (ratings.fingerprint, conditions.half)
        and is_large(forecast_of(ratings, half=conditions.half), machine_memory())
    )


def draw_offer(ratings: Ratings, *, half: bool) -> None:
    """Draw what a large run takes, and the button that begins it."""
    fingerprint = ratings.fingerprint  # and not the ratings: Streamlit never forgets the button

    def begin() -> None:
        st.session_state.begun = fingerprint, half

    _draw_forecast(ratings, half=half)
    st.button("Begin the run", key="begin", on_click=begin, type="primary")


def forecast_of(ratings: Ratings, *, half: bool = False) -> Estimate:
    """Return the forecast of a whole run of these ratings."""
    # The data do not change while a run is watched: counted once in a visit.
    known, key = st.session_state.setdefault("forecasts", {}), (ratings.fingerprint, half)
    if key not in known:
        known.clear()
        known[key] = forecast(ratings, half=half)
    expected: Estimate = known[key]
    return expected


def _draw_forecast(ratings: Ratings, *, half: bool) -> None:
    expected, memory = forecast_of(ratings, half=half), machine_memory()
    words = forecast_words(expected, memory)
    if words and is_tight(expected, memory):
        st.warning(words)
    elif words:
        st.caption(words)


@polling(_LOOK_EVERY)
def watch(run: Run[Any], drawn: int, cancel_key: str = "cancel") -> None:
    """Look how far a run is, and draw the page again when it has more than was drawn."""
    if not run.active or run.version != drawn:
        memory.run_again()
    left = run.seconds_left()
    text = run.text + (f" · {in_words(left)} left" if left is not None else "")
    st.progress(min(1.0, run.share), text=text)
    stopping = run.stop.is_set()
    st.button(
        "Canceling…" if stopping else "Cancel",
        key=cancel_key,
        on_click=run.stop.set,
        disabled=stopping,
    )


@polling(_LOOK_EVERY)
def _watch_stopped(run: Run[Results]) -> None:
    # Whoever else looks at this run may start it again.
    if experiments.runs().known(run.key) not in (run, None):
        memory.run_again()
