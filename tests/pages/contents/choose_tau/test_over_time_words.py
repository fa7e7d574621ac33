"""The sentences on a threshold over time are true of its numbers, also at the extremes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.repeated_queries import VulnerableOverTime
from pages.contents.choose_tau.over_time_words import (
    over_time_sentences,
    over_time_title,
)
from pages.parts.wording import rate_sentence


@pytest.mark.parametrize(
    ("times", "tau", "limit", "said"),
    [
        ([np.inf] * 4, 5, None, "It never reaches 50\xa0%"),
        ([np.inf] * 4, 0, None, "no real use"),
        ([1.5, 2.0, 30.0, np.inf], 5, 0.25, "reaches your limit of 25\xa0% once the queries have"),
        ([0.5, 2.0, 3000.0, np.inf], 5, 0.75, "only after more than 1,000 times"),
        ([0.1] * 4, 5, None, "It reaches 50\xa0% before all queries have been asked once."),
        ([0.1] * 4, 1, None, "more than once per period, and more than 20 times in 20 periods"),
        ([0.1] * 4, 5, None, "**100\xa0% after 20 times**"),
    ],
)
def test_what_time_does_is_said_at_the_extremes(
    times: list[float], tau: int, limit: float | None, said: str
):
    over_time = VulnerableOverTime([np.array(times)])
    assert said in over_time_sentences(over_time, tau, 20, limit)
    wears_out = "wears out" in over_time_title(over_time, 20)
    assert wears_out == any(1 < time <= 20 for time in times)


def test_a_threshold_that_no_fold_can_pass_is_no_rate():
    assert "no fold passes τ = 10" in rate_sentence(10, 10)
    assert "900 uses of one person for each 1,000" in rate_sentence(9, 10)


def test_a_rate_of_one_is_one_use():
    assert "τ = 20 is 1 use of one person" in rate_sentence(20, 20_000)
    assert rate_sentence(1, 1).startswith("A fold asks 1 rating query, once, and each uses")
