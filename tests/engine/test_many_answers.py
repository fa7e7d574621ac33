from __future__ import annotations

import numpy as np
import pytest

from engine.datasets import Scale
from engine.errors import InputError
from engine.many_answers import count_answers_by_value, count_certain_answers, follow_estimates
from engine.privacy import Mechanism
from engine.randomized_response import throw

STARS = Scale(1.0, 5.0, 1.0)


def test_every_answer_is_counted_once() -> None:
    coins = throw(3.0, 400, Mechanism.for_scale(STARS))
    counts = count_answers_by_value(coins, 3.0, STARS)
    assert (counts.by_coins + counts.at_random).tolist() == [
        int((coins.answers == level).sum()) for level in counts.levels
    ]
    assert counts.answers == 400
    assert counts.true == (coins.answers == 3.0).sum()


def test_a_thousand_fresh_answers_give_five_stars_away_and_memoised_ones_do_not() -> None:
    assert follow_estimates(4.0, STARS, memoised=False).within(4.0, 1.0)
    assert not follow_estimates(4.0, STARS, memoised=True).within(4.0, 1.0)


def test_answers_cannot_be_counted_by_value_without_steps() -> None:
    with pytest.raises(InputError, match="a scale with steps"):
        count_certain_answers(np.array([0.5]), Scale(0.0, 1.0))
