"""How far a run is, on the screen: it looks every two seconds, and can stop or go on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.parts.runs import experiments
from pages.parts.runs.forecast import forecast, forecast_words, is_large, is_tight, machine_memory
from pages.parts.runs.plan import Wish
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run, in_words
from pages.parts.wording import plain

if TYPE_CHECKING:
    from engine.datasets import Ratings
    from engine.estimate import Estimate

#: Looking more often makes the server slow for everybody else.
_LOOK_EVERY: Final = "2s"
#: A run that only reads what was computed before is there sooner than this.
_PATIENCE: Final = 2.0


def wait_briefly(run: Run[Results], wish: Wish) -> None:
    """Wait a moment for what is wished for, so that what is there at once shows at once.

    Only the first time it is wished for: moving tau must not wait for what takes long.
    """
    deadline = time.monotonic() + _PATIENCE
    if st.session_state.get("waited_for") == (run.key, wish):
        return
    st.session_state.waited_for = run.key, wish
    while run.active and time.monotonic() < deadline:
        if wish.strategy in run.result.strategies(wish.k):
            return
        time.sleep(0.02)


def draw_state(run: Run[Results], ratings: Ratings) -> None:
    """Draw how far the run is; nothing once it has finished."""
    if run.active:
        _watch(run, run.version)
        # From the pace so far one knows more than from the data alone.
        if run.seconds_left() is None:
            _draw_forecast(ratings)
    elif run.state == "cancelled":
        st.info("Stopped, for all who look at these data. What was finished is kept.")
    elif run.state == "failed":
        st.error(plain(run.error, longest=300))
        st.caption("What was finished before is kept.")
    if run.state in ("cancelled", "failed"):
        st.button("Start again", key="go_on", on_click=experiments.go_on, args=(ratings,))
        _watch_stopped(run)


def waits_for_consent(ratings: Ratings) -> bool:
    """Return whether a run is so large that somebody is to say that it may begin."""
    return (
        experiments.known_run(ratings) is None
        and st.session_state.get("begun") != ratings.fingerprint
        and is_large(_forecast(ratings), machine_memory())
    )


def draw_offer(ratings: Ratings) -> None:
    """Draw what a large run takes, and the button that begins it."""

    def begin() -> None:
        st.session_state.begun = ratings.fingerprint

    _draw_forecast(ratings)
    st.button("Begin the run", key="begin", on_click=begin, type="primary")


def _forecast(ratings: Ratings) -> Estimate:
    # The data do not change while a run is watched: counted once a visit.
    known = st.session_state.setdefault("forecasts", {})
    if ratings.fingerprint not in known:
        known.clear()
        known[ratings.fingerprint] = forecast(ratings)
    expected: Estimate = known[ratings.fingerprint]
    return expected


def _draw_forecast(ratings: Ratings) -> None:
    expected, memory = _forecast(ratings), machine_memory()
    words = forecast_words(expected, memory)
    if words and is_tight(expected, memory):
        st.warning(words)
    elif words:
        st.caption(words)


@st.fragment(run_every=_LOOK_EVERY)
def _watch(run: Run[Results], drawn: int) -> None:
    if not run.active or run.version != drawn:
        st.rerun()
    left = run.seconds_left()
    text = run.text + (f" · {in_words(left)} left" if left is not None else "")
    st.progress(min(1.0, run.share), text=text)
    stopping = run.stop.is_set()
    st.button(
        "Canceling…" if stopping else "Cancel",
        key="cancel",
        on_click=run.stop.set,
        disabled=stopping,
    )


@st.fragment(run_every=_LOOK_EVERY)
def _watch_stopped(run: Run[Results]) -> None:
    # Whoever else looks at this run may start it again.
    if experiments.runs().known(run.key) not in (run, None):
        st.rerun()
