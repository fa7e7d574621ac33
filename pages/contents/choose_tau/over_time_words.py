"""What a threshold means over time, in words: true of its numbers, also at the extremes."""

from __future__ import annotations

import numpy as np

from engine.repeated_queries import VulnerableOverTime
from pages.parts.wording import exactly, number, percent, tau_in_words


def over_time_sentences(
    over_time: VulnerableOverTime, tau: int, rounds: int, limit: float | None
) -> str:
    """Return what becomes of a tau that is fixed, and of one that is renewed (Markdown)."""
    once, last = over_time.share(np.array([1.0, rounds]))
    share = limit or 0.5
    name = f"your limit of {percent(share)}" if limit else percent(share)
    time = over_time.time_until(share)
    if not np.isfinite(time):
        reached = f"It never reaches {name}, however often these queries are asked."
    elif time <= 1:
        reached = f"It reaches {name} before all queries have been asked once."
    elif time > 1000:
        reached = f"It reaches {name} only after more than 1,000 times."
    else:
        reached = f"It reaches {name} once the queries have been asked {number(time)} times."
    renewed = (
        "With no real use allowed, it makes no difference whether the budget is renewed."
        if tau == 0
        else f"A budget that is renewed each time keeps the share near {percent(once)}, but then "
        f"the real uses add up: nobody's real ratings are used {tau_in_words(tau)} per period, and "
        f"{tau_in_words(rounds * tau)} in {rounds} periods."
    )
    return (
        f"With τ = {exactly(tau)} fixed once and for all, the share of vulnerable users is "
        f"{percent(once)} after all queries were asked once, and **{percent(last)} after {rounds} "
        f"times**. {reached} {renewed}"
    )


def over_time_title(over_time: VulnerableOverTime, rounds: int) -> str:
    """Return what comes of a fixed tau."""
    once, last = over_time.share(np.array([1.0, rounds]))
    if last > once:
        return (
            f"A fixed τ wears out: {percent(once)} vulnerable after 1 round, {percent(last)} "
            f"after {rounds}"
        )
    return f"Time changes nothing here: {percent(once)} vulnerable after 1 round and after {rounds}"
